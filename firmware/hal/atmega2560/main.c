/*
 * The firmware on an ATmega2560 at 16 MHz.
 *
 * Sensors: PA0-7 and PC0-4, in the order of enum sensor. Actuators: PL0-7 and PK0-3, in the
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

static volatile uint16_t polls_due;

ISR(TIMER0_COMPA_vect)
{
    polls_due++;
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

static void start_conversion(uint8_t channel)
{
    ADMUX = (uint8_t)(_BV(REFS0) | channel);
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
}

static void read_converter(struct inputs *inputs)
{
    inputs->has_noise = false;
    if (ADCSRA & _BV(ADSC)) {
        return;
    }
    uint16_t value = ADC;
    if ((ADMUX & 0x07) == CHANNEL_HEIGHT) {
        inputs->height = cards_of(value);
        start_conversion(CHANNEL_NOISE);
    } else {
        inputs->has_noise = true;
        inputs->noise = (uint8_t)value;
        start_conversion(CHANNEL_HEIGHT);
    }
}

static void read_inputs(struct inputs *inputs, uint32_t polls)
{
    inputs->now_ms = polls / POLLS_PER_MS;
    inputs->sensors = (uint16_t)(PINA | (uint16_t)PINC << 8);
    read_converter(inputs);
}

static void start_ports(struct inputs *inputs)
{
    DDRL = 0xFF;
    DDRK = 0x0F;
    PORTL = 0;
    PORTK = 0;
    start_conversion(CHANNEL_HEIGHT);
    while (ADCSRA & _BV(ADSC)) {
    }
    read_inputs(inputs, 0);
}

/* --- the loop ------------------------------------------------------------------------------ */

static struct device device;

static void poll(struct inputs *inputs, uint32_t polls)
{
    read_inputs(inputs, polls);
    device_poll(&device, inputs);
    PORTL = (uint8_t)device.machine.actuators;
    PORTK = (uint8_t)(device.machine.actuators >> 8);
    eeprom_update_byte(&KEPT->is_unfinished, device.machine.is_unfinished ? 1 : 0);
}

static void note_time(uint16_t begun)
{
    uint16_t took_us = (uint16_t)(TCNT1 - begun) / 2;
    if (took_us > device.slowest_us) {
        device.slowest_us = took_us;
    }
}

/* Until the next interrupt, unless one has left work already. */
static void rest(void)
{
    cli();
    if (polls_due == 0 && received.head == received.tail) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

static uint16_t take_polls(void)
{
    cli();
    uint16_t due = polls_due;
    polls_due = 0;
    device.overruns = overruns;
    sei();
    return due;
}

int main(void)
{
    static char serial_number[sizeof KEPT->serial_number + 1];
    struct inputs inputs = {0};
    uint32_t polls = 0;
    start_ports(&inputs);
    start_uart();
    start_timers();
    read_serial_number(serial_number);
    struct start start = {
        .starts = count_start(),
        .cause = boot_cause(),
        .serial_number = serial_number,
        .is_unfinished = eeprom_read_byte(&KEPT->is_unfinished) == 1,
    };
    device_start(&device, &start, &inputs);
    wdt_enable(WDTO_250MS);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    for (;;) {
        uint16_t begun = TCNT1;
        wdt_reset();
        receive_all(&device);
        uint16_t due = take_polls();
        if (due > 0) {
            polls += due;
            poll(&inputs, polls);
        }
        send_next(&device);
        note_time(begun);
        rest();
    }
}
