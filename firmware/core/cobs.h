/*
 * Consistent overhead byte stuffing: bytes without a zero, so that a zero can end a frame.
 * Runs here are shorter than 254 bytes (MAX_ENCODED), so each code byte stands for one zero.
 */
#ifndef CUTCARD_COBS_H
#define CUTCARD_COBS_H

#include <stddef.h>
#include <stdint.h>

/* Encode size bytes, at most 253; `out` takes size + 1. Returns the bytes written. */
size_t cobs_encode(const uint8_t *data, size_t size, uint8_t *out);

/* Decode in place; returns the bytes decoded, or SIZE_MAX when a code points past the end. */
size_t cobs_decode(uint8_t *data, size_t size);

#endif
