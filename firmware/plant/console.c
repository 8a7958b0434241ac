#include "console.h"

#include <stdio.h>
#include <string.h>

struct line {
    struct plant *plant;
    uint16_t actuators;
    unsigned numbers[3]; /* after the word; 0 where there is none */
    char *reply;
    size_t size;
};

typedef void (*word_fn)(struct line *);

static void insert(struct line *line)
{
    plant_insert(line->plant, (uint16_t)line->numbers[0], (uint16_t)line->numbers[1],
                 (uint16_t)line->numbers[2]);
}

static void take(struct line *line)
{
    snprintf(line->reply, line->size, "%u", plant_take(line->plant));
}

static void draw(struct line *line)
{
    struct card card;
    if (plant_draw(line->plant, line->actuators, &card)) {
        snprintf(line->reply, line->size, "%u", card.token);
    } else {
        snprintf(line->reply, line->size, "none");
    }
}

static void drain(struct line *line)
{
    line->plant->exits_due = (uint16_t)line->numbers[0];
}

static void lid(struct line *line)
{
    line->plant->is_lid_open = line->numbers[0] != 0;
}

static void clear(struct line *line)
{
    plant_open_briefly(line->plant);
}

static void jam(struct line *line)
{
    line->plant->jams = (uint8_t)line->numbers[0];
}

static void two_fed(struct line *line)
{
    line->plant->doubles = (uint8_t)line->numbers[0];
}

static void two_drawn(struct line *line)
{
    line->plant->will_exit_two = true;
}

static void stall(struct line *line)
{
    line->plant->is_stalled = line->numbers[0] != 0;
}

static void lose(struct line *line)
{
    line->plant->losses = (uint8_t)line->numbers[0];
}

static void noise(struct line *line)
{
    line->plant->is_noise_dead = line->numbers[0] == 0;
}

static void trust(struct line *line)
{
    line->plant->is_trusted = line->numbers[0] != 0;
}

static void stick(struct line *line)
{
    line->plant->stuck_high = (uint16_t)line->numbers[0];
    line->plant->stuck_low = (uint16_t)line->numbers[1];
}

static void wait(struct line *line)
{
    line->plant->wait_us = line->numbers[0] * 1000;
}

static void count(struct line *line)
{
    snprintf(line->reply, line->size, "%u", plant_cards(line->plant));
}

static void actuators(struct line *line)
{
    snprintf(line->reply, line->size, "%u", line->actuators);
}

static void order(struct line *line)
{
    const struct pile *pile = &line->plant->decks[line->plant->lift];
    size_t at = 0;
    for (uint16_t n = 0; n < pile->count && at + 8 < line->size; n++) {
        at += (size_t)snprintf(line->reply + at, line->size - at, "%u ", pile->cards[n].token);
    }
}

static const struct {
    const char *word;
    word_fn run;
} WORDS[] = {
    {"insert", insert},
    {"take", take},
    {"draw", draw},
    {"drain", drain},
    {"lid", lid},
    {"clear", clear},
    {"jam", jam},
    {"two-fed", two_fed},
    {"two-drawn", two_drawn},
    {"stall", stall},
    {"lose", lose},
    {"noise", noise},
    {"stick", stick},
    {"trust", trust},
    {"wait", wait},
    {"count", count},
    {"actuators", actuators},
    {"order", order},
};

bool console_run(struct plant *plant, uint16_t bits, const char *text, char *reply, size_t size)
{
    struct line line = {.plant = plant, .actuators = bits, .reply = reply, .size = size};
    char word[16] = "";
    sscanf(text, "%15s %u %u %u", word, &line.numbers[0], &line.numbers[1], &line.numbers[2]);
    snprintf(reply, size, "ok");
    for (size_t n = 0; n < sizeof WORDS / sizeof *WORDS; n++) {
        if (strcmp(word, WORDS[n].word) == 0) {
            WORDS[n].run(&line);
            return true;
        }
    }
    return false;
}
