/* BLAKE2s with a digest of 32 bytes and without a key (RFC 7693). */
#ifndef CUTCARD_BLAKE2S_H
#define CUTCARD_BLAKE2S_H

#include <stddef.h>
#include <stdint.h>

enum { BLAKE2S_SIZE = 32, BLAKE2S_BLOCK = 64 };

struct blake2s {
    uint32_t state[8];
    uint32_t hashed; /* bytes compressed so far; what is hashed here is far below 4 GiB */
    uint8_t block[BLAKE2S_BLOCK];
    uint8_t filled;
};

void blake2s_start(struct blake2s *hash);
void blake2s_add(struct blake2s *hash, const uint8_t *data, size_t size);
void blake2s_finish(struct blake2s *hash, uint8_t digest[BLAKE2S_SIZE]);

#endif
