/* Once per command, every event once and in order: docs/protocol.md, from the device's side. */
#include "rig.h"
#include "unit.h"

static struct rig rig;

static struct frame command(uint8_t id, uint16_t sequence)
{
    return (struct frame){
        .id = id,
        .sequence = sequence,
        .session = RIG_SESSION,
        .epoch = rig.start.starts,
    };
}

static bool is_refused(uint8_t reason)
{
    return rig.is_replied && rig.reply.id == ID_REFUSED && rig.reply.payload[0] == reason;
}

static void identify_opens_a_session(void)
{
    struct identity identity;
    rig_start(&rig, 10);

    CHECK(rig.reply.id == ID_IDENTITY);
    identity_unpack(&identity, rig.reply.payload);
    CHECK(identity.kind == KIND_SHUFFLER && identity.last_sequence == 0);
    CHECK(strcmp(identity.serial_number, "RIG-1") == 0);
    CHECK(rig.reply_frame.session == RIG_SESSION && rig.reply_frame.epoch == 1);
}

static void the_same_number_is_answered_again_and_not_executed(void)
{
    static const uint8_t three[SIZE_DEAL] = {3, 0};
    struct frame deal = command(ID_DEAL, 1);
    deal.payload = three;
    deal.size = sizeof three;
    rig_start(&rig, 10);
    deal.epoch = rig.start.starts;

    for (unsigned n = 0; n < 5; n++) {
        CHECK(rig_send(&rig, deal));
        CHECK(rig.reply.id == ID_ACCEPTED && rig.reply_frame.sequence == 1);
    }
    CHECK(rig.device.machine.motions == 1);
}

static void a_number_out_of_turn_is_refused(void)
{
    rig_start(&rig, 10);

    CHECK(rig_send(&rig, command(ID_RESUME, 2)) && is_refused(REFUSAL_SESSION));
    CHECK(rig_send(&rig, command(ID_RESUME, 0)) && is_refused(REFUSAL_SESSION));
    CHECK(rig.device.machine.motions == 0);
}

static void another_session_or_epoch_is_refused(void)
{
    rig_start(&rig, 10);
    struct frame late = command(ID_RESUME, 1);
    late.session = 8;
    CHECK(rig_send(&rig, late) && is_refused(REFUSAL_SESSION));
    late = command(ID_RESUME, 1);
    late.epoch = 99;
    CHECK(rig_send(&rig, late) && is_refused(REFUSAL_EPOCH));
    CHECK(rig.device.machine.motions == 0);
}

static void numbers_go_from_65535_to_1(void)
{
    rig_start(&rig, 10);
    for (uint32_t n = 1; n <= UINT16_MAX; n++) {
        rig_ask(&rig, ID_READ_STATUS, NULL, 0);
    }

    CHECK(rig_send(&rig, command(ID_HOLD, 1)) && rig.reply.id == ID_ACCEPTED);
}

static void events_are_numbered_and_replayed(void)
{
    static const uint8_t after_none[SIZE_REPLAY_EVENTS] = {0};
    rig_start(&rig, 10);
    for (unsigned n = 0; n < 4; n++) {
        rig_ask(&rig, ID_RESUME, NULL, 0);
        rig_ask(&rig, ID_HOLD, NULL, 0);
        rig_run(&rig, 1); /* the line is free, so the events go out */
    }
    CHECK(rig.event_count == 9); /* Booted and eight times GateChanged */
    rig.event_count = 0;

    CHECK(rig_ask(&rig, ID_REPLAY_EVENTS, after_none, sizeof after_none) == ID_EVENTS_REPLAYED);

    CHECK(rig.event_count == 9 && rig.events[0].id == ID_BOOTED);
    for (uint32_t n = 0; n < rig.event_count; n++) {
        CHECK(rig.event_numbers[n] == n + 1);
    }
}

static void the_ring_keeps_256_and_says_what_is_oldest(void)
{
    static const uint8_t after_none[SIZE_REPLAY_EVENTS] = {0};
    struct events_replayed replayed;
    rig_start(&rig, 10);
    for (unsigned n = 0; n < 300; n++) {
        link_emit(&rig.device.link, ID_SHUFFLE_STARTED, NULL, 0);
    }
    rig_run(&rig, 1);
    CHECK(rig.event_count == 257); /* Booted, then the newest 256 */
    CHECK(rig.event_numbers[1] == 46);
    rig.event_count = 0;

    rig_ask(&rig, ID_REPLAY_EVENTS, after_none, sizeof after_none);

    events_replayed_unpack(&replayed, rig.reply.payload);
    CHECK(replayed.oldest == 46 && replayed.newest == 301);
    CHECK(rig.event_count == REPLAY_BURST && rig.event_numbers[0] == 46);
}

static void another_version_is_refused_before_anything(void)
{
    /* Hold() of version 9: sequence, session, epoch and event 0 */
    static const uint8_t wire[] = {
        0x00, 0x03, 0x09, 0x06, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01,
        0x01, 0x01, 0x01, 0x01, 0x01, 0x03, 0x0B, 0xB6, 0x00,
    };
    rig_start(&rig, 10);
    rig.is_replied = false;

    rig_receive(&rig, wire, sizeof wire);

    CHECK(is_refused(REFUSAL_VERSION));
}

static void a_device_without_a_key_proves_nothing(void)
{
    static const uint8_t nonce[SIZE_CHALLENGE] = {1};
    rig_start(&rig, 10);

    CHECK(rig_ask(&rig, ID_CHALLENGE, nonce, sizeof nonce) == ID_REFUSED);
    CHECK(is_refused(REFUSAL_SEAL));
}

static const struct test TESTS[] = {
    {"identify opens a session", identify_opens_a_session},
    {"the same number is answered again", the_same_number_is_answered_again_and_not_executed},
    {"a number out of turn is refused", a_number_out_of_turn_is_refused},
    {"another session or epoch is refused", another_session_or_epoch_is_refused},
    {"numbers go from 65535 to 1", numbers_go_from_65535_to_1},
    {"events are numbered and replayed", events_are_numbered_and_replayed},
    {"the ring keeps 256", the_ring_keeps_256_and_says_what_is_oldest},
    {"another version is refused", another_version_is_refused_before_anything},
    {"a device without a key proves nothing", a_device_without_a_key_proves_nothing},
};

const struct suite link_suite = SUITE(TESTS);
