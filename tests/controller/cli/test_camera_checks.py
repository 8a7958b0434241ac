"""``cutcard doctor`` and the camera: pictures, markers, zones, the recogniser's weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from controller.cli.camera_checks import (
    check_camera,
    check_markers,
    check_model,
    check_zones_file,
)
from controller.cli.findings import Health
from vision import (
    CardReader,
    Frame,
    ModelError,
    RenderedCamera,
    Scene,
    TableLayout,
    dump_zones,
    render,
)

LAYOUT = TableLayout.standard(10)
TABLE = render(Scene(), RenderedCamera())


def write(folder: Path, image: NDArray[np.uint8]) -> str:
    path = folder / "picture.png"
    cv2.imwrite(str(path), image)
    return str(path)


def test_a_camera_with_a_usable_picture_gives_its_size(tmp_path: Path) -> None:
    finding, frame = check_camera(write(tmp_path, TABLE))

    assert finding.health is Health.OK
    assert f"{TABLE.shape[1]} x {TABLE.shape[0]}" in finding.fact
    assert frame is not None


def test_a_black_picture_says_to_take_off_the_lens_cover(tmp_path: Path) -> None:
    finding, frame = check_camera(write(tmp_path, np.zeros_like(TABLE)))

    assert finding.health is Health.FAILURE
    assert "lens cover" in finding.remedy
    assert frame is None


def test_a_blurred_picture_says_to_focus(tmp_path: Path) -> None:
    blurred = np.asarray(cv2.GaussianBlur(TABLE, (0, 0), 25), dtype=np.uint8)

    finding, _ = check_camera(write(tmp_path, blurred))

    assert finding.health is Health.FAILURE
    assert "focus" in finding.remedy


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    finding, _ = check_camera(str(tmp_path / "gone.mp4"))

    assert finding.health is Health.FAILURE
    assert "gone.mp4" in finding.fact
    assert finding.remedy


def test_the_markers_of_the_standard_table_are_found() -> None:
    assert check_markers(Frame(TABLE, 0.0, 0), LAYOUT).health is Health.OK


def test_hidden_markers_are_a_failure_with_the_remedy() -> None:
    grey = np.full_like(TABLE, 120)

    finding = check_markers(Frame(grey, 0.0, 0), LAYOUT)

    assert finding.health is Health.FAILURE
    assert "uncover" in finding.remedy


def test_markers_that_lie_elsewhere_are_a_failure_with_the_command_that_helps() -> None:
    moved = tuple(replace(m, x_mm=m.x_mm + 60 * (m.number == 2)) for m in LAYOUT.markers)

    finding = check_markers(Frame(TABLE, 0.0, 0), replace(LAYOUT, markers=moved))
    assert finding.health is Health.FAILURE
    assert "cutcard calibrate --measure" in finding.remedy


def test_a_zones_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    path.write_text(dump_zones(TableLayout.standard(10).zones, "mm"))

    assert check_zones_file(path).health is Health.OK


def test_a_wrong_zones_file_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    path.write_text("unit = 'inch'\n")

    finding = check_zones_file(path)

    assert finding.health is Health.FAILURE
    assert "zones.toml" in finding.fact


def test_the_shipped_recogniser_is_whole() -> None:
    assert check_model().health is Health.OK


def test_a_damaged_recogniser_says_to_install_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(model: Path | None = None) -> CardReader:
        raise ModelError("cards.onnx is damaged: install it again")

    monkeypatch.setattr(CardReader, "load", load)

    assert check_model().health is Health.FAILURE
