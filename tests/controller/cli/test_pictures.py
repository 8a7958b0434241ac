"""What ``cutcard recognise`` reads when it is given a file, a folder or a video."""

from __future__ import annotations

import errno
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli.pictures import named_files, pictures
from vision import VisionError

GREY = np.full((48, 64, 3), 128, dtype=np.uint8)


def write_video(path: Path, frames: int, rate: float) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (64, 48))
    for _ in range(frames):
        writer.write(GREY)
    writer.release()


def test_an_image_is_one_picture_under_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), GREY)

    assert [p.name for p in pictures(str(path), 1.0)] == [str(path)]


def test_a_folder_stands_for_the_images_in_it(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.png", "notes.txt"):
        (tmp_path / name).touch()

    assert named_files(str(tmp_path)) == (str(tmp_path / "a.png"), str(tmp_path / "b.jpg"))


def test_a_video_gives_a_picture_every_so_many_seconds(tmp_path: Path) -> None:
    path = tmp_path / "hand.avi"
    write_video(path, frames=25, rate=10.0)

    assert [p.name for p in pictures(str(path), 1.0)] == [f"{path}#{n}" for n in (0, 10, 20)]


def test_a_text_file_is_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "letter.jpg"
    path.write_text("Dear dealer")

    with pytest.raises(VisionError, match=r"letter\.jpg"):
        list(pictures(str(path), 1.0))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match=r"gone\.jpg"):
        list(pictures(str(tmp_path / "gone.jpg"), 1.0))


def test_a_folder_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)

    assert named_files(str(tmp_path)) == (str(tmp_path),)
    with pytest.raises(VisionError, match=f"{tmp_path.name}: Permission denied; give another"):
        list(pictures(str(tmp_path), 1.0))
