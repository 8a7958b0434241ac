/* Commands, faults and the sensors that matter at all times. */
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

static uint16_t bit_of(enum fault_code code)
{
    return (uint16_t)(1U << ((unsigned)code - 1));
}

bool has_fault(const struct machine *machine, enum fault_code code)
{
    return (machine->faults & bit_of(code)) != 0;
}

void raise_fault(struct machine *machine, enum fault_code code, enum part part, uint8_t tries)
{
    if (has_fault(machine, code)) {
        return;
    }
    machine->faults |= bit_of(code);
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
    machine->faults &= (uint16_t)~bit_of(code);
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

/* --- commands ----------------------------------------------------------------------------- */

typedef void (*command_fn)(struct machine *, const uint8_t *payload, struct message *answer);

static void refuse(struct message *answer, enum refusal reason)
{
    answer->id = ID_REFUSED;
    answer->size = SIZE_REFUSED;
    answer->payload[0] = (uint8_t)reason;
}

static void read_status(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    struct device_status status = {
        .gate = (uint8_t)machine->gate,
        .permitted = machine->permitted,
        .cards = machine->cards,
        .drawn = machine->drawn,
        .faults = machine->faults,
        .is_busy = machine->activity != IDLE,
    };
    answer->id = ID_DEVICE_STATUS;
    answer->size = SIZE_DEVICE_STATUS;
    device_status_pack(&status, answer->payload);
}

static void self_test(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    answer->id = ID_SELF_TESTED;
    answer->size = SIZE_SELF_TESTED;
    put_u16(answer->payload, machine->faults | implausible(machine));
}

static void set_light(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    static const uint16_t LAMPS[] = {
        [LIGHT_OFF] = 0,
        [LIGHT_GREEN] = ACTUATOR_GREEN,
        [LIGHT_AMBER] = ACTUATOR_GREEN | ACTUATOR_RED,
        [LIGHT_RED] = ACTUATOR_RED,
    };
    (void)answer;
    struct set_light wanted;
    set_light_unpack(&wanted, payload);
    machine->actuators &= (uint16_t)~(ACTUATOR_GREEN | ACTUATOR_RED);
    machine->actuators |= LAMPS[wanted.light];
    machine->tone_end_ms = machine->in.now_ms + wanted.tone_ms;
    if (wanted.tone_ms > 0) {
        machine->actuators |= ACTUATOR_TONE;
    }
}

static void hold(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    (void)answer;
    set_gate(machine, GATE_HELD, 0);
}

static void read_capacity(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)machine;
    (void)payload;
    struct capacity capacity = {.shelves = SHELVES, .cards = MAX_CARDS, .decks = DECKS};
    answer->id = ID_CAPACITY;
    answer->size = SIZE_CAPACITY;
    capacity_pack(&capacity, answer->payload);
}

static void lock(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    bool is_locked = payload[0] != 0;
    if (machine->activity != IDLE) {
        refuse(answer, REFUSAL_BUSY);
        return;
    }
    if (is_locked == ((machine->actuators & ACTUATOR_LOCK) != 0)) {
        return;
    }
    machine->actuators ^= ACTUATOR_LOCK;
    uint8_t event = is_locked ? 1 : 0;
    link_emit(machine->link, ID_LOCK_CHANGED, &event, SIZE_LOCK_CHANGED);
}

static void shuffle(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    (void)answer;
    start_shuffle(machine);
}

static void deal(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)answer;
    set_gate(machine, GATE_COUNTED, get_u16(payload));
}

static void resume(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    (void)answer;
    set_gate(machine, GATE_OPEN, 0);
}

static void burn(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    (void)answer;
    set_gate(machine, GATE_BURN, 1);
}

static void eject(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    (void)answer;
    set_gate(machine, GATE_HELD, 0);
    begin(machine, EJECTING);
    machine->actuators |= ACTUATOR_EJECT;
}

static void select_deck(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)answer;
    set_gate(machine, GATE_HELD, 0);
    if (payload[0] != (uint8_t)machine->deck) {
        uint16_t cards = machine->cards;
        uint16_t drawn = machine->drawn;
        machine->cards = machine->other_cards;
        machine->drawn = machine->other_drawn;
        machine->other_cards = cards;
        machine->other_drawn = drawn;
        machine->deck = payload[0];
        machine->actuators ^= ACTUATOR_LIFT_B;
    }
    begin(machine, LIFTING);
}

