"""Picture files of every usual kind become BGR frames; what is none is named."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import ImageError, SourceError
from vision.sources import open_source, read_image

HALVES = np.zeros((40, 60, 3), np.uint8)
HALVES[:, :30] = (200, 100, 50)


def test_a_colour_picture_is_read_as_it_is(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), HALVES)

    assert np.array_equal(read_image(tmp_path / "a.png"), HALVES)


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), HALVES.astype(np.uint16) * 257)

    assert np.array_equal(read_image(tmp_path / "a.png"), HALVES)


def test_grey_becomes_colour(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), np.full((10, 20), 77, np.uint8))
    image = read_image(tmp_path / "a.png")

    assert image.shape == (10, 20, 3)
    assert (image == 77).all()


def test_transparency_is_laid_over_white(tmp_path: Path) -> None:
    clear = np.dstack([HALVES, np.zeros((40, 60), np.uint8)])
    cv2.imwrite(str(tmp_path / "a.png"), clear)

    assert (read_image(tmp_path / "a.png") == 255).all()


def test_the_rotation_a_camera_noted_is_applied(tmp_path: Path) -> None:
    """EXIF orientation 6: turn by 90 degrees clockwise to see it upright."""
    jpeg = cv2.imencode(".jpg", HALVES)[1].tobytes()
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0)
    tiff = b"MM\x00\x2a" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry + bytes(4)
    body = b"Exif\x00\x00" + tiff
    (tmp_path / "a.jpg").write_bytes(
        jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]
    )
    image = read_image(tmp_path / "a.jpg")

    assert image.shape == (60, 40, 3)
    assert image[:25].mean() > 80 > image[35:].mean()


@pytest.mark.parametrize("content", [b"", b"these are words", b"\x89PNG\r\n\x1a\nbroken"])
def test_a_file_that_is_no_image_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "card.png"
    path.write_bytes(content)

    with pytest.raises(ImageError, match=r"card\.png is not an image"):
        read_image(path)


def test_an_absent_image_is_named(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"gone\.png: No such file"):
        read_image(tmp_path / "gone.png")


def test_a_folder_gives_its_pictures_as_a_person_counts(tmp_path: Path) -> None:
    for name, level in (("f10", 100), ("f2", 20), ("f1", 10)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((4, 4, 3), level, np.uint8))
    (tmp_path / "notes.txt").write_text("not a picture")

    with open_source(str(tmp_path)) as source:
        frames = list(source)
    assert [(f.number, int(f.image[0, 0, 0])) for f in frames] == [(0, 10), (1, 20), (2, 100)]


def test_a_bad_picture_in_a_folder_does_not_end_it(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no")
    cv2.imwrite(str(tmp_path / "b.png"), HALVES)
    source = open_source(str(tmp_path))

    with pytest.raises(ImageError, match=r"a\.png"):
        source.read()
    frame = source.read()
    assert frame is not None
    assert frame.number == 1


def test_a_folder_without_pictures_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no images"):
        open_source(str(tmp_path))


def test_one_picture_is_a_source_of_one_frame(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), HALVES)

    assert [f.number for f in open_source(str(tmp_path / "a.png"))] == [0]
