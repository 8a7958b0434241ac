#include "device.h"

#ifndef FIRMWARE_VERSION
#define FIRMWARE_VERSION "1.0"
#endif

static const uint16_t CAPABILITIES =
    CAPABILITY_COUNTED_DEAL | CAPABILITY_BOXED_SENSOR | CAPABILITY_LIGHT | CAPABILITY_TONE
    | CAPABILITY_EJECT | CAPABILITY_LOCK | CAPABILITY_TWO_DECKS | CAPABILITY_BURN
    | CAPABILITY_SILENCE_STOP | CAPABILITY_SHUFFLES | CAPABILITY_DEALS | CAPABILITY_METERS
    | CAPABILITY_PART_TEST | CAPABILITY_SEALED | CAPABILITY_MIXED_ENTROPY;

static void read_meters(const struct device *device, struct message *answer)
{
    struct meters meters = {
        .starts = device->starts,
        .motions = device->machine.motions,
        .cards = device->machine.total_cards,
        .retries = device->machine.retries,
        .noise = device->link.decoder.noise,
        .overruns = device->overruns,
        .slowest_us = device->slowest_us,
    };
    answer->id = ID_METERS;
    answer->size = SIZE_METERS;
    meters_pack(&meters, answer->payload);
}

static void execute(void *context, const struct frame *command, struct message *answer)
{
    struct device *device = context;
    if (command->id == ID_READ_METERS) {
        read_meters(device, answer);
    } else {
        machine_execute(&device->machine, command, answer);
    }
}

void device_start(struct device *device, const struct start *start, const struct inputs *inputs)
{
    struct identity identity = {
        .kind = KIND_SHUFFLER,
        .model = "cutcard ref 1",
        .firmware = FIRMWARE_VERSION,
        .capabilities = CAPABILITIES,
        .boot_cause = (uint8_t)start->cause,
    };
    size_t length = 0;
    while (length < sizeof identity.serial_number && start->serial_number[length] != '\0') {
        identity.serial_number[length] = start->serial_number[length];
        length++;
    }
    device->starts = start->starts;
    device->overruns = 0;
    device->slowest_us = 0;
    link_start(&device->link, start->starts, &identity, execute, device);
    if (start->key != NULL) {
        memcpy(device->link.guard.key, start->key, KEY_SIZE);
        device->link.guard.has_key = true;
    }
    machine_start(&device->machine, &device->link, inputs, start->is_unfinished);
}

bool device_add_noise(struct device *device, uint8_t sample)
{
    struct entropy *entropy = &device->machine.entropy;
    struct guard *guard = &device->link.guard;
    entropy_add(entropy, sample);
    if (!guard->has_seed) {
        guard->has_seed = entropy_take(entropy, guard->seed);
    }
    return device_wants_noise(device) && !entropy->has_failed;
}

bool device_wants_noise(const struct device *device)
{
    return machine_wants_noise(&device->machine);
}

void device_receive(struct device *device, uint8_t byte)
{
    link_receive(&device->link, byte);
}

void device_poll(struct device *device, const struct inputs *inputs)
{
    device->link.guard.is_trusted = (inputs->sensors & SENSOR_TRUSTED) != 0;
    machine_poll(&device->machine, inputs);
}

void device_note(struct device *device, const struct inputs *inputs)
{
    machine_note(&device->machine, inputs);
}

size_t device_next_frame(struct device *device, uint8_t *out)
{
    return link_next_frame(&device->link, out);
}
