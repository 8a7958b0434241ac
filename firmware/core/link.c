#include "link.h"

/* As the proofs cover it. */
static void keep_identity(struct link *link)
{
    uint8_t payload[SIZE_IDENTITY];
    identity_pack(&link->identity, payload);
    memcpy(link->guard.identity, payload, IDENTITY_SIZE);
}

void link_start(struct link *link, uint32_t epoch, const struct identity *identity,
                execute_fn execute, void *context)
{
    memset(link, 0, sizeof *link);
    link->epoch = epoch;
    link->guard.epoch = epoch;
    link->identity = *identity;
    keep_identity(link);
    link->execute = execute;
    link->context = context;
    link_emit(link, ID_BOOTED, &identity->boot_cause, SIZE_BOOTED);
}

static uint32_t oldest(const struct link *link)
{
    return link->newest > RING_EVENTS ? link->newest - RING_EVENTS + 1 : 1;
}

void link_emit(struct link *link, uint8_t id, const uint8_t *payload, uint8_t size)
{
    link->newest++;
    struct stored_event *event = &link->ring[link->newest % RING_EVENTS];
    event->id = id;
    event->size = size;
    if (size > 0) {
        memcpy(event->payload, payload, size);
    }
}

/* --- frames in ---------------------------------------------------------------------------- */

static void reply(struct link *link, const struct frame *asked, const struct message *answer,
                  bool is_sealed)
{
    link->is_reply_due = true;
    link->is_reply_sealed = is_sealed;
    link->reply_sequence = asked->sequence;
    link->reply_session = asked->session;
    link->reply = *answer;
}

/* Nothing was taken; never sealed, for whoever asked may not have the key. */
static void refuse(struct link *link, const struct frame *asked, uint8_t reason)
{
    struct message answer = {.id = ID_REFUSED, .size = SIZE_REFUSED, .payload = {reason}};
    reply(link, asked, &answer, false);
}

static void identify(struct link *link, const struct frame *asked)
{
    if (asked->session != link->session) {
        link->session = asked->session;
        link->last_sequence = 0;
        link->has_answer = false;
        guard_forget(&link->guard);
    }
    struct message answer = {.id = ID_IDENTITY, .size = SIZE_IDENTITY};
    link->identity.last_sequence = link->last_sequence;
    identity_pack(&link->identity, answer.payload);
    reply(link, asked, &answer, false);
}

/* Send up to REPLAY_BURST events above `after` again, then the answer. */
static void replay(struct link *link, uint32_t after, struct message *answer)
{
    uint32_t first = after < link->newest ? after + 1 : link->newest + 1;
    first = first < oldest(link) ? oldest(link) : first;
    link->replay_next = first;
    link->replay_end = link->newest + 1;
    if (link->replay_end - first > REPLAY_BURST) {
        link->replay_end = first + REPLAY_BURST;
    }
    struct events_replayed replayed = {.oldest = oldest(link), .newest = link->newest};
    answer->id = ID_EVENTS_REPLAYED;
    answer->size = SIZE_EVENTS_REPLAYED;
    events_replayed_pack(&replayed, answer->payload);
}

static void set_key(struct link *link, const uint8_t *key, struct message *answer)
{
    uint8_t reason = guard_set_key(&link->guard, key);
    if (reason != 0) {
        answer->id = ID_REFUSED;
        answer->size = SIZE_REFUSED;
        answer->payload[0] = reason;
    }
}

static void run(struct link *link, const struct frame *command)
{
    struct message answer = {.id = ID_ACCEPTED, .size = SIZE_ACCEPTED};
    if (command->id == ID_REPLAY_EVENTS) {
        replay(link, get_u32(command->payload), &answer);
    } else if (command->id == ID_SET_KEY) {
        set_key(link, command->payload, &answer);
    } else {
        link->execute(link->context, command, &answer);
    }
    link->last_sequence = command->sequence;
    link->has_answer = true;
    link->answer = answer;
    reply(link, command, &answer, true);
}

static uint16_t following(uint16_t sequence)
{
    return sequence == UINT16_MAX ? 1 : (uint16_t)(sequence + 1);
}

