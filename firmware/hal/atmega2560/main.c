/*
 * The firmware on an ATmega2560 at 16 MHz.
 *
 * Sensors: PA0-7 and PC0-5, in the order of enum sensor. Actuators: PL0-7 and PK0-3, in the
 * order of enum actuator. ADC0: height of the magazine. ADC1: noise diode. USART0: the link.
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "device.h"

enum {
    POLLS_PER_MS = 2,
    UBRR_115200 = 16,     /* with U2X: 117,647 baud, 2.1 % fast, within what 8N1 allows */
    RING = 256,           /* indices are bytes and wrap by themselves */
    TX_BACKLOG = 64,      /* bytes waiting before another frame is made: 5.6 ms */
    HEIGHT_ZERO_MV = 50,  /* an empty magazine */
    CARD_MV = 10,
    REFERENCE_MV = 5000,
    ADC_MAX = 1023,
    CHANNEL_HEIGHT = 0,
    CHANNEL_NOISE = 1,
    NOISE_BURST = 8,      /* samples in one pass of the main loop: a quarter of a millisecond */
};

/* --- what a reset leaves ------------------------------------------------------------------- */

static uint8_t reset_flags __attribute__((section(".noinit")));

void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));

/* Before anything else: the watchdog stays on after its reset until it is told otherwise. */
void keep_reset_flags(void)
{
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static enum boot_cause boot_cause(void)
{
    static const struct {
        uint8_t flag;
        enum boot_cause cause;
    } CAUSES[] = {
        {_BV(WDRF), BOOT_CAUSE_WATCHDOG},
        {_BV(BORF), BOOT_CAUSE_BROWNOUT},
        {_BV(EXTRF), BOOT_CAUSE_BUTTON},
        {_BV(PORF), BOOT_CAUSE_POWER},
    };
    for (uint8_t n = 0; n < sizeof CAUSES / sizeof *CAUSES; n++) {
        if (reset_flags & CAUSES[n].flag) {
            return CAUSES[n].cause;
        }
    }
    return BOOT_CAUSE_UNKNOWN;
}

/* --- EEPROM -------------------------------------------------------------------------------- */

enum { START_CELLS = 16 };

/* Starts are written into one cell after another: 1.6 million of them before one wears out. */
struct kept {
    uint32_t starts[START_CELLS];
    uint8_t is_unfinished; /* 1; anything else is no */
    uint8_t spare[15];
    char serial_number[16]; /* set when the machine is made */
    uint8_t has_key;        /* 1; anything else is no */
    uint8_t key[KEY_SIZE];
};

#define KEPT ((struct kept *)0)

static uint32_t count_start(void)
{
    uint32_t newest = 0;
    for (uint8_t n = 0; n < START_CELLS; n++) {
        uint32_t cell = eeprom_read_dword(&KEPT->starts[n]);
        if (cell != UINT32_MAX && cell > newest) {
            newest = cell;
        }
    }
    newest++;
    eeprom_update_dword(&KEPT->starts[newest % START_CELLS], newest);
    return newest;
}

static void read_serial_number(char *text)
{
    eeprom_read_block(text, KEPT->serial_number, sizeof KEPT->serial_number);
    text[sizeof KEPT->serial_number] = '\0';
    if ((uint8_t)text[0] == 0xFF) {
        memcpy(text, "UNNUMBERED", sizeof "UNNUMBERED");
    }
}

static const uint8_t *read_key(uint8_t *key)
{
    eeprom_read_block(key, KEPT->key, KEY_SIZE);
    return eeprom_read_byte(&KEPT->has_key) == 1 ? key : NULL;
}

/* Takes a tenth of a second, which only a person in the open case waits for. */
static void keep_key(const uint8_t *key)
{
    eeprom_update_block(key, KEPT->key, KEY_SIZE);
    eeprom_update_byte(&KEPT->has_key, 1);
}

/* --- UART ---------------------------------------------------------------------------------- */

struct ring {
    volatile uint8_t head;
    volatile uint8_t tail;
    uint8_t bytes[RING];
};

static struct ring received;
static struct ring sending;
static volatile uint16_t overruns;

ISR(USART0_RX_vect)
{
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)(received.head + 1);
    if ((status & _BV(DOR0)) || next == received.tail) {
        overruns++;
    }
    if (next != received.tail) {
        received.bytes[received.head] = byte;
        received.head = next;
    }
}

ISR(USART0_UDRE_vect)
{
    if (sending.head == sending.tail) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = sending.bytes[sending.tail++];
    }
}

