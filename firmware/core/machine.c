/* Faults, and the sensors that matter at all times. */
#include "machine_parts.h"

bool senses(const struct machine *machine, enum sensor sensor)
{
    return (machine->in.sensors & (uint16_t)sensor) != 0;
}

bool has_lasted(const struct machine *machine, uint32_t since_ms, uint32_t span_ms)
{
    return machine->in.now_ms - since_ms >= span_ms;
}

void begin(struct machine *machine, enum activity activity)
{
    machine->activity = activity;
    machine->since_ms = machine->in.now_ms;
    if (activity == IDLE) {
        machine->actuators &= (uint16_t)~MOTORS;
        machine->height_ms = machine->in.now_ms; /* let the magazine settle anew */
    }
}

void machine_start(struct machine *machine, struct link *link, const struct inputs *inputs,
                   bool is_unfinished)
{
    memset(machine, 0, sizeof *machine);
    machine->link = link;
    machine->in = *inputs;
    machine->deck = DECK_A;
    machine->cards = inputs->height;
    machine->height = inputs->height;
    machine->height_ms = inputs->now_ms;
    machine->heard_ms = inputs->now_ms;
    machine->free_ms = inputs->now_ms;
    machine->is_unfinished = is_unfinished;
    entropy_start(&machine->entropy);
    if (is_unfinished) {
        raise_fault(machine, FAULT_CODE_COUNT_DIFFERS, PART_CAROUSEL, 0);
    }
}

/* --- faults ------------------------------------------------------------------------------- */

bool has_fault(const struct machine *machine, enum fault_code code)
{
    return (machine->faults & fault_bit(code)) != 0;
}

void raise_fault(struct machine *machine, enum fault_code code, enum part part, uint8_t tries)
{
    if (has_fault(machine, code)) {
        return;
    }
    machine->faults |= fault_bit(code);
    struct fault_located located = {
        .code = (uint8_t)code,
        .part = (uint8_t)part,
        .tries = tries,
    };
    uint8_t payload[SIZE_FAULT_LOCATED];
    fault_located_pack(&located, payload);
    link_emit(machine->link, ID_FAULT_LOCATED, payload, sizeof payload);
    link_emit(machine->link, ID_FAULT_RAISED, &located.code, SIZE_FAULT_RAISED);
    begin(machine, IDLE);
    set_gate(machine, GATE_HELD, 0);
}

void clear_fault(struct machine *machine, enum fault_code code)
{
    if (!has_fault(machine, code)) {
        return;
    }
    machine->faults &= (uint16_t)~fault_bit(code);
    uint8_t payload = (uint8_t)code;
    link_emit(machine->link, ID_FAULT_CLEARED, &payload, SIZE_FAULT_CLEARED);
}

/* Faults whose cause a person removes behind the open lid. */
static const enum fault_code CLEARED_BY_LID[] = {
    FAULT_CODE_LID_OPEN,
    FAULT_CODE_JAM,
    FAULT_CODE_DOUBLE_FEED,
    FAULT_CODE_DRIVE_STALLED,
    FAULT_CODE_COUNT_DIFFERS,
};

static void poll_lid(struct machine *machine)
{
    if (!senses(machine, SENSOR_LID_CLOSED)) {
        machine->lid_ms = machine->in.now_ms;
        machine->is_lid_open = true;
        raise_fault(machine, FAULT_CODE_LID_OPEN, PART_LID, 0);
    } else if (machine->is_lid_open && has_lasted(machine, machine->lid_ms, LID_MS)) {
        machine->is_lid_open = false;
        machine->is_homed = false;
        machine->is_unfinished = false;
        memset(machine->slots, 0, sizeof machine->slots);
        for (size_t n = 0; n < sizeof CLEARED_BY_LID / sizeof *CLEARED_BY_LID; n++) {
            clear_fault(machine, CLEARED_BY_LID[n]);
        }
    }
}

static enum part stuck_part(const struct machine *machine)
{
    if (senses(machine, SENSOR_EXIT)) {
        return PART_EXIT;
    }
    return senses(machine, SENSOR_INFEED) ? PART_FEED : PART_UNLOADER;
}

static void poll_stuck(struct machine *machine)
{
    bool is_any = senses(machine, SENSOR_EXIT) || senses(machine, SENSOR_INFEED)
                  || senses(machine, SENSOR_UNLOADED);
    if (!is_any || machine->activity != IDLE) {
        machine->free_ms = machine->in.now_ms;
    }
    if (!is_any) {
        clear_fault(machine, FAULT_CODE_SENSOR_STUCK);
    } else if (has_lasted(machine, machine->free_ms, STUCK_MS)) {
        raise_fault(machine, FAULT_CODE_SENSOR_STUCK, stuck_part(machine), 0);
    }
}

/* A person put cards in or took some out: the height has changed and settled. */
static void poll_magazine(struct machine *machine)
{
    if (machine->in.height != machine->height || machine->activity != IDLE
        || machine->is_exiting) {
        machine->height = machine->in.height;
        machine->height_ms = machine->in.now_ms;
    } else if (machine->height != machine->cards
               && has_lasted(machine, machine->height_ms, SETTLED_MS)) {
        tell_cards(machine, machine->height);
    }
}

void tell_cards(struct machine *machine, uint16_t cards)
{
    machine->cards = cards;
    if (cards > 0) {
        clear_fault(machine, FAULT_CODE_HOPPER_EMPTY);
    }
    struct cards_in event = {.count = cards};
    uint8_t payload[SIZE_CARDS_IN];
    cards_in_pack(&event, payload);
    link_emit(machine->link, ID_CARDS_IN, payload, sizeof payload);
}

bool machine_wants_noise(const struct machine *machine)
{
    bool is_resting = machine->activity == IDLE || machine->activity == COLLECT;
    return is_resting && !entropy_is_ready(&machine->entropy);
}

/* There is always a secret in reserve, or one on the way; hashing must not delay a motor. */
static void poll_noise(struct machine *machine)
{
    if (machine_wants_noise(machine) && machine->in.has_noise) {
        entropy_add(&machine->entropy, machine->in.noise);
    }
    if (entropy_is_ready(&machine->entropy)) {
        clear_fault(machine, FAULT_CODE_NO_ENTROPY);
    }
}

void machine_note(struct machine *machine, const struct inputs *inputs)
{
    machine->in = *inputs;
    poll_exit(machine);
    note_step(machine);
}

void machine_poll(struct machine *machine, const struct inputs *inputs)
{
    machine->in = *inputs;
    poll_lid(machine);
    poll_gate(machine);
    poll_activity(machine);
    poll_stuck(machine);
    poll_magazine(machine);
    poll_noise(machine);
    if ((int32_t)(machine->in.now_ms - machine->tone_end_ms) >= 0) {
        machine->actuators &= (uint16_t)~ACTUATOR_TONE;
    }
}
