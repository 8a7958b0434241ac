#include "rig.h"

static void take_in(struct rig *rig)
{
    uint8_t wire[MAX_WIRE];
    size_t size;
    struct frame frame;
    while ((size = device_next_frame(&rig->device, wire)) > 0) {
        for (size_t n = 0; n < size; n++) {
            if (decoder_feed(&rig->decoder, wire[n], &frame) != DECODED_FRAME) {
                continue;
            }
            struct message message = {.id = frame.id, .size = frame.size};
            memcpy(message.payload, frame.payload, frame.size);
            if (frame.id >= ID_BOOTED && rig->event_count < RIG_EVENTS) {
                rig->event_numbers[rig->event_count] = frame.event;
                rig->events[rig->event_count++] = message;
            } else {
                rig->reply = message;
                rig->reply_frame = frame;
                rig->is_replied = true;
            }
        }
    }
}

static struct inputs inputs_now(struct rig *rig)
{
    return (struct inputs){
        .now_ms = rig->now_us / 1000,
        .sensors = plant_sensors(&rig->plant),
        .height = plant_height(&rig->plant),
        .has_noise = true,
        .noise = plant_noise(&rig->plant),
    };
}

void rig_restart(struct rig *rig, enum boot_cause cause)
{
    struct inputs inputs = inputs_now(rig);
    rig->start.starts++;
    rig->start.cause = cause;
    rig->start.is_unfinished = rig->device.machine.is_unfinished;
    if (rig->device.link.guard.has_key) {
        memcpy(rig->key, rig->device.link.guard.key, KEY_SIZE);
        rig->start.key = rig->key;
    }
    device_start(&rig->device, &rig->start, &inputs);
    while (device_add_noise(&rig->device, plant_noise(&rig->plant))) {
    }
    take_in(rig);
    rig->sequence = 0;
    rig_send(rig, (struct frame){.id = ID_IDENTIFY, .session = RIG_SESSION, .sequence = 1});
}

void rig_start(struct rig *rig, uint16_t cards)
{
    memset(rig, 0, sizeof *rig);
    rig->now_us = 1000000;
    rig->start.serial_number = "RIG-1";
    plant_start(&rig->plant, 20260101);
    plant_insert(&rig->plant, cards, 0, 0);
    rig_restart(rig, BOOT_CAUSE_POWER);
}

static void poll_once(struct rig *rig)
{
    rig->now_us += RIG_POLL_US;
    plant_step(&rig->plant, rig->device.machine.actuators, RIG_POLL_US);
    struct inputs inputs = inputs_now(rig);
    device_poll(&rig->device, &inputs);
    take_in(rig);
}

void rig_run(struct rig *rig, uint32_t ms)
{
    uint32_t end_us = rig->now_us + ms * 1000;
    while (rig->now_us < end_us) {
        poll_once(rig);
    }
}

bool rig_wait(struct rig *rig, uint8_t event_id, uint32_t ms)
{
    size_t before = rig_count(rig, event_id);
    uint32_t end_us = rig->now_us + ms * 1000;
    while (rig->now_us < end_us && rig_count(rig, event_id) == before) {
        poll_once(rig);
    }
    return rig_count(rig, event_id) > before;
}

void rig_receive(struct rig *rig, const uint8_t *data, size_t size)
{
    for (size_t n = 0; n < size; n++) {
        device_receive(&rig->device, data[n]);
    }
    take_in(rig);
}

bool rig_send(struct rig *rig, struct frame frame)
{
    uint8_t wire[MAX_WIRE];
    rig->is_replied = false;
    rig_receive(rig, wire, frame_encode(&frame, wire));
    return rig->is_replied;
}

uint8_t rig_ask(struct rig *rig, uint8_t id, const uint8_t *payload, uint8_t size)
{
    struct frame frame = {
        .id = id,
        .sequence = ++rig->sequence,
        .session = RIG_SESSION,
        .epoch = rig->start.starts,
        .payload = payload,
        .size = size,
    };
    return rig_send(rig, frame) ? rig->reply.id : 0;
}

uint8_t rig_deal(struct rig *rig, uint16_t count)
{
    uint8_t payload[SIZE_DEAL];
    put_u16(payload, count);
    return rig_ask(rig, ID_DEAL, payload, sizeof payload);
}

size_t rig_count(const struct rig *rig, uint8_t event_id)
{
    size_t count = 0;
    for (size_t n = 0; n < rig->event_count; n++) {
        count += rig->events[n].id == event_id ? 1 : 0;
    }
    return count;
}

bool rig_has_fault(const struct rig *rig, uint8_t code)
{
    return (rig->device.machine.faults >> (code - 1) & 1) != 0;
}

struct fault_located rig_located(const struct rig *rig)
{
    struct fault_located located = {0};
    for (size_t n = 0; n < rig->event_count; n++) {
        if (rig->events[n].id == ID_FAULT_LOCATED) {
            fault_located_unpack(&located, rig->events[n].payload);
        }
    }
    return located;
}

struct device_status rig_status(struct rig *rig)
{
    struct device_status status = {0};
    if (rig_ask(rig, ID_READ_STATUS, NULL, 0) == ID_DEVICE_STATUS) {
        device_status_unpack(&status, rig->reply.payload);
    }
    return status;
}

bool rig_draw(struct rig *rig)
{
    struct card card;
    bool is_drawn = plant_draw(&rig->plant, rig->device.machine.actuators, &card);
    rig_run(rig, 6);
    return is_drawn;
}
