/* A small test runner: a table of cases per file, and a check that says where it failed. */
#ifndef CUTCARD_UNIT_H
#define CUTCARD_UNIT_H

#include <stdbool.h>
#include <stddef.h>

struct test {
    const char *name;
    void (*run)(void);
};

struct suite {
    const struct test *tests;
    size_t count;
};

#define SUITE(tests) {(tests), sizeof(tests) / sizeof *(tests)}

extern const struct suite codec_suite;
extern const struct suite link_suite;
extern const struct suite entropy_suite;
extern const struct suite guard_suite;
extern const struct suite machine_suite;
extern const struct suite fault_suite;

extern const char *golden_path;

void check(bool holds, const char *condition, const char *file, int line);

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

#endif
