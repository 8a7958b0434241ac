/* Bytes: CRC, COBS, frames, and the golden vectors that the host's tests read as well. */
#include <stdio.h>

#include "cobs.h"
#include "crc16.h"
#include "framing.h"
#include "unit.h"

static void crc_is_ccitt_false(void)
{
    CHECK(crc16((const uint8_t *)"123456789", 9) == 0x29B1);
    CHECK(crc16(NULL, 0) == 0xFFFF);
}

static void cobs_is_that_of_its_paper(void)
{
    static const uint8_t plain[] = {0x11, 0x22, 0x00, 0x33};
    static const uint8_t stuffed[] = {0x03, 0x11, 0x22, 0x02, 0x33};
    uint8_t out[8];

    CHECK(cobs_encode(plain, sizeof plain, out) == sizeof stuffed);
    CHECK(memcmp(out, stuffed, sizeof stuffed) == 0);
    CHECK(cobs_decode(out, sizeof stuffed) == sizeof plain);
    CHECK(memcmp(out, plain, sizeof plain) == 0);
}

static void cobs_pointing_past_the_end_is_refused(void)
{
    uint8_t bytes[] = {0x05, 0x11, 0x22};

    CHECK(cobs_decode(bytes, sizeof bytes) == SIZE_MAX);
}

static enum decoded feed(struct decoder *decoder, const uint8_t *data, size_t size,
                         struct frame *frame)
{
    enum decoded last = DECODED_NOTHING;
    for (size_t n = 0; n < size; n++) {
        enum decoded decoded = decoder_feed(decoder, data[n], frame);
        last = decoded == DECODED_NOTHING ? last : decoded;
    }
    return last;
}

static size_t bytes_of(const char *hex, uint8_t *out)
{
    size_t size = 0;
    unsigned byte;
    while (sscanf(hex, "%2x", &byte) == 1) {
        out[size++] = (uint8_t)byte;
        hex += 2;
    }
    return size;
}

struct golden {
    char name[32];
    unsigned id;
    unsigned sequence;
    unsigned session;
    unsigned epoch;
    unsigned event;
    char payload[256];
    char wire[256];
};

static bool read_golden(const char *line, struct golden *golden)
{
    return sscanf(line, "%31s | %*[^|]| %u %u %u %u %u | %255s | %255s", golden->name, &golden->id,
                  &golden->sequence, &golden->session, &golden->epoch, &golden->event,
                  golden->payload, golden->wire) == 8;
}

static void check_golden(const struct golden *golden)
{
    struct decoder decoder = {0};
    struct frame frame = {0};
    uint8_t wire[MAX_WIRE], again[MAX_WIRE], payload[MAX_PAYLOAD], repacked[MAX_PAYLOAD];
    size_t wire_size = bytes_of(golden->wire, wire);
    size_t size = bytes_of(golden->payload, payload);

    CHECK(feed(&decoder, wire, wire_size, &frame) == DECODED_FRAME);
    CHECK(frame.id == golden->id && frame.sequence == golden->sequence);
    CHECK(frame.session == golden->session && frame.epoch == golden->epoch);
    CHECK(frame.event == golden->event && frame.size == size);
    CHECK(size == 0 || memcmp(frame.payload, payload, size) == 0);
    message_repack(frame.id, payload, repacked);
    CHECK(size == 0 || memcmp(repacked, payload, size) == 0);
    CHECK(frame_encode(&frame, again) == wire_size);
    CHECK(memcmp(again, wire, wire_size) == 0);
}

static void golden_vectors_are_read_and_written(void)
{
    char line[1024];
    struct golden golden;
    unsigned count = 0;
    FILE *file = fopen(golden_path, "r");
    CHECK(file != NULL);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (line[0] != '#') {
            CHECK(read_golden(line, &golden));
            check_golden(&golden);
            count++;
        }
    }
    CHECK(count >= 40);
    if (file != NULL) {
        fclose(file);
    }
}

static size_t hold_frame(uint8_t *wire)
{
    struct frame frame = {.id = ID_HOLD, .sequence = 5, .session = 7, .epoch = 1000, .event = 12};
    return frame_encode(&frame, wire);
}

static void a_flipped_bit_is_noise(void)
{
    uint8_t wire[MAX_WIRE];
    struct frame frame;
    size_t size = hold_frame(wire);
    for (size_t bit = 8; bit < 8 * (size - 1); bit++) {
        struct decoder decoder = {0};
        wire[bit / 8] ^= (uint8_t)(1U << bit % 8);

        CHECK(feed(&decoder, wire, size, &frame) != DECODED_FRAME);

        wire[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
}

static void a_run_without_end_is_dropped_and_the_next_frame_read(void)
{
    struct decoder decoder = {0};
    struct frame frame;
    uint8_t wire[MAX_WIRE];
    for (unsigned n = 0; n < 10000; n++) {
        CHECK(decoder_feed(&decoder, 0x11, &frame) == DECODED_NOTHING);
    }

    CHECK(feed(&decoder, wire, hold_frame(wire), &frame) == DECODED_FRAME);
    CHECK(decoder.noise == 1);
}

static void another_version_is_foreign(void)
{
    struct decoder decoder = {0};
    struct frame frame;
    uint8_t body[HEADER_SIZE + CRC_SIZE] = {9, ID_HOLD};
    uint8_t wire[MAX_WIRE] = {0};
    put_u16(body + HEADER_SIZE, crc16(body, HEADER_SIZE));
    size_t size = 1 + cobs_encode(body, sizeof body, wire + 1);
    wire[size++] = 0;

    CHECK(feed(&decoder, wire, size, &frame) == DECODED_FOREIGN);
}

static void a_value_outside_its_enumeration_is_noise(void)
{
    static const uint8_t payload[SIZE_SET_LIGHT] = {4, 0, 0}; /* there are lights 0 to 3 */
    struct decoder decoder = {0};
    struct frame sent = {.id = ID_SET_LIGHT, .payload = payload, .size = sizeof payload};
    struct frame frame;
    uint8_t wire[MAX_WIRE];

    CHECK(feed(&decoder, wire, frame_encode(&sent, wire), &frame) == DECODED_NOTHING);
    CHECK(decoder.noise == 1);
}

static const struct test TESTS[] = {
    {"crc is ccitt false", crc_is_ccitt_false},
    {"cobs is that of its paper", cobs_is_that_of_its_paper},
    {"cobs pointing past the end is refused", cobs_pointing_past_the_end_is_refused},
    {"golden vectors are read and written", golden_vectors_are_read_and_written},
    {"a flipped bit is noise", a_flipped_bit_is_noise},
    {"a run without end is dropped", a_run_without_end_is_dropped_and_the_next_frame_read},
    {"another version is foreign", another_version_is_foreign},
    {"a value outside its enumeration is noise", a_value_outside_its_enumeration_is_noise},
};

const struct suite codec_suite = SUITE(TESTS);
