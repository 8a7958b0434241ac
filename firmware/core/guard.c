#include "guard.h"

static const char HOST_PROOF[] = "cutcard host proof"; /* with the zero at its end */
static const char DEVICE_PROOF[] = "cutcard device proof";
static const char SESSION_KEY[] = "cutcard session key";

void guard_forget(struct guard *guard)
{
    guard->has_offer = false;
    guard->is_proved = false;
}

bool guard_is_silent(const struct guard *guard)
{
    return guard->has_key && !guard->is_proved;
}

/* --- proofs ------------------------------------------------------------------------------- */

/* HMAC(key, purpose | transcript), begun: the device's own proof goes on from here. */
static void begin_deriving(const struct guard *guard, const char *purpose, size_t size,
                           struct hmac *hmac)
{
    uint8_t head[7] = {PROTOCOL_VERSION};
    put_u16(head + 1, guard->offer.session);
    put_u32(head + 3, guard->offer.epoch);
    hmac_start(hmac, guard->key);
    hmac_add(hmac, purpose, size);
    hmac_add(hmac, head, sizeof head);
    hmac_add(hmac, guard->offer.host_nonce, KEY_SIZE);
    hmac_add(hmac, guard->offer.device_nonce, KEY_SIZE);
    hmac_add(hmac, guard->identity, IDENTITY_SIZE);
}

static void derive(const struct guard *guard, const char *purpose, size_t size, uint8_t *digest)
{
    struct hmac hmac;
    begin_deriving(guard, purpose, size, &hmac);
    hmac_finish(&hmac, digest);
}

static void prove_device(const struct guard *guard, uint32_t event, uint8_t *proof)
{
    struct hmac hmac;
    uint8_t number[4];
    put_u32(number, event);
    begin_deriving(guard, DEVICE_PROOF, sizeof DEVICE_PROOF, &hmac);
    hmac_add(&hmac, number, sizeof number);
    hmac_finish(&hmac, proof);
}

/* SHA-256(seed, number): a nonce that nobody else knows and that never comes again. */
static void draw_nonce(struct guard *guard, uint8_t *nonce)
{
    struct sha256 hash;
    uint8_t number[4];
    put_u32(number, ++guard->nonces);
    sha256_start(&hash);
    sha256_add(&hash, guard->seed, KEY_SIZE);
    sha256_add(&hash, number, sizeof number);
    sha256_finish(&hash, nonce);
}

static uint8_t challenge(struct guard *guard, const struct frame *frame, uint8_t *answer)
{
    if (!guard->has_key || !guard->has_seed) {
        return REFUSAL_SEAL;
    }
    if (!guard->has_offer || !is_same_digest(guard->offer.host_nonce, frame->payload)) {
        guard->has_offer = true;
        guard->offer.session = frame->session;
        guard->offer.epoch = guard->epoch;
        memcpy(guard->offer.host_nonce, frame->payload, KEY_SIZE);
        draw_nonce(guard, guard->offer.device_nonce);
    }
    memcpy(answer, guard->offer.device_nonce, KEY_SIZE);
    return 0;
}

static bool is_offer_proved(const struct guard *guard)
{
    return guard->is_proved && guard->proved.session == guard->offer.session
           && is_same_digest(guard->proved.host_nonce, guard->offer.host_nonce)
           && is_same_digest(guard->proved.device_nonce, guard->offer.device_nonce);
}

static uint8_t prove(struct guard *guard, const uint8_t *proof, uint32_t event, uint8_t *answer)
{
    uint8_t wanted[KEY_SIZE];
    if (!guard->has_key || !guard->has_offer) {
        return REFUSAL_SEAL;
    }
    derive(guard, HOST_PROOF, sizeof HOST_PROOF, wanted);
    if (!is_same_digest(wanted, proof)) {
        return REFUSAL_SEAL;
    }
    if (!is_offer_proved(guard)) {
        guard->proved = guard->offer;
        guard->is_proved = true;
        guard->counter = 0;
        derive(guard, SESSION_KEY, sizeof SESSION_KEY, guard->session_key);
        hmac_start(&guard->session, guard->session_key);
    }
    prove_device(guard, event, answer);
    return 0;
}

