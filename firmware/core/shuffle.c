/*
 * What the machine does by itself, a step at every poll: a shuffle (each card into a slot of
 * the carousel drawn at random, then all slots out in a row), eject, change of deck, tests.
 */
#include "machine_parts.h"

/* --- feed --------------------------------------------------------------------------------- */

/* How many cards each slot may hold: one where there are slots enough, else any number. */
static uint8_t room_for(uint16_t cards)
{
    return cards <= SHELVES ? 1 : UINT8_MAX;
}

/* A slot drawn at random among those that are not full (docs/shuffle.md, "Numbers to slots"). */
static uint8_t drawn_slot(struct machine *machine)
{
    uint8_t free = 0;
    for (uint8_t n = 0; n < SHELVES; n++) {
        if (machine->slots[n] < machine->room) {
            free++;
        }
    }
    if (free == 0) { /* more cards than were in the machine at the start */
        machine->room = UINT8_MAX;
        free = SHELVES;
    }
    uint16_t skip = stream_below(&machine->stream, free);
    uint8_t slot = 0;
    while (machine->slots[slot] >= machine->room || skip > 0) {
        if (machine->slots[slot] < machine->room) {
            skip--;
        }
        slot++;
    }
    return slot;
}

/* The order in which the slots are given out, each as likely (Fisher and Yates). */
static void draw_emptying(struct machine *machine)
{
    for (uint8_t n = 0; n < SHELVES; n++) {
        machine->emptying[n] = n;
    }
    for (uint8_t last = SHELVES - 1; last > 0; last--) {
        uint16_t at = stream_below(&machine->stream, (uint16_t)(last + 1));
        uint8_t slot = machine->emptying[at];
        machine->emptying[at] = machine->emptying[last];
        machine->emptying[last] = slot;
    }
    machine->emptied = 0;
}

/* With the motors at rest since the last poll, for a draw takes the processor a while. */
static void draw(struct machine *machine)
{
    machine->tries = 0;
    if (senses(machine, SENSOR_HOPPER)) {
        machine->target = drawn_slot(machine);
        begin(machine, AIM);
    } else {
        draw_emptying(machine);
        begin(machine, UNLOAD_AIM);
    }
}

static void aim(struct machine *machine)
{
    if (has_reached(machine, machine->target)) {
        machine->is_two = false;
        turn_on(machine, ACTUATOR_FEED);
        begin(machine, FEED_WAIT);
    }
}

/* The card goes back and is fed again, so often; then a person is called. */
static void feed_again(struct machine *machine)
{
    turn_off(machine, ACTUATOR_FEED);
    machine->tries++;
    if (machine->tries >= TRIES) {
        raise_fault(machine, machine->is_two ? FAULT_CODE_DOUBLE_FEED : FAULT_CODE_JAM, PART_FEED,
                    machine->tries);
        return;
    }
    machine->retries++;
    turn_on(machine, ACTUATOR_FEED_BACK);
    begin(machine, FEED_BACK);
}

static void feed_wait(struct machine *machine)
{
    if (senses(machine, SENSOR_INFEED)) {
        machine->is_two = false;
        machine->is_face = false;
        begin(machine, FEED_PASS);
    } else if (has_lasted(machine, machine->since_ms, PASS_MS)) {
        feed_again(machine);
    }
}

static void card_is_in(struct machine *machine)
{
    turn_off(machine, ACTUATOR_FEED);
    machine->slots[machine->target]++;
    machine->fed++;
    if (machine->is_face) {
        machine->boxed++;
    }
    begin(machine, DRAW);
}

static void feed_pass(struct machine *machine)
{
    machine->is_face |= senses(machine, SENSOR_INFEED_FACE);
    machine->is_two |= senses(machine, SENSOR_INFEED_TWO);
    if (machine->is_two || has_lasted(machine, machine->since_ms, PASS_MS)) {
        feed_again(machine);
    } else if (!senses(machine, SENSOR_INFEED)) {
        card_is_in(machine);
    }
}

static void feed_back(struct machine *machine)
{
    bool is_over = has_lasted(machine, machine->since_ms, BACK_MS);
    if (is_over && !senses(machine, SENSOR_INFEED)) {
        turn_off(machine, ACTUATOR_FEED_BACK);
        turn_on(machine, ACTUATOR_FEED);
        begin(machine, FEED_WAIT);
    } else if (has_lasted(machine, machine->since_ms, PASS_MS)) {
        raise_fault(machine, FAULT_CODE_JAM, PART_FEED, machine->tries);
    }
}

/* --- unload ------------------------------------------------------------------------------- */

