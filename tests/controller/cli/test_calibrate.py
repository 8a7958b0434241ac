"""``cutcard calibrate``: the sheet, the table in a picture, and the words about it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli import main
from vision import RenderedCamera, Scene, load_layout, read_image, render


@pytest.fixture(scope="module")
def photograph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photographs") / "table.png"
    cv2.imwrite(str(path), render(Scene(), RenderedCamera(width_px=1920, height_px=1080)))
    return path


def answer(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    (line,) = capsys.readouterr().out.splitlines()
    answered = json.loads(line)
    assert isinstance(answered, dict)
    return answered


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_sheet_is_written(
    paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "markers.pdf"

    assert main(["calibrate", "--sheet", str(path), "--paper", paper]) == 0
    assert path.read_bytes().startswith(b"%PDF-")
    assert "100 %" in capsys.readouterr().out


def test_a_usable_camera_is_described_in_one_json_line(
    photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(photograph), "--json"]) == 0

    found = answer(capsys)
    assert found["markers"] == [0, 1, 2, 3]
    assert found["px_per_mm"] == pytest.approx(1920 / 1440, rel=0.06)
    index = found["index"]
    assert isinstance(index, dict)
    assert index["px"] == pytest.approx(8.4 * 1920 / 1440, rel=0.06)
    assert index["legibility"] == "good"
    assert found["outside"] == []


def test_a_camera_too_far_away_is_a_failure_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "far.png"
    cv2.imwrite(str(path), render(Scene(), RenderedCamera(width_px=854, height_px=480)))

    assert main(["calibrate", str(path)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "failure" in out
    assert "nearer" in out


def test_a_jumbo_index_is_higher_in_the_same_picture(
    photograph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["calibrate", str(photograph), "--json"])
    standard = answer(capsys)["index"]
    main(["calibrate", str(photograph), "--index", "jumbo", "--json"])
    jumbo = answer(capsys)["index"]

    assert isinstance(standard, dict)
    assert isinstance(jumbo, dict)
    assert jumbo["px"] / standard["px"] == pytest.approx(16 / 8.4, rel=0.02)


def test_the_layout_found_can_be_used_again(
    photograph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, overlay = tmp_path / "zones.toml", tmp_path / "zones.png"
    words = ["--measure", "--seats", "6", "--out", str(out), "--overlay", str(overlay)]

    assert main(["calibrate", str(photograph), *words]) == 0
    assert read_image(overlay).shape == (1080, 1920, 3)
    assert "seat:6" in load_layout(out).zones.names
    capsys.readouterr()
    assert main(["calibrate", str(photograph), "--layout", str(out), "--json"]) == 0
    assert answer(capsys)["error_px"] == pytest.approx(0.0, abs=0.5)


def test_zones_in_pixels_of_the_picture_become_a_layout(photograph: Path, tmp_path: Path) -> None:
    drawn, out = tmp_path / "drawn.toml", tmp_path / "zones.toml"
    drawn.write_text(
        '[[zone]]\nname = "burn"\ncorners = [[960, 540], [1093, 540], [1093, 700], [960, 700]]\n',
        encoding="utf-8",
    )

    assert main(["calibrate", str(photograph), "--layout", str(drawn), "--out", str(out)]) == 0
    corners = np.array(load_layout(out).zones.polygon("burn"))
    assert np.linalg.norm(corners[1] - corners[0]) == pytest.approx(100.0, rel=0.05)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--sheet"),
        (["gone.png"], "nothing is found"),
        (["--sheet", "/no/such/folder/m.pdf"], "a folder that exists"),
        (["--sheet", "m.pdf", "--marker-mm", "500"], "do not fit A4"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *words]) == 2

    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_picture_without_markers_says_which_to_uncover(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.png"
    cv2.imwrite(str(path), np.full((400, 600, 3), 90, np.uint8))

    assert main(["calibrate", str(path)]) == 2
    assert "uncover marker 0, 1, 2, 3" in capsys.readouterr().err


def test_an_overlay_needs_a_known_picture_format(
    photograph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(photograph), "--overlay", str(tmp_path / "zones.xyz")]) == 2
    assert ".png" in capsys.readouterr().err
