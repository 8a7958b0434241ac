/*
 * The firmware on the host: the same core, with the plant instead of motors and sensors and a
 * pseudo-terminal instead of the UART.
 *
 * Usage: shuffler-native [SERIAL-NUMBER [STARTS [SEED]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "device.h"
#include "plant.h"

enum {
    POLL_US = 500,        /* as on the microcontroller */
    WATCHDOG_US = 250000,
};

struct native {
    struct bench bench;
    struct plant plant;
    struct device device;
    struct start start;
    uint8_t key[KEY_SIZE]; /* outlives a restart, as in the EEPROM */
    uint64_t polled_us;
    uint64_t hung_us;     /* since when the main loop has not turned; 0 while it does */
};

static struct inputs inputs_now(struct native *native)
{
    return (struct inputs){
        .now_ms = (uint32_t)(bench_now_us() / 1000),
        .sensors = plant_sensors(&native->plant),
        .height = plant_height(&native->plant),
        .has_noise = true,
        .noise = plant_noise(&native->plant),
    };
}

static void restart(struct native *native, enum boot_cause cause)
{
    struct inputs inputs = inputs_now(native);
    native->start.starts++;
    native->start.cause = cause;
    native->start.is_unfinished = native->device.machine.is_unfinished;
    if (native->device.link.guard.has_key) {
        memcpy(native->key, native->device.link.guard.key, KEY_SIZE);
        native->start.key = native->key;
    }
    native->hung_us = 0;
    device_start(&native->device, &native->start, &inputs);
    while (device_add_noise(&native->device, plant_noise(&native->plant))) {
    }
}

/* Words about the processor rather than the mechanics. */
static bool run_word(struct native *native, const char *line)
{
    unsigned cause = 0;
    if (sscanf(line, "reset %u", &cause) == 1 && is_boot_cause((uint8_t)cause)) {
        restart(native, (enum boot_cause)cause);
        return true;
    }
    if (strcmp(line, "hang") == 0) {
        native->hung_us = bench_now_us();
        return true;
    }
    return false;
}

static void serve_console(struct native *native)
{
    static char reply[CONSOLE_REPLY];
    char line[CONSOLE_LINE];
    while (plant_is_settled(&native->plant) && bench_next_line(&native->bench, line)) {
        if (run_word(native, line)) {
            bench_reply("ok");
        } else if (console_run(&native->plant, native->device.machine.actuators, line, reply,
                               sizeof reply)) {
            bench_reply(reply);
        } else {
            bench_reply("what?");
        }
    }
}

static void send_all(struct native *native)
{
    uint8_t frame[MAX_WIRE];
    size_t size;
    while ((size = device_next_frame(&native->device, frame)) > 0) {
        bench_write(&native->bench, frame, size);
    }
}

static void serve_line(struct native *native)
{
    uint8_t data[256];
    size_t count = bench_read(&native->bench, data, sizeof data);
    for (size_t n = 0; n < count && native->hung_us == 0; n++) {
        device_receive(&native->device, data[n]);
    }
    if (count > 0) {
        send_all(native);
    }
}

static void poll_device(struct native *native)
{
    struct inputs inputs = inputs_now(native);
    device_poll(&native->device, &inputs);
    send_all(native);
}

static void turn(struct native *native)
{
    uint64_t now_us = bench_now_us();
    uint16_t actuators = native->device.machine.actuators;
    serve_line(native);
    while (now_us - native->polled_us >= POLL_US) {
        native->polled_us += POLL_US;
        plant_step(&native->plant, native->hung_us > 0 ? 0 : actuators, POLL_US);
        if (native->hung_us == 0) {
            poll_device(native);
            actuators = native->device.machine.actuators;
        }
    }
    if (native->hung_us > 0 && now_us - native->hung_us >= WATCHDOG_US) {
        restart(native, BOOT_CAUSE_WATCHDOG);
    }
    serve_console(native);
}

int main(int count, char **words)
{
    static struct native native;
    native.start.serial_number = count > 1 ? words[1] : "NATIVE-1";
    native.start.starts = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 0;
    plant_start(&native.plant, count > 3 ? (uint32_t)strtoul(words[3], NULL, 10) : 1);
    bench_open(&native.bench);
    native.polled_us = bench_now_us();
    restart(&native, BOOT_CAUSE_POWER);
    while (!native.bench.is_over) {
        bench_wait(&native.bench, POLL_US);
        turn(&native);
    }
    return 0;
}