static void finish_shuffle(struct machine *machine)
{
    if (machine->returned != machine->fed) {
        raise_fault(machine, FAULT_CODE_COUNT_DIFFERS, PART_UNLOADER, 0);
        return;
    }
    begin(machine, IDLE);
    machine->is_unfinished = false;
    machine->cards = machine->returned;
    machine->drawn = 0;
    struct shuffle_finished event = {.count = machine->fed, .boxed = machine->boxed};
    uint8_t payload[SIZE_SHUFFLE_FINISHED];
    shuffle_finished_pack(&event, payload);
    link_emit(machine->link, ID_SHUFFLE_FINISHED, payload, sizeof payload);
}

static void unload_aim(struct machine *machine)
{
    while (machine->emptied < SHELVES && machine->slots[machine->emptying[machine->emptied]] == 0) {
        machine->emptied++;
    }
    if (machine->emptied == SHELVES) {
        finish_shuffle(machine);
    } else if (has_reached(machine, machine->emptying[machine->emptied])) {
        turn_on(machine, ACTUATOR_UNLOAD);
        begin(machine, UNLOAD_WAIT);
    }
}

/* A slot that gives nothing is taken for empty: the count at the end tells. */
static void unload_wait(struct machine *machine)
{
    if (senses(machine, SENSOR_UNLOADED)) {
        begin(machine, UNLOAD_PASS);
    } else if (has_lasted(machine, machine->since_ms, PASS_MS)) {
        turn_off(machine, ACTUATOR_UNLOAD);
        machine->tries++;
        machine->retries++;
        if (machine->tries >= TRIES) {
            machine->tries = 0;
            machine->slots[machine->position] = 0;
            begin(machine, UNLOAD_AIM);
        } else {
            begin(machine, UNLOAD_BACK);
        }
    }
}

static void unload_pass(struct machine *machine)
{
    if (!senses(machine, SENSOR_UNLOADED)) {
        turn_off(machine, ACTUATOR_UNLOAD);
        machine->tries = 0;
        machine->returned++;
        machine->slots[machine->position]--;
        begin(machine, UNLOAD_AIM);
    } else if (has_lasted(machine, machine->since_ms, PASS_MS)) {
        raise_fault(machine, FAULT_CODE_JAM, PART_UNLOADER, 1);
    }
}

static void unload_back(struct machine *machine)
{
    if (has_lasted(machine, machine->since_ms, BACK_MS)) {
        begin(machine, UNLOAD_AIM);
    }
}

/* --- begin of a shuffle ------------------------------------------------------------------- */

void start_shuffle(struct machine *machine)
{
    uint8_t seed[SECRET_SIZE];
    set_gate(machine, GATE_HELD, 0);
    link_emit(machine->link, ID_SHUFFLE_STARTED, NULL, 0);
    machine->fed = machine->boxed = machine->returned = 0;
    machine->tries = 0;
    memset(machine->slots, 0, sizeof machine->slots);
    machine->room = room_for(machine->cards);
    machine->is_unfinished = true;
    machine->is_seeded = mixer_begin(&machine->mixers[machine->deck - DECK_A], seed);
    if (machine->is_seeded) {
        stream_start(&machine->stream, seed);
    }
    begin(machine, COLLECT);
}

/* Until there is a seed: that of both ends, or else a secret of the machine alone. */
static void collect(struct machine *machine)
{
    uint8_t seed[SECRET_SIZE];
    if (!machine->is_seeded && entropy_take(&machine->entropy, seed)) {
        stream_start(&machine->stream, seed);
        machine->is_seeded = true;
    }
    if (machine->is_seeded) {
        begin(machine, machine->is_homed ? DRAW : HOMING);
    } else if (machine->entropy.has_failed
               || has_lasted(machine, machine->since_ms, COLLECT_MS)) {
        machine->is_unfinished = false; /* no card has moved */
        raise_fault(machine, FAULT_CODE_NO_ENTROPY, PART_NOISE_SOURCE, 0);
    }
}

/* --- eject, deck, tests ------------------------------------------------------------------- */

static void eject(struct machine *machine)
{
    if (!senses(machine, SENSOR_HOPPER) && machine->in.height == 0) {
        begin(machine, IDLE);
        tell_cards(machine, 0);
    } else if (has_lasted(machine, machine->since_ms, (uint32_t)PASS_MS * MAX_CARDS)) {
        raise_fault(machine, FAULT_CODE_JAM, PART_HOPPER, 1);
    }
}

static bool is_deck_there(const struct machine *machine)
{
    bool is_b = machine->deck == DECK_B;
    return senses(machine, SENSOR_DECK_B) == is_b && senses(machine, SENSOR_DECK_A) != is_b;
}

