#include "plant.h"

#include <string.h>

enum {
    STEP_US = 1000,      /* the carousel between two slots */
    LIFT_US = 5000,
    FEED_US = 5000,      /* until a card reaches the sensor, in feed and unloader */
    PASSED_US = 35000,   /* until it has passed */
    NEXT_US = 75000,     /* until the next may follow: so soon the motor must have stopped */
    EXIT_US = 1000,      /* a card in the gate */
    EXIT_PAUSE_US = 3000,
    DRAIN_US = 800,      /* a card, and then a pause: as fast as polls of 500 us tell apart */
    EJECT_US = 200,
    LID_US = 100000,
};

void plant_start(struct plant *plant, uint32_t seed)
{
    memset(plant, 0, sizeof *plant);
    plant->random = seed | 1;
    plant->position = 5;
}

static struct pile *deck(struct plant *plant)
{
    return &plant->decks[plant->lift];
}

static void put(struct pile *pile, struct card card)
{
    if (pile->count < PLANT_CARDS) {
        pile->cards[pile->count++] = card;
    }
}

static struct card take_first(struct pile *pile)
{
    struct card card = pile->cards[0];
    pile->count--;
    memmove(pile->cards, pile->cards + 1, pile->count * sizeof *pile->cards);
    return card;
}

/* --- motors ------------------------------------------------------------------------------- */

void plant_touch(struct plant *plant, uint16_t actuators)
{
    if ((actuators & (ACTUATOR_STEP | ACTUATOR_STEP_BACK)) == 0) {
        plant->is_step_done = false;
    }
}

static void turn(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    bool is_ahead = (actuators & ACTUATOR_STEP) != 0;
    bool is_back = (actuators & ACTUATOR_STEP_BACK) != 0;
    plant_touch(plant, actuators);
    if (plant->step_us > 0) {
        plant->step_us -= span_us < plant->step_us ? span_us : plant->step_us;
    } else if ((is_ahead || is_back) && !plant->is_step_done && !plant->is_stalled) {
        uint8_t by = is_ahead ? 1 : PLANT_SLOTS - 1;
        plant->position = (uint8_t)((plant->position + by) % PLANT_SLOTS);
        plant->step_us = STEP_US;
        plant->is_step_done = true;
    }
}

/* From the bottom of the deck; a hand draws from its top. */
static void take_into_feed(struct plant *plant)
{
    bool is_double = plant->doubles > 0 && deck(plant)->count > 1;
    plant->feeding = is_double ? 2 : 1;
    for (uint8_t n = 0; n < plant->feeding; n++) {
        plant->fed[n] = deck(plant)->cards[--deck(plant)->count];
    }
}

static void give_back(struct plant *plant)
{
    if (plant->feeding == 2 && plant->doubles > 0 && plant->doubles != PLANT_ALWAYS) {
        plant->doubles--;
    }
    while (plant->feeding > 0) {
        put(deck(plant), plant->fed[--plant->feeding]);
    }
    plant->feed_us = 0;
}

static void put_into_slot(struct plant *plant)
{
    struct slot *slot = &plant->slots[plant->position];
    for (uint8_t n = 0; n < plant->feeding && slot->count < PLANT_SLOT_CARDS; n++) {
        slot->cards[slot->count++] = plant->fed[n];
    }
    plant->feeding = 0;
}

static void feed(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    if ((actuators & ACTUATOR_FEED_BACK) != 0) {
        if (plant->feed_us > 0 && plant->jams > 0 && plant->jams != PLANT_ALWAYS) {
            plant->jams--;
        }
        give_back(plant);
        return;
    }
    if ((actuators & ACTUATOR_FEED) == 0) {
        if (plant->feeding == 0 && plant->jams == 0) {
            plant->feed_us = 0;
        }
        return;
    }
    if (plant->feed_us == 0 && plant->jams == 0 && deck(plant)->count > 0) {
        take_into_feed(plant);
    }
    plant->feed_us += span_us;
    if (plant->feeding > 0 && plant->feed_us >= PASSED_US) {
        put_into_slot(plant);
    }
    if (plant->feeding == 0 && plant->jams == 0 && plant->feed_us >= NEXT_US) {
        plant->feed_us = 0;
    }
}

