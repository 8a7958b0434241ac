"""Decks with other indices: the artwork's faces, their corners printed anew.

Every house has its own index: other letters, other sizes, four colours. The
artwork that may be trained on has few, so its faces are given corners in free
typefaces (installed with the ``train`` extra) and in the project's own pips.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.glyphs import suit_outlines
from vision.training.decks import FACE_SIZE, Deck, Face, IndexPlace
from vision.values import CARD_LABELS, JOKER

_TYPEFACES: Final = {
    "font_roboto": ("Roboto-Regular", "Roboto-Bold", "Roboto-Medium"),
    "font_source_serif_pro": (
        "SourceSerifPro-Regular",
        "SourceSerifPro-Bold",
        "SourceSerifPro-Semibold",
        "SourceSerifPro-Black",
    ),
    "font_source_sans_pro": ("SourceSansPro-Semibold", "SourceSansPro-Bold"),
    "font_caladea": ("Caladea-Regular", "Caladea-Bold"),
    "font_fjallaone": ("FjallaOne-Regular",),
    "font_fredoka_one": ("FredokaOne-Regular",),
}
"""Package of each typeface and its cuts; Apache-2.0 or OFL-1.1, used for pictures only."""

_GLYPH_PX: Final = 160
"""Letters are drawn this high, then brought to size."""

_BLACK: Final = (28, 24, 22)
_FOUR_COLOURS: Final = {"c": (45, 120, 20), "d": (190, 85, 15), "h": (38, 28, 200), "s": _BLACK}

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Print:
    """How one deck prints its indices; lengths are shares of the card's height."""

    typeface: Path
    rank_height: float
    rank_squeeze: float
    pip_height: float
    pip_stretch: float
    gap: float
    left: float
    top: float
    colours: dict[str, tuple[int, int, int]]

    @property
    def height(self) -> float:
        """From the top of the rank to the foot of the pip."""
        return self.rank_height + self.gap + self.pip_height


def reindexed_decks(decks: list[Deck], count: int, seed: int) -> list[Deck]:
    """Print the faces of some decks with new indices.

    Args:
        decks: Whose faces are taken.
        count: How many new decks.
        seed: Same seed, same decks.

    Returns:
        Decks of the 52 ranks and suits, without jokers and backs.

    Raises:
        ModuleNotFoundError: A package of typefaces is absent: install the ``train`` extra.
    """
    rng = np.random.default_rng(seed)
    files = _typeface_files()
    return [_printed(decks, _drawn_print(files, rng), number, rng) for number in range(count)]


def _typeface_files() -> list[Path]:
    files = []
    for package, cuts in _TYPEFACES.items():
        folder = Path(str(import_module(package).font_directory))
        files += [folder / f"{cut}.ttf" for cut in cuts]
    return files


def _drawn_print(files: list[Path], rng: np.random.Generator) -> _Print:
    rank = float(rng.uniform(0.075, 0.115) if rng.random() < 0.6 else rng.uniform(0.12, 0.2))
    red = (int(rng.integers(15, 70)), int(rng.integers(10, 60)), int(rng.integers(150, 235)))
    black = tuple(int(v) for v in rng.integers(5, 55, 3))
    colours = {"c": black, "s": black, "d": red, "h": red}
    return _Print(
        typeface=files[int(rng.integers(0, len(files)))],
        rank_height=rank,
        rank_squeeze=float(rng.uniform(0.5, 1.0)),
        pip_height=rank * float(rng.uniform(0.6, 1.0)),
        pip_stretch=float(rng.uniform(0.78, 1.1)),
        gap=rank * float(rng.uniform(0.05, 0.3)),
        left=float(rng.uniform(0.018, 0.04)),
        top=float(rng.uniform(0.02, 0.055)),
        colours=dict(_FOUR_COLOURS) if rng.random() < 0.25 else colours,  # type: ignore[arg-type]
    )


