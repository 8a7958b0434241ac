/* The carousel: a slot at a time, and never a slot that the home sensor contradicts. */
#include "machine_parts.h"

static bool is_where_it_should_be(const struct machine *machine)
{
    return !machine->is_homed || senses(machine, SENSOR_HOME) == (machine->position == 0);
}

/* The carousel has left its slot: remembered, for the slot may be back before the next poll. */
void note_step(struct machine *machine)
{
    if (!senses(machine, SENSOR_SLOT)) {
        machine->is_stepping = true;
    }
}

/* Turn by one slot; true at the poll in which it has arrived. */
bool step_carousel(struct machine *machine, bool is_back)
{
    enum actuator motor = is_back ? ACTUATOR_STEP_BACK : ACTUATOR_STEP;
    if (!is_on(machine, motor)) {
        turn_on(machine, motor);
        machine->is_stepping = false;
        machine->step_ms = machine->in.now_ms;
        return false;
    }
    note_step(machine);
    if (senses(machine, SENSOR_SLOT) && machine->is_stepping) {
        turn_off(machine, motor);
        uint8_t by = is_back ? SHELVES - 1 : 1;
        machine->position = (uint8_t)((machine->position + by) % SHELVES);
        if (!is_where_it_should_be(machine)) {
            raise_fault(machine, FAULT_CODE_DRIVE_STALLED, PART_CAROUSEL, 0);
            return false;
        }
        return true;
    }
    if (has_lasted(machine, machine->step_ms, DRIVE_MS)) {
        raise_fault(machine, FAULT_CODE_DRIVE_STALLED, PART_CAROUSEL, 0);
    }
    return false;
}

void home_carousel(struct machine *machine)
{
    if (senses(machine, SENSOR_HOME) && senses(machine, SENSOR_SLOT)) {
        turn_off(machine, ACTUATOR_STEP);
        machine->position = 0;
        machine->is_homed = true;
        begin(machine, DRAW);
    } else if (has_lasted(machine, machine->since_ms, (uint32_t)DRIVE_MS * SHELVES)) {
        raise_fault(machine, FAULT_CODE_DRIVE_STALLED, PART_CAROUSEL, 0);
    } else {
        step_carousel(machine, false);
    }
}

/* Turn towards a slot, the shorter way; true while standing there. */
bool has_reached(struct machine *machine, uint8_t slot)
{
    uint8_t ahead = (uint8_t)((slot + SHELVES - machine->position) % SHELVES);
    bool is_turning = is_on(machine, ACTUATOR_STEP) || is_on(machine, ACTUATOR_STEP_BACK);
    if (ahead == 0 && !is_turning) {
        return true;
    }
    step_carousel(machine, ahead > SHELVES / 2);
    return false;
}
