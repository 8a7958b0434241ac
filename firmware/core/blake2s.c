#include "blake2s.h"

#include <stdbool.h>
#include <string.h>

/* RFC 7693, section 2.6: the first 32 bits of the fractional parts of square roots of primes. */
static const uint32_t INITIAL[8] = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
};

/* RFC 7693, section 2.7: which word of the message goes where, round by round. */
static const uint8_t SCHEDULE[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* Columns, then diagonals of the 4 by 4 working vector. */
static const uint8_t QUARTERS[8][4] = {
    {0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
};

/* Word after the digest length in the parameter block: fan-out 1, depth 1, no key. */
static const uint32_t PARAMETERS = 0x01010000UL | BLAKE2S_SIZE;

static uint32_t rotated(uint32_t word, uint8_t bits)
{
    return word >> bits | word << (32 - bits);
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void mix(uint32_t *v, const uint8_t *quarter, uint32_t x, uint32_t y)
{
    uint32_t *a = v + quarter[0];
    uint32_t *b = v + quarter[1];
    uint32_t *c = v + quarter[2];
    uint32_t *d = v + quarter[3];
    *a += *b + x;
    *d = rotated(*d ^ *a, 16);
    *c += *d;
    *b = rotated(*b ^ *c, 12);
    *a += *b + y;
    *d = rotated(*d ^ *a, 8);
    *c += *d;
    *b = rotated(*b ^ *c, 7);
}

static void compress(struct blake2s *hash, bool is_last)
{
    uint32_t v[16];
    for (uint8_t n = 0; n < 8; n++) {
        v[n] = hash->state[n];
        v[n + 8] = INITIAL[n];
    }
    v[12] ^= hash->hashed;
    v[14] = is_last ? ~v[14] : v[14];
    for (uint8_t round = 0; round < 10; round++) {
        for (uint8_t n = 0; n < 8; n++) {
            const uint8_t *s = SCHEDULE[round] + 2 * n;
            mix(v, QUARTERS[n], word_at(hash->block + 4 * s[0]), word_at(hash->block + 4 * s[1]));
        }
    }
    for (uint8_t n = 0; n < 8; n++) {
        hash->state[n] ^= v[n] ^ v[n + 8];
    }
    hash->filled = 0;
}

void blake2s_start(struct blake2s *hash)
{
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, INITIAL, sizeof INITIAL);
    hash->state[0] ^= PARAMETERS;
}

void blake2s_add(struct blake2s *hash, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        if (hash->filled == BLAKE2S_BLOCK) {
            hash->hashed += BLAKE2S_BLOCK;
            compress(hash, false);
        }
        hash->block[hash->filled++] = data[n];
    }
}

void blake2s_finish(struct blake2s *hash, uint8_t digest[BLAKE2S_SIZE])
{
    hash->hashed += hash->filled;
    memset(hash->block + hash->filled, 0, (size_t)(BLAKE2S_BLOCK - hash->filled));
    compress(hash, true);
    for (uint8_t n = 0; n < BLAKE2S_SIZE; n++) {
        digest[n] = (uint8_t)(hash->state[n / 4] >> (8 * (n % 4)));
    }
}
