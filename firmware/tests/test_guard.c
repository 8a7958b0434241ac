/* Whom the device obeys; the numbers are those of docs/protocol.md, "Keys and seals". */
#include <stdio.h>

#include "rig.h"
#include "unit.h"

static struct rig rig;
static struct guard guard;

static void bytes_of(const char *hex, uint8_t *out)
{
    unsigned byte;
    for (size_t n = 0; sscanf(hex + 2 * n, "%2x", &byte) == 1; n++) {
        out[n] = (uint8_t)byte;
    }
}

static bool is_hex(const uint8_t *digest, const char *hex)
{
    uint8_t wanted[KEY_SIZE];
    bytes_of(hex, wanted);
    return is_same_digest(digest, wanted);
}

static void fill_key(uint8_t *key)
{
    for (uint8_t n = 0; n < KEY_SIZE; n++) {
        key[n] = n;
    }
}

static const char HOST_PROOF[] = "30010e5e28b604accca659c3f1fa0f11c8764757468185b6b819bb23f758e155";

/* The example of the document, with the device's nonce in place of a drawn one. */
static uint8_t prove_example(uint8_t *answer)
{
    struct identity identity = {
        .kind = 1,
        .model = "bench",
        .serial_number = "S-1",
        .firmware = "1.0",
        .capabilities = 16385,
        .boot_cause = 1,
    };
    uint8_t payload[SIZE_IDENTITY];
    uint8_t nonce[KEY_SIZE];
    uint8_t proof[KEY_SIZE];
    memset(&guard, 0, sizeof guard);
    identity_pack(&identity, payload);
    memcpy(guard.identity, payload, IDENTITY_SIZE);
    guard.epoch = 1000;
    guard.has_key = guard.has_seed = true;
    fill_key(guard.key);
    memset(nonce, 0x11, sizeof nonce);
    struct frame frame = {
        .id = ID_CHALLENGE, .session = 7, .payload = nonce, .size = sizeof nonce};
    CHECK(guard_shake(&guard, &frame, 13, answer) == 0);
    memset(guard.offer.device_nonce, 0x22, KEY_SIZE);
    bytes_of(HOST_PROOF, proof);
    frame.id = ID_PROVE;
    frame.payload = proof;
    return guard_shake(&guard, &frame, 13, answer);
}

static void proofs_and_keys_are_those_of_the_protocol(void)
{
    uint8_t answer[KEY_SIZE];

    CHECK(prove_example(answer) == 0);

    CHECK(is_hex(answer, "44d39cce1f6543d0f5e6d151210bad93e33dfbb15f7c5dc6a76012a726ed1780"));
    CHECK(is_hex(guard.session_key,
                 "b38053714ab26b04733e3b59b5113ee560765b41453a37426cbd24d73d5e6179"));
}

static void a_reply_and_an_event_are_sealed_as_the_protocol_says(void)
{
    static const uint8_t card[SIZE_CARD_OUT] = {4, 0, 1};
    uint8_t answer[KEY_SIZE];
    uint8_t envelope[SIZE_SEALED_REPLY];
    struct frame reply = {
        .id = ID_ACCEPTED, .sequence = 5, .session = 7, .epoch = 1000, .event = 13};
    struct frame event = {
        .id = ID_CARD_OUT, .epoch = 1000, .event = 13, .payload = card, .size = sizeof card};
    prove_example(answer);

    guard_close(&guard, &reply, 7, envelope);
    CHECK(reply.id == ID_SEALED_REPLY && reply.size == SIZE_SEALED_REPLY);
    CHECK(is_hex(envelope + REPLY_TAG_AT,
                 "61f075784aaca82a16f28fc2d0d6414f70e4f2e20a3787abb2d4314e44c2d76c"));
    guard_close(&guard, &event, 7, envelope);
    CHECK(event.id == ID_SEALED_EVENT && event.session == 7);
    CHECK(is_hex(envelope + REPLY_TAG_AT,
                 "cf9f679196909f3bcfe2b560c50fa3d4f9cae68dbe583b03db7909e68e650a08"));
}

/* Deal(count=3), sequence 5, event 12, counter 1 */
static struct frame sealed_deal(uint8_t *envelope)
{
    memset(envelope, 0, SIZE_SEALED_COMMAND);
    envelope[0] = ID_DEAL;
    envelope[1] = SIZE_DEAL;
    envelope[2] = 3;
    envelope[COUNTER_AT] = 1;
    bytes_of("a12fea3882024341cad64f06a845648c3448882e54e4f1c03dd04b0df196ed5f",
             envelope + COMMAND_TAG_AT);
    return (struct frame){
        .id = ID_SEALED_COMMAND,
        .sequence = 5,
        .session = 7,
        .epoch = 1000,
        .event = 12,
        .payload = envelope,
        .size = SIZE_SEALED_COMMAND,
    };
}

