/*
 * The messages of docs/protocol.md. Generated from firmware_bridge/messages.py by
 * `make firmware-header`: change the table there, not this file.
 */
#ifndef CUTCARD_PROTOCOL_H
#define CUTCARD_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PROTOCOL_VERSION = 1,
    HEADER_SIZE = 14,
    CRC_SIZE = 2,
    MAX_ENCODED = 96,
    MAX_PAYLOAD = 70,
};

static inline void put_u16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static inline void put_u32(uint8_t *at, uint32_t value)
{
    put_u16(at, (uint16_t)value);
    put_u16(at + 2, (uint16_t)(value >> 16));
}

static inline uint16_t get_u16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)at[1] << 8);
}

static inline uint32_t get_u32(const uint8_t *at)
{
    return get_u16(at) | (uint32_t)get_u16(at + 2) << 16;
}

static inline bool is_ascii(const uint8_t *at, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        if (at[n] > 0x7F) {
            return false;
        }
    }
    return true;
}

/* What the device is; this package drives only a shuffler. */
enum kind {
    KIND_SHUFFLER = 1,
    KIND_OTHER = 2,
};

static inline bool is_kind(uint8_t value)
{
    return value >= 1 && value <= 2;
}

/* Whether a card can be drawn from the shoe. */
enum gate {
    GATE_HELD = 0,
    GATE_OPEN = 1,
    GATE_COUNTED = 2,
    GATE_BURN = 3,
};

static inline bool is_gate(uint8_t value)
{
    return value <= 3;
}

/* The lamp over the gate. */
enum light {
    LIGHT_OFF = 0,
    LIGHT_GREEN = 1,
    LIGHT_AMBER = 2,
    LIGHT_RED = 3,
};

static inline bool is_light(uint8_t value)
{
    return value <= 3;
}

/* Which of two decks the machine works on. */
enum deck {
    DECK_A = 1,
    DECK_B = 2,
};

static inline bool is_deck(uint8_t value)
{
    return value >= 1 && value <= 2;
}

/* Why the device started, as its reset register tells. */
enum boot_cause {
    BOOT_CAUSE_UNKNOWN = 0,
    BOOT_CAUSE_POWER = 1,
    BOOT_CAUSE_BUTTON = 2,
    BOOT_CAUSE_WATCHDOG = 3,
    BOOT_CAUSE_BROWNOUT = 4,
};

static inline bool is_boot_cause(uint8_t value)
{
    return value <= 4;
}

/* A fault that a person must clear. */
enum fault_code {
    FAULT_CODE_JAM = 1,
    FAULT_CODE_DOUBLE_FEED = 2,
    FAULT_CODE_HOPPER_EMPTY = 3,
    FAULT_CODE_LID_OPEN = 4,
    FAULT_CODE_SENSOR_STUCK = 5,
    FAULT_CODE_DRIVE_STALLED = 6,
    FAULT_CODE_NO_ENTROPY = 7,
    FAULT_CODE_COUNT_DIFFERS = 8,
};

static inline bool is_fault_code(uint8_t value)
{
    return value >= 1 && value <= 8;
}

/* A part that a technician can be sent to, or that can be tested alone. */
enum part {
    PART_FEED = 1,
    PART_CAROUSEL = 2,
    PART_UNLOADER = 3,
    PART_GATE = 4,
    PART_EXIT = 5,
    PART_LID = 6,
    PART_HOPPER = 7,
    PART_DECK_LIFT = 8,
    PART_NOISE_SOURCE = 9,
};

static inline bool is_part(uint8_t value)
{
    return value >= 1 && value <= 9;
}

/* Why the device did not carry out a command. */
enum refusal {
    REFUSAL_BUSY = 1,
    REFUSAL_FAULT = 2,
    REFUSAL_BAD_VALUE = 3,
    REFUSAL_NO_CARDS = 4,
    REFUSAL_EPOCH = 5,
    REFUSAL_SESSION = 6,
    REFUSAL_VERSION = 7,
    REFUSAL_UNKNOWN_COMMAND = 8,
    REFUSAL_SEAL = 9,
    REFUSAL_TRUST = 10,
};

static inline bool is_refusal(uint8_t value)
{
    return value >= 1 && value <= 10;
}

/* What this model can do beyond shuffling and holding cards. */
enum capability {
    CAPABILITY_COUNTED_DEAL = 1,
    CAPABILITY_BOXED_SENSOR = 2,
    CAPABILITY_LIGHT = 4,
    CAPABILITY_TONE = 8,
    CAPABILITY_EJECT = 16,
    CAPABILITY_LOCK = 32,
    CAPABILITY_TWO_DECKS = 64,
    CAPABILITY_BURN = 128,
    CAPABILITY_SILENCE_STOP = 256,
    CAPABILITY_READS_FACES = 512,
    CAPABILITY_SHUFFLES = 1024,
    CAPABILITY_DEALS = 2048,
    CAPABILITY_METERS = 4096,
    CAPABILITY_PART_TEST = 8192,
    CAPABILITY_SEALED = 16384,
    CAPABILITY_MIXED_ENTROPY = 32768,
};

