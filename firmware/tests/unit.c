/* Usage: unit GOLDEN-VECTORS. Prints a line per test; exit 1 when one failed. */
#include "unit.h"

#include <stdio.h>

const char *golden_path;

static unsigned failures;

void check(bool holds, const char *condition, const char *file, int line)
{
    if (!holds) {
        printf("%s:%d: not so: %s\n", file, line, condition);
        failures++;
    }
}

static const struct suite *const SUITES[] = {
    &codec_suite, &link_suite, &entropy_suite, &guard_suite, &machine_suite, &fault_suite,
};

int main(int count, char **words)
{
    unsigned total = 0;
    if (count != 2) {
        fprintf(stderr, "usage: unit GOLDEN-VECTORS\n");
        return 2;
    }
    golden_path = words[1];
    for (size_t n = 0; n < sizeof SUITES / sizeof *SUITES; n++) {
        for (size_t m = 0; m < SUITES[n]->count; m++) {
            unsigned before = failures;
            SUITES[n]->tests[m].run();
            total++;
            printf("%s %s\n", failures == before ? "ok    " : "FAILED", SUITES[n]->tests[m].name);
        }
    }
    printf("%u tests, %u checks failed\n", total, failures);
    return failures > 0 ? 1 : 0;
}
