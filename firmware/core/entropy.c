#include "entropy.h"

#include <string.h>

static const char COMMITMENT[] = "cutcard entropy commitment"; /* with the zero at its end */
static const char SEED[] = "cutcard shuffle seed";
static const char STREAM[] = "cutcard shuffle stream";

void health_add(struct health *health, uint8_t sample)
{
    bool is_repeated = health->tested > 0 && sample == health->last;
    health->repeats = is_repeated ? (uint8_t)(health->repeats + 1) : 1;
    health->last = sample;
    if (health->seen == 0 || health->seen == HEALTH_WINDOW) {
        health->first = sample;
        health->seen = 0;
        health->equal = 0;
    }
    health->seen++;
    if (sample == health->first) {
        health->equal++;
    }
    if (health->tested < UINT16_MAX) {
        health->tested++;
    }
    if (health->repeats >= REPETITION_CUTOFF || health->equal >= PROPORTION_CUTOFF) {
        health->repeats = 0; /* stays within its byte */
        health->is_failed = true;
    }
}

void entropy_start(struct entropy *entropy)
{
    memset(entropy, 0, sizeof *entropy);
    sha256_start(&entropy->pool);
}

void entropy_add(struct entropy *entropy, uint8_t sample)
{
    health_add(&entropy->health, sample);
    if (entropy->health.is_failed) {
        entropy_start(entropy);
        entropy->has_failed = true;
    } else if (entropy->health.tested > STARTUP_SAMPLES && entropy->collected < SECRET_SAMPLES) {
        sha256_add(&entropy->pool, &sample, 1);
        entropy->collected++;
        entropy->has_failed = entropy->has_failed && entropy->collected < SECRET_SAMPLES;
    }
}

bool entropy_is_ready(const struct entropy *entropy)
{
    return entropy->collected >= SECRET_SAMPLES;
}

bool entropy_take(struct entropy *entropy, uint8_t secret[SECRET_SIZE])
{
    if (!entropy_is_ready(entropy)) {
        return false;
    }
    sha256_finish(&entropy->pool, secret);
    sha256_start(&entropy->pool);
    entropy->collected = 0;
    return true;
}

/* --- drawing together --------------------------------------------------------------------- */

void mixer_commit(struct mixer *mixer, const uint8_t *secret, uint8_t *commitment)
{
    struct sha256 hash;
    memcpy(mixer->secret, secret, SECRET_SIZE);
    mixer->has_secret = true;
    mixer->has_nonce = false;
    sha256_start(&hash);
    sha256_add(&hash, COMMITMENT, sizeof COMMITMENT);
    sha256_add(&hash, secret, SECRET_SIZE);
    sha256_finish(&hash, commitment);
}

bool mixer_mix(struct mixer *mixer, const uint8_t *nonce)
{
    if (!mixer->has_secret || mixer->has_nonce) {
        return false;
    }
    memcpy(mixer->nonce, nonce, SECRET_SIZE);
    mixer->has_nonce = true;
    return true;
}

bool mixer_begin(struct mixer *mixer, uint8_t *seed)
{
    struct hmac hmac;
    memcpy(mixer->gone, mixer->in_play, SECRET_SIZE);
    mixer->has_gone = mixer->has_in_play;
    mixer->has_in_play = false;
    if (!mixer->has_nonce) {
        return false;
    }
    memcpy(mixer->in_play, mixer->secret, SECRET_SIZE);
    mixer->has_in_play = true;
    mixer->has_secret = mixer->has_nonce = false;
    hmac_start(&hmac, mixer->in_play);
    hmac_add(&hmac, SEED, sizeof SEED);
    hmac_add(&hmac, mixer->nonce, SECRET_SIZE);
    hmac_finish(&hmac, seed);
    return true;
}

/* --- numbers ------------------------------------------------------------------------------ */

void stream_start(struct stream *stream, const uint8_t *seed)
{
    memcpy(stream->seed, seed, SECRET_SIZE);
    stream->used = SHA256_SIZE;
    stream->number = 0;
}

static uint8_t next_byte(struct stream *stream)
{
    if (stream->used == SHA256_SIZE) {
        struct hmac hmac;
        uint8_t number[4];
        for (uint8_t n = 0; n < sizeof number; n++) {
            number[n] = (uint8_t)(stream->number >> (8 * n));
        }
        hmac_start(&hmac, stream->seed);
        hmac_add(&hmac, STREAM, sizeof STREAM);
        hmac_add(&hmac, number, sizeof number);
        hmac_finish(&hmac, stream->block);
        stream->number++;
        stream->used = 0;
    }
    return stream->block[stream->used++];
}

uint16_t stream_below(struct stream *stream, uint16_t limit)
{
    uint16_t whole = (uint16_t)(256 - 256 % limit);
    uint16_t byte = next_byte(stream);
    while (byte >= whole) { /* the bytes above the last whole multiple would favour some */
        byte = next_byte(stream);
    }
    return byte % limit;
}
