from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import pytest

from vision.evaluation import (
    LabelledCard,
    SetScore,
    Verdict,
    judge,
    main,
    read_labels,
    score,
    use_of,
)
from vision.rendered import PlacedCard, Scene, render
from vision.values import UNKNOWN, Face, SeenCard

PHOTOS = Path(__file__).parents[3] / "shared" / "data" / "photos"


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


@pytest.mark.parametrize(
    ("set_name", "image", "use"),
    [
        ("edje_tf", "test_IMG_2383.jpg", "test"),
        ("edje_tf", "train_IMG_2401.jpg", "dev"),
        ("sergio_felt", "Test_IMG_1.jpg", "test"),
        ("sergio_felt", "Training_IMG_1.jpg", "dev"),
        ("plaskod_9toA", "latwe_1li.jpg", "test"),
        ("rdpong_single", "2hearts.jpg", "test"),
        ("guille_desk", "t_clubs_1.jpg", "dev"),
        ("gpiosenka_web", "test_ace_of_clubs_1.jpg", "dev"),
    ],
)
def test_photographs_for_testing_are_kept_apart(set_name: str, image: str, use: str) -> None:
    assert use_of(set_name, image) == use


def test_a_label_that_is_no_card_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("image,x1,y1,x2,y2,label\na.png,,,,,AS\na.png,1,2,3,4,XX\n")

    with pytest.raises(ValueError, match=r"line 3.*'XX' is no card"):
        read_labels(path)


def test_a_folder_of_ones_own_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = Scene(cards=(PlacedCard("5d", Face.UP, 620, 250, 40),))
    cv2.imwrite(str(tmp_path / "a.png"), render(scene))
    (tmp_path / "labels.csv").write_text("image,x1,y1,x2,y2,label\na.png,,,,,5D\n")

    assert main([str(tmp_path), "--json"]) == 0

    (measured,) = msgspec.json.decode(capsys.readouterr().out, type=list[SetScore])
    assert (measured.images, measured.cards, measured.right, measured.extra) == (1, 1, 1, 0)


def test_an_absent_folder_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"no photographs at {PHOTOS}")
def test_real_cards_on_felt_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(PHOTOS / "sergio_felt"), "--use", "dev", "--json"]) == 0

    (measured,) = msgspec.json.decode(capsys.readouterr().out, type=list[SetScore])
    assert measured.right >= 0.8 * measured.cards
    assert measured.sure_precision >= 0.95