/* The first byte after the version. */
enum message_id {
    ID_IDENTIFY = 0x01,
    ID_READ_STATUS = 0x02,
    ID_REPLAY_EVENTS = 0x03,
    ID_SELF_TEST = 0x04,
    ID_SET_LIGHT = 0x05,
    ID_HOLD = 0x06,
    ID_READ_CAPACITY = 0x07,
    ID_LOCK = 0x08,
    ID_READ_METERS = 0x09,
    ID_SHUFFLE = 0x10,
    ID_DEAL = 0x11,
    ID_RESUME = 0x12,
    ID_EJECT = 0x13,
    ID_BURN = 0x14,
    ID_SELECT_DECK = 0x15,
    ID_TEST_PART = 0x16,
    ID_CHALLENGE = 0x30,
    ID_PROVE = 0x31,
    ID_SET_KEY = 0x32,
    ID_SEALED_COMMAND = 0x33,
    ID_COMMIT_ENTROPY = 0x34,
    ID_MIX_ENTROPY = 0x35,
    ID_OPEN_ENTROPY = 0x36,
    ID_IDENTITY = 0x41,
    ID_DEVICE_STATUS = 0x42,
    ID_EVENTS_REPLAYED = 0x43,
    ID_SELF_TESTED = 0x44,
    ID_ACCEPTED = 0x45,
    ID_REFUSED = 0x46,
    ID_CAPACITY = 0x47,
    ID_METERS = 0x48,
    ID_CHALLENGED = 0x60,
    ID_PROVEN = 0x61,
    ID_SEALED_REPLY = 0x62,
    ID_ENTROPY_COMMITTED = 0x63,
    ID_ENTROPY_OPENED = 0x64,
    ID_BOOTED = 0x80,
    ID_CARD_OUT = 0x81,
    ID_CARDS_IN = 0x82,
    ID_SHUFFLE_STARTED = 0x83,
    ID_SHUFFLE_FINISHED = 0x84,
    ID_GATE_CHANGED = 0x85,
    ID_FAULT_RAISED = 0x86,
    ID_FAULT_CLEARED = 0x87,
    ID_LOCK_CHANGED = 0x88,
    ID_DECK_SELECTED = 0x89,
    ID_HOST_SILENT = 0x8A,
    ID_FAULT_LOCATED = 0x8B,
    ID_PART_TESTED = 0x8C,
    ID_SEALED_EVENT = 0xC0,
};

/* Payload bytes of each message. */
enum message_size {
    SIZE_IDENTIFY = 0,
    SIZE_READ_STATUS = 0,
    SIZE_REPLAY_EVENTS = 4,
    SIZE_SELF_TEST = 0,
    SIZE_SET_LIGHT = 3,
    SIZE_HOLD = 0,
    SIZE_READ_CAPACITY = 0,
    SIZE_LOCK = 1,
    SIZE_READ_METERS = 0,
    SIZE_SHUFFLE = 0,
    SIZE_DEAL = 2,
    SIZE_RESUME = 0,
    SIZE_EJECT = 0,
    SIZE_BURN = 0,
    SIZE_SELECT_DECK = 1,
    SIZE_TEST_PART = 1,
    SIZE_CHALLENGE = 32,
    SIZE_PROVE = 32,
    SIZE_SET_KEY = 32,
    SIZE_SEALED_COMMAND = 70,
    SIZE_COMMIT_ENTROPY = 0,
    SIZE_MIX_ENTROPY = 32,
    SIZE_OPEN_ENTROPY = 0,
    SIZE_IDENTITY = 46,
    SIZE_DEVICE_STATUS = 10,
    SIZE_EVENTS_REPLAYED = 8,
    SIZE_SELF_TESTED = 2,
    SIZE_ACCEPTED = 0,
    SIZE_REFUSED = 1,
    SIZE_CAPACITY = 5,
    SIZE_METERS = 20,
    SIZE_CHALLENGED = 32,
    SIZE_PROVEN = 32,
    SIZE_SEALED_REPLY = 66,
    SIZE_ENTROPY_COMMITTED = 32,
    SIZE_ENTROPY_OPENED = 32,
    SIZE_BOOTED = 1,
    SIZE_CARD_OUT = 3,
    SIZE_CARDS_IN = 2,
    SIZE_SHUFFLE_STARTED = 0,
    SIZE_SHUFFLE_FINISHED = 4,
    SIZE_GATE_CHANGED = 3,
    SIZE_FAULT_RAISED = 1,
    SIZE_FAULT_CLEARED = 1,
    SIZE_LOCK_CHANGED = 1,
    SIZE_DECK_SELECTED = 1,
    SIZE_HOST_SILENT = 2,
    SIZE_FAULT_LOCATED = 3,
    SIZE_PART_TESTED = 2,
    SIZE_SEALED_EVENT = 66,
};

/* ReplayEvents, command: Ask for the events numbered above after again. */
struct replay_events {
    uint32_t after;
};