static void start_uart(void)
{
    UCSR0A = _BV(U2X0); /* before the divider: the emulator works the rate out at its writing */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = UBRR_115200;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static void receive_all(struct device *device)
{
    while (received.tail != received.head) {
        device_receive(device, received.bytes[received.tail++]);
    }
}

/* One frame in each pass of the loop, for making one takes a third of a millisecond. */
static void send_next(struct device *device)
{
    uint8_t frame[MAX_WIRE];
    if ((uint8_t)(sending.head - sending.tail) >= TX_BACKLOG) {
        return;
    }
    size_t size = device_next_frame(device, frame);
    for (size_t n = 0; n < size; n++) {
        sending.bytes[sending.head++] = frame[n];
    }
    if (size > 0) {
        UCSR0B |= _BV(UDRIE0);
    }
}

/* --- sensors, actuators, time -------------------------------------------------------------- */

/* A change of the sensors, with the poll in which it was seen. */
struct change {
    uint16_t poll;
    uint16_t sensors;
};

enum { CHANGES = 32 }; /* a power of two */

static volatile uint16_t polls;
static volatile uint8_t changes_head;
static volatile uint8_t changes_tail;
static struct change changes[CHANGES];

static uint16_t read_sensors(void)
{
    return (uint16_t)(PINA | (uint16_t)(PINC & 0x3F) << 8);
}

/* Sensors are read here, so that no card is missed while the main loop computes. */
ISR(TIMER0_COMPA_vect)
{
    static uint16_t last;
    uint16_t sensors = read_sensors();
    uint8_t next = (changes_head + 1) & (CHANGES - 1);
    polls++;
    if (sensors != last && next != changes_tail) {
        last = sensors;
        changes[changes_head] = (struct change){.poll = polls, .sensors = sensors};
        changes_head = next;
    }
}

static void start_timers(void)
{
    TCCR0A = _BV(WGM01);
    OCR0A = F_CPU / 64 / 1000 / POLLS_PER_MS - 1;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
    TCCR1B = _BV(CS11); /* free running at half a microsecond, to time the main loop */
}

static uint16_t cards_of(uint16_t adc)
{
    uint16_t millivolts = (uint16_t)((uint32_t)adc * REFERENCE_MV / ADC_MAX);
    return millivolts < HEIGHT_ZERO_MV ? 0 : (millivolts - HEIGHT_ZERO_MV + CARD_MV / 2) / CARD_MV;
}

/* The height at 125 kHz, as exact as the converter is; noise faster, for it needs no exactness. */
static void start_conversion(uint8_t channel)
{
    uint8_t slow = channel == CHANNEL_NOISE ? 0 : _BV(ADPS1);
    ADMUX = (uint8_t)(_BV(REFS0) | channel);
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS0) | slow;
}

static uint16_t converted(uint8_t channel)
{
    start_conversion(channel);
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}

static void read_converter(struct inputs *inputs)
{
    inputs->has_noise = (ADCSRA & _BV(ADSC)) == 0;
    if (inputs->has_noise) {
        inputs->height = cards_of(ADC);
        inputs->noise = (uint8_t)converted(CHANNEL_NOISE);
        start_conversion(CHANNEL_HEIGHT);
    }
}

static void start_ports(struct inputs *inputs)
{
    DDRL = 0xFF;
    DDRK = 0x0F;
    PORTL = 0;
    PORTK = 0;
    inputs->height = cards_of(converted(CHANNEL_HEIGHT));
    inputs->sensors = read_sensors();
    start_conversion(CHANNEL_HEIGHT);
}

/* --- the loop ------------------------------------------------------------------------------ */

static struct device device;

static uint16_t polls_now(void)
{
    cli();
    uint16_t now = polls;
    device.overruns = overruns;
    sei();
    return now;
}

/* Cards in the gate count by each change since the last pass, everything else by the present. */
static void poll_all(struct inputs *inputs)
{
    static uint32_t polled; /* polls ever; the interrupt counts its lower half */
    uint16_t now = polls_now();
    if (now == (uint16_t)polled) {
        return;
    }
    read_converter(inputs);
    while (changes_tail != changes_head) {
        struct change change = changes[changes_tail];
        if ((uint16_t)(now - change.poll) > INT16_MAX) {
            break; /* it came just now, and belongs to the next pass */
        }
        changes_tail = (changes_tail + 1) & (CHANGES - 1);
        inputs->sensors = change.sensors;
        inputs->now_ms = (polled + (uint16_t)(change.poll - (uint16_t)polled)) / POLLS_PER_MS;
        device_note(&device, inputs);
    }
    polled += (uint16_t)(now - (uint16_t)polled);
    inputs->now_ms = polled / POLLS_PER_MS;
    device_poll(&device, inputs);
    PORTL = (uint8_t)device.machine.actuators;
    PORTK = (uint8_t)(device.machine.actuators >> 8);
    eeprom_update_byte(&KEPT->is_unfinished, device.machine.is_unfinished ? 1 : 0);
    if (device.link.guard.is_key_new) {
        device.link.guard.is_key_new = false;
        keep_key(device.link.guard.key);
    }
}

static void note_time(uint16_t begun)
{
    uint16_t took_us = (uint16_t)(TCNT1 - begun) / 2;
    if (took_us > device.slowest_us) {
        device.slowest_us = took_us;
    }
}

/* Until the next interrupt, unless one has left work since `seen`. */
static void rest(uint16_t seen)
{
    cli();
    if (polls == seen && received.head == received.tail) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

static void add_noise(uint16_t samples)
{
    if (!device_wants_noise(&device)) {
        return;
    }
    while (samples > 0 && device_add_noise(&device, (uint8_t)converted(CHANNEL_NOISE))) {
        samples--;
    }
    start_conversion(CHANNEL_HEIGHT);
}

int main(void)
{
    static char serial_number[sizeof KEPT->serial_number + 1];
    static uint8_t key[KEY_SIZE];
    struct inputs inputs = {0};
    start_ports(&inputs);
    start_uart();
    start_timers();
    read_serial_number(serial_number);
    struct start start = {
        .starts = count_start(),
        .cause = boot_cause(),
        .serial_number = serial_number,
        .is_unfinished = eeprom_read_byte(&KEPT->is_unfinished) == 1,
        .key = read_key(key),
    };
    device_start(&device, &start, &inputs);
    sei();
    add_noise(2 * (STARTUP_SAMPLES + SECRET_SAMPLES));
    wdt_enable(WDTO_250MS);
    set_sleep_mode(SLEEP_MODE_IDLE);
    for (;;) {
        uint16_t begun = TCNT1;
        wdt_reset();
        receive_all(&device);
        uint16_t seen = polls_now();
        poll_all(&inputs);
        add_noise(NOISE_BURST);
        send_next(&device);
        note_time(begun);
        rest(seen);
    }
}
