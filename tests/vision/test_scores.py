from __future__ import annotations

import pytest

from vision.labels import LabelledCard
from vision.scores import Verdict, judge, score, score_conditions
from vision.values import UNKNOWN, Face, SeenCard


def seen(card: str, x: float, confidence: float = 0.95, face: Face = Face.UP) -> SeenCard:
    quad = ((x - 5, 0.0), (x + 5, 0.0), (x + 5, 14.0), (x - 5, 14.0))
    return SeenCard(card, face, quad, confidence)


def at(label: str, x: float) -> LabelledCard:
    return LabelledCard(label, (x - 6, 0, x + 6, 14))


def outcomes(*verdicts: Verdict) -> list[str]:
    return sorted(v.outcome for v in verdicts)


def test_each_card_gets_the_verdict_it_deserves() -> None:
    labelled = [at("As", 10), at("Kd", 50), at("2c", 90), at("back", 130), at("9h", 170)]
    read = (
        seen("As", 10),
        seen("Kh", 50),
        seen(UNKNOWN, 90),
        seen(UNKNOWN, 130, face=Face.DOWN),
        seen("3s", 300),
    )

    verdicts = judge(read, labelled)

    assert outcomes(*verdicts) == ["extra", "missed", "right", "right", "unsure", "wrong"]


def test_overlapping_boxes_do_not_take_one_anothers_card() -> None:
    labelled = [LabelledCard("As", (0, 0, 40, 20)), LabelledCard("Kd", (0, 0, 40, 20))]

    assert outcomes(*judge((seen("Kd", 10), seen("As", 30)), labelled)) == ["right", "right"]


def test_measures_of_a_small_set() -> None:
    verdicts = [
        Verdict("right", 1.0),
        Verdict("right", 1.0),
        Verdict("wrong", 0.95),
        Verdict("missed"),
    ]

    measured = score("mine", verdicts, [0.1, 0.3], cards=4)

    assert (measured.right, measured.wrong, measured.missed, measured.sure) == (2, 1, 1, 3)
    assert measured.sure_precision == pytest.approx(2 / 3, abs=1e-3)
    assert measured.calibration_error == pytest.approx(abs(2.95 / 3 - 2 / 3), abs=1e-3)
    assert measured.ms_per_image == pytest.approx(200)


def test_cards_are_summed_up_by_the_conditions_they_were_seen_under() -> None:
    verdicts = [
        Verdict("right", 0.99, ("turned", "alone")),
        Verdict("wrong", 0.95, ("turned", "overlapping")),
        Verdict("missed", 0.0, ("turned", "overlapping")),
        Verdict("extra", 0.99),
    ]

    by_name = {s.condition: s for s in score_conditions(verdicts)}

    assert sorted(by_name) == ["alone", "overlapping", "turned"]
    turned = by_name["turned"]
    assert (turned.cards, turned.sure, turned.sure_wrong) == (3, 2, 1)
    assert turned.recall == pytest.approx(1 / 3, abs=1e-3)
    assert turned.precision == pytest.approx(1 / 2)
    assert by_name["overlapping"].recall == 0


def test_a_verdict_says_whether_its_card_lay_on_another() -> None:
    labelled = [LabelledCard("As", (0, 0, 63, 88)), LabelledCard("Kd", (30, 20, 93, 108))]

    verdicts = judge((), labelled)

    assert all("overlapping" in v.conditions for v in verdicts)