uint8_t guard_shake(struct guard *guard, const struct frame *frame, uint32_t event,
                    uint8_t *answer)
{
    return frame->id == ID_CHALLENGE ? challenge(guard, frame, answer)
                                     : prove(guard, frame->payload, event, answer);
}

uint8_t guard_set_key(struct guard *guard, const uint8_t *key)
{
    bool is_random = false;
    if (!guard->is_trusted) {
        return REFUSAL_TRUST;
    }
    for (uint8_t n = 1; n < KEY_SIZE; n++) {
        is_random |= key[n] != key[0]; /* erased memory is no key */
    }
    if (!is_random) {
        return REFUSAL_BAD_VALUE;
    }
    memcpy(guard->key, key, KEY_SIZE);
    guard->has_key = true;
    guard->is_key_new = true;
    guard_forget(guard);
    return 0;
}

/* --- seals -------------------------------------------------------------------------------- */

static void tag(const struct guard *guard, const struct frame *frame, uint8_t size, uint8_t *digest)
{
    struct hmac hmac = guard->session;
    uint8_t header[HEADER_SIZE];
    frame_header(frame, header);
    hmac_add(&hmac, header, sizeof header);
    hmac_add(&hmac, frame->payload, size);
    hmac_finish(&hmac, digest);
}

static uint8_t open_plain(const struct guard *guard, const struct frame *frame)
{
    if (!guard->has_key || (frame->id == ID_SET_KEY && guard->is_trusted)) {
        return 0;
    }
    return frame->id == ID_SET_KEY ? REFUSAL_TRUST : REFUSAL_SEAL;
}

static bool holds_command(const uint8_t *envelope)
{
    uint8_t id = envelope[0];
    uint8_t size = envelope[1];
    uint8_t rest = 0;
    if (size > BODY_SIZE || !is_command(id) || id == ID_SEALED_COMMAND) {
        return false;
    }
    for (uint8_t n = size; n < BODY_SIZE; n++) {
        rest |= envelope[2 + n];
    }
    return rest == 0 && message_is_sound(id, envelope + 2, size);
}

uint8_t guard_open(struct guard *guard, struct frame *frame, bool is_next)
{
    uint8_t wanted[KEY_SIZE];
    const uint8_t *envelope = frame->payload;
    if (frame->id != ID_SEALED_COMMAND) {
        return open_plain(guard, frame);
    }
    if (!guard->is_proved) {
        return REFUSAL_SEAL;
    }
    tag(guard, frame, COMMAND_TAG_AT, wanted);
    uint32_t counter = get_u32(envelope + COUNTER_AT);
    if (!is_same_digest(wanted, envelope + COMMAND_TAG_AT)
        || (is_next && counter <= guard->counter)) {
        return REFUSAL_SEAL;
    }
    if (!holds_command(envelope)) {
        return REFUSAL_BAD_VALUE;
    }
    if (is_next) {
        guard->counter = counter;
    }
    frame->id = envelope[0];
    frame->size = envelope[1];
    frame->payload = envelope + 2;
    return 0;
}

void guard_close(struct guard *guard, struct frame *frame, uint16_t session, uint8_t *envelope)
{
    bool is_event = frame->id >= ID_BOOTED;
    if (!guard->is_proved || frame->size > BODY_SIZE) {
        return;
    }
    memset(envelope, 0, REPLY_TAG_AT);
    envelope[0] = frame->id;
    envelope[1] = frame->size;
    if (frame->size > 0) {
        memcpy(envelope + 2, frame->payload, frame->size);
    }
    frame->session = is_event ? session : frame->session;
    frame->id = is_event ? ID_SEALED_EVENT : ID_SEALED_REPLY;
    frame->size = SIZE_SEALED_REPLY;
    frame->payload = envelope;
    tag(guard, frame, REPLY_TAG_AT, envelope + REPLY_TAG_AT);
}