static inline void replay_events_pack(const struct replay_events *from, uint8_t *at)
{
    put_u32(at + 0, from->after);
}

static inline void replay_events_unpack(struct replay_events *to, const uint8_t *at)
{
    to->after = get_u32(at + 0);
}

/* SetLight, command: Set the lamp; tone_ms sounds the buzzer that long, 0 is silent. */
struct set_light {
    uint8_t light;
    uint16_t tone_ms;
};

static inline void set_light_pack(const struct set_light *from, uint8_t *at)
{
    at[0] = from->light;
    put_u16(at + 1, from->tone_ms);
}

static inline void set_light_unpack(struct set_light *to, const uint8_t *at)
{
    to->light = at[0];
    to->tone_ms = get_u16(at + 1);
}

/* Lock, command: Lock or unlock the lid. Doing it twice is doing it once: no motion command. */
struct lock {
    bool is_locked;
};

static inline void lock_pack(const struct lock *from, uint8_t *at)
{
    at[0] = from->is_locked ? 1 : 0;
}

static inline void lock_unpack(struct lock *to, const uint8_t *at)
{
    to->is_locked = at[0] != 0;
}

/* Deal, command: Permit exactly count cards at the gate, in place of what was permitted. */
struct deal {
    uint16_t count;
};

static inline void deal_pack(const struct deal *from, uint8_t *at)
{
    put_u16(at + 0, from->count);
}

static inline void deal_unpack(struct deal *to, const uint8_t *at)
{
    to->count = get_u16(at + 0);
}

/* SelectDeck, command: Bring this deck to feed and gate; DeckSelected tells when it is there. */
struct select_deck {
    uint8_t deck;
};

static inline void select_deck_pack(const struct select_deck *from, uint8_t *at)
{
    at[0] = from->deck;
}

static inline void select_deck_unpack(struct select_deck *to, const uint8_t *at)
{
    to->deck = at[0];
}

/* TestPart, command: Move or read one part without cards; PartTested tells how it went. */
struct test_part {
    uint8_t part;
};

static inline void test_part_pack(const struct test_part *from, uint8_t *at)
{
    at[0] = from->part;
}

static inline void test_part_unpack(struct test_part *to, const uint8_t *at)
{
    to->part = at[0];
}

/* Challenge, command: Ask the device for its nonce and give ours; numbered by the handshake, as Identify. */
struct challenge {
    uint8_t nonce[32];
};

static inline void challenge_pack(const struct challenge *from, uint8_t *at)
{
    memcpy(at + 0, from->nonce, sizeof from->nonce);
}

static inline void challenge_unpack(struct challenge *to, const uint8_t *at)
{
    memcpy(to->nonce, at + 0, sizeof to->nonce);
}

/* Prove, command: Prove that we hold the device's key and ask for its proof; numbered by the handshake. */
struct prove {
    uint8_t proof[32];
};

static inline void prove_pack(const struct prove *from, uint8_t *at)
{
    memcpy(at + 0, from->proof, sizeof from->proof);
}

static inline void prove_unpack(struct prove *to, const uint8_t *at)
{
    memcpy(to->proof, at + 0, sizeof to->proof);
}

/* SetKey, command: Give the device its key; only in its trusted mode. The key is in no log. */
struct set_key {
    uint8_t key[32];
};

static inline void set_key_pack(const struct set_key *from, uint8_t *at)
{
    memcpy(at + 0, from->key, sizeof from->key);
}

static inline void set_key_unpack(struct set_key *to, const uint8_t *at)
{
    memcpy(to->key, at + 0, sizeof to->key);
}

/* SealedCommand, command: A command in an envelope: its id, its payload filled up with zeros, counter and tag. */
struct sealed_command {
    uint8_t id;
    uint8_t length;
    uint8_t body[32];
    uint32_t counter;
    uint8_t tag[32];
};

static inline void sealed_command_pack(const struct sealed_command *from, uint8_t *at)
{
    at[0] = from->id;
    at[1] = from->length;
    memcpy(at + 2, from->body, sizeof from->body);
    put_u32(at + 34, from->counter);
    memcpy(at + 38, from->tag, sizeof from->tag);
}

static inline void sealed_command_unpack(struct sealed_command *to, const uint8_t *at)
{
    to->id = at[0];
    to->length = at[1];
    memcpy(to->body, at + 2, sizeof to->body);
    to->counter = get_u32(at + 34);
    memcpy(to->tag, at + 38, sizeof to->tag);
}

/* MixEntropy, command: Give the host's part of the next shuffle's entropy. */
struct mix_entropy {
    uint8_t nonce[32];
};

static inline void mix_entropy_pack(const struct mix_entropy *from, uint8_t *at)
{
    memcpy(at + 0, from->nonce, sizeof from->nonce);
}

static inline void mix_entropy_unpack(struct mix_entropy *to, const uint8_t *at)
{
    memcpy(to->nonce, at + 0, sizeof to->nonce);
}

/* Identity, reply: Who the device is: the answer to Identify. */
struct identity {
    uint8_t kind;
    char model[16];
    char serial_number[16];
    char firmware[8];
    uint16_t capabilities;
    uint8_t boot_cause;
    uint16_t last_sequence;
};

