/* Bytes to frames and back: 00 COBS(header payload crc16) 00, docs/protocol.md "Wire". */
#ifndef CUTCARD_FRAMING_H
#define CUTCARD_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

enum {
    MAX_BODY = HEADER_SIZE + MAX_PAYLOAD + CRC_SIZE,
    MAX_WIRE = MAX_BODY + 3, /* one code byte and two delimiters */
};

/* One message with its header; the payload is borrowed from whoever made the frame. */
struct frame {
    uint8_t id;
    uint16_t sequence;
    uint16_t session;
    uint32_t epoch;
    uint32_t event;
    const uint8_t *payload;
    uint8_t size;
};

/* The header's bytes. */
void frame_header(const struct frame *frame, uint8_t header[HEADER_SIZE]);

/* The bytes on the wire, at most MAX_WIRE; returns how many. */
size_t frame_encode(const struct frame *frame, uint8_t *out);

enum decoded {
    DECODED_NOTHING,
    DECODED_FRAME,
    DECODED_FOREIGN, /* a sound frame of another version, which is not read */
};

struct decoder {
    uint8_t buffer[MAX_ENCODED];
    uint8_t length;
    bool is_skipping;
    uint16_t noise; /* runs thrown away; stays at its highest value */
};

/* Take one byte; the payload of a decoded frame lies in the decoder until the next byte. */
enum decoded decoder_feed(struct decoder *decoder, uint8_t byte, struct frame *frame);

#endif
