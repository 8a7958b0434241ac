/* The gate: what it permits, and what leaves it. */
#include "machine_parts.h"

void set_gate(struct machine *machine, enum gate gate, uint16_t permitted)
{
    if (gate == machine->gate && permitted == machine->permitted) {
        return;
    }
    machine->gate = gate;
    machine->permitted = permitted;
    if (gate == GATE_HELD) {
        machine->actuators &= (uint16_t)~ACTUATOR_GATE_OPEN;
    } else {
        machine->actuators |= ACTUATOR_GATE_OPEN;
    }
    struct gate_changed event = {.gate = (uint8_t)gate, .permitted = permitted};
    uint8_t payload[SIZE_GATE_CHANGED];
    gate_changed_pack(&event, payload);
    link_emit(machine->link, ID_GATE_CHANGED, payload, sizeof payload);
}

static void count_card(struct machine *machine)
{
    machine->drawn++;
    machine->total_cards++;
    if (machine->cards > 0) {
        machine->cards--;
    }
    struct card_out event = {.number = machine->drawn, .boxed = machine->is_exit_face};
    uint8_t payload[SIZE_CARD_OUT];
    card_out_pack(&event, payload);
    link_emit(machine->link, ID_CARD_OUT, payload, sizeof payload);
}

static void card_left(struct machine *machine)
{
    count_card(machine);
    if (machine->is_exit_two) {
        count_card(machine);
    }
    if (machine->is_exit_two || machine->gate == GATE_HELD) {
        raise_fault(machine, FAULT_CODE_DOUBLE_FEED, PART_GATE, 0);
    } else if (machine->gate != GATE_OPEN) {
        /* Quietly: the host knows what it permitted and counts along. */
        machine->permitted--;
        if (machine->permitted == 0) {
            set_gate(machine, GATE_HELD, 0);
        }
    }
}

/* A sensor that was stuck tells nothing by coming free: the magazine tells whether a card left. */
static bool has_card_left(const struct machine *machine)
{
    return !has_fault(machine, FAULT_CODE_SENSOR_STUCK) || machine->in.height < machine->cards;
}

void poll_exit(struct machine *machine)
{
    bool is_exiting = senses(machine, SENSOR_EXIT);
    if (is_exiting && !machine->is_exiting) {
        machine->is_exit_two = false;
        machine->is_exit_face = false;
    }
    if (is_exiting) {
        machine->is_exit_two |= senses(machine, SENSOR_EXIT_TWO);
        machine->is_exit_face |= senses(machine, SENSOR_EXIT_FACE);
    } else if (machine->is_exiting && has_card_left(machine)) {
        card_left(machine);
    }
    machine->is_exiting = is_exiting;
}

static void poll_empty(struct machine *machine)
{
    bool is_empty = machine->cards == 0 && !senses(machine, SENSOR_HOPPER);
    if (machine->gate != GATE_HELD && is_empty && !machine->is_exiting) {
        raise_fault(machine, FAULT_CODE_HOPPER_EMPTY, PART_HOPPER, 0);
    }
}

/* A host that has gone silent can permit nothing any more. */
static void poll_silence(struct machine *machine)
{
    if (machine->link->is_heard) {
        machine->link->is_heard = false;
        machine->heard_ms = machine->in.now_ms;
    }
    if (machine->gate == GATE_HELD || !has_lasted(machine, machine->heard_ms, SILENCE_MS)) {
        return;
    }
    uint32_t silent_ms = machine->in.now_ms - machine->heard_ms;
    struct host_silent event = {
        .silent_ms = silent_ms > UINT16_MAX ? UINT16_MAX : (uint16_t)silent_ms,
    };
    uint8_t payload[SIZE_HOST_SILENT];
    host_silent_pack(&event, payload);
    link_emit(machine->link, ID_HOST_SILENT, payload, sizeof payload);
    set_gate(machine, GATE_HELD, 0);
}

void poll_gate(struct machine *machine)
{
    poll_exit(machine);
    poll_empty(machine);
    poll_silence(machine);
}