static inline void identity_pack(const struct identity *from, uint8_t *at)
{
    at[0] = from->kind;
    memcpy(at + 1, from->model, sizeof from->model);
    memcpy(at + 17, from->serial_number, sizeof from->serial_number);
    memcpy(at + 33, from->firmware, sizeof from->firmware);
    put_u16(at + 41, from->capabilities);
    at[43] = from->boot_cause;
    put_u16(at + 44, from->last_sequence);
}

static inline void identity_unpack(struct identity *to, const uint8_t *at)
{
    to->kind = at[0];
    memcpy(to->model, at + 1, sizeof to->model);
    memcpy(to->serial_number, at + 17, sizeof to->serial_number);
    memcpy(to->firmware, at + 33, sizeof to->firmware);
    to->capabilities = get_u16(at + 41);
    to->boot_cause = at[43];
    to->last_sequence = get_u16(at + 44);
}

/* DeviceStatus, reply: State of the machine; faults has bit code - 1 set per standing fault. */
struct device_status {
    uint8_t gate;
    uint16_t permitted;
    uint16_t cards;
    uint16_t drawn;
    uint16_t faults;
    bool is_busy;
};

static inline void device_status_pack(const struct device_status *from, uint8_t *at)
{
    at[0] = from->gate;
    put_u16(at + 1, from->permitted);
    put_u16(at + 3, from->cards);
    put_u16(at + 5, from->drawn);
    put_u16(at + 7, from->faults);
    at[9] = from->is_busy ? 1 : 0;
}

static inline void device_status_unpack(struct device_status *to, const uint8_t *at)
{
    to->gate = at[0];
    to->permitted = get_u16(at + 1);
    to->cards = get_u16(at + 3);
    to->drawn = get_u16(at + 5);
    to->faults = get_u16(at + 7);
    to->is_busy = at[9] != 0;
}

/* EventsReplayed, reply: The ring holds oldest to newest; some after the asked one came just before. */
struct events_replayed {
    uint32_t oldest;
    uint32_t newest;
};

static inline void events_replayed_pack(const struct events_replayed *from, uint8_t *at)
{
    put_u32(at + 0, from->oldest);
    put_u32(at + 4, from->newest);
}

static inline void events_replayed_unpack(struct events_replayed *to, const uint8_t *at)
{
    to->oldest = get_u32(at + 0);
    to->newest = get_u32(at + 4);
}

/* SelfTested, reply: Result of a self-test; failed has bit code - 1 set per failed sensor. */
struct self_tested {
    uint16_t failed;
};

static inline void self_tested_pack(const struct self_tested *from, uint8_t *at)
{
    put_u16(at + 0, from->failed);
}

static inline void self_tested_unpack(struct self_tested *to, const uint8_t *at)
{
    to->failed = get_u16(at + 0);
}

/* Refused, reply: The command is not carried out and never will be. */
struct refused {
    uint8_t reason;
};

static inline void refused_pack(const struct refused *from, uint8_t *at)
{
    at[0] = from->reason;
}

static inline void refused_unpack(struct refused *to, const uint8_t *at)
{
    to->reason = at[0];
}

/* Capacity, reply: How the machine is built: slots of the carousel (0: none), most cards, decks. */
struct capacity {
    uint16_t shelves;
    uint16_t cards;
    uint8_t decks;
};

static inline void capacity_pack(const struct capacity *from, uint8_t *at)
{
    put_u16(at + 0, from->shelves);
    put_u16(at + 2, from->cards);
    at[4] = from->decks;
}

static inline void capacity_unpack(struct capacity *to, const uint8_t *at)
{
    to->shelves = get_u16(at + 0);
    to->cards = get_u16(at + 2);
    to->decks = at[4];
}

/* Meters, reply: What the machine has counted; all but starts since its start. */
struct meters {
    uint32_t starts;
    uint32_t motions;
    uint32_t cards;
    uint16_t retries;
    uint16_t noise;
    uint16_t overruns;
    uint16_t slowest_us;
};

static inline void meters_pack(const struct meters *from, uint8_t *at)
{
    put_u32(at + 0, from->starts);
    put_u32(at + 4, from->motions);
    put_u32(at + 8, from->cards);
    put_u16(at + 12, from->retries);
    put_u16(at + 14, from->noise);
    put_u16(at + 16, from->overruns);
    put_u16(at + 18, from->slowest_us);
}

static inline void meters_unpack(struct meters *to, const uint8_t *at)
{
    to->starts = get_u32(at + 0);
    to->motions = get_u32(at + 4);
    to->cards = get_u32(at + 8);
    to->retries = get_u16(at + 12);
    to->noise = get_u16(at + 14);
    to->overruns = get_u16(at + 16);
    to->slowest_us = get_u16(at + 18);
}

/* Challenged, reply: The device's nonce: the answer to Challenge. */
struct challenged {
    uint8_t nonce[32];
};

