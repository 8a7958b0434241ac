/* What goes wrong: each fault stops the machine, is located, and ends as the protocol says. */
#include "rig.h"
#include "unit.h"

static struct rig rig;

static bool is_located(uint8_t code, uint8_t part, uint8_t tries)
{
    struct fault_located located = rig_located(&rig);
    return located.code == code && located.part == part && located.tries == tries;
}

static bool is_at_rest(void)
{
    const uint16_t moving = ACTUATOR_FEED | ACTUATOR_FEED_BACK | ACTUATOR_STEP | ACTUATOR_STEP_BACK
                            | ACTUATOR_UNLOAD | ACTUATOR_EJECT | ACTUATOR_GATE_OPEN;
    return (rig.device.machine.actuators & moving) == 0;
}

static void shuffle_until_fault(void)
{
    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    CHECK(rig_wait(&rig, ID_FAULT_RAISED, 20000));
    CHECK(rig_count(&rig, ID_SHUFFLE_FINISHED) == 0);
    CHECK(is_at_rest());
}

static void person_clears(uint8_t code)
{
    plant_open_briefly(&rig.plant);
    rig_run(&rig, 400);
    CHECK(!rig_has_fault(&rig, code));
    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 20000));
}

static void a_jam_that_clears_is_only_counted(void)
{
    rig_start(&rig, 10);
    rig.plant.jams = 2;

    rig_ask(&rig, ID_SHUFFLE, NULL, 0);

    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 20000));
    CHECK(rig_count(&rig, ID_FAULT_RAISED) == 0);
    CHECK(rig.device.machine.retries == 2);
}

static void a_jam_that_does_not_is_a_fault_after_three_tries(void)
{
    rig_start(&rig, 10);
    rig.plant.jams = PLANT_ALWAYS;

    shuffle_until_fault();

    CHECK(is_located(FAULT_CODE_JAM, PART_FEED, 3));
    CHECK(rig_ask(&rig, ID_RESUME, NULL, 0) == ID_REFUSED);
    CHECK(rig.reply.payload[0] == REFUSAL_FAULT);
    person_clears(FAULT_CODE_JAM);
    CHECK(plant_height(&rig.plant) == 10);
}

static void a_double_feed_is_fed_back_and_tried_again(void)
{
    rig_start(&rig, 10);
    rig.plant.doubles = 1;

    rig_ask(&rig, ID_SHUFFLE, NULL, 0);

    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 20000));
    CHECK(rig.device.machine.retries == 1 && rig.device.machine.fed == 10);
}

static void cards_that_stick_together_are_a_double_feed(void)
{
    rig_start(&rig, 10);
    rig.plant.doubles = PLANT_ALWAYS;

    shuffle_until_fault();

    CHECK(is_located(FAULT_CODE_DOUBLE_FEED, PART_FEED, 3));
    person_clears(FAULT_CODE_DOUBLE_FEED);
}

static void two_cards_in_the_gate_are_counted_and_stop_it(void)
{
    rig_start(&rig, 10);
    rig.plant.will_exit_two = true;
    rig_ask(&rig, ID_RESUME, NULL, 0);

    CHECK(rig_draw(&rig) && !rig_draw(&rig));

    CHECK(rig_count(&rig, ID_CARD_OUT) == 2);
    CHECK(is_located(FAULT_CODE_DOUBLE_FEED, PART_GATE, 0));
    CHECK(is_at_rest());
}

static void a_carousel_that_stands_still_is_a_stalled_drive(void)
{
    rig_start(&rig, 10);
    rig.plant.is_stalled = true;

    shuffle_until_fault();

    CHECK(is_located(FAULT_CODE_DRIVE_STALLED, PART_CAROUSEL, 0));
    person_clears(FAULT_CODE_DRIVE_STALLED);
}

static void a_card_that_stays_inside_is_missed(void)
{
    rig_start(&rig, 10);
    rig.plant.losses = 1;

    shuffle_until_fault();

    CHECK(is_located(FAULT_CODE_COUNT_DIFFERS, PART_UNLOADER, 0));
    CHECK(plant_height(&rig.plant) == 9);
    person_clears(FAULT_CODE_COUNT_DIFFERS);
    CHECK(plant_height(&rig.plant) == 10);
}

