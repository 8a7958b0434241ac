/* Hashes, health tests, drawing together, numbers. */
#include <string.h>

#include "entropy.h"
#include "unit.h"

static struct entropy entropy;
static struct stream stream;

/* The example of docs/protocol.md, "Entropy": a secret of 33s and a nonce of 44s. */
static const uint8_t COMMITMENT[] = {
    0x3F, 0x00, 0xA9, 0xE2, 0xD0, 0x56, 0xA3, 0x92, 0x21, 0x1F, 0xD6, 0x35, 0x50, 0x9F, 0x0A, 0xBA,
    0x58, 0x62, 0xE8, 0x64, 0xE9, 0x65, 0xBC, 0x9D, 0x91, 0x73, 0x05, 0xAC, 0xC3, 0x5C, 0xFE, 0x8E,
};
static const uint8_t SEED[] = {
    0x56, 0x5E, 0x0C, 0x8A, 0xBE, 0x33, 0x8B, 0x36, 0xD3, 0x3A, 0x0C, 0xA3, 0x5A, 0x7D, 0x29, 0xD4,
    0x7D, 0x36, 0x30, 0x3B, 0xB0, 0x99, 0xA4, 0x31, 0xC5, 0xB0, 0xF2, 0x84, 0x50, 0x59, 0xA5, 0x9C,
};

static void sha_256_is_that_of_fips_180(void)
{
    static const uint8_t abc[SHA256_SIZE] = {
        0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22,
        0x23, 0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00,
        0x15, 0xAD,
    };
    struct sha256 hash;
    uint8_t digest[SHA256_SIZE];
    sha256_start(&hash);
    sha256_add(&hash, "abc", 3);
    sha256_finish(&hash, digest);

    CHECK(is_same_digest(digest, abc));
    digest[31] ^= 1;
    CHECK(!is_same_digest(digest, abc));
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

static void fill_reserve(uint32_t seed)
{
    entropy_start(&entropy);
    while (!entropy_is_ready(&entropy)) {
        entropy_add(&entropy, (uint8_t)next_random(&seed));
    }
}

static void a_secret_needs_the_startup_test_and_all_its_samples(void)
{
    uint8_t secret[SECRET_SIZE];
    unsigned samples = 0;
    uint32_t state = 5;
    entropy_start(&entropy);
    while (!entropy_take(&entropy, secret)) {
        entropy_add(&entropy, (uint8_t)next_random(&state));
        samples++;
    }

    CHECK(samples == STARTUP_SAMPLES + SECRET_SAMPLES);
    CHECK(!entropy_take(&entropy, secret)); /* it is given once */
}

static void after_a_failure_the_startup_test_is_passed_anew(void)
{
    uint32_t state = 6;
    entropy_start(&entropy);
    for (unsigned n = 0; n < 5 * REPETITION_CUTOFF; n++) {
        entropy_add(&entropy, 9);
    }
    CHECK(entropy.has_failed && !entropy_is_ready(&entropy));

    for (unsigned n = 0; n < STARTUP_SAMPLES + SECRET_SAMPLES + REPETITION_CUTOFF; n++) {
        entropy_add(&entropy, (uint8_t)next_random(&state));
    }

    CHECK(!entropy.has_failed && entropy_is_ready(&entropy));
}

static void other_samples_are_another_secret(void)
{
    uint8_t one[SECRET_SIZE], other[SECRET_SIZE];
    fill_reserve(1);
    CHECK(entropy_take(&entropy, one));
    fill_reserve(2);
    CHECK(entropy_take(&entropy, other));

    CHECK(!is_same_digest(one, other));
}

static void both_ends_draw_as_the_protocol_says(void)
{
    struct mixer mixer = {0};
    uint8_t secret[SECRET_SIZE], nonce[SECRET_SIZE], digest[SECRET_SIZE];
    memset(secret, 0x33, sizeof secret);
    memset(nonce, 0x44, sizeof nonce);

    CHECK(!mixer_mix(&mixer, nonce)); /* nothing was committed */
    mixer_commit(&mixer, secret, digest);
    CHECK(is_same_digest(digest, COMMITMENT));
    CHECK(mixer_mix(&mixer, nonce));
    CHECK(!mixer_mix(&mixer, nonce)); /* once */
    CHECK(mixer_begin(&mixer, digest));
    CHECK(is_same_digest(digest, SEED));
    CHECK(!mixer.has_gone); /* its order lies in the deck */
}

static void a_secret_is_opened_when_the_next_shuffle_has_begun(void)
{
    struct mixer mixer = {0};
    uint8_t secret[SECRET_SIZE] = {1}, nonce[SECRET_SIZE] = {2}, digest[SECRET_SIZE];
    mixer_commit(&mixer, secret, digest);
    mixer_mix(&mixer, nonce);
    mixer_begin(&mixer, digest);

    CHECK(!mixer_begin(&mixer, digest)); /* the next draws alone */

    CHECK(mixer.has_gone && is_same_digest(mixer.gone, secret));
    mixer_begin(&mixer, digest);
    CHECK(!mixer.has_gone);
}

/* Computed with the host's program from the same seed. */
static void numbers_are_those_of_the_host(void)
{
    static const uint8_t wanted[] = {
        8, 15, 39, 24, 6, 22, 19, 49, 30, 19, 37, 1, 28, 40, 7, 14, 14, 46, 21, 31, 52,
        37, 46, 29, 24, 37, 31, 19, 42, 35, 17, 51, 13, 45, 45, 44, 49, 1, 40, 32, 2, 43,
        35, 47, 10, 30, 43, 6,
    };
    stream_start(&stream, SEED);
    for (unsigned n = 0; n < sizeof wanted; n++) {
        CHECK(stream_below(&stream, 54) == wanted[n]);
    }
}

/* Chi-squared with 53 degrees of freedom is above 99.0 once in 10,000 times. */
static void every_slot_is_drawn_as_often(void)
{
    enum { SLOTS = 54, DRAWS = 54000 };
    unsigned counts[SLOTS] = {0};
    double chi_squared = 0;
    stream_start(&stream, SEED);
    for (unsigned n = 0; n < DRAWS; n++) {
        counts[stream_below(&stream, SLOTS)]++;
    }
    for (unsigned n = 0; n < SLOTS; n++) {
        double off = counts[n] - (double)DRAWS / SLOTS;
        chi_squared += off * off / ((double)DRAWS / SLOTS);
    }

    CHECK(chi_squared < 99.0);
}

static void the_only_choice_needs_no_luck(void)
{
    stream_start(&stream, SEED);

    CHECK(stream_below(&stream, 1) == 0);
}

static const struct test TESTS[] = {
    {"sha-256 is that of fips 180", sha_256_is_that_of_fips_180},
    {"a source that repeats fails", a_source_that_repeats_fails_at_the_cutoff},
    {"a source that favours a value fails", a_source_that_favours_a_value_fails_within_a_window},
    {"a fair bit is enough", a_fair_bit_is_enough},
    {"a secret needs all its samples", a_secret_needs_the_startup_test_and_all_its_samples},
    {"after a failure all begins anew", after_a_failure_the_startup_test_is_passed_anew},
    {"other samples are another secret", other_samples_are_another_secret},
    {"both ends draw as the protocol says", both_ends_draw_as_the_protocol_says},
    {"a secret is opened later", a_secret_is_opened_when_the_next_shuffle_has_begun},
    {"numbers are those of the host", numbers_are_those_of_the_host},
    {"every slot is drawn as often", every_slot_is_drawn_as_often},
    {"the only choice needs no luck", the_only_choice_needs_no_luck},
};

const struct suite entropy_suite = SUITE(TESTS);
