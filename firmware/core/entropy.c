#include "entropy.h"

#include <string.h>

void health_add(struct health *health, uint8_t sample)
{
    health->repeats = health->seen > 0 && sample == health->last ? (uint8_t)(health->repeats + 1) : 1;
    health->last = sample;
    if (health->seen == 0 || health->seen == HEALTH_WINDOW) {
        health->first = sample;
        health->seen = 0;
        health->equal = 0;
    }
    health->seen++;
    if (sample == health->first) {
        health->equal++;
    }
    if (health->repeats >= REPETITION_CUTOFF || health->equal >= PROPORTION_CUTOFF) {
        health->repeats = REPETITION_CUTOFF - 1; /* stays within its byte */
        health->is_failed = true;
    }
}

void entropy_start(struct entropy *entropy)
{
    memset(entropy, 0, sizeof *entropy);
    blake2s_start(&entropy->pool);
}

void entropy_add(struct entropy *entropy, uint8_t sample)
{
    health_add(&entropy->health, sample);
    if (entropy->samples < UINT16_MAX) {
        entropy->samples++;
    }
    blake2s_add(&entropy->pool, &sample, 1);
}

bool entropy_is_ready(const struct entropy *entropy)
{
    return entropy->samples >= ENTROPY_SAMPLES && !entropy->health.is_failed;
}

void entropy_finish(struct entropy *entropy)
{
    blake2s_finish(&entropy->pool, entropy->key);
    entropy->used = BLAKE2S_SIZE;
}

/* The next byte of BLAKE2s(key, counter) for counter 1, 2, 3 and so on. */
static uint8_t next_byte(struct entropy *entropy)
{
    if (entropy->used == BLAKE2S_SIZE) {
        struct blake2s hash;
        uint8_t counter[4];
        entropy->counter++;
        for (uint8_t n = 0; n < 4; n++) {
            counter[n] = (uint8_t)(entropy->counter >> (8 * n));
        }
        blake2s_start(&hash);
        blake2s_add(&hash, entropy->key, BLAKE2S_SIZE);
        blake2s_add(&hash, counter, sizeof counter);
        blake2s_finish(&hash, entropy->block);
        entropy->used = 0;
    }
    return entropy->block[entropy->used++];
}

uint16_t entropy_below(struct entropy *entropy, uint16_t limit)
{
    uint16_t whole = (uint16_t)(256 - 256 % limit);
    uint16_t byte = next_byte(entropy);
    while (byte >= whole) { /* the bytes above the last whole multiple would favour some */
        byte = next_byte(entropy);
    }
    return byte % limit;
}
