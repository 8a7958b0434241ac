/*
 * Runs the ATmega2560 image, unmodified, in simavr: its UART on a pseudo-terminal, its pins and
 * converter on the plant, in real time.
 *
 * This is a separate test program. simavr is under the GPL, so a binary linked with it is too;
 * it is built on the machine that tests and is part of no package (docs/decisions/0013).
 *
 * Usage: emulate IMAGE.elf [SERIAL-NUMBER [STARTS [SEED]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_cycle_timers.h>
#include <sim_elf.h>
#include <sim_interrupts.h>

#include "bench.h"
#include "plant.h"

enum {
    MHZ = 16,
    SERVICE_US = 200,
    SERVICE_CYCLES = SERVICE_US * MHZ,
    LATE_US = 500000,     /* further behind, the host stood still: time is not caught up */
    SENSORS = 14,
    PORTL_ADDRESS = 0x10B,
    PORTK_ADDRESS = 0x108,
    JUMP_TO_SELF = 0xCFFF,
    HEIGHT_ZERO_MV = 50,
    CARD_MV = 10,
    STARTS_ADDRESS = 0,   /* of struct kept in hal/atmega2560/main.c */
    SERIAL_ADDRESS = 80,
    SERIAL_SIZE = 16,
    INTERRUPT_ENTRY_CYCLES = 5,
    RX_RING = 512,
};

/* What went over the line since the last look, in cycles of the device's clock. */
struct meter {
    avr_cycle_count_t first_in;
    avr_cycle_count_t first_out;
    avr_cycle_count_t last_out;
    unsigned bytes_in;
    unsigned bytes_out;
};

struct emulator {
    avr_t *avr;
    struct bench bench;
    struct plant plant;
    avr_cycle_count_t due;
    uint64_t begun_us;    /* when cycle 0 was, on the host's clock */
    uint16_t sensors;
    bool are_pins_set;
    bool is_line_full;    /* the UART takes no more for now */
    uint8_t waiting[RX_RING];
    size_t waiting_from;
    size_t waiting_to;
    struct meter meter;
    avr_cycle_count_t interrupt_begun;
    avr_cycle_count_t slowest_interrupt;
    unsigned slowest_vector;
    unsigned vector;
};

static struct emulator emulator;

/* --- UART ---------------------------------------------------------------------------------- */

static avr_irq_t *uart_irq(int which)
{
    return avr_io_getirq(emulator.avr, AVR_IOCTL_UART_GETIRQ('0'), which);
}

static void on_output(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)context;
    struct meter *meter = &emulator.meter;
    uint8_t byte = (uint8_t)value;
    meter->last_out = emulator.avr->cycle;
    if (meter->bytes_out++ == 0) {
        meter->first_out = meter->last_out;
    }
    bench_write(&emulator.bench, &byte, 1);
}

static void on_xoff(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)context;
    emulator.is_line_full = value != 0;
}

static void on_xon(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)value;
    (void)context;
    emulator.is_line_full = false;
}

static void serve_line(void)
{
    struct emulator *e = &emulator;
    if (e->waiting_from == e->waiting_to) {
        e->waiting_from = 0;
        e->waiting_to = bench_read(&e->bench, e->waiting, sizeof e->waiting);
    }
    while (e->waiting_from < e->waiting_to && !e->is_line_full) {
        if (e->meter.bytes_in++ == 0) {
            e->meter.first_in = e->avr->cycle;
        }
        avr_raise_irq(uart_irq(UART_IRQ_INPUT), e->waiting[e->waiting_from++]);
    }
}

/* --- pins and converter -------------------------------------------------------------------- */

static uint16_t actuators(void)
{
    const uint8_t *data = emulator.avr->data;
    return (uint16_t)(data[PORTL_ADDRESS] | (data[PORTK_ADDRESS] & 0x0F) << 8);
}

static void set_pin(int sensor, int is_set)
{
    char port = sensor < 8 ? 'A' : 'C';
    avr_raise_irq(avr_io_getirq(emulator.avr, AVR_IOCTL_IOPORT_GETIRQ(port), sensor % 8), is_set);
}

static void drive_pins(void)
{
    struct emulator *e = &emulator;
    uint16_t sensors = plant_sensors(&e->plant);
    for (int n = 0; n < SENSORS; n++) {
        int is_set = sensors >> n & 1;
        if (!e->are_pins_set) {
            set_pin(n, !is_set); /* an unchanged value would not be passed on */
        }
        if (!e->are_pins_set || is_set != (e->sensors >> n & 1)) {
            set_pin(n, is_set);
        }
    }
    e->sensors = sensors;
    e->are_pins_set = true;
}

