/* What the machine does when all is well. */
#include "rig.h"
#include "unit.h"

static struct rig rig;

static struct shuffle_finished finished(void)
{
    struct shuffle_finished event = {0};
    for (size_t n = 0; n < rig.event_count; n++) {
        if (rig.events[n].id == ID_SHUFFLE_FINISHED) {
            shuffle_finished_unpack(&event, rig.events[n].payload);
        }
    }
    return event;
}

static bool is_every_card_there(uint16_t count)
{
    bool seen[PLANT_CARDS] = {false};
    const struct pile *pile = &rig.plant.decks[rig.plant.lift];
    for (uint16_t n = 0; n < pile->count; n++) {
        seen[pile->cards[n].token] = true;
    }
    for (uint16_t n = 0; n < count; n++) {
        if (!seen[n]) {
            return false;
        }
    }
    return pile->count == count;
}

static void a_deck_is_shuffled_and_counted(void)
{
    rig_start(&rig, 0);
    plant_insert(&rig.plant, 52, 7, 1);
    CHECK(rig_wait(&rig, ID_CARDS_IN, 200));

    CHECK(rig_ask(&rig, ID_SHUFFLE, NULL, 0) == ID_ACCEPTED);
    CHECK(rig_status(&rig).is_busy);
    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 10000));

    CHECK(finished().count == 52 && finished().boxed == 1);
    CHECK(is_every_card_there(52));
    CHECK(rig_status(&rig).cards == 52 && !rig_status(&rig).is_busy);
}

/* Where the first card of a deck of 6 goes in 60 shuffles: chi-squared, 5 degrees of freedom,
   is above 25.7 once in 10,000 times. */
static void every_place_is_as_likely(void)
{
    enum { CARDS = 6, SHUFFLES = 60 };
    unsigned places[CARDS] = {0};
    double chi_squared = 0;
    rig_start(&rig, CARDS);
    for (unsigned shuffle = 0; shuffle < SHUFFLES; shuffle++) {
        rig_ask(&rig, ID_SHUFFLE, NULL, 0);
        CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 5000));
        for (unsigned n = 0; n < CARDS; n++) {
            places[n] += rig.plant.decks[0].cards[n].token == 0 ? 1 : 0;
        }
        rig.event_count = 0;
    }
    for (unsigned n = 0; n < CARDS; n++) {
        double off = places[n] - (double)SHUFFLES / CARDS;
        chi_squared += off * off / ((double)SHUFFLES / CARDS);
    }

    CHECK(chi_squared < 25.7);
}

static void more_cards_than_slots_are_shuffled_too(void)
{
    rig_start(&rig, 108);

    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 20000));

    CHECK(finished().count == 108 && is_every_card_there(108));
}

static void exactly_the_permitted_cards_leave(void)
{
    rig_start(&rig, 10);

    CHECK(rig_deal(&rig, 2) == ID_ACCEPTED);
    CHECK(rig_draw(&rig) && rig_draw(&rig) && !rig_draw(&rig));

    CHECK(rig_count(&rig, ID_CARD_OUT) == 2);
    CHECK(rig_status(&rig).gate == GATE_HELD && rig_status(&rig).drawn == 2);
    CHECK(rig_status(&rig).cards == 8);
}

static void a_burn_is_one_card_and_named_before_it(void)
{
    rig_start(&rig, 10);
    rig.event_count = 0;

    CHECK(rig_ask(&rig, ID_BURN, NULL, 0) == ID_ACCEPTED);
    CHECK(rig_draw(&rig) && !rig_draw(&rig));

    CHECK(rig.event_count == 3 && rig.events[0].id == ID_GATE_CHANGED);
    CHECK(rig.events[0].payload[0] == GATE_BURN && rig.events[1].id == ID_CARD_OUT);
    CHECK(rig.events[2].id == ID_GATE_CHANGED && rig.events[2].payload[0] == GATE_HELD);
}

static void an_open_gate_stays_open_until_held(void)
{
    rig_start(&rig, 10);

    rig_ask(&rig, ID_RESUME, NULL, 0);
    CHECK(rig_draw(&rig) && rig_draw(&rig) && rig_draw(&rig));
    rig_ask(&rig, ID_HOLD, NULL, 0);

    CHECK(!rig_draw(&rig));
}

static void a_boxed_card_is_seen_at_the_gate(void)
{
    rig_start(&rig, 0);
    plant_insert(&rig.plant, 1, 0, 1);
    rig_wait(&rig, ID_CARDS_IN, 200);
    rig_ask(&rig, ID_RESUME, NULL, 0);

    CHECK(rig_draw(&rig));

    for (size_t n = 0; n < rig.event_count; n++) {
        if (rig.events[n].id == ID_CARD_OUT) {
            CHECK(rig.events[n].payload[2] == 1);
        }
    }
    CHECK(rig_count(&rig, ID_CARD_OUT) == 1);
}

static uint8_t refusal(uint8_t id, const uint8_t *payload, uint8_t size)
{
    return rig_ask(&rig, id, payload, size) == ID_REFUSED ? rig.reply.payload[0] : 0;
}