/* What happens before a proof is not sent, but is there to be asked for. */
static void skip_untold(struct link *link)
{
    if (guard_is_silent(&link->guard)) {
        link->sent = link->newest;
    }
}

static void shake(struct link *link, const struct frame *frame)
{
    struct message answer = {
        .id = frame->id == ID_CHALLENGE ? ID_CHALLENGED : ID_PROVEN,
        .size = KEY_SIZE,
    };
    link->replay_end = link->replay_next;
    skip_untold(link);
    uint8_t reason = guard_shake(&link->guard, frame, link->sent, answer.payload);
    if (reason != 0) {
        refuse(link, frame, reason);
    } else {
        reply(link, frame, &answer, false);
    }
}

/* A command of the session: once each, in order, from the right host. */
static void take_numbered(struct link *link, struct frame *frame)
{
    bool is_next = frame->sequence == following(link->last_sequence);
    uint8_t reason = guard_open(&link->guard, frame, is_next);
    if (reason != 0) {
        refuse(link, frame, reason);
    } else if (frame->sequence == link->last_sequence && link->has_answer) {
        reply(link, frame, &link->answer, true);
    } else if (is_next) {
        run(link, frame);
    } else {
        refuse(link, frame, REFUSAL_SESSION);
    }
}

static void take(struct link *link, struct frame *frame)
{
    link->is_heard = true;
    if (frame->id == ID_IDENTIFY) {
        identify(link, frame);
    } else if (frame->session != link->session) {
        refuse(link, frame, REFUSAL_SESSION);
    } else if (frame->epoch != link->epoch) {
        refuse(link, frame, REFUSAL_EPOCH);
    } else if (frame->id == ID_CHALLENGE || frame->id == ID_PROVE) {
        shake(link, frame);
    } else {
        take_numbered(link, frame);
    }
}

void link_receive(struct link *link, uint8_t byte)
{
    struct frame frame = {0};
    switch (decoder_feed(&link->decoder, byte, &frame)) {
    case DECODED_FRAME:
        if (is_command(frame.id)) {
            take(link, &frame);
        }
        break;
    case DECODED_FOREIGN:
        refuse(link, &frame, REFUSAL_VERSION);
        break;
    case DECODED_NOTHING:
        break;
    }
}

/* --- frames out --------------------------------------------------------------------------- */

static size_t encode_event(struct link *link, uint32_t number, uint8_t *out)
{
    const struct stored_event *event = &link->ring[number % RING_EVENTS];
    struct frame frame = {
        .id = event->id,
        .epoch = link->epoch,
        .event = number,
        .payload = event->payload,
        .size = event->size,
    };
    uint8_t envelope[SIZE_SEALED_EVENT];
    if (number > link->sent) {
        link->sent = number;
    }
    guard_close(&link->guard, &frame, link->session, envelope);
    return frame_encode(&frame, out);
}

static size_t encode_reply(struct link *link, uint8_t *out)
{
    skip_untold(link);
    struct frame frame = {
        .id = link->reply.id,
        .sequence = link->reply_sequence,
        .session = link->reply_session,
        .epoch = link->epoch,
        .event = link->sent,
        .payload = link->reply.payload,
        .size = link->reply.size,
    };
    uint8_t envelope[SIZE_SEALED_REPLY];
    link->is_reply_due = false;
    if (link->is_reply_sealed) {
        guard_close(&link->guard, &frame, link->session, envelope);
    }
    return frame_encode(&frame, out);
}

size_t link_next_frame(struct link *link, uint8_t *out)
{
    if (link->replay_next < oldest(link)) {
        link->replay_next = oldest(link); /* overtaken by newer events */
    }
    if (link->replay_next < link->replay_end) {
        return encode_event(link, link->replay_next++, out);
    }
    if (link->is_reply_due) {
        return encode_reply(link, out);
    }
    if (link->sent == link->newest || guard_is_silent(&link->guard)) {
        return 0;
    }
    uint32_t next = link->sent + 1;
    return encode_event(link, next < oldest(link) ? oldest(link) : next, out);
}
