/*
 * Random numbers for the slots, from a noise source that is watched while it is used.
 *
 * The health tests are those of NIST SP 800-90B, 4.4 (repetition count, adaptive proportion)
 * for one bit of entropy per sample and one false alarm in 2^20 windows. A noise diode on a
 * ten-bit converter gives more; one bit is what is relied on.
 */
#ifndef CUTCARD_ENTROPY_H
#define CUTCARD_ENTROPY_H

#include <stdbool.h>

#include "blake2s.h"

enum {
    ENTROPY_SAMPLES = 256,  /* one bit each: the 256 bits that the key holds */
    HEALTH_WINDOW = 512,
    REPETITION_CUTOFF = 21,  /* 1 + 20 / 1 bit */
    PROPORTION_CUTOFF = 311, /* 1 + critical binomial(512, 1/2, 1 - 2^-20) */
};

struct health {
    uint8_t last;
    uint8_t repeats;
    uint8_t first;
    uint16_t seen;
    uint16_t equal;
    bool is_failed;
};

struct entropy {
    struct blake2s pool;
    uint16_t samples;
    struct health health;
    uint8_t key[BLAKE2S_SIZE];
    uint8_t block[BLAKE2S_SIZE];
    uint8_t used;
    uint32_t counter;
};

/* Take one sample into the tests. */
void health_add(struct health *health, uint8_t sample);

/* Forget the last key and begin to collect for the next. */
void entropy_start(struct entropy *entropy);
void entropy_add(struct entropy *entropy, uint8_t sample);
bool entropy_is_ready(const struct entropy *entropy);

/* Make the key from what was collected; call once it is ready. */
void entropy_finish(struct entropy *entropy);

/* A number below `limit` (1 to 256), each equally likely. */
uint16_t entropy_below(struct entropy *entropy, uint16_t limit);

#endif