static void lift(struct machine *machine)
{
    if (is_deck_there(machine)) {
        uint8_t deck = (uint8_t)machine->deck;
        begin(machine, IDLE);
        link_emit(machine->link, ID_DECK_SELECTED, &deck, SIZE_DECK_SELECTED);
    } else if (has_lasted(machine, machine->since_ms, LIFT_MS)) {
        raise_fault(machine, FAULT_CODE_DRIVE_STALLED, PART_DECK_LIFT, 0);
    }
}

/* The sensor of each part that must be free while no card moves; the lid's must be set. */
static bool is_plausible(const struct machine *machine, enum part part)
{
    switch (part) {
    case PART_FEED:
        return !senses(machine, SENSOR_INFEED) && !senses(machine, SENSOR_INFEED_TWO);
    case PART_CAROUSEL:
        return senses(machine, SENSOR_SLOT);
    case PART_UNLOADER:
        return !senses(machine, SENSOR_UNLOADED);
    case PART_GATE:
    case PART_EXIT:
        return !senses(machine, SENSOR_EXIT) && !senses(machine, SENSOR_EXIT_TWO);
    case PART_LID:
        return senses(machine, SENSOR_LID_CLOSED);
    case PART_HOPPER:
        return senses(machine, SENSOR_HOPPER) == (machine->in.height > 0);
    case PART_DECK_LIFT:
        return is_deck_there(machine);
    case PART_NOISE_SOURCE:
        return !machine->entropy.has_failed;
    }
    return false;
}

uint16_t implausible(const struct machine *machine)
{
    uint16_t failed = 0;
    for (uint8_t part = PART_FEED; machine->activity == IDLE && part <= PART_HOPPER; part++) {
        if (part != PART_LID && !is_plausible(machine, (enum part)part)) {
            failed |= 1U << (FAULT_CODE_SENSOR_STUCK - 1);
        }
    }
    return failed;
}

static void finish_test(struct machine *machine, bool is_passed)
{
    struct part_tested event = {.part = (uint8_t)machine->tested, .is_passed = is_passed};
    uint8_t payload[SIZE_PART_TESTED];
    begin(machine, IDLE);
    part_tested_pack(&event, payload);
    link_emit(machine->link, ID_PART_TESTED, payload, sizeof payload);
}

void start_test(struct machine *machine, enum part part)
{
    set_gate(machine, GATE_HELD, 0);
    machine->tested = part;
    machine->test_steps = 0;
    if (part == PART_CAROUSEL) {
        begin(machine, TESTING_CAROUSEL);
    } else if (part == PART_NOISE_SOURCE) {
        memset(&machine->test, 0, sizeof machine->test);
        begin(machine, TESTING_NOISE);
    } else {
        finish_test(machine, is_plausible(machine, part));
    }
}

/* One slot forth and one back. */
static void test_carousel(struct machine *machine)
{
    if (step_carousel(machine, machine->test_steps > 0)) {
        machine->test_steps++;
    }
    if (machine->activity == IDLE) { /* it stalled, which is a fault */
        finish_test(machine, false);
    } else if (machine->test_steps == 2) {
        finish_test(machine, true);
    }
}

static void test_noise(struct machine *machine)
{
    struct health *health = &machine->test;
    if (machine->in.has_noise) {
        health_add(health, machine->in.noise);
    }
    if (health->is_failed || has_lasted(machine, machine->since_ms, COLLECT_MS)) {
        finish_test(machine, false);
    } else if (health->tested >= STARTUP_SAMPLES) {
        finish_test(machine, true);
    }
}

static void rest(struct machine *machine)
{
    (void)machine;
}

typedef void (*activity_fn)(struct machine *);

static const activity_fn STEPS[ACTIVITIES] = {
    [IDLE] = rest,
    [COLLECT] = collect,
    [HOMING] = home_carousel,
    [DRAW] = draw,
    [AIM] = aim,
    [FEED_WAIT] = feed_wait,
    [FEED_PASS] = feed_pass,
    [FEED_BACK] = feed_back,
    [UNLOAD_AIM] = unload_aim,
    [UNLOAD_WAIT] = unload_wait,
    [UNLOAD_PASS] = unload_pass,
    [UNLOAD_BACK] = unload_back,
    [EJECTING] = eject,
    [LIFTING] = lift,
    [TESTING_CAROUSEL] = test_carousel,
    [TESTING_NOISE] = test_noise,
};

void poll_activity(struct machine *machine)
{
    STEPS[machine->activity](machine);
}
