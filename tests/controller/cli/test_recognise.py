"""``cutcard recognise``: cards in pictures, in the form that scripts rely on."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli import main
from vision import Face, PlacedCard, RenderedCamera, Scene, render


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered table with the ace of spades face up and one card face down."""
    scene = Scene(
        cards=(
            PlacedCard("As", Face.UP, 600.0, 400.0, 0.0, "red"),
            PlacedCard("??", Face.DOWN, 800.0, 400.0, 0.0, "red"),
        )
    )
    path = tmp_path_factory.mktemp("photographs") / "table.png"
    cv2.imwrite(str(path), render(scene, RenderedCamera()))
    return path


def test_json_has_one_line_per_image_with_card_confidence_quad_and_time(
    photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recognise", str(photograph), str(photograph), "--json"]) == 0

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 2
    assert set(lines[0]) == {"image", "cards", "ms"}
    assert lines[0]["image"] == str(photograph)
    ace = next(card for card in lines[0]["cards"] if card["card"] == "As")
    assert set(ace) == {"card", "confidence", "quad"}
    assert 0.5 < ace["confidence"] <= 1.0
    assert [len(corner) for corner in ace["quad"]] == [2, 2, 2, 2]


def test_a_person_sees_cards_and_how_many_lie_face_down(
    photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recognise", str(photograph)]) == 0

    assert "As" in capsys.readouterr().out


def test_a_bad_image_in_the_middle_is_one_line_and_the_others_are_read(
    photograph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("not an image")

    assert main(["recognise", str(photograph), str(bad), str(photograph), "--json"]) == 1

    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert len(err.splitlines()) == 1
    assert "bad.jpg" in err


def test_a_folder_without_images_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recognise", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_when_nothing_could_be_read_it_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recognise", "gone.jpg"]) == 2
    assert "gone.jpg" in capsys.readouterr().err


def test_a_folder_without_images_does_not_keep_the_others_from_being_read(
    photograph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recognise", str(tmp_path), str(photograph), "--json"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_picture_too_small_to_hold_a_card_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dot.png"
    cv2.imwrite(str(path), np.zeros((1, 1, 3), np.uint8))

    assert main(["recognise", str(path)]) == 2
    assert "dot.png" in capsys.readouterr().err


def test_without_a_file_the_command_says_how_to_get_help(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["recognise"]) == 2
    assert "cutcard recognise --help" in capsys.readouterr().err
