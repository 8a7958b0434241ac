/*
 * Whom the device obeys: proofs with its key, and seals on what follows (docs/protocol.md,
 * "Keys and seals"). A device without a key obeys everybody.
 */
#ifndef CUTCARD_GUARD_H
#define CUTCARD_GUARD_H

#include "framing.h"
#include "sha256.h"

enum {
    KEY_SIZE = SHA256_SIZE,
    IDENTITY_SIZE = SIZE_IDENTITY - 2,    /* without last_sequence, its last field */
    BODY_SIZE = 32,                       /* payload that fits an envelope */
    COUNTER_AT = 2 + BODY_SIZE,           /* in a SealedCommand, after id, length and body */
    COMMAND_TAG_AT = COUNTER_AT + 4,
    REPLY_TAG_AT = 2 + BODY_SIZE,
};

/* What both ends said before the proofs. */
struct offer {
    uint16_t session;
    uint32_t epoch;
    uint8_t host_nonce[KEY_SIZE];
    uint8_t device_nonce[KEY_SIZE];
};

struct guard {
    uint8_t identity[IDENTITY_SIZE];
    uint32_t epoch;
    bool has_key;
    uint8_t key[KEY_SIZE];
    bool is_key_new;      /* the hardware layer has to keep it */
    bool is_trusted;      /* the switch inside the case is on: a key can be set */
    bool has_seed;        /* of the nonces; without it nothing can be proved */
    uint8_t seed[KEY_SIZE];
    uint32_t nonces;
    bool has_offer;
    struct offer offer;
    bool is_proved;
    struct offer proved;
    struct hmac session;  /* begun with the session key */
    uint8_t session_key[KEY_SIZE];
    uint32_t counter;     /* of the last command executed */
};

/* Another session begins: nothing is proved any more. */
void guard_forget(struct guard *guard);

/*
 * Answer Challenge or Prove; 0, or the reason why not. `event` is the number that the header of
 * the answer will carry.
 */
uint8_t guard_shake(struct guard *guard, const struct frame *frame, uint32_t event,
                    uint8_t *answer);

/* Take a key; 0, or the reason why not. */
uint8_t guard_set_key(struct guard *guard, const uint8_t *key);

/*
 * The command that was meant: `frame` itself, or what its envelope holds. 0, or the reason why
 * nobody is obeyed. `is_next`: it would be executed, so its counter must be new.
 */
uint8_t guard_open(struct guard *guard, struct frame *frame, bool is_next);

/* Put the frame's message into an envelope, where everything is sealed and it fits. */
void guard_close(struct guard *guard, struct frame *frame, uint16_t session, uint8_t *envelope);

/* Whether events wait for a proof. */
bool guard_is_silent(const struct guard *guard);

#endif
