/*
 * The device's end of the link, without I/O and without a clock (docs/protocol.md,
 * "Session, sequence, epoch" and "Events"): each command is executed once, its answer kept
 * for repetition, every event numbered and kept in a ring for replay.
 */
#ifndef CUTCARD_LINK_H
#define CUTCARD_LINK_H

#include "guard.h"

enum {
    RING_EVENTS = 256,   /* a power of two: an event's place is its number modulo this */
    REPLAY_BURST = 16,
    MAX_EVENT_PAYLOAD = 5, /* of the events that this firmware sends: CardOut and others */
};

/* A message without its header. */
struct message {
    uint8_t id;
    uint8_t size;
    uint8_t payload[MAX_PAYLOAD];
};

struct stored_event {
    uint8_t id;
    uint8_t size;
    uint8_t payload[MAX_EVENT_PAYLOAD];
};

/* Carries one command out and fills in its answer; called once per command. */
typedef void (*execute_fn)(void *context, const struct frame *command, struct message *answer);

struct link {
    struct decoder decoder;
    struct guard guard;
    execute_fn execute;
    void *context;
    struct identity identity;
    uint32_t epoch;
    uint16_t session;
    uint16_t last_sequence;
    bool has_answer;
    struct message answer; /* to last_sequence */
    struct stored_event ring[RING_EVENTS];
    uint32_t newest;
    uint32_t sent;          /* the newest event sent */
    uint32_t replay_next;   /* replaying while replay_next < replay_end */
    uint32_t replay_end;
    bool is_reply_due;
    bool is_reply_sealed;   /* where the guard seals at all */
    uint16_t reply_sequence;
    uint16_t reply_session;
    struct message reply;
    bool is_heard;          /* an intact command came since the owner last looked */
};

/* A new epoch begins; event 1 is Booted. */
void link_start(struct link *link, uint32_t epoch, const struct identity *identity,
                execute_fn execute, void *context);

/* Number an event and keep it until the line is free for it. */
void link_emit(struct link *link, uint8_t id, const uint8_t *payload, uint8_t size);

void link_receive(struct link *link, uint8_t byte);

/* Encode the next frame to send into `out`, which takes MAX_WIRE; 0 when there is none. */
size_t link_next_frame(struct link *link, uint8_t *out);

#endif