static inline void challenged_pack(const struct challenged *from, uint8_t *at)
{
    memcpy(at + 0, from->nonce, sizeof from->nonce);
}

static inline void challenged_unpack(struct challenged *to, const uint8_t *at)
{
    memcpy(to->nonce, at + 0, sizeof to->nonce);
}

/* Proven, reply: The device's proof: the answer to Prove. */
struct proven {
    uint8_t proof[32];
};

static inline void proven_pack(const struct proven *from, uint8_t *at)
{
    memcpy(at + 0, from->proof, sizeof from->proof);
}

static inline void proven_unpack(struct proven *to, const uint8_t *at)
{
    memcpy(to->proof, at + 0, sizeof to->proof);
}

/* SealedReply, reply: A reply in an envelope; its counter is the sequence number in the header. */
struct sealed_reply {
    uint8_t id;
    uint8_t length;
    uint8_t body[32];
    uint8_t tag[32];
};

static inline void sealed_reply_pack(const struct sealed_reply *from, uint8_t *at)
{
    at[0] = from->id;
    at[1] = from->length;
    memcpy(at + 2, from->body, sizeof from->body);
    memcpy(at + 34, from->tag, sizeof from->tag);
}

static inline void sealed_reply_unpack(struct sealed_reply *to, const uint8_t *at)
{
    to->id = at[0];
    to->length = at[1];
    memcpy(to->body, at + 2, sizeof to->body);
    memcpy(to->tag, at + 34, sizeof to->tag);
}

/* EntropyCommitted, reply: The hash of the secret that the device has drawn: the answer to CommitEntropy. */
struct entropy_committed {
    uint8_t commitment[32];
};

static inline void entropy_committed_pack(const struct entropy_committed *from, uint8_t *at)
{
    memcpy(at + 0, from->commitment, sizeof from->commitment);
}

static inline void entropy_committed_unpack(struct entropy_committed *to, const uint8_t *at)
{
    memcpy(to->commitment, at + 0, sizeof to->commitment);
}

/* EntropyOpened, reply: The secret of a gathered order: the answer to OpenEntropy. */
struct entropy_opened {
    uint8_t secret[32];
};

static inline void entropy_opened_pack(const struct entropy_opened *from, uint8_t *at)
{
    memcpy(at + 0, from->secret, sizeof from->secret);
}

static inline void entropy_opened_unpack(struct entropy_opened *to, const uint8_t *at)
{
    memcpy(to->secret, at + 0, sizeof to->secret);
}

/* Booted, event: The device started; always event 1 of its epoch. */
struct booted {
    uint8_t cause;
};

static inline void booted_pack(const struct booted *from, uint8_t *at)
{
    at[0] = from->cause;
}

static inline void booted_unpack(struct booted *to, const uint8_t *at)
{
    to->cause = at[0];
}

/* CardOut, event: A card left the gate, the number-th since the last shuffle; boxed lay face up. */
struct card_out {
    uint16_t number;
    bool boxed;
};

static inline void card_out_pack(const struct card_out *from, uint8_t *at)
{
    put_u16(at + 0, from->number);
    at[2] = from->boxed ? 1 : 0;
}

static inline void card_out_unpack(struct card_out *to, const uint8_t *at)
{
    to->number = get_u16(at + 0);
    to->boxed = at[2] != 0;
}

/* CardsIn, event: Cards were put in or taken out at the lid; count are in the machine now. */
struct cards_in {
    uint16_t count;
};

static inline void cards_in_pack(const struct cards_in *from, uint8_t *at)
{
    put_u16(at + 0, from->count);
}

static inline void cards_in_unpack(struct cards_in *to, const uint8_t *at)
{
    to->count = get_u16(at + 0);
}

/* ShuffleFinished, event: The machine shuffled count cards, boxed of which lay face up. */
struct shuffle_finished {
    uint16_t count;
    uint16_t boxed;
};

static inline void shuffle_finished_pack(const struct shuffle_finished *from, uint8_t *at)
{
    put_u16(at + 0, from->count);
    put_u16(at + 2, from->boxed);
}

static inline void shuffle_finished_unpack(struct shuffle_finished *to, const uint8_t *at)
{
    to->count = get_u16(at + 0);
    to->boxed = get_u16(at + 2);
}

/* GateChanged, event: The gate moved; permitted is the number let through when COUNTED, else 0. */
struct gate_changed {
    uint8_t gate;
    uint16_t permitted;
};

static inline void gate_changed_pack(const struct gate_changed *from, uint8_t *at)
{
    at[0] = from->gate;
    put_u16(at + 1, from->permitted);
}

static inline void gate_changed_unpack(struct gate_changed *to, const uint8_t *at)
{
    to->gate = at[0];
    to->permitted = get_u16(at + 1);
}

/* FaultRaised, event: A fault stands; the gate is held until a person clears it. */
struct fault_raised {
    uint8_t code;
};

static inline void fault_raised_pack(const struct fault_raised *from, uint8_t *at)
{
    at[0] = from->code;
}

static inline void fault_raised_unpack(struct fault_raised *to, const uint8_t *at)
{
    to->code = at[0];
}

