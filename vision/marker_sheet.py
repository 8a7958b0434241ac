"""The marker sheet to print, as a PDF whose squares have their exact size."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ZonesError

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

_MM: Final = 72 / 25.4
"""A millimetre in the points that PDF counts in."""

Paper = Literal["A4", "Letter"]

PAPER_MM: Final[dict[Paper, tuple[float, float]]] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height: ISO 216 and ANSI/ASME Y14.1 (8.5 x 11 inches)."""

MARGIN_MM: Final = 12.0
"""Wider than what home printers leave unprinted."""

_HEAD_MM: Final = 34.0
"""Room above the markers for the rule and the instructions."""

RULE_MM: Final = 100.0
"""Length of the printed line that shows whether the printer kept the size."""

_CELLS: Final = 6
"""A marker of DICT_4X4_50 is 4 x 4 cells inside a black border of one."""

_QUIET_SHARE: Final = 1 / 6
"""White around the black square: one cell, as the detector needs."""

_LABEL_MM: Final = 8.0

_PLACES: Final = {
    0: "far left corner, seen by the dealer",
    1: "far right corner",
    2: "near right corner",
    3: "near left corner",
}


def marker_sheet_pdf(numbers: Sequence[int], side_mm: float, paper: Paper = "A4") -> bytes:
    """The markers to print and cut out, on as many pages as they need.

    Args:
        numbers: Which markers, each 0 to 49.
        side_mm: Side of the black square.
        paper: The printer's paper.

    Returns:
        The bytes of a PDF file.

    Raises:
        ZonesError: A number that there is no marker for, or a size that does not fit
            the paper.
    """
    # Loading it takes longer than all the rest of a command that prints no sheet.
    from reportlab.pdfgen.canvas import Canvas

    _verify(numbers, side_mm, paper)
    width, height = PAPER_MM[paper]
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=(width * _MM, height * _MM), pageCompression=0, invariant=1)
    canvas.setTitle(f"Table markers, {side_mm:g} mm")
    for page in _pages(numbers, side_mm, paper):
        _draw_head(canvas, side_mm, height)
        for number, (x, y) in page:
            _draw_marker(canvas, number, side_mm, (x, height - y))
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def _verify(numbers: Sequence[int], side_mm: float, paper: Paper) -> None:
    wrong = [number for number in numbers if not 0 <= number < 50]
    if wrong or not numbers:
        raise ZonesError(f"there is no marker {wrong[0] if wrong else 'to print'}; give 0 to 49")
    if side_mm < 15 or not _columns(side_mm, paper) or not _rows(side_mm, paper):
        raise ZonesError(
            f"markers of {side_mm:g} mm do not fit {paper} paper; give 15 to {_largest(paper)} mm"
        )


def _tile(side_mm: float) -> tuple[float, float]:
    """Width and height of what is cut out: marker, white and label."""
    wide = side_mm * (1 + 2 * _QUIET_SHARE)
    return wide, wide + _LABEL_MM


def _columns(side_mm: float, paper: Paper) -> int:
    return int((PAPER_MM[paper][0] - 2 * MARGIN_MM) // _tile(side_mm)[0])


def _rows(side_mm: float, paper: Paper) -> int:
    return int((PAPER_MM[paper][1] - 2 * MARGIN_MM - _HEAD_MM) // _tile(side_mm)[1])


def _largest(paper: Paper) -> int:
    sides = range(15, 300)
    return max(side for side in sides if _columns(side, paper) and _rows(side, paper))


def _pages(
    numbers: Sequence[int], side_mm: float, paper: Paper
) -> Iterator[list[tuple[int, tuple[float, float]]]]:
    """For each page its markers with the top left corner of their tiles, from the top left."""
    columns, rows = _columns(side_mm, paper), _rows(side_mm, paper)
    wide, high = _tile(side_mm)
    for first in range(0, len(numbers), columns * rows):
        page = numbers[first : first + columns * rows]
        yield [
            (
                number,
                (
                    MARGIN_MM + wide * (place % columns),
                    MARGIN_MM + _HEAD_MM + high * (place // columns),
                ),
            )
            for place, number in enumerate(page)
        ]


def _draw_head(canvas: Canvas, side_mm: float, height_mm: float) -> None:
    left, top = MARGIN_MM * _MM, (height_mm - MARGIN_MM) * _MM
    canvas.setFont("Helvetica-Bold", 13)
    canvas.drawString(left, top - 4 * _MM, f"cutcard table markers, {side_mm:g} mm")
    canvas.setFont("Helvetica", 9)
    words = (
        "Print at 100 % (no fitting to the page), on matt paper. The line must be 100 mm long.",
        "Cut along the grey lines. Lay them flat in the felt's corners, label towards the dealer.",
    )
    for line, sentence in enumerate(words):
        canvas.drawString(left, top - (10 + 4.5 * line) * _MM, sentence)
    y = top - 22 * _MM
    canvas.setLineWidth(0.3 * _MM)
    canvas.line(left, y, left + RULE_MM * _MM, y)
    for x in (left, left + RULE_MM * _MM):
        canvas.line(x, y - 2 * _MM, x, y + 2 * _MM)


def _draw_marker(canvas: Canvas, number: int, side_mm: float, corner: tuple[float, float]) -> None:
    """One tile with its top left corner there, in millimetres from the page's bottom left."""
    wide, high = _tile(side_mm)
    x, y = corner
    quiet = side_mm * _QUIET_SHARE
    canvas.setStrokeGray(0.75)
    canvas.setLineWidth(0.15 * _MM)
    canvas.rect(x * _MM, (y - high) * _MM, wide * _MM, high * _MM, stroke=1, fill=0)
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    cell = side_mm / _CELLS
    for row, line in enumerate(_cells(number)):
        top = y - quiet - (row + 1) * cell
        for start, end in _runs(line):
            left = x + quiet + start * cell
            canvas.rect(
                left * _MM, top * _MM, (end - start) * cell * _MM, cell * _MM, stroke=0, fill=1
            )
    canvas.setFont("Helvetica", 8)
    place = f": {_PLACES[number]}" if number in _PLACES else ""
    canvas.drawCentredString((x + wide / 2) * _MM, (y - high + 4.5) * _MM, f"{number}{place}")


def _cells(number: int) -> NDArray[np.bool_]:
    """Which cells of a marker are black, shape (6, 6)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture = cv2.aruco.generateImageMarker(dictionary, number, _CELLS)
    return np.asarray(np.asarray(picture) == 0, dtype=np.bool_)


def _runs(line: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches of black cells: joined, so that no hairline shows between them."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False])).astype(np.int8)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]
