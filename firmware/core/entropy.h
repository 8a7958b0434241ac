/*
 * Random numbers for the slots: from a noise source that is watched while it is used, mixed
 * with what the host adds (docs/protocol.md, "Entropy"; docs/shuffle.md).
 *
 * The health tests are those of NIST SP 800-90B, 4.4, for one bit of entropy per sample and a
 * false alarm of 2^-30. A noise diode on a converter gives more; one bit is what is relied on.
 */
#ifndef CUTCARD_ENTROPY_H
#define CUTCARD_ENTROPY_H

#include "sha256.h"

enum {
    SECRET_SIZE = SHA256_SIZE,
    SECRET_SAMPLES = 256,    /* one bit each: the 256 bits that a secret holds */
    STARTUP_SAMPLES = 1024,  /* tested before the first is used (SP 800-90B, 4.3) */
    HEALTH_WINDOW = 512,
    REPETITION_CUTOFF = 31,  /* 1 + 30 / 1 bit */
    PROPORTION_CUTOFF = 325, /* 2 + critical binomial(511, 1/2, 1 - 2^-30) */
};

struct health {
    uint8_t last;
    uint8_t repeats;
    uint8_t first;
    uint16_t seen;   /* of this window */
    uint16_t equal;
    uint16_t tested; /* since the start; stays at its highest value */
    bool is_failed;
};

/* Take one sample into the tests. */
void health_add(struct health *health, uint8_t sample);

/* Samples until there is a secret in reserve. */
struct entropy {
    struct health health;
    struct sha256 pool;
    uint16_t collected;
    bool has_failed; /* and has not passed since */
};

void entropy_start(struct entropy *entropy);

/* Take one sample; after a failure the tests begin anew. */
void entropy_add(struct entropy *entropy, uint8_t sample);

bool entropy_is_ready(const struct entropy *entropy);

/* Take the secret out of the reserve, and begin to collect the next; false without one. */
bool entropy_take(struct entropy *entropy, uint8_t secret[SECRET_SIZE]);

/* The machine's side of drawing together, for one deck: commit, mix, shuffle, open. */
struct mixer {
    uint8_t secret[SECRET_SIZE];
    uint8_t nonce[SECRET_SIZE];
    uint8_t in_play[SECRET_SIZE]; /* the secret of the order that lies in the deck */
    uint8_t gone[SECRET_SIZE];    /* of the one before */
    bool has_secret;
    bool has_nonce;
    bool has_in_play;
    bool has_gone;
};

void mixer_commit(struct mixer *mixer, const uint8_t *secret, uint8_t *commitment);
bool mixer_mix(struct mixer *mixer, const uint8_t *nonce);

/* A shuffle begins: its seed, or false where both ends have not drawn for it. */
bool mixer_begin(struct mixer *mixer, uint8_t *seed);

/* Bytes from a seed, and numbers from them. */
struct stream {
    uint8_t seed[SECRET_SIZE];
    uint8_t block[SHA256_SIZE];
    uint8_t used;
    uint32_t number;
};

void stream_start(struct stream *stream, const uint8_t *seed);

/* A number below `limit` (1 to 256), each equally likely. */
uint16_t stream_below(struct stream *stream, uint16_t limit);

#endif