/* FaultCleared, event: A fault is gone. */
struct fault_cleared {
    uint8_t code;
};

static inline void fault_cleared_pack(const struct fault_cleared *from, uint8_t *at)
{
    at[0] = from->code;
}

static inline void fault_cleared_unpack(struct fault_cleared *to, const uint8_t *at)
{
    to->code = at[0];
}

/* LockChanged, event: The lid was locked or unlocked. */
struct lock_changed {
    bool is_locked;
};

static inline void lock_changed_pack(const struct lock_changed *from, uint8_t *at)
{
    at[0] = from->is_locked ? 1 : 0;
}

static inline void lock_changed_unpack(struct lock_changed *to, const uint8_t *at)
{
    to->is_locked = at[0] != 0;
}

/* DeckSelected, event: This deck is at feed and gate. */
struct deck_selected {
    uint8_t deck;
};

static inline void deck_selected_pack(const struct deck_selected *from, uint8_t *at)
{
    at[0] = from->deck;
}

static inline void deck_selected_unpack(struct deck_selected *to, const uint8_t *at)
{
    to->deck = at[0];
}

/* HostSilent, event: No command came for silent_ms; the gate is held until the host says otherwise. */
struct host_silent {
    uint16_t silent_ms;
};

static inline void host_silent_pack(const struct host_silent *from, uint8_t *at)
{
    put_u16(at + 0, from->silent_ms);
}

static inline void host_silent_unpack(struct host_silent *to, const uint8_t *at)
{
    to->silent_ms = get_u16(at + 0);
}

/* FaultLocated, event: Where the fault lies that the next FaultRaised tells, and after how many tries. */
struct fault_located {
    uint8_t code;
    uint8_t part;
    uint8_t tries;
};

static inline void fault_located_pack(const struct fault_located *from, uint8_t *at)
{
    at[0] = from->code;
    at[1] = from->part;
    at[2] = from->tries;
}

static inline void fault_located_unpack(struct fault_located *to, const uint8_t *at)
{
    to->code = at[0];
    to->part = at[1];
    to->tries = at[2];
}

/* PartTested, event: How the test of one part went. */
struct part_tested {
    uint8_t part;
    bool is_passed;
};

static inline void part_tested_pack(const struct part_tested *from, uint8_t *at)
{
    at[0] = from->part;
    at[1] = from->is_passed ? 1 : 0;
}

static inline void part_tested_unpack(struct part_tested *to, const uint8_t *at)
{
    to->part = at[0];
    to->is_passed = at[1] != 0;
}

/* SealedEvent, event: An event in an envelope; its counter is the event number in the header. */
struct sealed_event {
    uint8_t id;
    uint8_t length;
    uint8_t body[32];
    uint8_t tag[32];
};

static inline void sealed_event_pack(const struct sealed_event *from, uint8_t *at)
{
    at[0] = from->id;
    at[1] = from->length;
    memcpy(at + 2, from->body, sizeof from->body);
    memcpy(at + 34, from->tag, sizeof from->tag);
}

static inline void sealed_event_unpack(struct sealed_event *to, const uint8_t *at)
{
    to->id = at[0];
    to->length = at[1];
    memcpy(to->body, at + 2, sizeof to->body);
    memcpy(to->tag, at + 34, sizeof to->tag);
}

