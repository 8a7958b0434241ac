"""``cutcard deck check``: the deck in photographs, and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli import main
from vision import CARD_LABELS, JOKER, Face, PlacedCard, RenderedCamera, Scene, draw_face, render

CARDS = [label for label in CARD_LABELS if label != JOKER]


def laid_out(path: Path, cards: list[str], face: Face = Face.UP, foreign: int = 0) -> Path:
    """A photograph of cards in rows of 13."""
    placed = tuple(
        PlacedCard(
            card,
            face,
            180.0 + 90.0 * (n % 13),
            190.0 + 120.0 * (n // 13),
            back="blue" if n < foreign else "red",
        )
        for n, card in enumerate(cards)
    )
    cv2.imwrite(str(path), render(Scene(placed), RenderedCamera()))
    return path


def answer(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def test_a_complete_deck_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = laid_out(tmp_path / "faces.png", CARDS)

    assert main(["deck", "check", str(picture), "--json"]) == 0
    assert answer(capsys) == {
        "counted": 52,
        "missing": [],
        "double": [],
        "unread": 0,
        "boxed": 0,
        "backs": {},
        "foreign": 0,
        "marred": [],
        "complete": True,
    }


def test_what_is_wrong_with_a_deck_is_said_and_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faces = laid_out(tmp_path / "faces.png", [*CARDS[:51], "2c"])
    backs = laid_out(tmp_path / "backs.png", CARDS, Face.DOWN, foreign=2)

    assert main(["deck", "check", str(faces), str(backs)]) == 1
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines["missing"].strip() == "As"
    assert lines["double"].strip() == "2c"
    assert lines["foreign"].strip() == "2"
    assert lines["complete"].strip() == "no"


def test_photographs_of_parts_are_added_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    laid_out(tmp_path / "a.png", [*CARDS[:26], "As"])
    laid_out(tmp_path / "b.png", CARDS[26:])

    assert main(["deck", "check", str(tmp_path), "--parts", "--json"]) == 1
    assert answer(capsys)["double"] == ["As"]


def test_cards_that_pass_in_a_video_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "inside.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (200, 240))
    empty = np.full((240, 200, 3), 28, np.uint8)
    for card in ("As", "Kd", "As"):
        shown = empty.copy()
        shown[40:194, 45:155] = draw_face(card, 110)[..., :3]
        for image in (shown, shown, empty):
            writer.write(image)
    writer.release()

    assert main(["deck", "check", str(path), "--stream", "--json"]) == 1
    found = answer(capsys)
    assert found["counted"] == 3
    assert found["double"] == ["As"]
    assert not {"As", "Kd"} & set(found["missing"])  # type: ignore[call-overload] # a list


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check"], "--camera N"),
        (["check", "a.jpg", "--camera", "0"], "either"),
        (["check", "gone.jpg"], "nothing is found"),
        (["check", "a.jpg", "--back", "pink"], "red, blue or other"),
    ],
)
def test_what_cannot_be_checked_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deck", *words]) == 2

    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_camera_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "check", "--camera", "77"]) == 2
    assert "camera 77 does not open" in capsys.readouterr().err
