/* Words from the test bench: a line in, a line out. `firmware/README.md` lists them. */
#ifndef CUTCARD_CONSOLE_H
#define CUTCARD_CONSOLE_H

#include <stddef.h>

#include "plant.h"

enum { CONSOLE_LINE = 128, CONSOLE_REPLY = 4096 };

/*
 * Carry out one line for the plant, with the actuators as they stand; writes the reply.
 * Returns false, and no reply, when the line is none of the plant's.
 */
bool console_run(struct plant *plant, uint16_t actuators, const char *line, char *reply,
                 size_t size);

#endif
