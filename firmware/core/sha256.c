#include "sha256.h"

#include <string.h>

/* FIPS 180-4, 4.2.2: from the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t ROUND[64] = {
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2,
};

/* FIPS 180-4, 5.3.3: of the square roots of the first eight primes. */
static const uint32_t INITIAL[8] = {
    0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
    0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19,
};

/*
 * To the right by whole bytes and then by the few bits that are left, either way: an 8-bit
 * processor shifts a bit at a time, and moves bytes for nothing.
 */
static inline __attribute__((always_inline)) uint32_t rotated(uint32_t word, uint8_t bits)
{
    uint8_t whole = (uint8_t)((bits + 4) / 8 * 8);
    if (whole > 0) {
        word = word >> whole | word << (32 - whole);
    }
    for (uint8_t n = whole; n < bits; n++) {
        word = word >> 1 | word << 31;
    }
    for (uint8_t n = bits; n < whole; n++) {
        word = word << 1 | word >> 31;
    }
    return word;
}

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* The words of the schedule, sixteen at a time. */
static uint32_t scheduled(uint32_t *words, uint8_t round)
{
    uint32_t *word = &words[round & 15];
    if (round >= 16) {
        uint32_t early = words[(round + 1) & 15];
        uint32_t late = words[(round + 14) & 15];
        *word += words[(round + 9) & 15];
        *word += rotated(early, 7) ^ rotated(early, 18) ^ early >> 3;
        *word += rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
    }
    return *word;
}

static void compress(struct sha256 *hash)
{
    uint32_t words[16];
    uint32_t v[8];
    for (uint8_t n = 0; n < 16; n++) {
        words[n] = word_at(hash->block + 4 * n);
    }
    memcpy(v, hash->state, sizeof v);
    for (uint8_t round = 0; round < 64; round++) {
        uint32_t a = v[0];
        uint32_t e = v[4];
        uint32_t first = v[7] + ROUND[round] + scheduled(words, round);
        first += rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
        first += (e & v[5]) ^ (~e & v[6]);
        uint32_t second = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
        second += (a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (uint8_t n = 0; n < 8; n++) {
        hash->state[n] += v[n];
    }
}

void sha256_start(struct sha256 *hash)
{
    memcpy(hash->state, INITIAL, sizeof INITIAL);
    hash->size = 0;
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t n = 0; n < size; n++) {
        hash->block[hash->size++ % SHA256_BLOCK] = bytes[n];
        if (hash->size % SHA256_BLOCK == 0) {
            compress(hash);
        }
    }
}

void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE])
{
    static const uint8_t mark = 0x80;
    static const uint8_t zero = 0;
    uint32_t bits = hash->size * 8;
    uint8_t length[8] = {
        0, 0, 0, 0, (uint8_t)(bits >> 24), (uint8_t)(bits >> 16), (uint8_t)(bits >> 8),
        (uint8_t)bits,
    };
    sha256_add(hash, &mark, 1);
    while (hash->size % SHA256_BLOCK != SHA256_BLOCK - sizeof length) {
        sha256_add(hash, &zero, 1);
    }
    sha256_add(hash, length, sizeof length);
    for (uint8_t n = 0; n < SHA256_SIZE; n++) {
        digest[n] = (uint8_t)(hash->state[n / 4] >> (24 - 8 * (n % 4)));
    }
}

static void add_padded_key(struct sha256 *hash, const uint8_t *key, uint8_t pad)
{
    for (uint8_t n = 0; n < SHA256_BLOCK; n++) {
        uint8_t byte = (uint8_t)((n < SHA256_SIZE ? key[n] : 0) ^ pad);
        sha256_add(hash, &byte, 1);
    }
}

void hmac_start(struct hmac *hmac, const uint8_t key[SHA256_SIZE])
{
    sha256_start(&hmac->inner);
    add_padded_key(&hmac->inner, key, 0x5C);
    memcpy(hmac->outer, hmac->inner.state, sizeof hmac->outer);
    sha256_start(&hmac->inner);
    add_padded_key(&hmac->inner, key, 0x36);
}

void hmac_add(struct hmac *hmac, const void *data, size_t size)
{
    sha256_add(&hmac->inner, data, size);
}

void hmac_finish(struct hmac *hmac, uint8_t digest[SHA256_SIZE])
{
    sha256_finish(&hmac->inner, digest);
    memcpy(hmac->inner.state, hmac->outer, sizeof hmac->outer);
    hmac->inner.size = SHA256_BLOCK;
    sha256_add(&hmac->inner, digest, SHA256_SIZE);
    sha256_finish(&hmac->inner, digest);
}

bool is_same_digest(const uint8_t *one, const uint8_t *other)
{
    uint8_t different = 0;
    for (uint8_t n = 0; n < SHA256_SIZE; n++) {
        different |= one[n] ^ other[n];
    }
    return different == 0;
}
