/* What the files of the machine share; nobody else includes this. */
#ifndef CUTCARD_MACHINE_PARTS_H
#define CUTCARD_MACHINE_PARTS_H

#include "machine.h"

enum {
    MOTORS = ACTUATOR_FEED | ACTUATOR_FEED_BACK | ACTUATOR_STEP | ACTUATOR_STEP_BACK
             | ACTUATOR_UNLOAD | ACTUATOR_EJECT,
};

static inline uint16_t fault_bit(enum fault_code code)
{
    return (uint16_t)(1U << ((unsigned)code - 1));
}

static inline bool is_on(const struct machine *machine, enum actuator actuator)
{
    return (machine->actuators & (uint16_t)actuator) != 0;
}

static inline void turn_on(struct machine *machine, enum actuator actuator)
{
    machine->actuators |= (uint16_t)actuator;
}

static inline void turn_off(struct machine *machine, enum actuator actuator)
{
    machine->actuators &= (uint16_t) ~(uint16_t)actuator;
}

/* machine.c */
bool senses(const struct machine *machine, enum sensor sensor);
bool has_lasted(const struct machine *machine, uint32_t since_ms, uint32_t span_ms);
void begin(struct machine *machine, enum activity activity);
void raise_fault(struct machine *machine, enum fault_code code, enum part part, uint8_t tries);
void clear_fault(struct machine *machine, enum fault_code code);
bool has_fault(const struct machine *machine, enum fault_code code);
void tell_cards(struct machine *machine, uint16_t cards);

/* gate.c */
void set_gate(struct machine *machine, enum gate gate, uint16_t permitted);
void poll_exit(struct machine *machine);
void poll_gate(struct machine *machine);

/* carousel.c */
void note_step(struct machine *machine);
bool step_carousel(struct machine *machine, bool is_back); /* true at the poll of its arrival */
void home_carousel(struct machine *machine);
bool has_reached(struct machine *machine, uint8_t slot);

/* shuffle.c */
void start_shuffle(struct machine *machine);
void start_test(struct machine *machine, enum part part);
void poll_activity(struct machine *machine);
uint16_t implausible(const struct machine *machine);

#endif
