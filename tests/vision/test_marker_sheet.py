"""The printed sheet: its squares have their size, and the detector reads them."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.errors import ZonesError
from vision.marker_sheet import PAPER_MM, Paper, marker_sheet_pdf
from vision.markers import detect_markers

POINT_MM = 25.4 / 72
"""PDF 32000-1, 8.3.2.3: a unit is 1/72 inch."""

PX_PER_MM = 4.0


def pages(pdf: bytes) -> list[NDArray[np.uint8]]:
    """Each page with its filled rectangles painted, from the operators in the file."""
    width, height = (
        round(float(v) * POINT_MM * PX_PER_MM)
        for v in re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)[0]
    )
    painted = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S):
        page = np.full((height, width, 3), 255, np.uint8)
        for numbers in re.findall(rb"n ([-\d. ]+) re f\b", stream):
            x, y, wide, high = (float(v) * POINT_MM * PX_PER_MM for v in numbers.split())
            corners = (round(x), round(height - y - high)), (round(x + wide), round(height - y))
            page[corners[0][1] : corners[1][1], corners[0][0] : corners[1][0]] = 0
        painted.append(page)
    return painted


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("side_mm", [30.0, 60.0, 100.0])
def test_every_marker_is_read_and_has_its_size(paper: Paper, side_mm: float) -> None:
    found: dict[int, float] = {}
    for page in pages(marker_sheet_pdf(range(6), side_mm, paper)):
        for number, quad in detect_markers(page).items():
            sides = [np.linalg.norm(quad[n] - quad[n - 1]) for n in range(4)]
            found[number] = float(np.mean(sides)) / PX_PER_MM

    assert sorted(found) == [0, 1, 2, 3, 4, 5]
    assert list(found.values()) == pytest.approx([side_mm] * 6, abs=0.4)


@pytest.mark.parametrize(("paper", "points"), [("A4", (595.28, 841.89)), ("Letter", (612, 792))])
def test_the_page_has_the_papers_size(paper: Paper, points: tuple[float, float]) -> None:
    pdf = marker_sheet_pdf((0,), 60.0, paper)
    size = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)[0]

    assert [float(v) for v in size] == pytest.approx(points, abs=0.01)


def test_the_line_to_check_the_print_is_100_mm_long() -> None:
    pdf = marker_sheet_pdf((0,), 60.0)
    (x0, y0, x1, y1), *_ = re.findall(rb"n ([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S", pdf)

    assert (float(x1) - float(x0)) * POINT_MM == pytest.approx(100.0, abs=0.01)
    assert y0 == y1


def test_the_sheet_is_the_same_each_time() -> None:
    assert marker_sheet_pdf((0, 1), 60.0) == marker_sheet_pdf((0, 1), 60.0)


@pytest.mark.parametrize(("number", "side_mm"), [(50, 60.0), (-1, 60.0), (0, 400.0), (0, 5.0)])
def test_what_cannot_be_printed_is_said(number: int, side_mm: float) -> None:
    with pytest.raises(ZonesError, match="give"):
        marker_sheet_pdf((number,), side_mm)


def test_the_largest_marker_named_in_the_refusal_fits() -> None:
    with pytest.raises(ZonesError, match="15 to") as refusal:
        marker_sheet_pdf((0,), 400.0)
    largest = float(re.findall(r"15 to (\d+) mm", str(refusal.value))[0])

    (page,) = pages(marker_sheet_pdf((0,), largest))
    assert set(detect_markers(page)) == {0}
    assert page.shape[1] == round(PAPER_MM["A4"][0] * PX_PER_MM)
    assert cv2.countNonZero(255 - page[:40, :, 0]) == 0
