/*
 * The firmware as a library in simulated time: bytes and a clock go in, bytes come out. It lets
 * a host in the same process run hours of line within seconds.
 */
#include <stdlib.h>

#include "device.h"
#include "plant.h"

enum { POLL_US = 500 };

struct simulated {
    struct plant plant;
    struct device device;
    struct start start;
    uint64_t now_us;
    uint32_t motions_before; /* those of earlier starts */
};

struct simulated *simulated_new(uint16_t cards, uint32_t starts);
void simulated_restart(struct simulated *simulated);
void simulated_free(struct simulated *simulated);
void simulated_receive(struct simulated *simulated, const uint8_t *data, size_t size);
void simulated_advance(struct simulated *simulated, uint64_t now_us);
size_t simulated_send(struct simulated *simulated, uint8_t *out, size_t room);
uint32_t simulated_motions(const struct simulated *simulated);

static struct inputs inputs_now(struct simulated *simulated)
{
    return (struct inputs){
        .now_ms = (uint32_t)(simulated->now_us / 1000),
        .sensors = plant_sensors(&simulated->plant),
        .height = plant_height(&simulated->plant),
        .has_noise = true,
        .noise = plant_noise(&simulated->plant),
    };
}

struct simulated *simulated_new(uint16_t cards, uint32_t starts)
{
    struct simulated *simulated = calloc(1, sizeof *simulated);
    if (simulated == NULL) {
        return NULL;
    }
    plant_start(&simulated->plant, starts);
    plant_insert(&simulated->plant, cards, 0, 0);
    simulated->start = (struct start){
        .starts = starts - 1,
        .cause = BOOT_CAUSE_POWER,
        .serial_number = "SIMULATED",
    };
    simulated_restart(simulated);
    return simulated;
}

void simulated_restart(struct simulated *simulated)
{
    struct inputs inputs = inputs_now(simulated);
    simulated->motions_before += simulated->device.machine.motions;
    simulated->start.starts++;
    simulated->start.is_unfinished = simulated->device.machine.is_unfinished;
    device_start(&simulated->device, &simulated->start, &inputs);
    while (device_add_noise(&simulated->device, plant_noise(&simulated->plant))) {
    }
}

void simulated_free(struct simulated *simulated)
{
    free(simulated);
}

void simulated_receive(struct simulated *simulated, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        device_receive(&simulated->device, data[n]);
    }
}

void simulated_advance(struct simulated *simulated, uint64_t now_us)
{
    while (simulated->now_us + POLL_US <= now_us) {
        simulated->now_us += POLL_US;
        plant_step(&simulated->plant, simulated->device.machine.actuators, POLL_US);
        struct inputs inputs = inputs_now(simulated);
        device_poll(&simulated->device, &inputs);
    }
}

/* Whole frames only, as many as fit. */
size_t simulated_send(struct simulated *simulated, uint8_t *out, size_t room)
{
    size_t size = 0;
    size_t added = 1;
    while (added > 0 && size + MAX_WIRE <= room) {
        added = device_next_frame(&simulated->device, out + size);
        size += added;
    }
    return size;
}

uint32_t simulated_motions(const struct simulated *simulated)
{
    return simulated->motions_before + simulated->device.machine.motions;
}
