"""Pictures in files: one by one, or a folder of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ImageError, SourceError
from vision.sources.frames import Frame, ReadingSource

IMAGE_SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff")

HEIC_SUFFIXES: Final = (".heic", ".heif")
"""What phones may save instead; OpenCV does not read them, so the user is told."""

_HEIF: Final = (b"heic", b"heix", b"hevc", b"mif1", b"msf1")
"""Brands of ISO/IEC 23008-12 that need an HEVC decoder."""

_PNG: Final = b"\x89PNG"
_PNG_END: Final = b"IEND"
_JPEG: Final = b"\xff\xd8"
_JPEG_END: Final = b"\xff\xd9"
_IMAGES: Final = (_PNG, _JPEG, b"II*\0", b"MM\0*", b"BM", b"RIFF")
"""First bytes of what OpenCV reads: PNG, JPEG, TIFF, BMP, WebP."""

_TAIL: Final = 64
"""Bytes at the end of a file among which its end mark stands, with some padding."""

FOLDER_FRAME_S: Final = 1.0
"""Pictures of a folder are a second apart: they have no clock of their own."""


def read_image(path: Path) -> NDArray[np.uint8]:
    """Read a picture as the product uses it.

    A rotation noted by a camera is applied, 16 bits become 8, grey becomes BGR,
    and transparency is laid over white.

    Returns:
        Shape (H, W, 3), uint8, BGR.

    Raises:
        ImageError: The file is absent, empty or not an image.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise ImageError(f"{path}: {reason}; give an existing image file") from error
    return decode_image(data, str(path))


def decode_image(data: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """Decode the bytes of an image file; ``name`` is for the error's sentence.

    Raises:
        ImageError: The bytes are not an image, or not all of one.
    """
    content = data.tobytes()
    if content.startswith(_PNG) and _PNG_END not in content[-_TAIL:]:
        # Asked to decode it, the PNG library would write to stderr by itself.
        raise ImageError(f"{name} is cut off; copy it again")
    try:
        # Only IMREAD_COLOR applies the rotation; only IMREAD_UNCHANGED keeps transparency.
        image = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
        full = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    except cv2.error:
        image = full = None
    if image is None or full is None:
        raise ImageError(f"{name} {_why_not(content)}")
    if full.ndim == 3 and full.shape[2] == 4:
        return _over_white(_eight_bit(np.asarray(full)))
    return _eight_bit(np.asarray(image))


def _why_not(content: bytes) -> str:
    """What is wrong with bytes that could not be decoded, and what to do."""
    if content[4:8] == b"ftyp" and content[8:12] in _HEIF:
        return "is a HEIC picture; save or send it as JPEG"
    if content.startswith(_JPEG) and _JPEG_END not in content[-_TAIL:]:
        return "is cut off; copy it again"
    if content.startswith(_IMAGES) and len(content) > _TAIL:
        return "is damaged or has more than 1,000 megapixels; export it again, smaller"
    kinds = ", ".join(suffix[1:] for suffix in IMAGE_SUFFIXES)
    return f"is not an image that can be read; give one of {kinds}"


def _over_white(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    alpha = image[..., 3:].astype(np.float32) / 255
    mixed = image[..., :3] * alpha + 255 * (1 - alpha)
    return np.asarray(np.rint(mixed), dtype=np.uint8)


def _eight_bit(image: NDArray[np.number]) -> NDArray[np.uint8]:
    """16 bits lose their lower half; floats are stretched to the whole range."""
    if image.dtype == np.uint8:
        return np.asarray(image, dtype=np.uint8)
    if image.dtype == np.uint16:
        return np.asarray(image.astype(np.uint32) // 257, dtype=np.uint8)
    values = np.nan_to_num(np.asarray(image, dtype=np.float64))
    low, high = float(values.min()), float(values.max())
    return np.asarray((values - low) * 255 / max(high - low, 1e-9), dtype=np.uint8)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Order in which a person counts: ``frame2`` before ``frame10``."""
    parts = re.findall(r"\d+|\D+", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


class FolderSource(ReadingSource):
    """The pictures of a folder in the order of their names.

    Raises:
        SourceError: No such folder, or no picture in it.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise SourceError(f"there is no folder {folder}; give a folder of images")
        self._paths = sorted(
            (p for p in folder.iterdir() if p.suffix.lower() in IMAGE_SUFFIXES), key=_natural
        )
        if not self._paths:
            kinds = ", ".join(IMAGE_SUFFIXES)
            raise SourceError(f"folder {folder} holds no images; put {kinds} files into it")
        self._number = 0

    def read(self) -> Frame | None:
        """The next picture.

        Raises:
            ImageError: A file that is called an image is none; the next read goes on
                with the file after it.
        """
        if self._number >= len(self._paths):
            return None
        number = self._number
        self._number += 1
        return Frame(read_image(self._paths[number]), number * FOLDER_FRAME_S, number)


class FileSource(ReadingSource):
    """A single picture as a source of one frame."""

    def __init__(self, path: Path) -> None:
        self._image: NDArray[np.uint8] | None = read_image(path)

    def read(self) -> Frame | None:
        """The picture, once."""
        image, self._image = self._image, None
        return None if image is None else Frame(image, 0.0, 0)
