from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scripts.measure_conditions import Condition
from scripts.picture_failures import failures, row
from vision.reader import CardReader
from vision.values import SeenCard


class Blind(CardReader):
    def __init__(self) -> None:
        """Needs no nets."""

    def read(self, image: NDArray[np.uint8]) -> tuple[SeenCard, ...]:
        return ()


def test_a_reader_that_sees_nothing_fails_on_every_card_by_name() -> None:
    failed = failures(Condition("usual"), Blind())

    assert len(failed) == 52
    assert {said for _, said in failed} == {"missed"}


def test_a_row_shows_the_failed_cards_and_stays_white_where_there_are_no_more() -> None:
    shown = row(Condition("usual"), Blind())

    assert (shown[22:134] < 200).any()
    assert shown.shape[1] == 6 * 112
