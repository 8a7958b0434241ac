/* The whole device: link and machine together, ready for a hardware layer. */
#ifndef CUTCARD_DEVICE_H
#define CUTCARD_DEVICE_H

#include "machine.h"

/* What the hardware layer knows at a start. */
struct start {
    uint32_t starts;       /* counts every start, and is the epoch */
    enum boot_cause cause;
    const char *serial_number; /* up to 16 characters, ended by a zero if shorter */
    bool is_unfinished;    /* machine.is_unfinished when it last ran */
    const uint8_t *key;    /* KEY_SIZE bytes, or NULL while none was set */
};

struct device {
    struct link link;
    struct machine machine;
    uint32_t starts;
    uint16_t overruns;   /* bytes lost in reception; the hardware layer counts them */
    uint16_t slowest_us; /* longest pass of the hardware layer's main loop */
};

void device_start(struct device *device, const struct start *start, const struct inputs *inputs);
/*
 * Hand over a sample of the noise source between polls; false once no more is wanted now. A
 * hardware layer does so at its start and in bursts, so that no shuffle need wait.
 */
bool device_add_noise(struct device *device, uint8_t sample);
bool device_wants_noise(const struct device *device);

void device_receive(struct device *device, uint8_t byte);
void device_poll(struct device *device, const struct inputs *inputs);

/* Before a poll: what the sensors said since the last, if the hardware layer kept it. */
void device_note(struct device *device, const struct inputs *inputs);

/* The next frame to send into `out`, which takes MAX_WIRE; 0 when there is none. */
size_t device_next_frame(struct device *device, uint8_t *out);

#endif