static void a_sealed_command_is_opened_once(void)
{
    uint8_t answer[KEY_SIZE];
    uint8_t envelope[SIZE_SEALED_COMMAND];
    struct frame frame = sealed_deal(envelope);
    prove_example(answer);

    CHECK(guard_open(&guard, &frame, true) == 0);
    CHECK(frame.id == ID_DEAL && frame.size == SIZE_DEAL && get_u16(frame.payload) == 3);

    frame = sealed_deal(envelope);
    CHECK(guard_open(&guard, &frame, true) == REFUSAL_SEAL); /* its counter is used */
    CHECK(guard_open(&guard, &frame, false) == 0);           /* a repetition is only answered */
}

static void every_byte_is_covered(void)
{
    uint8_t answer[KEY_SIZE];
    uint8_t envelope[SIZE_SEALED_COMMAND];
    prove_example(answer);
    for (size_t n = 0; n < SIZE_SEALED_COMMAND; n++) {
        struct frame frame = sealed_deal(envelope);
        envelope[n] ^= 0x40;

        CHECK(guard_open(&guard, &frame, true) == REFUSAL_SEAL);
    }
    struct frame frame = sealed_deal(envelope);
    frame.event = 13;
    CHECK(guard_open(&guard, &frame, true) == REFUSAL_SEAL);
}

static void a_wrong_proof_proves_nothing(void)
{
    uint8_t answer[KEY_SIZE];
    uint8_t proof[KEY_SIZE];
    struct frame frame = {.id = ID_PROVE, .session = 7, .payload = proof, .size = sizeof proof};
    prove_example(answer);
    guard_forget(&guard);
    bytes_of(HOST_PROOF, proof);

    CHECK(guard_shake(&guard, &frame, 13, answer) == REFUSAL_SEAL); /* nothing was offered */
    CHECK(guard_is_silent(&guard));
}

static uint8_t refusal(uint8_t id, const uint8_t *payload, uint8_t size)
{
    return rig_ask(&rig, id, payload, size) == ID_REFUSED ? rig.reply.payload[0] : 0;
}

static void a_key_is_set_only_while_the_switch_is_on(void)
{
    uint8_t key[KEY_SIZE];
    static const uint8_t erased[KEY_SIZE] = {0};
    rig_start(&rig, 10);
    fill_key(key);
    CHECK(refusal(ID_SET_KEY, key, sizeof key) == REFUSAL_TRUST);
    rig.plant.is_trusted = true;
    rig_run(&rig, 1);
    CHECK(refusal(ID_SET_KEY, erased, sizeof erased) == REFUSAL_BAD_VALUE);
    CHECK(rig_ask(&rig, ID_SET_KEY, key, sizeof key) == ID_ACCEPTED);
    CHECK(rig.device.link.guard.is_key_new);
}

static void a_device_with_a_key_obeys_and_tells_nothing_unproved(void)
{
    static const uint8_t zeros[SIZE_SEALED_COMMAND] = {0};
    uint8_t key[KEY_SIZE];
    rig_start(&rig, 10);
    rig.plant.is_trusted = true;
    rig_run(&rig, 1);
    fill_key(key);
    rig_ask(&rig, ID_SET_KEY, key, sizeof key);
    rig.plant.is_trusted = false;
    rig_restart(&rig, BOOT_CAUSE_POWER);
    rig.event_count = 0;
    rig_run(&rig, 100);

    CHECK(refusal(ID_RESUME, NULL, 0) == REFUSAL_SEAL);
    CHECK(refusal(ID_SET_KEY, key, sizeof key) == REFUSAL_TRUST);
    CHECK(refusal(ID_SEALED_COMMAND, zeros, sizeof zeros) == REFUSAL_SEAL);
    CHECK(rig_ask(&rig, ID_PROVE, key, sizeof key) == ID_REFUSED);
    CHECK(rig_ask(&rig, ID_CHALLENGE, key, sizeof key) == ID_CHALLENGED);
    CHECK(rig.event_count == 0 && rig.device.machine.motions == 0);
}

static const struct test TESTS[] = {
    {"proofs and keys are those of the protocol", proofs_and_keys_are_those_of_the_protocol},
    {"a reply and an event are sealed", a_reply_and_an_event_are_sealed_as_the_protocol_says},
    {"a sealed command is opened once", a_sealed_command_is_opened_once},
    {"every byte is covered", every_byte_is_covered},
    {"a wrong proof proves nothing", a_wrong_proof_proves_nothing},
    {"a key is set only with the switch", a_key_is_set_only_while_the_switch_is_on},
    {"a device with a key obeys nobody unproved",
     a_device_with_a_key_obeys_and_tells_nothing_unproved},
};

const struct suite guard_suite = SUITE(TESTS);
