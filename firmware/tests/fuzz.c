/*
 * Throws bytes, frames, sensors and restarts at the device, in simulated time and repeatably,
 * and checks after each what must always hold. The sanitizers watch the rest.
 *
 * Usage: fuzz SEED RUNS
 */
#include <stdio.h>
#include <stdlib.h>

#include "rig.h"

enum { STEPS = 40 };

static struct rig rig;
static uint32_t state;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % limit;
}

static void fill(uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        data[n] = (uint8_t)below(256);
    }
}

static void throw_bytes(void)
{
    uint8_t data[200];
    size_t size = below(sizeof data);
    fill(data, size);
    rig_receive(&rig, data, size);
}

/* A frame of the right session more often than not, with any id and payload. */
static void throw_frame(void)
{
    static const uint8_t SIZES[] = {0, 1, 2, 3, 4, 32, MAX_PAYLOAD};
    uint8_t payload[MAX_PAYLOAD];
    fill(payload, sizeof payload);
    if (below(2) == 0) {
        payload[0] = (uint8_t)below(10); /* more often a value that exists */
        payload[1] = 0;
    }
    struct frame frame = {
        .id = (uint8_t)(below(4) == 0 ? below(256) : below(0x40)),
        .sequence = (uint16_t)(rig.device.link.last_sequence + (below(5) == 0 ? below(9) : 1)),
        .session = below(9) == 0 ? (uint16_t)below(9) : rig.device.link.session,
        .epoch = below(9) == 0 ? below(9) : rig.start.starts,
        .event = below(300),
        .payload = payload,
        .size = SIZES[below(sizeof SIZES)],
    };
    rig_send(&rig, frame);
}

static void throw_spoilt_frame(void)
{
    uint8_t wire[MAX_WIRE];
    struct frame frame = {
        .id = ID_RESUME,
        .session = rig.device.link.session,
        .sequence = (uint16_t)(rig.device.link.last_sequence + 1),
        .epoch = rig.start.starts,
    };
    size_t size = frame_encode(&frame, wire);
    wire[below((uint32_t)size)] ^= (uint8_t)(1U << below(8));
    rig_receive(&rig, wire, size);
}

static void move_hands(void)
{
    switch (below(6)) {
    case 0:
        plant_insert(&rig.plant, (uint16_t)below(60), (uint16_t)below(60), (uint16_t)below(3));
        break;
    case 1:
        plant_take(&rig.plant);
        break;
    case 2:
        plant_open_briefly(&rig.plant);
        break;
    case 3:
        rig.plant.is_lid_open = below(2) == 0;
        break;
    default:
        rig_draw(&rig);
        break;
    }
}

static void break_something(void)
{
    rig.plant.jams = (uint8_t)(below(3) == 0 ? below(256) : 0);
    rig.plant.doubles = (uint8_t)(below(3) == 0 ? below(256) : 0);
    rig.plant.losses = (uint8_t)below(3);
    rig.plant.will_exit_two = below(4) == 0;
    rig.plant.is_stalled = below(8) == 0;
    rig.plant.is_noise_dead = below(8) == 0;
    rig.plant.stuck_high = (uint16_t)(below(4) == 0 ? 1U << below(13) : 0);
    rig.plant.stuck_low = (uint16_t)(below(4) == 0 ? 1U << below(13) : 0);
}

static void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static void check_what_always_holds(void)
{
    const struct machine *machine = &rig.device.machine;
    uint16_t blocking = machine->faults & (uint16_t)~(1U << (FAULT_CODE_HOPPER_EMPTY - 1));
    uint16_t moving = ACTUATOR_FEED | ACTUATOR_FEED_BACK | ACTUATOR_STEP | ACTUATOR_STEP_BACK
                      | ACTUATOR_UNLOAD | ACTUATOR_EJECT;
    bool is_open = (machine->actuators & ACTUATOR_GATE_OPEN) != 0;
    demand(is_open == (machine->gate != GATE_HELD), "the gate stands as it is said to");
    demand(machine->faults == 0 || !is_open, "a fault holds the gate");
    demand(blocking == 0 || (machine->actuators & moving) == 0, "a fault stops the motors");
    demand(machine->activity == IDLE || !is_open, "nothing moves by itself at an open gate");
    demand(rig.device.link.sent <= rig.device.link.newest, "what was sent has happened");
    demand((machine->actuators & (ACTUATOR_FEED | ACTUATOR_FEED_BACK))
               != (ACTUATOR_FEED | ACTUATOR_FEED_BACK),
           "a roller turns one way");
}

static void step(void)
{
    static void (*const MOVES[])(void) = {
        throw_bytes, throw_frame, throw_frame, throw_frame, throw_frame,
        throw_frame, throw_spoilt_frame, move_hands, break_something,
    };
    MOVES[below(sizeof MOVES / sizeof *MOVES)]();
    check_what_always_holds();
    if (below(30) == 0) {
        rig_restart(&rig, (enum boot_cause)below(5));
        check_what_always_holds();
    }
    rig_run(&rig, below(20) == 0 ? below(3000) : below(40));
    check_what_always_holds();
    rig.event_count = 0;
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: fuzz SEED RUNS\n");
        return 2;
    }
    uint32_t seed = (uint32_t)strtoul(words[1], NULL, 10);
    unsigned long runs = strtoul(words[2], NULL, 10);
    for (unsigned long run = 0; run < runs; run++) {
        state = (uint32_t)((seed + run) * 2654435761U) | 1U;
        rig_start(&rig, (uint16_t)below(110));
        for (unsigned n = 0; n < STEPS; n++) {
            step();
        }
        if (run % 10000 == 9999) {
            printf("%lu runs\n", run + 1);
        }
    }
    printf("%lu runs, seed %lu\n", runs, (unsigned long)seed);
    return 0;
}
