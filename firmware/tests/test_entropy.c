/* Hash, health tests and draws. */
#include <string.h>

#include "entropy.h"
#include "unit.h"

static struct entropy entropy;

static void blake2s_is_that_of_rfc_7693(void)
{
    static const uint8_t abc[BLAKE2S_SIZE] = { /* appendix B */
        0x50, 0x8C, 0x5E, 0x8C, 0x32, 0x7C, 0x14, 0xE2, 0xE1, 0xA7, 0x2B,
        0xA3, 0x4E, 0xEB, 0x45, 0x2F, 0x37, 0x45, 0x8B, 0x20, 0x9E, 0xD6,
        0x3A, 0x29, 0x4D, 0x99, 0x9B, 0x4C, 0x86, 0x67, 0x59, 0x82,
    };
    struct blake2s hash;
    uint8_t digest[BLAKE2S_SIZE];
    blake2s_start(&hash);
    blake2s_add(&hash, (const uint8_t *)"abc", 3);
    blake2s_finish(&hash, digest);

    CHECK(memcmp(digest, abc, sizeof abc) == 0);
}

static void a_source_that_repeats_fails_at_the_cutoff(void)
{
    struct health health = {0};
    for (unsigned n = 1; n < REPETITION_CUTOFF; n++) {
        health_add(&health, 9);
    }
    CHECK(!health.is_failed);

    health_add(&health, 9);

    CHECK(health.is_failed);
}

static void a_source_that_favours_a_value_fails_within_a_window(void)
{
    struct health health = {0};
    for (unsigned n = 0; n < HEALTH_WINDOW; n++) {
        health_add(&health, n % 3 == 2 ? (uint8_t)n : 0); /* two thirds are 0 */
    }

    CHECK(health.is_failed);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void a_fair_bit_is_enough(void)
{
    struct health health = {0};
    uint32_t state = 20260101;
    for (unsigned n = 0; n < 100 * HEALTH_WINDOW; n++) {
        health_add(&health, (uint8_t)(next_random(&state) >> 20 & 1));
    }

    CHECK(!health.is_failed);
}

static void collect(uint32_t seed)
{
    entropy_start(&entropy);
    while (!entropy_is_ready(&entropy)) {
        entropy_add(&entropy, (uint8_t)next_random(&seed));
    }
    entropy_finish(&entropy);
}

static void a_key_needs_all_its_samples(void)
{
    entropy_start(&entropy);
    for (uint32_t n = 0; n < ENTROPY_SAMPLES; n++) {
        CHECK(!entropy_is_ready(&entropy));
        entropy_add(&entropy, (uint8_t)(7 * n));
    }

    CHECK(entropy_is_ready(&entropy));
}

/* Chi-squared with 53 degrees of freedom is above 99.0 once in 10,000 times. */
static void every_slot_is_drawn_as_often(void)
{
    enum { SLOTS = 54, DRAWS = 54000 };
    unsigned counts[SLOTS] = {0};
    double chi_squared = 0;
    collect(4711);
    for (unsigned n = 0; n < DRAWS; n++) {
        counts[entropy_below(&entropy, SLOTS)]++;
    }
    for (unsigned n = 0; n < SLOTS; n++) {
        double off = counts[n] - (double)DRAWS / SLOTS;
        chi_squared += off * off / ((double)DRAWS / SLOTS);
    }

    CHECK(chi_squared < 99.0);
}

static void another_sample_is_another_sequence(void)
{
    uint16_t first[16];
    unsigned equal = 0;
    collect(1);
    for (unsigned n = 0; n < 16; n++) {
        first[n] = entropy_below(&entropy, 256);
    }
    collect(2);
    for (unsigned n = 0; n < 16; n++) {
        equal += first[n] == entropy_below(&entropy, 256) ? 1 : 0;
    }

    CHECK(equal < 4);
}

static void the_only_choice_needs_no_luck(void)
{
    collect(3);

    CHECK(entropy_below(&entropy, 1) == 0);
}

static const struct test TESTS[] = {
    {"blake2s is that of rfc 7693", blake2s_is_that_of_rfc_7693},
    {"a source that repeats fails", a_source_that_repeats_fails_at_the_cutoff},
    {"a source that favours a value fails", a_source_that_favours_a_value_fails_within_a_window},
    {"a fair bit is enough", a_fair_bit_is_enough},
    {"a key needs all its samples", a_key_needs_all_its_samples},
    {"every slot is drawn as often", every_slot_is_drawn_as_often},
    {"another sample is another sequence", another_sample_is_another_sequence},
    {"the only choice needs no luck", the_only_choice_needs_no_luck},
};

const struct suite entropy_suite = SUITE(TESTS);
