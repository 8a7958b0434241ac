#include "framing.h"

#include "cobs.h"
#include "crc16.h"

void frame_header(const struct frame *frame, uint8_t header[HEADER_SIZE])
{
    header[0] = PROTOCOL_VERSION;
    header[1] = frame->id;
    put_u16(header + 2, frame->sequence);
    put_u16(header + 4, frame->session);
    put_u32(header + 6, frame->epoch);
    put_u32(header + 10, frame->event);
}

size_t frame_encode(const struct frame *frame, uint8_t *out)
{
    uint8_t body[MAX_BODY];
    frame_header(frame, body);
    if (frame->size > 0) {
        memcpy(body + HEADER_SIZE, frame->payload, frame->size);
    }
    size_t size = (size_t)HEADER_SIZE + frame->size;
    put_u16(body + size, crc16(body, size));
    out[0] = 0;
    size_t stuffed = cobs_encode(body, size + CRC_SIZE, out + 1);
    out[1 + stuffed] = 0;
    return stuffed + 2;
}

static enum decoded thrown_away(struct decoder *decoder)
{
    if (decoder->noise < UINT16_MAX) {
        decoder->noise++;
    }
    return DECODED_NOTHING;
}

static enum decoded parse(struct decoder *decoder, size_t size, struct frame *frame)
{
    const uint8_t *body = decoder->buffer;
    if (size <= CRC_SIZE || size > MAX_ENCODED) {
        return thrown_away(decoder);
    }
    size -= CRC_SIZE;
    if (get_u16(body + size) != crc16(body, size)) {
        return thrown_away(decoder);
    }
    if (body[0] != PROTOCOL_VERSION) {
        return DECODED_FOREIGN;
    }
    if (size < HEADER_SIZE
        || !message_is_sound(body[1], body + HEADER_SIZE, size - HEADER_SIZE)) {
        return thrown_away(decoder);
    }
    frame->id = body[1];
    frame->sequence = get_u16(body + 2);
    frame->session = get_u16(body + 4);
    frame->epoch = get_u32(body + 6);
    frame->event = get_u32(body + 10);
    frame->payload = body + HEADER_SIZE;
    frame->size = (uint8_t)(size - HEADER_SIZE);
    return DECODED_FRAME;
}

enum decoded decoder_feed(struct decoder *decoder, uint8_t byte, struct frame *frame)
{
    if (byte != 0) {
        if (!decoder->is_skipping && decoder->length == MAX_ENCODED) {
            decoder->is_skipping = true;
            thrown_away(decoder);
        }
        if (!decoder->is_skipping) {
            decoder->buffer[decoder->length++] = byte;
        }
        return DECODED_NOTHING;
    }
    size_t size = decoder->length;
    bool is_skipped = decoder->is_skipping;
    decoder->length = 0;
    decoder->is_skipping = false;
    if (size == 0 || is_skipped) {
        return DECODED_NOTHING;
    }
    return parse(decoder, cobs_decode(decoder->buffer, size), frame);
}
