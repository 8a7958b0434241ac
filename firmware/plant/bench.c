#define _GNU_SOURCE /* ppoll, posix_openpt, cfmakeraw */

#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static void give_up(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

void bench_open(struct bench *bench)
{
    memset(bench, 0, sizeof *bench);
    bench->pty = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (bench->pty < 0 || grantpt(bench->pty) < 0 || unlockpt(bench->pty) < 0) {
        give_up("no pseudo-terminal");
    }
    const char *name = ptsname(bench->pty);
    bench->keep_open = open(name, O_RDWR | O_NOCTTY);
    struct termios raw;
    if (bench->keep_open < 0 || tcgetattr(bench->keep_open, &raw) < 0) {
        give_up(name);
    }
    cfmakeraw(&raw);
    tcsetattr(bench->keep_open, TCSANOW, &raw);
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    printf("uart %s\n", name);
    fflush(stdout);
}

void bench_wait(const struct bench *bench, uint32_t span_us)
{
    struct pollfd ends[] = {
        {.fd = bench->pty, .events = POLLIN},
        {.fd = STDIN_FILENO, .events = POLLIN},
    };
    struct timespec span = {
        .tv_sec = span_us / 1000000,
        .tv_nsec = (long)(span_us % 1000000) * 1000,
    };
    bool is_line_full = memchr(bench->line, '\n', bench->length) != NULL;
    ppoll(ends, is_line_full || bench->is_over ? 1 : 2, &span, NULL);
}

size_t bench_read(const struct bench *bench, uint8_t *data, size_t size)
{
    ssize_t count = read(bench->pty, data, size);
    return count > 0 ? (size_t)count : 0;
}

void bench_write(const struct bench *bench, const uint8_t *data, size_t size)
{
    ssize_t written = write(bench->pty, data, size);
    (void)written;
}

static void fill_line(struct bench *bench)
{
    size_t room = sizeof bench->line - 1 - bench->length;
    if (room == 0) {
        bench->length = 0; /* no word is that long */
        return;
    }
    ssize_t count = read(STDIN_FILENO, bench->line + bench->length, room);
    if (count > 0) {
        bench->length += (size_t)count;
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        bench->is_over = true;
    }
}

bool bench_next_line(struct bench *bench, char *line)
{
    char *end = memchr(bench->line, '\n', bench->length);
    if (end == NULL) {
        fill_line(bench);
        end = memchr(bench->line, '\n', bench->length);
    }
    if (end == NULL) {
        return false;
    }
    size_t length = (size_t)(end - bench->line);
    memcpy(line, bench->line, length);
    line[length] = '\0';
    bench->length -= length + 1;
    memmove(bench->line, end + 1, bench->length);
    return true;
}

void bench_reply(const char *reply)
{
    printf("%s\n", reply);
    fflush(stdout);
}

uint64_t bench_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