/* Whether a payload fits its message: length and enumerations. */
static inline bool message_is_sound(uint8_t id, const uint8_t *at, size_t size)
{
    switch (id) {
    case ID_IDENTIFY:
        return size == SIZE_IDENTIFY;
    case ID_READ_STATUS:
        return size == SIZE_READ_STATUS;
    case ID_REPLAY_EVENTS:
        return size == SIZE_REPLAY_EVENTS;
    case ID_SELF_TEST:
        return size == SIZE_SELF_TEST;
    case ID_SET_LIGHT:
        return size == SIZE_SET_LIGHT
               && is_light(at[0]);
    case ID_HOLD:
        return size == SIZE_HOLD;
    case ID_READ_CAPACITY:
        return size == SIZE_READ_CAPACITY;
    case ID_LOCK:
        return size == SIZE_LOCK;
    case ID_READ_METERS:
        return size == SIZE_READ_METERS;
    case ID_SHUFFLE:
        return size == SIZE_SHUFFLE;
    case ID_DEAL:
        return size == SIZE_DEAL;
    case ID_RESUME:
        return size == SIZE_RESUME;
    case ID_EJECT:
        return size == SIZE_EJECT;
    case ID_BURN:
        return size == SIZE_BURN;
    case ID_SELECT_DECK:
        return size == SIZE_SELECT_DECK
               && is_deck(at[0]);
    case ID_TEST_PART:
        return size == SIZE_TEST_PART
               && is_part(at[0]);
    case ID_CHALLENGE:
        return size == SIZE_CHALLENGE;
    case ID_PROVE:
        return size == SIZE_PROVE;
    case ID_SET_KEY:
        return size == SIZE_SET_KEY;
    case ID_SEALED_COMMAND:
        return size == SIZE_SEALED_COMMAND;
    case ID_COMMIT_ENTROPY:
        return size == SIZE_COMMIT_ENTROPY;
    case ID_MIX_ENTROPY:
        return size == SIZE_MIX_ENTROPY;
    case ID_OPEN_ENTROPY:
        return size == SIZE_OPEN_ENTROPY;
    case ID_IDENTITY:
        return size == SIZE_IDENTITY
               && is_kind(at[0])
               && is_ascii(at + 1, 16)
               && is_ascii(at + 17, 16)
               && is_ascii(at + 33, 8)
               && is_boot_cause(at[43]);
    case ID_DEVICE_STATUS:
        return size == SIZE_DEVICE_STATUS
               && is_gate(at[0]);
    case ID_EVENTS_REPLAYED:
        return size == SIZE_EVENTS_REPLAYED;
    case ID_SELF_TESTED:
        return size == SIZE_SELF_TESTED;
    case ID_ACCEPTED:
        return size == SIZE_ACCEPTED;
    case ID_REFUSED:
        return size == SIZE_REFUSED
               && is_refusal(at[0]);
    case ID_CAPACITY:
        return size == SIZE_CAPACITY;
    case ID_METERS:
        return size == SIZE_METERS;
    case ID_CHALLENGED:
        return size == SIZE_CHALLENGED;
    case ID_PROVEN:
        return size == SIZE_PROVEN;
    case ID_SEALED_REPLY:
        return size == SIZE_SEALED_REPLY;
    case ID_ENTROPY_COMMITTED:
        return size == SIZE_ENTROPY_COMMITTED;
    case ID_ENTROPY_OPENED:
        return size == SIZE_ENTROPY_OPENED;
    case ID_BOOTED:
        return size == SIZE_BOOTED
               && is_boot_cause(at[0]);
    case ID_CARD_OUT:
        return size == SIZE_CARD_OUT;
    case ID_CARDS_IN:
        return size == SIZE_CARDS_IN;
    case ID_SHUFFLE_STARTED:
        return size == SIZE_SHUFFLE_STARTED;
    case ID_SHUFFLE_FINISHED:
        return size == SIZE_SHUFFLE_FINISHED;
    case ID_GATE_CHANGED:
        return size == SIZE_GATE_CHANGED
               && is_gate(at[0]);
    case ID_FAULT_RAISED:
        return size == SIZE_FAULT_RAISED
               && is_fault_code(at[0]);
    case ID_FAULT_CLEARED:
        return size == SIZE_FAULT_CLEARED
               && is_fault_code(at[0]);
    case ID_LOCK_CHANGED:
        return size == SIZE_LOCK_CHANGED;
    case ID_DECK_SELECTED:
        return size == SIZE_DECK_SELECTED
               && is_deck(at[0]);
    case ID_HOST_SILENT:
        return size == SIZE_HOST_SILENT;
    case ID_FAULT_LOCATED:
        return size == SIZE_FAULT_LOCATED
               && is_fault_code(at[0])
               && is_part(at[1]);
    case ID_PART_TESTED:
        return size == SIZE_PART_TESTED
               && is_part(at[0]);
    case ID_SEALED_EVENT:
        return size == SIZE_SEALED_EVENT;
    default:
        return false;
    }
}

static inline bool is_command(uint8_t id)
{
    switch (id) {
    case ID_IDENTIFY:
    case ID_READ_STATUS:
    case ID_REPLAY_EVENTS:
    case ID_SELF_TEST:
    case ID_SET_LIGHT:
    case ID_HOLD:
    case ID_READ_CAPACITY:
    case ID_LOCK:
    case ID_READ_METERS:
    case ID_SHUFFLE:
    case ID_DEAL:
    case ID_RESUME:
    case ID_EJECT:
    case ID_BURN:
    case ID_SELECT_DECK:
    case ID_TEST_PART:
    case ID_CHALLENGE:
    case ID_PROVE:
    case ID_SET_KEY:
    case ID_SEALED_COMMAND:
    case ID_COMMIT_ENTROPY:
    case ID_MIX_ENTROPY:
    case ID_OPEN_ENTROPY:
        return true;
    default:
        return false;
    }
}

