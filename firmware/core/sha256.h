/* SHA-256 (FIPS 180-4) and HMAC with it (FIPS 198-1), with keys of 32 bytes. */
#ifndef CUTCARD_SHA256_H
#define CUTCARD_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHA256_SIZE = 32, SHA256_BLOCK = 64 };

struct sha256 {
    uint32_t state[8];
    uint32_t size; /* bytes so far; what is hashed here is far below 512 MiB */
    uint8_t block[SHA256_BLOCK];
};

void sha256_start(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);
void sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_SIZE]);

/* Begun with a key; a copy of it can be used again and again for that key. */
struct hmac {
    struct sha256 inner;
    uint32_t outer[8]; /* the state after the key */
};

void hmac_start(struct hmac *hmac, const uint8_t key[SHA256_SIZE]);
void hmac_add(struct hmac *hmac, const void *data, size_t size);
void hmac_finish(struct hmac *hmac, uint8_t digest[SHA256_SIZE]);

/* Whether 32 bytes are equal; takes the same time wherever they differ. */
bool is_same_digest(const uint8_t *one, const uint8_t *other);

#endif
