"""Picture files of every usual kind become BGR frames; what is none is named."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

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


STORED = {
    1: HALVES,
    2: HALVES[:, ::-1],
    3: HALVES[::-1, ::-1],
    4: HALVES[::-1],
    5: HALVES.transpose(1, 0, 2),
    6: HALVES.transpose(1, 0, 2)[::-1],
    7: HALVES[::-1, ::-1].transpose(1, 0, 2),
    8: HALVES.transpose(1, 0, 2)[:, ::-1],
}
"""What a phone stores by the way it is held, for the same upright picture."""


@pytest.mark.parametrize("orientation", sorted(STORED))
def test_however_the_phone_was_held_the_picture_is_upright(
    tmp_path: Path, orientation: int
) -> None:
    """EXIF 2.32, 4.6.4 A: orientation 1 to 8; 5 to 8 exchange width and height."""
    tag = Image.Exif()
    tag[0x0112] = orientation
    stored = np.ascontiguousarray(STORED[orientation][..., ::-1])
    path = tmp_path / "a.jpg"
    Image.fromarray(stored).save(path, exif=tag, quality=100, subsampling=0)

    image = read_image(path)
    assert image.shape == HALVES.shape
    assert np.abs(image.astype(int) - HALVES).max() <= 4


@pytest.mark.parametrize(
    ("mode", "suffixes"),
    [
        ("CMYK", ".jpg .tif"),
        ("L", ".jpg .png .tif .bmp .webp"),
        ("LA", ".png .tif"),
        ("P", ".png .bmp"),
        ("RGBA", ".png .tif .webp"),
    ],
)
def test_every_way_to_store_colours_becomes_eight_bit_bgr(
    tmp_path: Path, mode: str, suffixes: str
) -> None:
    grey = Image.fromarray(np.full((40, 60), 102, np.uint8)).convert("RGB").convert(mode)
    for suffix in suffixes.split():
        path = tmp_path / f"card{suffix}"
        grey.save(path)
        image = read_image(path)

        assert image.shape == (40, 60, 3), suffix
        assert image.dtype == np.uint8, suffix
        assert np.abs(image.astype(int) - 102).max() <= 3, suffix


@pytest.mark.parametrize("content", [b"", b"these are words", b"\xff\xd8\xff\xd9", b"GIF89a"])
def test_a_file_that_is_no_image_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "card.png"
    path.write_bytes(content)

    with pytest.raises(ImageError, match=r"card\.png is not an image"):
        read_image(path)


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_file_that_is_cut_off_is_said_and_nothing_else(
    tmp_path: Path, suffix: str, share: float, capfd: pytest.CaptureFixture[str]
) -> None:
    noisy = np.random.default_rng(1).integers(0, 255, (90, 120, 3), dtype=np.uint8)
    content = cv2.imencode(suffix, noisy)[1].tobytes()
    path = tmp_path / f"card{suffix}"
    path.write_bytes(content[: int(len(content) * share)])

    with pytest.raises(ImageError, match="is cut off; copy it again"):
        read_image(path)
    assert capfd.readouterr().err == ""


def test_a_phones_heic_picture_is_named_with_the_way_out(tmp_path: Path) -> None:
    """ISO/IEC 14496-12, 4.3: the file type box comes first, with the brand."""
    path = tmp_path / "IMG_0001.HEIC"
    path.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1" + bytes(200))

    with pytest.raises(ImageError, match="HEIC picture; save or send it as JPEG"):
        open_source(str(path))


def test_a_picture_with_more_pixels_than_can_be_held_is_said(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    path.write_bytes(png_head(60_000, 60_000))

    with pytest.raises(ImageError, match="more than 1,000 megapixels"):
        read_image(path)


def png_head(width: int, height: int) -> bytes:
    """A PNG of that size, of which only the head is there (ISO/IEC 15948, 11.2)."""
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    text = png_chunk(b"tEXt", b"Comment\0" + bytes(90))
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", size) + text + png_chunk(b"IEND", b"")


def png_chunk(kind: bytes, body: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + body))
    return struct.pack(">I", len(body)) + kind + body + check


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