static void drive_converter(void)
{
    uint32_t height_mv = HEIGHT_ZERO_MV + CARD_MV * plant_height(&emulator.plant);
    uint32_t noise_mv = 1000 + 5 * plant_noise(&emulator.plant);
    avr_raise_irq(avr_io_getirq(emulator.avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), height_mv);
    avr_raise_irq(avr_io_getirq(emulator.avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC1), noise_mv);
}

/* A motor sees every change at once, however soon the next one follows. */
static void on_actuators(struct avr_irq_t *irq, uint32_t value, void *context)
{
    (void)irq;
    (void)value;
    (void)context;
    plant_touch(&emulator.plant, actuators());
}

/* --- words --------------------------------------------------------------------------------- */

static void reset(unsigned cause)
{
    avr_t *avr = emulator.avr;
    const avr_regbit_t flags[] = {
        avr->reset_flags.porf, avr->reset_flags.porf, avr->reset_flags.extrf,
        avr->reset_flags.wdrf, avr->reset_flags.borf,
    };
    avr_reset(avr);
    avr->data[avr->reset_flags.porf.reg] = 0;
    avr_regbit_set(avr, flags[cause < 5 ? cause : 0]);
    avr->state = cpu_Running;
    emulator.are_pins_set = false;
    emulator.waiting_from = emulator.waiting_to = 0;
    drive_pins();
    drive_converter();
}

/* Let the processor run in a circle with interrupts off: what a firmware that hangs does. */
static void hang(void)
{
    avr_t *avr = emulator.avr;
    for (avr_flashaddr_t at = 0; at < avr->codeend; at += 2) {
        if ((avr->flash[at] | avr->flash[at + 1] << 8) == JUMP_TO_SELF) {
            avr->pc = at;
            avr->sreg[S_I] = 0;
            avr->state = cpu_Running;
            return;
        }
    }
}

static void read_meter(char *reply, size_t size)
{
    struct meter *meter = &emulator.meter;
    snprintf(reply, size, "%llu %llu %llu %u %u", (unsigned long long)meter->first_in,
             (unsigned long long)meter->first_out, (unsigned long long)meter->last_out,
             meter->bytes_in, meter->bytes_out);
    memset(meter, 0, sizeof *meter);
}

static bool run_word(const char *line, char *reply, size_t size)
{
    unsigned cause = 0;
    snprintf(reply, size, "ok");
    if (sscanf(line, "reset %u", &cause) == 1) {
        reset(cause);
    } else if (strcmp(line, "hang") == 0) {
        hang();
    } else if (strcmp(line, "interrupt") == 0) {
        snprintf(reply, size, "%u %u", (unsigned)emulator.slowest_interrupt,
                 emulator.slowest_vector);
    } else if (strcmp(line, "meter") == 0) {
        read_meter(reply, size);
    } else {
        return false;
    }
    return true;
}

static void serve_console(void)
{
    static char reply[CONSOLE_REPLY];
    char line[CONSOLE_LINE];
    while (plant_is_settled(&emulator.plant) && bench_next_line(&emulator.bench, line)) {
        if (run_word(line, reply, sizeof reply)
            || console_run(&emulator.plant, actuators(), line, reply, sizeof reply)) {
            bench_reply(reply);
        } else {
            bench_reply("what?");
        }
    }
}

/* --- time ---------------------------------------------------------------------------------- */

static void keep_pace(void)
{
    uint64_t device_us = emulator.avr->cycle / MHZ;
    uint64_t host_us = bench_now_us() - emulator.begun_us;
    if (device_us > host_us) {
        bench_wait(&emulator.bench, (uint32_t)(device_us - host_us));
    } else if (host_us - device_us > LATE_US) {
        emulator.begun_us += host_us - device_us;
    }
}

/* Keeps sleeps short: the processor sleeps until the next timer, whoever set it. */
static avr_cycle_count_t on_timer(struct avr_t *avr, avr_cycle_count_t when, void *context)
{
    (void)avr;
    (void)context;
    return when + SERVICE_CYCLES;
}

