/* Device and plant side by side in simulated time, with a host that says what a test tells it. */
#ifndef CUTCARD_RIG_H
#define CUTCARD_RIG_H

#include "device.h"
#include "plant.h"

enum { RIG_EVENTS = 2048, RIG_POLL_US = 500, RIG_SESSION = 7 };

struct rig {
    struct plant plant;
    struct device device;
    struct start start;
    uint8_t key[KEY_SIZE];
    uint32_t now_us;
    struct decoder decoder;
    struct message events[RIG_EVENTS];
    uint32_t event_numbers[RIG_EVENTS];
    size_t event_count;
    struct message reply;
    struct frame reply_frame;
    bool is_replied;
    uint16_t sequence;
};

/* A machine switched on, with so many cards in it, and a host that has identified it. */
void rig_start(struct rig *rig, uint16_t cards);
void rig_restart(struct rig *rig, enum boot_cause cause);

/* Let time pass; the host stays silent. */
void rig_run(struct rig *rig, uint32_t ms);

/* Let time pass until an event of this kind, at most so long; whether it came. */
bool rig_wait(struct rig *rig, uint8_t event_id, uint32_t ms);

/* Hand bytes to the device as they are, then take in what it sends. */
void rig_receive(struct rig *rig, const uint8_t *data, size_t size);

/* Send a frame with any header; whether it was answered. */
bool rig_send(struct rig *rig, struct frame frame);

/* Send the next command of the session; returns the id of its answer. */
uint8_t rig_ask(struct rig *rig, uint8_t id, const uint8_t *payload, uint8_t size);
uint8_t rig_deal(struct rig *rig, uint16_t count);

/* Events of this kind so far, and whether the newest of it has this first payload byte. */
size_t rig_count(const struct rig *rig, uint8_t event_id);
bool rig_has_fault(const struct rig *rig, uint8_t code);
struct fault_located rig_located(const struct rig *rig);
struct device_status rig_status(struct rig *rig);

/* Pull a card at the gate; whether one came. Lets time pass until it is out. */
bool rig_draw(struct rig *rig);

#endif
