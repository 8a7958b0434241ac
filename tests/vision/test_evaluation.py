from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import pytest

from vision.evaluation import Evaluation, main
from vision.rendered import PlacedCard, Scene, render
from vision.values import Face

PHOTOS = Path(__file__).parents[3] / "shared" / "data" / "photos"


def test_a_folder_of_ones_own_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = Scene(cards=(PlacedCard("5d", Face.UP, 620, 250, 40),))
    cv2.imwrite(str(tmp_path / "a.png"), render(scene))
    (tmp_path / "labels.csv").write_text("image,x1,y1,x2,y2,label\na.png,,,,,5D\n")

    assert main([str(tmp_path), "--json"]) == 0

    (evaluation,) = msgspec.json.decode(capsys.readouterr().out, type=list[Evaluation])
    (measured,) = evaluation.sets
    assert (measured.images, measured.cards, measured.right, measured.extra) == (1, 1, 1, 0)


def test_the_plain_way_is_measured_in_the_same_run_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), render(Scene()))
    (tmp_path / "labels.csv").write_text("image,x1,y1,x2,y2,label\na.png,,,,,5D\n")

    assert main([str(tmp_path), "--plain"]) == 0

    said = capsys.readouterr().out
    assert "reader: nets" in said
    assert "reader: plain" in said
    assert "condition" in said


def test_an_absent_folder_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"no photographs at {PHOTOS}")
def test_real_cards_on_felt_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(PHOTOS / "sergio_felt"), "--use", "dev", "--json"]) == 0

    (evaluation,) = msgspec.json.decode(capsys.readouterr().out, type=list[Evaluation])
    (measured,) = evaluation.sets
    assert measured.right >= 0.8 * measured.cards
    assert measured.sure_precision >= 0.95