static void test_part(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)answer;
    start_test(machine, payload[0]);
}

static struct mixer *mixer(struct machine *machine)
{
    return &machine->mixers[machine->deck - DECK_A];
}

static void commit_entropy(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    uint8_t secret[SECRET_SIZE];
    (void)payload;
    if (machine->activity != IDLE) {
        refuse(answer, REFUSAL_BUSY); /* hashing takes the processor from the motors */
    } else if (machine->entropy.has_failed) {
        raise_fault(machine, FAULT_CODE_NO_ENTROPY, PART_NOISE_SOURCE, 0);
        refuse(answer, REFUSAL_FAULT);
    } else if (!entropy_take(&machine->entropy, secret)) {
        refuse(answer, REFUSAL_BUSY); /* the last one was taken a moment ago */
    } else {
        answer->id = ID_ENTROPY_COMMITTED;
        answer->size = SIZE_ENTROPY_COMMITTED;
        mixer_commit(mixer(machine), secret, answer->payload);
    }
}

static void mix_entropy(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    if (!mixer_mix(mixer(machine), payload)) {
        refuse(answer, REFUSAL_BAD_VALUE);
    }
}

static void open_entropy(struct machine *machine, const uint8_t *payload, struct message *answer)
{
    (void)payload;
    if (!mixer(machine)->has_gone) {
        refuse(answer, REFUSAL_BUSY);
        return;
    }
    answer->id = ID_ENTROPY_OPENED;
    answer->size = SIZE_ENTROPY_OPENED;
    memcpy(answer->payload, mixer(machine)->gone, SECRET_SIZE);
}

struct command {
    uint8_t id;
    bool is_motion;
    bool needs_cards;
    command_fn run;
};

static const struct command COMMANDS[] = {
    {ID_READ_STATUS, false, false, read_status},
    {ID_SELF_TEST, false, false, self_test},
    {ID_SET_LIGHT, false, false, set_light},
    {ID_HOLD, false, false, hold},
    {ID_READ_CAPACITY, false, false, read_capacity},
    {ID_LOCK, false, false, lock},
    {ID_COMMIT_ENTROPY, false, false, commit_entropy},
    {ID_MIX_ENTROPY, false, false, mix_entropy},
    {ID_OPEN_ENTROPY, false, false, open_entropy},
    {ID_SHUFFLE, true, true, shuffle},
    {ID_DEAL, true, true, deal},
    {ID_RESUME, true, true, resume},
    {ID_EJECT, true, true, eject},
    {ID_BURN, true, true, burn},
    {ID_SELECT_DECK, true, false, select_deck},
    {ID_TEST_PART, true, false, test_part},
};

/* Why a motion cannot be carried out now; 0 when it can (docs/protocol.md, "Device"). */
static uint8_t obstacle(const struct machine *machine, const struct command *command,
                        const uint8_t *payload)
{
    uint16_t blocking = machine->faults & (uint16_t)~bit_of(FAULT_CODE_HOPPER_EMPTY);
    if (machine->activity != IDLE) {
        return REFUSAL_BUSY;
    }
    if (blocking != 0) {
        return REFUSAL_FAULT;
    }
    if (command->id == ID_DEAL && get_u16(payload) == 0) {
        return REFUSAL_BAD_VALUE;
    }
    return command->needs_cards && machine->cards == 0 ? REFUSAL_NO_CARDS : 0;
}

static void carry_out(struct machine *machine, const struct command *command,
                      const uint8_t *payload, struct message *answer)
{
    if (command->is_motion) {
        uint8_t reason = obstacle(machine, command, payload);
        if (reason != 0) {
            refuse(answer, reason);
            return;
        }
        machine->motions++;
    }
    command->run(machine, payload, answer);
}

void machine_execute(struct machine *machine, const struct frame *frame, struct message *answer)
{
    for (size_t n = 0; n < sizeof COMMANDS / sizeof *COMMANDS; n++) {
        if (COMMANDS[n].id == frame->id) {
            carry_out(machine, &COMMANDS[n], frame->payload, answer);
            return;
        }
    }
    refuse(answer, REFUSAL_UNKNOWN_COMMAND);
}
