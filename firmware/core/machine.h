/*
 * The mechanism: magazine, carousel, gate, faults. No wire; time and sensors come in as data
 * at every poll, actuators and events go out.
 */
#ifndef CUTCARD_MACHINE_H
#define CUTCARD_MACHINE_H

#include "entropy.h"
#include "link.h"
#include "parts.h"

enum {
    SHELVES = 54,          /* slots of the carousel: a deck with two jokers, one card each */
    MAX_CARDS = 416,       /* eight decks, the largest shoe in use */
    DECKS = 2,
    TRIES = 3,             /* feeds of one card before a person is called */
    PASS_MS = 400,         /* longest a card may take to come or to go */
    BACK_MS = 60,          /* how long the roller turns back between two tries */
    DRIVE_MS = 400,        /* longest for one step of the carousel */
    LIFT_MS = 3000,        /* longest for a change of deck */
    COLLECT_MS = 5000,     /* longest to collect entropy */
    SILENCE_MS = 2000,     /* eight keep-alives of 0.25 s */
    STUCK_MS = 1500,       /* a hand draws a card in well under this */
    LID_MS = 30,           /* a closed lid has stopped bouncing */
    SETTLED_MS = 60,       /* the magazine's height has stopped changing */
};

/* What the hardware layer reads at a poll. */
struct inputs {
    uint32_t now_ms;
    uint16_t sensors;
    uint16_t height; /* cards in the magazine by its height */
    bool has_noise;  /* a new sample since the last poll */
    uint8_t noise;
};

/* What the machine does by itself at the moment; each has its step in machine.c. */
enum activity {
    IDLE,
    COLLECT,
    HOMING,
    DRAW,
    AIM,
    FEED_WAIT,
    FEED_PASS,
    FEED_BACK,
    UNLOAD_AIM,
    UNLOAD_WAIT,
    UNLOAD_PASS,
    UNLOAD_BACK,
    EJECTING,
    LIFTING,
    TESTING_CAROUSEL,
    TESTING_NOISE,
    ACTIVITIES,
};

struct machine {
    struct link *link;
    struct inputs in;     /* of the poll that runs */
    uint16_t actuators;
    enum activity activity;
    uint32_t since_ms; /* begin of the activity */

    enum gate gate;
    uint16_t permitted;
    uint16_t drawn;
    bool is_exiting;      /* a card is in the gate */
    bool is_exit_two;
    bool is_exit_face;
    uint32_t exit_ms;

    uint16_t cards;
    uint16_t height;      /* as last read, and since when it has been so */
    uint32_t height_ms;
    enum deck deck;
    uint16_t other_cards; /* and drawn, of the deck that is not selected */
    uint16_t other_drawn;

    uint16_t faults;      /* bit code - 1 */
    uint32_t free_ms;     /* when the card sensors were last all free */
    bool is_lid_open;
    uint32_t lid_ms;
    uint32_t heard_ms;
    uint32_t tone_end_ms;

    struct entropy entropy;
    struct mixer mixers[DECKS];
    struct stream stream;   /* of the shuffle that runs */
    struct health test;     /* of the noise source, when it is tested alone */
    uint8_t slots[SHELVES]; /* cards in each */
    uint8_t room;           /* cards that one may hold */
    uint8_t emptying[SHELVES]; /* the slots in the order in which they are given out */
    uint8_t emptied;        /* how many of them have been */
    bool is_homed;          /* position is known */
    uint8_t position;       /* slot in front of the feed */
    uint8_t target;
    bool is_stepping;       /* the carousel has left its slot */
    uint32_t step_ms;
    uint16_t fed;
    uint16_t boxed;
    uint16_t returned;
    uint8_t tries;
    bool is_two;            /* the card being fed is as thick as two */
    bool is_face;           /* it shows its face */
    bool is_seeded;         /* the slots of this shuffle can be drawn */
    bool is_unfinished;     /* cards may lie in the carousel; the hardware layer keeps it */
    enum part tested;
    uint8_t test_steps;

    uint32_t motions;
    uint32_t total_cards;
    uint16_t retries;
};

/*
 * `inputs` are those of the start; `is_unfinished` is what the machine said of itself when it
 * last ran: a shuffle that the restart interrupted is a fault, for its cards lie in the carousel.
 */
void machine_start(struct machine *machine, struct link *link, const struct inputs *inputs,
                   bool is_unfinished);
void machine_execute(struct machine *machine, const struct frame *command, struct message *answer);

/* Whether noise is to be collected now: there is no secret in reserve, and the motors rest. */
bool machine_wants_noise(const struct machine *machine);

/* Let cards in the gate and slots that pass count, as the sensors were a moment ago. */
void machine_note(struct machine *machine, const struct inputs *inputs);

/* Let the sensors of this moment count. */
void machine_poll(struct machine *machine, const struct inputs *inputs);

#endif
