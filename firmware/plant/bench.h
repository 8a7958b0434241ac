/* The test bench's side of a device process: a pty as its line, words on stdin and stdout. */
#ifndef CUTCARD_BENCH_H
#define CUTCARD_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "console.h"

struct bench {
    int pty;
    int keep_open; /* our own hold on the other end: the line stays when the host leaves */
    char line[CONSOLE_LINE];
    size_t length;
    bool is_over;  /* stdin has ended, and with it the test */
};

/* Open the line and print its name as `uart PATH`; ends the process when that fails. */
void bench_open(struct bench *bench);

/* Wait for bytes or words, at most so long. */
void bench_wait(const struct bench *bench, uint32_t span_us);

size_t bench_read(const struct bench *bench, uint8_t *data, size_t size);

/* What the line does not take is lost, as on a cable that nobody listens to. */
void bench_write(const struct bench *bench, const uint8_t *data, size_t size);

/* The next whole line of words, without its end; false when there is none yet. */
bool bench_next_line(struct bench *bench, char *line);

void bench_reply(const char *reply);

/* Microseconds of a clock that does not go back. */
uint64_t bench_now_us(void);

#endif