static void a_dead_noise_source_stops_the_shuffle_before_a_card_moves(void)
{
    rig_start(&rig, 10);
    rig.plant.is_noise_dead = true;
    rig_ask(&rig, ID_SHUFFLE, NULL, 0); /* uses what was collected before */
    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 20000));

    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    CHECK(rig_wait(&rig, ID_FAULT_RAISED, 20000));

    CHECK(is_located(FAULT_CODE_NO_ENTROPY, PART_NOISE_SOURCE, 0));
    CHECK(rig.device.machine.fed == 0 && plant_height(&rig.plant) == 10 && is_at_rest());
    rig_run(&rig, 1000);
    CHECK(rig_ask(&rig, ID_COMMIT_ENTROPY, NULL, 0) == ID_REFUSED);
    CHECK(rig_has_fault(&rig, FAULT_CODE_NO_ENTROPY));
    rig.plant.is_noise_dead = false;
    CHECK(rig_wait(&rig, ID_FAULT_CLEARED, 2000));
    CHECK(rig_ask(&rig, ID_COMMIT_ENTROPY, NULL, 0) == ID_ENTROPY_COMMITTED);
}

static void an_empty_hopper_holds_the_gate_until_cards_come(void)
{
    rig_start(&rig, 1);
    rig_deal(&rig, 2);
    CHECK(rig_draw(&rig));

    CHECK(is_located(FAULT_CODE_HOPPER_EMPTY, PART_HOPPER, 0));
    CHECK(rig_status(&rig).gate == GATE_HELD);
    plant_insert(&rig.plant, 10, 0, 0);
    CHECK(rig_wait(&rig, ID_CARDS_IN, 200));
    CHECK(!rig_has_fault(&rig, FAULT_CODE_HOPPER_EMPTY));
}

static void an_open_lid_stops_the_motors_within_a_poll(void)
{
    rig_start(&rig, 52);
    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    rig_run(&rig, 1000);
    rig.plant.is_lid_open = true;

    rig_run(&rig, 1);

    CHECK(is_at_rest());
    CHECK(is_located(FAULT_CODE_LID_OPEN, PART_LID, 0));
    rig_run(&rig, 1000);
    CHECK(rig_has_fault(&rig, FAULT_CODE_LID_OPEN));
    rig.plant.is_lid_open = false;
    person_clears(FAULT_CODE_LID_OPEN);
    CHECK(plant_height(&rig.plant) == 52);
}

static void a_bouncing_lid_is_one_fault(void)
{
    rig_start(&rig, 10);
    for (unsigned n = 0; n < 20; n++) {
        rig.plant.is_lid_open = n % 2 == 0;
        rig_run(&rig, 5);
    }
    rig.plant.is_lid_open = false;
    rig_run(&rig, 100);

    CHECK(rig_count(&rig, ID_FAULT_RAISED) == 1 && rig_count(&rig, ID_FAULT_CLEARED) == 1);
}

static void a_sensor_that_stays_on_is_stuck(void)
{
    rig_start(&rig, 10);
    rig.plant.stuck_high = SENSOR_EXIT;
    rig_run(&rig, STUCK_MS + 100);

    CHECK(is_located(FAULT_CODE_SENSOR_STUCK, PART_EXIT, 0));
    CHECK(rig_ask(&rig, ID_SHUFFLE, NULL, 0) == ID_REFUSED);
    rig.plant.stuck_high = 0;
    CHECK(rig_wait(&rig, ID_FAULT_CLEARED, 100));
    CHECK(rig_count(&rig, ID_CARD_OUT) == 0); /* coming free it is no card */
    CHECK(rig_count(&rig, ID_FAULT_RAISED) == 1);
}

static void a_silent_host_holds_the_gate(void)
{
    rig_start(&rig, 10);
    rig_ask(&rig, ID_RESUME, NULL, 0);
    rig_run(&rig, SILENCE_MS - 100);
    CHECK(rig_count(&rig, ID_HOST_SILENT) == 0);
    CHECK(rig_draw(&rig));

    rig_run(&rig, 200);

    CHECK(rig_count(&rig, ID_HOST_SILENT) == 1);
    CHECK(!rig_draw(&rig));
    CHECK(rig_status(&rig).gate == GATE_HELD);
    CHECK(rig_ask(&rig, ID_RESUME, NULL, 0) == ID_ACCEPTED && rig_draw(&rig));
}

