from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.conditions import conditions_of


def box_around(height: float, angle_deg: float) -> tuple[float, float, float, float]:
    """The upright box around a card of 63 by 88 turned by an angle."""
    width, angle = height * 63 / 88, math.radians(angle_deg)
    c, s = math.cos(angle), math.sin(angle)
    return (10, 20, 10 + width * c + height * s, 20 + width * s + height * c)


@given(height=st.floats(50, 2000), angle=st.floats(0, 90))
def test_size_and_angle_are_told_from_the_box_around_a_turned_card(
    height: float, angle: float
) -> None:
    # 0.19 of a card's height is its index; away from the edges of the classes of size and angle.
    index = 0.19 * height
    if min(abs(index - edge) for edge in (12, 18, 27, 40, 80)) < 0.01:
        return
    if abs(min(angle, 90 - angle) - 12) < 0.1:
        return

    size, turn, _ = conditions_of(box_around(height, angle), [])

    if index > 80:
        assert size == "index over 80 px"
    else:
        low, high = (float(part) for part in size.split()[1].split("-"))
        assert low <= index <= high
    assert turn == ("upright or lying" if min(angle, 90 - angle) < 12 else "turned")


def test_a_box_too_narrow_for_a_card_is_one_cut_off_or_covered() -> None:
    assert conditions_of((0, 0, 30, 120), [])[0] == "cut off or covered"


@pytest.mark.parametrize(
    ("other", "company"),
    [
        ((200.0, 0.0, 263.0, 88.0), "among others"),
        ((40.0, 10.0, 103.0, 98.0), "overlapping"),
    ],
)
def test_company_of_a_card(other: tuple[float, float, float, float], company: str) -> None:
    assert conditions_of((0, 0, 63, 88), [other])[-1] == company


def test_a_card_by_itself_and_one_without_a_box() -> None:
    assert conditions_of((0, 0, 63, 88), [])[-1] == "alone"
    assert conditions_of(None, []) == ("no box",)
