/*
 * Sensors and actuators, a bit each. A set sensor bit means what its name says; a cleared
 * actuator is at rest: motors stand, springs hold the gate shut and the lid unlocked.
 */
#ifndef CUTCARD_PARTS_H
#define CUTCARD_PARTS_H

enum sensor {
    SENSOR_LID_CLOSED = 1 << 0,
    SENSOR_HOPPER = 1 << 1,      /* cards lie in the magazine */
    SENSOR_INFEED = 1 << 2,      /* a card is between feed roller and carousel */
    SENSOR_INFEED_TWO = 1 << 3,  /* it is as thick as two */
    SENSOR_INFEED_FACE = 1 << 4, /* it shows its face */
    SENSOR_SLOT = 1 << 5,        /* the carousel stands in front of a slot */
    SENSOR_HOME = 1 << 6,        /* it is slot 0 */
    SENSOR_UNLOADED = 1 << 7,    /* a card passes from the carousel to the magazine */
    SENSOR_EXIT = 1 << 8,        /* a card is in the gate */
    SENSOR_EXIT_TWO = 1 << 9,
    SENSOR_EXIT_FACE = 1 << 10,
    SENSOR_DECK_A = 1 << 11,     /* the lift stands at deck A */
    SENSOR_DECK_B = 1 << 12,
    SENSOR_TRUSTED = 1 << 13,    /* the switch inside the case is on: a key may be set */
};

enum actuator {
    ACTUATOR_FEED = 1 << 0,
    ACTUATOR_FEED_BACK = 1 << 1,
    ACTUATOR_STEP = 1 << 2,      /* turn the carousel by one slot */
    ACTUATOR_STEP_BACK = 1 << 3,
    ACTUATOR_UNLOAD = 1 << 4,
    ACTUATOR_GATE_OPEN = 1 << 5,
    ACTUATOR_LOCK = 1 << 6,
    ACTUATOR_LIFT_B = 1 << 7,    /* 0: deck A */
    ACTUATOR_EJECT = 1 << 8,
    ACTUATOR_GREEN = 1 << 9,
    ACTUATOR_RED = 1 << 10,      /* both are amber */
    ACTUATOR_TONE = 1 << 11,
};

#endif