def _printed(decks: list[Deck], style: _Print, number: int, rng: np.random.Generator) -> Deck:
    width = max(_rank_width(style, rank) for rank in "KQA8")
    place = IndexPlace(
        (style.left + width / 2) * FACE_SIZE[1] / FACE_SIZE[0],
        style.top + style.height / 2,
        style.height,
    )
    faces: dict[str, list[Face]] = {}
    for label in CARD_LABELS:
        if label == JOKER:
            continue
        base = decks[int(rng.integers(0, len(decks)))]
        face = base.faces[label][0].copy()
        for _ in range(2):
            _clear(face, base.place)
            _print_index(face, label, style, place)
            face = np.ascontiguousarray(face[::-1, ::-1])
        faces[label] = [face]
    return Deck(f"reindexed_{number}", faces, place)


def _clear(face: Face, place: IndexPlace) -> None:
    width, height = FACE_SIZE
    right = int((2 * place.x + 0.02) * width)
    bottom = int((place.y + place.height / 2 + 0.012) * height)
    face[3:bottom, 3:right, :3] = 255


def _print_index(face: Face, label: str, style: _Print, place: IndexPlace) -> None:
    height = FACE_SIZE[1]
    rank, suit = label[0], label[1]
    middle = place.x * FACE_SIZE[0]
    colour = style.colours[suit]
    size = (_rank_width(style, rank) * height, style.rank_height * height)
    top = style.top * height
    _stamp(
        face, _letter("10" if rank == "T" else rank, style.typeface), (middle, top), size, colour
    )
    pip = style.pip_height * height
    top += (style.rank_height + style.gap) * height
    _stamp(face, _pip(suit), (middle, top), (pip * style.pip_stretch, pip), colour)


def _rank_width(style: _Print, rank: str) -> float:
    mask = _letter("10" if rank == "T" else rank, style.typeface)
    natural = style.rank_height * mask.shape[1] / mask.shape[0] * style.rank_squeeze
    return float(min(natural, style.rank_height * (1.1 if rank == "T" else 1.0)))


def _stamp(
    face: Face,
    mask: Mask,
    top_middle: tuple[float, float],
    size: tuple[float, float],
    colour: tuple[int, int, int],
) -> None:
    """Print a mask, its top middle at a point, at a size in pixels of the face."""
    scale = (size[0] / mask.shape[1], size[1] / mask.shape[0])
    left = top_middle[0] - size[0] / 2
    fine = cv2.GaussianBlur(mask, (0, 0), max(0.3, 0.35 / min(scale)))
    move = np.array([(scale[0], 0, left), (0, scale[1], top_middle[1])])
    stamped = cv2.warpAffine(fine, move, FACE_SIZE, flags=cv2.INTER_LINEAR)
    share = stamped[..., None].astype(np.float32) / 255
    face[..., :3] = (face[..., :3] * (1 - share) + np.array(colour) * share).astype(np.uint8)


@lru_cache(maxsize=512)
def _letter(text: str, typeface: Path) -> Mask:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(str(typeface), _GLYPH_PX)
    canvas = Image.new("L", (3 * _GLYPH_PX, 2 * _GLYPH_PX))
    ImageDraw.Draw(canvas).text((_GLYPH_PX // 2, _GLYPH_PX // 4), text, fill=255, font=font)
    return _trimmed(np.asarray(canvas, dtype=np.uint8))


@lru_cache(maxsize=4)
def _pip(suit: str) -> Mask:
    canvas = np.zeros((2 * _GLYPH_PX, 2 * _GLYPH_PX), np.uint8)
    for outline in suit_outlines(suit):
        points = np.round((outline * _GLYPH_PX + _GLYPH_PX) * 16).astype(np.int32)
        cv2.fillPoly(canvas, [points], 255, cv2.LINE_AA, 4)
    return _trimmed(canvas)


def _trimmed(mask: Mask) -> Mask:
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