static void unload(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    struct slot *slot = &plant->slots[plant->position];
    bool is_running = (actuators & ACTUATOR_UNLOAD) != 0 && plant->step_us == 0;
    if (plant->unload_us >= PASSED_US) { /* the card is through */
        bool is_next = !is_running || plant->unload_us >= NEXT_US;
        plant->unload_us = is_next ? 0 : plant->unload_us + span_us;
        return;
    }
    if (plant->unload_us == 0 && (!is_running || slot->count == 0)) {
        return;
    }
    if (plant->unload_us == 0 && plant->losses > 0) {
        plant->losses--;
        put(&plant->lost, slot->cards[--slot->count]);
        return;
    }
    plant->unload_us += span_us;
    if (plant->unload_us >= PASSED_US) {
        put(deck(plant), slot->cards[--slot->count]);
    }
}

static void lift(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    uint8_t wanted = (actuators & ACTUATOR_LIFT_B) != 0 ? 1 : 0;
    if (wanted == plant->lift) {
        plant->lift_us = 0;
        return;
    }
    plant->lift_us += span_us;
    if (plant->lift_us >= LIFT_US) {
        plant->lift = wanted;
        plant->lift_us = 0;
    }
}

static void eject(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    plant->eject_us += span_us;
    if ((actuators & ACTUATOR_EJECT) != 0 && plant->eject_us >= EJECT_US
        && deck(plant)->count > 0) {
        put(&plant->ejected, take_first(deck(plant)));
        plant->eject_us = 0;
    }
}

/* --- hands -------------------------------------------------------------------------------- */

void plant_insert(struct plant *plant, uint16_t count, uint16_t boxed_from, uint16_t boxed)
{
    uint16_t first = plant_cards(plant);
    for (uint16_t n = 0; n < count; n++) {
        bool is_boxed = n >= boxed_from && n < boxed_from + boxed;
        put(deck(plant), (struct card){.token = (uint16_t)(first + n), .is_boxed = is_boxed});
    }
}

static void empty_into(struct pile *to, struct pile *from)
{
    while (from->count > 0) {
        put(to, take_first(from));
    }
}

/* Cards that lie in feed, carousel or the bottom of the case come to light. */
static void gather(struct plant *plant)
{
    struct pile *to = deck(plant);
    give_back(plant);
    for (uint8_t n = 0; n < PLANT_SLOTS; n++) {
        struct slot *slot = &plant->slots[n];
        while (slot->count > 0) {
            put(to, slot->cards[--slot->count]);
        }
    }
    empty_into(to, &plant->lost);
}

uint16_t plant_take(struct plant *plant)
{
    gather(plant);
    uint16_t count = deck(plant)->count;
    deck(plant)->count = 0;
    return count;
}

bool plant_draw(struct plant *plant, uint16_t actuators, struct card *drawn)
{
    if ((actuators & ACTUATOR_GATE_OPEN) == 0 || deck(plant)->count == 0) {
        return false;
    }
    *drawn = take_first(deck(plant));
    plant->is_exit_face = drawn->is_boxed;
    plant->is_exit_two = plant->will_exit_two && deck(plant)->count > 0;
    if (plant->is_exit_two) {
        take_first(deck(plant));
        plant->will_exit_two = false;
    }
    plant->exit_us = plant->exits_due > 0 ? 2 * DRAIN_US : EXIT_US + EXIT_PAUSE_US;
    return true;
}

static void draw_on(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    struct card card;
    if (plant->exit_us > 0) {
        plant->exit_us -= span_us < plant->exit_us ? span_us : plant->exit_us;
    } else if (plant->exits_due > 0) {
        plant->exits_due--;
        if (!plant_draw(plant, actuators, &card)) {
            plant->exits_due = 0;
        }
    }
}

