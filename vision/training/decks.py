"""Card faces for training: artwork folders, and the faces the project draws itself."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.artwork import BACK_COLOURS, FaceStyle, draw_back, draw_face
from vision.values import CARD_LABELS, JOKER

FACE_SIZE: Final = (160, 224)
"""Width and height to which faces are brought: twice the recogniser's input."""

DECKS: Final = (
    "byron_knoll_vector",
    "grecaun_simple",
    "hayeah_byron_png",
    "heruka_2color",
    "heruka_2color-bf",
    "heruka_4color",
    "heruka_4color-bf",
    "spatz_jumbo_Accessible_Vertical",
    "spatz_jumbo_Horizontal2",
    "spatz_jumbo_Horizontal4",
    "spatz_jumbo_Vertical2",
    "spatz_jumbo_Vertical4",
)
"""Folders that may be trained on: public domain, CC0 or MIT, nothing else."""

BACK: Final = "back"

_PLAIN_BACKED: Final = ("hayeah_byron_png",)
"""Decks whose back is near white: learning it would turn blank paper into backs."""

Face = NDArray[np.uint8]
Faces = dict[str, list[Face]]


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Where a deck prints its corner index.

    Attributes:
        x: Middle of rank and pip, as a share of the card's width.
        y: Middle between the top of the rank and the foot of the pip, of the card's height.
        height: From the top of the rank to the foot of the pip, of the card's height.
    """

    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Deck:
    """Faces of one design, by label."""

    name: str
    faces: Faces
    place: IndexPlace


_INDEX_PLACES: Final = {
    "byron_knoll_vector": IndexPlace(0.103, 0.132, 0.228),
    "grecaun_simple": IndexPlace(0.158, 0.195, 0.353),
    "hayeah_byron_png": IndexPlace(0.093, 0.125, 0.224),
    "heruka_2color": IndexPlace(0.09, 0.125, 0.178),
    "heruka_2color-bf": IndexPlace(0.14, 0.226, 0.377),
    "heruka_4color": IndexPlace(0.09, 0.125, 0.178),
    "heruka_4color-bf": IndexPlace(0.14, 0.226, 0.377),
    "spatz_jumbo_Accessible_Vertical": IndexPlace(0.125, 0.154, 0.254),
    "spatz_jumbo_Vertical2": IndexPlace(0.125, 0.154, 0.254),
    "spatz_jumbo_Vertical4": IndexPlace(0.125, 0.154, 0.254),
}
"""Measured on the pictures. Decks whose pip stands beside the rank are not among them."""

_DRAWN: Final = (
    (FaceStyle("standard"), IndexPlace(0.103, 0.145, 0.201)),
    (FaceStyle("standard", weight=0.75), IndexPlace(0.103, 0.145, 0.201)),
    (FaceStyle("standard", four_colour=True), IndexPlace(0.103, 0.145, 0.201)),
    (FaceStyle("jumbo", weight=1.1), IndexPlace(0.139, 0.204, 0.317)),
    (FaceStyle("jumbo", four_colour=True, weight=0.8), IndexPlace(0.139, 0.204, 0.317)),
)
"""The faces that the project draws itself, and where their index stands."""


def load_faces(artwork: Path) -> Faces:
    """Collect faces and backs by label.

    Args:
        artwork: Folder with one folder per deck, with files such as ``AS.png``.

    Returns:
        Pictures of FACE_SIZE in BGRA for each label of CARD_LABELS, and under BACK.

    Raises:
        FileNotFoundError: None of the decks that may be used is there.
    """
    faces: Faces = defaultdict(list)
    found = [artwork / deck for deck in DECKS if (artwork / deck).is_dir()]
    if not found:
        raise FileNotFoundError(f"no deck in {artwork}: expected a folder such as {DECKS[0]}")
    for deck in found:
        for label, printed in _faces_in(deck).items():
            faces[label] += printed
    _add_drawn(faces)
    return dict(faces)


def load_decks(artwork: Path) -> list[Deck]:
    """Collect decks whose corner index is a rank above a pip.

    Args:
        artwork: Folder with one folder per deck, with files such as ``AS.png``.

    Returns:
        The decks found there and those that the project draws itself.
    """
    decks = [
        Deck(name, _faces_in(artwork / name), place)
        for name, place in _INDEX_PLACES.items()
        if (artwork / name).is_dir()
    ]
    for number, (style, place) in enumerate(_DRAWN):
        faces = {c: [fitted(draw_face(c, 320, style=style))] for c in CARD_LABELS}
        decks.append(Deck(f"drawn_{number}", faces, place))
    return decks


def _faces_in(deck: Path) -> Faces:
    faces: Faces = defaultdict(list)
    for path in sorted(deck.iterdir()):
        label = _label(path.stem, deck.name)
        if label and _is_best(path):
            faces[label].append(fitted(_picture(path)))
    return dict(faces)


def _label(stem: str, deck: str) -> str:
    """``AS`` to ``As``; empty for a file that is no card."""
    if stem.startswith("BACK") and deck not in _PLAIN_BACKED:
        return BACK
    if stem.startswith("JOKER"):
        return JOKER
    label = stem[:1].upper() + stem[1:].lower()
    return label if label in CARD_LABELS else ""


def _is_best(path: Path) -> bool:
    """A PNG goes before the SVG of the same card, which some renderers draw wrongly."""
    return path.suffix == ".png" or (
        path.suffix == ".svg" and not path.with_suffix(".png").exists()
    )


def _picture(path: Path) -> Face:
    if path.suffix == ".svg":
        import cairosvg

        data = cairosvg.svg2png(url=str(path), output_width=FACE_SIZE[0] * 2)
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    else:
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise FileNotFoundError(f"{path} is no picture")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return np.asarray(picture, dtype=np.uint8)


def fitted(picture: Face) -> Face:
    """Trimmed to what is printed, and of FACE_SIZE; paper is put under transparent parts."""
    rows = np.flatnonzero(picture[..., 3].max(axis=1) > 40)
    columns = np.flatnonzero(picture[..., 3].max(axis=0) > 40)
    picture = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    alpha = picture[..., 3:].astype(np.float32) / 255
    paper = picture[..., :3] * alpha + 255 * (1 - alpha)
    small = cv2.resize(paper, FACE_SIZE, interpolation=cv2.INTER_AREA)
    mask = np.zeros((FACE_SIZE[1], FACE_SIZE[0]), np.uint8)
    radius = FACE_SIZE[0] // 20
    right, bottom = FACE_SIZE[0] - 1 - radius, FACE_SIZE[1] - 1 - radius
    cv2.rectangle(mask, (radius, 0), (right, FACE_SIZE[1]), 255, -1)
    cv2.rectangle(mask, (0, radius), (FACE_SIZE[0], bottom), 255, -1)
    for x in (radius, right):
        for y in (radius, bottom):
            cv2.circle(mask, (x, y), radius, 255, -1)
    return np.dstack([np.clip(small, 0, 255).astype(np.uint8), mask])


def _add_drawn(faces: Faces) -> None:
    for label in CARD_LABELS:
        faces[label] += [fitted(draw_face(label, 320, style=style)) for style, _ in _DRAWN]
    faces[BACK] += [fitted(draw_back(colour, 320)) for colour in BACK_COLOURS]