static void a_host_that_only_keeps_alive_is_not_silent(void)
{
    rig_start(&rig, 10);
    rig_ask(&rig, ID_RESUME, NULL, 0);
    for (unsigned n = 0; n < 40; n++) {
        rig_run(&rig, 250);
        rig_status(&rig);
    }

    CHECK(rig_count(&rig, ID_HOST_SILENT) == 0 && rig_draw(&rig));
}

static void a_silent_host_lets_a_shuffle_end_behind_a_held_gate(void)
{
    rig_start(&rig, 52);
    rig_ask(&rig, ID_SHUFFLE, NULL, 0);

    CHECK(rig_wait(&rig, ID_SHUFFLE_FINISHED, 20000));
    CHECK(!rig_draw(&rig));
}

static void a_restart_holds_the_gate_and_begins_an_epoch(void)
{
    rig_start(&rig, 10);
    rig_ask(&rig, ID_RESUME, NULL, 0);

    rig_restart(&rig, BOOT_CAUSE_WATCHDOG);

    CHECK(rig.reply_frame.epoch == 2 && rig_status(&rig).gate == GATE_HELD);
    CHECK(rig.events[rig.event_count - 1].id == ID_BOOTED);
    CHECK(rig.events[rig.event_count - 1].payload[0] == BOOT_CAUSE_WATCHDOG);
    CHECK(rig_status(&rig).cards == 10);
}

static void a_restart_in_mid_shuffle_is_a_fault_until_the_cards_are_gathered(void)
{
    rig_start(&rig, 10);
    rig_ask(&rig, ID_SHUFFLE, NULL, 0);
    rig_run(&rig, 400);
    CHECK(plant_height(&rig.plant) < 10);

    rig_restart(&rig, BOOT_CAUSE_BROWNOUT);
    rig_run(&rig, 10);

    CHECK(is_located(FAULT_CODE_COUNT_DIFFERS, PART_CAROUSEL, 0));
    CHECK(rig_ask(&rig, ID_RESUME, NULL, 0) == ID_REFUSED);
    rig_restart(&rig, BOOT_CAUSE_BROWNOUT);
    CHECK(rig_has_fault(&rig, FAULT_CODE_COUNT_DIFFERS));
    person_clears(FAULT_CODE_COUNT_DIFFERS);
    CHECK(plant_height(&rig.plant) == 10);
}

static void a_brown_out_loop_moves_nothing(void)
{
    rig_start(&rig, 10);
    rig_ask(&rig, ID_RESUME, NULL, 0);
    for (unsigned n = 0; n < 50; n++) {
        rig_restart(&rig, BOOT_CAUSE_BROWNOUT);
        rig_run(&rig, 3);
        CHECK(is_at_rest());
    }

    CHECK(rig.reply_frame.epoch == 51 && plant_height(&rig.plant) == 10);
}

static const struct test TESTS[] = {
    {"a jam that clears is only counted", a_jam_that_clears_is_only_counted},
    {"a jam that does not is a fault", a_jam_that_does_not_is_a_fault_after_three_tries},
    {"a double feed is tried again", a_double_feed_is_fed_back_and_tried_again},
    {"cards that stick are a double feed", cards_that_stick_together_are_a_double_feed},
    {"two cards in the gate stop it", two_cards_in_the_gate_are_counted_and_stop_it},
    {"a carousel that stands still", a_carousel_that_stands_still_is_a_stalled_drive},
    {"a card that stays inside is missed", a_card_that_stays_inside_is_missed},
    {"a dead noise source", a_dead_noise_source_stops_the_shuffle_before_a_card_moves},
    {"an empty hopper holds the gate", an_empty_hopper_holds_the_gate_until_cards_come},
    {"an open lid stops the motors", an_open_lid_stops_the_motors_within_a_poll},
    {"a bouncing lid is one fault", a_bouncing_lid_is_one_fault},
    {"a sensor that stays on is stuck", a_sensor_that_stays_on_is_stuck},
    {"a silent host holds the gate", a_silent_host_holds_the_gate},
    {"a host that only keeps alive", a_host_that_only_keeps_alive_is_not_silent},
    {"a silent host lets a shuffle end", a_silent_host_lets_a_shuffle_end_behind_a_held_gate},
    {"a restart holds the gate", a_restart_holds_the_gate_and_begins_an_epoch},
    {"a restart in mid shuffle", a_restart_in_mid_shuffle_is_a_fault_until_the_cards_are_gathered},
    {"a brown-out loop moves nothing", a_brown_out_loop_moves_nothing},
};

const struct suite fault_suite = SUITE(TESTS);
