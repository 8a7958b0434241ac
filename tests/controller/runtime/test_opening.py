"""From a table file to cameras that have found the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.runtime.camera import CameraFeed, JoinedFeed
from controller.runtime.config import CameraSection, TableConfig, TableSection
from controller.runtime.opening import open_camera
from vision import (
    FrameSource,
    RenderedCamera,
    RenderedSource,
    Scene,
    SeenCard,
    SourceError,
    TableLayout,
    TableWatcher,
    TrackedTable,
    ZonesError,
    dump_layout,
    dump_zones,
)


class Blind:
    """Reads nothing."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        return ()


class Cameras:
    """Rendered cameras by their spec; notes what was opened and closed."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.closed: list[str] = []

    def open(self, spec: str) -> FrameSource:
        if spec == "camera:9":
            raise SourceError("camera 9 does not open; plug it in")
        self.opened.append(spec)
        cameras = self

        class Noting(RenderedSource):
            def close(self) -> None:
                cameras.closed.append(spec)

        return Noting(Scene, RenderedCamera(width_px=960, height_px=540), frames=3)


def table(source: str, second: str = "none", zones: str = "markers") -> TableConfig:
    camera = CameraSection(source=source, second=second, zones=zones)
    return TableConfig(table=TableSection(name="T", seats=6), camera=camera)


def test_one_camera_is_tracked_by_the_markers() -> None:
    feed = open_camera(table("camera:0"), Blind, Cameras().open)

    assert isinstance(feed, CameraFeed)
    assert isinstance(feed._watcher, TrackedTable)


def test_two_cameras_are_opened_and_joined() -> None:
    cameras = Cameras()
    feed = open_camera(table("camera:0", "camera:1"), Blind, cameras.open)

    assert isinstance(feed, JoinedFeed)
    assert cameras.opened == ["camera:0", "camera:1"]


def test_a_layout_of_ones_own_is_found_by_its_markers(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    path.write_text(dump_layout(TableLayout.standard(4)), encoding="utf-8")
    feed = open_camera(table("camera:0", zones=str(path)), Blind, Cameras().open)

    assert isinstance(feed, CameraFeed)
    assert isinstance(feed._watcher, TrackedTable)


def test_zones_in_pixels_need_no_markers(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    path.write_text(dump_zones(TableLayout.standard(4).zones, "px"), encoding="utf-8")
    feed = open_camera(table("camera:0", zones=str(path)), Blind, Cameras().open)

    assert isinstance(feed, CameraFeed)
    assert isinstance(feed._watcher, TableWatcher)


def test_two_cameras_cannot_share_zones_in_pixels(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    path.write_text(dump_zones(TableLayout.standard(4).zones, "px"), encoding="utf-8")

    with pytest.raises(ZonesError, match="in pixels of one picture"):
        open_camera(table("camera:0", "camera:1", str(path)), Blind, Cameras().open)


def test_the_first_camera_is_let_go_when_the_second_does_not_open() -> None:
    cameras = Cameras()

    with pytest.raises(SourceError, match="camera 9"):
        open_camera(table("camera:0", "camera:9"), Blind, cameras.open)
    assert cameras.closed == ["camera:0"]
    assert cameras.opened == ["camera:0"]


@pytest.mark.parametrize(("spec", "comes_back"), [("camera:0", True), ("hand.mp4", False)])
def test_a_camera_is_opened_again_and_a_file_is_not(spec: str, comes_back: bool) -> None:
    feed = open_camera(table(spec), Blind, Cameras().open)

    assert isinstance(feed, CameraFeed)
    assert (feed._reopen_source is not None) is comes_back
