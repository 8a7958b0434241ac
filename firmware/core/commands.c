/* What the host may ask for, a row each, and when it is refused. */
#include "machine_parts.h"

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
    uint16_t blocking = machine->faults & (uint16_t)~fault_bit(FAULT_CODE_HOPPER_EMPTY);
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