void plant_open_briefly(struct plant *plant)
{
    plant->lid_us = LID_US;
    plant->jams = plant->doubles = plant->losses = 0;
    plant->is_stalled = false;
    plant->stuck_high = plant->stuck_low = 0;
    gather(plant);
}

bool plant_is_settled(const struct plant *plant)
{
    return plant->exit_us == 0 && plant->exits_due == 0 && plant->lid_us == 0
           && plant->wait_us == 0;
}

/* --- the whole ---------------------------------------------------------------------------- */

void plant_step(struct plant *plant, uint16_t actuators, uint32_t span_us)
{
    plant->lid_us -= span_us < plant->lid_us ? span_us : plant->lid_us;
    plant->wait_us -= span_us < plant->wait_us ? span_us : plant->wait_us;
    draw_on(plant, actuators, span_us);
    if (plant->is_lid_open || plant->lid_us > 0) {
        return; /* the lid's switch cuts the motors' supply as well */
    }
    turn(plant, actuators, span_us);
    feed(plant, actuators, span_us);
    unload(plant, actuators, span_us);
    lift(plant, actuators, span_us);
    eject(plant, actuators, span_us);
}

static uint16_t flag(bool is_set, enum sensor sensor)
{
    return is_set ? (uint16_t)sensor : 0;
}

static uint16_t feed_sensors(const struct plant *plant)
{
    bool is_in = plant->feeding > 0 && plant->feed_us >= FEED_US;
    return (uint16_t)(flag(is_in, SENSOR_INFEED)
                      | flag(is_in && plant->feeding == 2, SENSOR_INFEED_TWO)
                      | flag(is_in && plant->fed[0].is_boxed, SENSOR_INFEED_FACE));
}

static uint16_t exit_sensors(const struct plant *plant)
{
    uint32_t pause_us = plant->exits_due > 0 ? DRAIN_US : EXIT_PAUSE_US;
    bool is_in = plant->exit_us > pause_us;
    return (uint16_t)(flag(is_in, SENSOR_EXIT) | flag(is_in && plant->is_exit_two, SENSOR_EXIT_TWO)
                      | flag(is_in && plant->is_exit_face, SENSOR_EXIT_FACE));
}

uint16_t plant_sensors(const struct plant *plant)
{
    bool is_still = plant->step_us == 0;
    bool is_lifting = plant->lift_us > 0;
    uint16_t sensors = (uint16_t)(
        flag(!plant->is_lid_open && plant->lid_us == 0, SENSOR_LID_CLOSED)
        | flag(plant_height(plant) > 0, SENSOR_HOPPER) | feed_sensors(plant)
        | flag(is_still, SENSOR_SLOT) | flag(is_still && plant->position == 0, SENSOR_HOME)
        | flag(plant->unload_us >= FEED_US && plant->unload_us < PASSED_US, SENSOR_UNLOADED)
        | exit_sensors(plant)
        | flag(!is_lifting && plant->lift == 0, SENSOR_DECK_A)
        | flag(!is_lifting && plant->lift == 1, SENSOR_DECK_B)
        | flag(plant->is_trusted, SENSOR_TRUSTED));
    return (uint16_t)((sensors | plant->stuck_high) & ~plant->stuck_low);
}

uint16_t plant_height(const struct plant *plant)
{
    return plant->decks[plant->lift].count;
}

uint16_t plant_cards(const struct plant *plant)
{
    uint16_t count = (uint16_t)(plant->decks[0].count + plant->decks[1].count
                                + plant->lost.count + plant->feeding);
    for (uint8_t n = 0; n < PLANT_SLOTS; n++) {
        count += plant->slots[n].count;
    }
    return count;
}

/* Xorshift: repeatable, and good enough for what a diode would do. */
uint8_t plant_noise(struct plant *plant)
{
    plant->random ^= plant->random << 13;
    plant->random ^= plant->random >> 17;
    plant->random ^= plant->random << 5;
    return plant->is_noise_dead ? 0x55 : (uint8_t)(plant->random >> 11);
}
