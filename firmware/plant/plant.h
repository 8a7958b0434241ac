/*
 * The mechanics that stand behind sensors and actuators when there is no machine: cards,
 * rollers, carousel, lift and a person's hands. It knows nothing of the firmware.
 *
 * Everything is faster than a real machine (a card takes 35 ms), so that tests are short; the
 * firmware's limits are upper bounds and hold for both.
 */
#ifndef CUTCARD_PLANT_H
#define CUTCARD_PLANT_H

#include <stdbool.h>
#include <stdint.h>

#include "parts.h"

enum {
    PLANT_CARDS = 416,
    PLANT_SLOTS = 54,
    PLANT_SLOT_CARDS = 16,
    PLANT_ALWAYS = 255, /* a fault that no retry removes */
};

struct card {
    uint16_t token; /* which card it is; the firmware never sees it */
    bool is_boxed;
};

struct pile {
    struct card cards[PLANT_CARDS];
    uint16_t count;
};

struct slot {
    struct card cards[PLANT_SLOT_CARDS];
    uint8_t count;
};

struct plant {
    struct pile decks[2];
    struct slot slots[PLANT_SLOTS];
    struct pile lost;        /* fallen inside, found when the lid is opened */
    struct pile ejected;
    uint8_t lift;            /* the deck at feed and gate */
    uint32_t lift_us;
    uint8_t position;        /* of the carousel */
    uint32_t step_us;        /* left of the step that runs */
    bool is_step_done;       /* the motor must rest before the next step */
    uint8_t feeding;         /* cards in the feed: 0, 1 or 2 */
    struct card fed[2];
    uint32_t feed_us;
    uint32_t unload_us;
    uint32_t exit_us;        /* left of the card in the gate, with the pause after it */
    uint16_t exits_due;      /* cards still to be drawn one after another */
    bool is_exit_two;
    bool is_exit_face;
    uint32_t lid_us;         /* left until the lid is closed again */
    uint32_t wait_us;        /* left of a pause that the test asked for */
    uint32_t eject_us;

    bool is_lid_open;
    uint8_t jams;            /* feeds that fail */
    uint8_t doubles;         /* feeds that take two cards */
    bool will_exit_two;
    bool is_stalled;         /* the carousel does not turn */
    uint8_t losses;          /* cards that do not come out of the carousel */
    bool is_noise_dead;
    bool is_trusted;
    uint16_t stuck_high;     /* sensors that say so whatever happens */
    uint16_t stuck_low;
    uint32_t random;
};

void plant_start(struct plant *plant, uint32_t seed);
void plant_step(struct plant *plant, uint16_t actuators, uint32_t span_us);
/* The actuators have changed; a carousel at rest may then step again. */
void plant_touch(struct plant *plant, uint16_t actuators);

uint16_t plant_sensors(const struct plant *plant);
uint16_t plant_height(const struct plant *plant);
uint16_t plant_cards(const struct plant *plant); /* in the machine, wherever they lie */
uint8_t plant_noise(struct plant *plant);

/* A person's hands. */
void plant_insert(struct plant *plant, uint16_t count, uint16_t boxed_from, uint16_t boxed);
uint16_t plant_take(struct plant *plant);
bool plant_draw(struct plant *plant, uint16_t actuators, struct card *drawn);
void plant_open_briefly(struct plant *plant);
bool plant_is_settled(const struct plant *plant);

#endif