static void service(void)
{
    struct emulator *e = &emulator;
    if (avr_cycle_timer_status(e->avr, on_timer, NULL) == 0) { /* gone with every reset */
        avr_cycle_timer_register(e->avr, SERVICE_CYCLES, on_timer, NULL);
        e->are_pins_set = false;
    }
    keep_pace();
    serve_line();
    plant_step(&e->plant, actuators(), SERVICE_US);
    drive_pins();
    drive_converter();
    serve_console();
}

static void sleep_not(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr;
    (void)cycles;
}

static void on_interrupt(struct avr_irq_t *irq, uint32_t vector, void *context)
{
    struct emulator *e = &emulator;
    (void)irq;
    (void)context;
    if (vector != 0) {
        e->interrupt_begun = e->avr->cycle;
        e->vector = vector;
        return;
    }
    avr_cycle_count_t took = e->avr->cycle - e->interrupt_begun + INTERRUPT_ENTRY_CYCLES;
    if (took > e->slowest_interrupt) {
        e->slowest_interrupt = took;
        e->slowest_vector = e->vector;
    }
}

/* --- begin --------------------------------------------------------------------------------- */

static void log_nothing(avr_t *avr, const int level, const char *format, va_list words)
{
    (void)avr;
    (void)level;
    (void)format;
    (void)words;
}

static void load(const char *path)
{
    elf_firmware_t firmware = {0};
    if (elf_read_firmware(path, &firmware) != 0) {
        fprintf(stderr, "%s cannot be read: make firmware\n", path);
        exit(2);
    }
    emulator.avr = avr_make_mcu_by_name("atmega2560");
    if (emulator.avr == NULL) {
        fprintf(stderr, "this simavr does not know the atmega2560\n");
        exit(2);
    }
    avr_init(emulator.avr);
    avr_load_firmware(emulator.avr, &firmware);
    emulator.avr->frequency = MHZ * 1000000;
    emulator.avr->avcc = emulator.avr->vcc = emulator.avr->aref = 5000;
    emulator.avr->sleep = sleep_not;
}

static void write_eeprom(uint16_t address, const void *data, uint32_t size)
{
    avr_eeprom_desc_t bytes = {.ee = (uint8_t *)data, .offset = address, .size = size};
    avr_ioctl(emulator.avr, AVR_IOCTL_EEPROM_SET, &bytes);
}

static void connect(void)
{
    uint32_t flags = 0; /* neither echo on the console nor sleep when the register is polled */
    avr_ioctl(emulator.avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(uart_irq(UART_IRQ_OUTPUT), on_output, NULL);
    avr_irq_register_notify(uart_irq(UART_IRQ_OUT_XOFF), on_xoff, NULL);
    avr_irq_register_notify(uart_irq(UART_IRQ_OUT_XON), on_xon, NULL);
    avr_irq_register_notify(
        avr_io_getirq(emulator.avr, AVR_IOCTL_IOPORT_GETIRQ('L'), IOPORT_IRQ_REG_PORT),
        on_actuators, NULL);
    avr_irq_t *any = avr_get_interrupt_irq(emulator.avr, AVR_INT_ANY);
    avr_irq_register_notify(any + AVR_INT_IRQ_RUNNING, on_interrupt, NULL);
}

int main(int count, char **words)
{
    if (count < 2) {
        fprintf(stderr, "usage: emulate IMAGE.elf [SERIAL-NUMBER [STARTS [SEED]]]\n");
        return 2;
    }
    avr_global_logger_set(log_nothing);
    load(words[1]);
    char serial_number[SERIAL_SIZE + 1];
    uint32_t starts = count > 3 ? (uint32_t)strtoul(words[3], NULL, 10) : 0;
    memset(serial_number, 0, sizeof serial_number);
    snprintf(serial_number, sizeof serial_number, "%s", count > 2 ? words[2] : "SIMAVR-1");
    write_eeprom(STARTS_ADDRESS, &starts, sizeof starts);
    write_eeprom(SERIAL_ADDRESS, serial_number, SERIAL_SIZE);
    plant_start(&emulator.plant, count > 4 ? (uint32_t)strtoul(words[4], NULL, 10) : 1);
    bench_open(&emulator.bench);
    connect();
    reset(1);
    emulator.begun_us = bench_now_us();
    while (!emulator.bench.is_over) {
        int state = avr_run(emulator.avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the emulated processor has stopped\n");
            return 1;
        }
        if (emulator.avr->cycle >= emulator.due) {
            emulator.due = emulator.avr->cycle + SERVICE_CYCLES;
            service();
        }
    }
    return 0;
}
