"""A covered picture holds nothing of what is covered."""

from __future__ import annotations

import numpy as np

from vision.covering import covered, grown

RNG = np.random.default_rng(1)
PICTURE = RNG.integers(0, 256, (80, 120, 3), np.uint8)
OTHER = RNG.integers(0, 256, (80, 120, 3), np.uint8)
LEFT = ((0.0, 0.0), (59.0, 0.0), (59.0, 79.0), (0.0, 79.0))


def test_nothing_but_the_chosen_part_depends_on_the_picture() -> None:
    one, other = covered(PICTURE, [LEFT]), covered(OTHER, [LEFT])

    assert np.array_equal(one[:, :60], PICTURE[:, :60])
    assert np.array_equal(one[:, 60:], other[:, 60:])


def test_without_a_chosen_part_two_pictures_give_the_same() -> None:
    assert np.array_equal(covered(PICTURE, []), covered(OTHER, []))


def test_what_is_hidden_stays_so_over_something_shown() -> None:
    hidden = ((20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0))
    result = covered(PICTURE, [LEFT], [hidden])

    assert np.array_equal(result[20:41, 20:41], covered(OTHER, [])[20:41, 20:41])
    assert np.array_equal(result[:20, :60], PICTURE[:20, :60])


def test_an_outline_grows_about_its_middle() -> None:
    square = ((10.0, 10.0), (20.0, 10.0), (20.0, 20.0), (10.0, 20.0))

    assert grown(square, 0.2) == ((9.0, 9.0), (21.0, 9.0), (21.0, 21.0), (9.0, 21.0))