static void what_cannot_be_done_is_refused_with_the_reason(void)
{
    static const uint8_t none[SIZE_DEAL] = {0};
    static const uint8_t unlocked[SIZE_LOCK] = {0};
    rig_start(&rig, 0);
    CHECK(refusal(ID_SHUFFLE, NULL, 0) == REFUSAL_NO_CARDS);
    plant_insert(&rig.plant, 10, 0, 0);
    rig_wait(&rig, ID_CARDS_IN, 200);
    CHECK(refusal(ID_DEAL, none, sizeof none) == REFUSAL_BAD_VALUE);
    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    CHECK(refusal(ID_RESUME, NULL, 0) == REFUSAL_BUSY);
    CHECK(refusal(ID_LOCK, unlocked, sizeof unlocked) == REFUSAL_BUSY);
    CHECK(rig_ask(&rig, ID_HOLD, NULL, 0) == ID_ACCEPTED);
}

static void two_decks_are_kept_apart(void)
{
    static const uint8_t a[SIZE_SELECT_DECK] = {DECK_A};
    static const uint8_t b[SIZE_SELECT_DECK] = {DECK_B};
    rig_start(&rig, 10);
    CHECK(rig_ask(&rig, ID_SELECT_DECK, b, sizeof b) == ID_ACCEPTED);
    CHECK(rig_wait(&rig, ID_DECK_SELECTED, 1000));
    CHECK(rig_status(&rig).cards == 0);
    plant_insert(&rig.plant, 5, 0, 0);
    CHECK(rig_wait(&rig, ID_CARDS_IN, 200));

    rig_ask(&rig, ID_SELECT_DECK, a, sizeof a);
    CHECK(rig_wait(&rig, ID_DECK_SELECTED, 1000));

    CHECK(rig_status(&rig).cards == 10);
    CHECK(rig_count(&rig, ID_CARDS_IN) == 1);
}

static void eject_gives_everything_out_and_says_so(void)
{
    rig_start(&rig, 30);

    CHECK(rig_ask(&rig, ID_EJECT, NULL, 0) == ID_ACCEPTED);
    CHECK(rig_wait(&rig, ID_CARDS_IN, 1000));

    CHECK(rig_status(&rig).cards == 0 && rig.plant.ejected.count == 30);
}

static void lamp_tone_and_lock_are_set(void)
{
    static const uint8_t amber[SIZE_SET_LIGHT] = {LIGHT_AMBER, 50, 0};
    static const uint8_t locked[SIZE_LOCK] = {1};
    const uint16_t *actuators = &rig.device.machine.actuators;
    rig_start(&rig, 0);

    rig_ask(&rig, ID_SET_LIGHT, amber, sizeof amber);
    rig_ask(&rig, ID_LOCK, locked, sizeof locked);
    rig_ask(&rig, ID_LOCK, locked, sizeof locked);

    CHECK((*actuators & (ACTUATOR_GREEN | ACTUATOR_RED)) == (ACTUATOR_GREEN | ACTUATOR_RED));
    CHECK((*actuators & ACTUATOR_TONE) != 0 && (*actuators & ACTUATOR_LOCK) != 0);
    rig_run(&rig, 60);
    CHECK((*actuators & ACTUATOR_TONE) == 0);
    CHECK(rig_count(&rig, ID_LOCK_CHANGED) == 1);
}

static void every_part_can_be_tested(void)
{
    rig_start(&rig, 10);
    for (uint8_t part = PART_FEED; part <= PART_NOISE_SOURCE; part++) {
        size_t before = rig_count(&rig, ID_PART_TESTED);
        CHECK(rig_ask(&rig, ID_TEST_PART, &part, SIZE_TEST_PART) == ID_ACCEPTED);
        rig_run(&rig, 1000);

        CHECK(rig_count(&rig, ID_PART_TESTED) == before + 1);
        struct message last = rig.events[rig.event_count - 1];
        CHECK(last.id == ID_PART_TESTED && last.payload[0] == part && last.payload[1] == 1);
    }
}

static void meters_count(void)
{
    struct meters meters;
    rig_start(&rig, 10);
    rig_deal(&rig, 1);
    rig_draw(&rig);

    CHECK(rig_ask(&rig, ID_READ_METERS, NULL, 0) == ID_METERS);

    meters_unpack(&meters, rig.reply.payload);
    CHECK(meters.starts == 1 && meters.motions == 1 && meters.cards == 1 && meters.noise == 0);
}

static const struct test TESTS[] = {
    {"a deck is shuffled and counted", a_deck_is_shuffled_and_counted},
    {"every place is as likely", every_place_is_as_likely},
    {"more cards than slots are shuffled too", more_cards_than_slots_are_shuffled_too},
    {"exactly the permitted cards leave", exactly_the_permitted_cards_leave},
    {"a burn is one card", a_burn_is_one_card_and_named_before_it},
    {"an open gate stays open until held", an_open_gate_stays_open_until_held},
    {"a boxed card is seen at the gate", a_boxed_card_is_seen_at_the_gate},
    {"what cannot be done is refused", what_cannot_be_done_is_refused_with_the_reason},
    {"two decks are kept apart", two_decks_are_kept_apart},
    {"eject gives everything out", eject_gives_everything_out_and_says_so},
    {"lamp, tone and lock are set", lamp_tone_and_lock_are_set},
    {"every part can be tested", every_part_can_be_tested},
    {"meters count", meters_count},
};

const struct suite machine_suite = SUITE(TESTS);