/* Unpack a sound payload and pack it again: for the tests. */
static inline void message_repack(uint8_t id, const uint8_t *from, uint8_t *to)
{
    switch (id) {
    case ID_REPLAY_EVENTS: {
        struct replay_events message;
        replay_events_unpack(&message, from);
        replay_events_pack(&message, to);
        break;
    }
    case ID_SET_LIGHT: {
        struct set_light message;
        set_light_unpack(&message, from);
        set_light_pack(&message, to);
        break;
    }
    case ID_LOCK: {
        struct lock message;
        lock_unpack(&message, from);
        lock_pack(&message, to);
        break;
    }
    case ID_DEAL: {
        struct deal message;
        deal_unpack(&message, from);
        deal_pack(&message, to);
        break;
    }
    case ID_SELECT_DECK: {
        struct select_deck message;
        select_deck_unpack(&message, from);
        select_deck_pack(&message, to);
        break;
    }
    case ID_TEST_PART: {
        struct test_part message;
        test_part_unpack(&message, from);
        test_part_pack(&message, to);
        break;
    }
    case ID_CHALLENGE: {
        struct challenge message;
        challenge_unpack(&message, from);
        challenge_pack(&message, to);
        break;
    }
    case ID_PROVE: {
        struct prove message;
        prove_unpack(&message, from);
        prove_pack(&message, to);
        break;
    }
    case ID_SET_KEY: {
        struct set_key message;
        set_key_unpack(&message, from);
        set_key_pack(&message, to);
        break;
    }
    case ID_SEALED_COMMAND: {
        struct sealed_command message;
        sealed_command_unpack(&message, from);
        sealed_command_pack(&message, to);
        break;
    }
    case ID_MIX_ENTROPY: {
        struct mix_entropy message;
        mix_entropy_unpack(&message, from);
        mix_entropy_pack(&message, to);
        break;
    }
    case ID_IDENTITY: {
        struct identity message;
        identity_unpack(&message, from);
        identity_pack(&message, to);
        break;
    }
    case ID_DEVICE_STATUS: {
        struct device_status message;
        device_status_unpack(&message, from);
        device_status_pack(&message, to);
        break;
    }
    case ID_EVENTS_REPLAYED: {
        struct events_replayed message;
        events_replayed_unpack(&message, from);
        events_replayed_pack(&message, to);
        break;
    }
    case ID_SELF_TESTED: {
        struct self_tested message;
        self_tested_unpack(&message, from);
        self_tested_pack(&message, to);
        break;
    }
    case ID_REFUSED: {
        struct refused message;
        refused_unpack(&message, from);
        refused_pack(&message, to);
        break;
    }
    case ID_CAPACITY: {
        struct capacity message;
        capacity_unpack(&message, from);
        capacity_pack(&message, to);
        break;
    }
    case ID_METERS: {
        struct meters message;
        meters_unpack(&message, from);
        meters_pack(&message, to);
        break;
    }
    case ID_CHALLENGED: {
        struct challenged message;
        challenged_unpack(&message, from);
        challenged_pack(&message, to);
        break;
    }
    case ID_PROVEN: {
        struct proven message;
        proven_unpack(&message, from);
        proven_pack(&message, to);
        break;
    }
    case ID_SEALED_REPLY: {
        struct sealed_reply message;
        sealed_reply_unpack(&message, from);
        sealed_reply_pack(&message, to);
        break;
    }
    case ID_ENTROPY_COMMITTED: {
        struct entropy_committed message;
        entropy_committed_unpack(&message, from);
        entropy_committed_pack(&message, to);
        break;
    }
    case ID_ENTROPY_OPENED: {
        struct entropy_opened message;
        entropy_opened_unpack(&message, from);
        entropy_opened_pack(&message, to);
        break;
    }
    case ID_BOOTED: {
        struct booted message;
        booted_unpack(&message, from);
        booted_pack(&message, to);
        break;
    }
    case ID_CARD_OUT: {
        struct card_out message;
        card_out_unpack(&message, from);
        card_out_pack(&message, to);
        break;
    }
    case ID_CARDS_IN: {
        struct cards_in message;
        cards_in_unpack(&message, from);
        cards_in_pack(&message, to);
        break;
    }
    case ID_SHUFFLE_FINISHED: {
        struct shuffle_finished message;
        shuffle_finished_unpack(&message, from);
        shuffle_finished_pack(&message, to);
        break;
    }
    case ID_GATE_CHANGED: {
        struct gate_changed message;
        gate_changed_unpack(&message, from);
        gate_changed_pack(&message, to);
        break;
    }
    case ID_FAULT_RAISED: {
        struct fault_raised message;
        fault_raised_unpack(&message, from);
        fault_raised_pack(&message, to);
        break;
    }
    case ID_FAULT_CLEARED: {
        struct fault_cleared message;
        fault_cleared_unpack(&message, from);
        fault_cleared_pack(&message, to);
        break;
    }
    case ID_LOCK_CHANGED: {
        struct lock_changed message;
        lock_changed_unpack(&message, from);
        lock_changed_pack(&message, to);
        break;
    }
    case ID_DECK_SELECTED: {
        struct deck_selected message;
        deck_selected_unpack(&message, from);
        deck_selected_pack(&message, to);
        break;
    }
    case ID_HOST_SILENT: {
        struct host_silent message;
        host_silent_unpack(&message, from);
        host_silent_pack(&message, to);
        break;
    }
    case ID_FAULT_LOCATED: {
        struct fault_located message;
        fault_located_unpack(&message, from);
        fault_located_pack(&message, to);
        break;
    }
    case ID_PART_TESTED: {
        struct part_tested message;
        part_tested_unpack(&message, from);
        part_tested_pack(&message, to);
        break;
    }
    case ID_SEALED_EVENT: {
        struct sealed_event message;
        sealed_event_unpack(&message, from);
        sealed_event_pack(&message, to);
        break;
    }
    default:
        break;
    }
}

#endif
