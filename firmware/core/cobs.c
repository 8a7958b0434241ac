#include "cobs.h"

size_t cobs_encode(const uint8_t *data, size_t size, uint8_t *out)
{
    size_t code_at = 0;
    size_t at = 1;
    for (size_t n = 0; n < size; n++) {
        if (data[n] == 0) {
            out[code_at] = (uint8_t)(at - code_at);
            code_at = at++;
        } else {
            out[at++] = data[n];
        }
    }
    out[code_at] = (uint8_t)(at - code_at);
    return at;
}

size_t cobs_decode(uint8_t *data, size_t size)
{
    size_t from = 0;
    size_t to = 0;
    while (from < size) {
        size_t next = from + data[from];
        if (data[from] == 0 || next > size) {
            return SIZE_MAX;
        }
        for (from++; from < next; from++) {
            data[to++] = data[from];
        }
        if (from < size) {
            data[to++] = 0;
        }
    }
    return to;
}
