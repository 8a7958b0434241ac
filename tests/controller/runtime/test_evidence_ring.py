"""The ring of pictures: bounded, and what is public of one picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from controller.runtime import evidence_ring
from controller.runtime.evidence_folder import sha256
from controller.runtime.evidence_ring import FrameRing, Still, best_of, spread
from vision import Zone, Zones

from .filmed import CHANGE, ZONES, frame


def still(taken_ms: int, *, is_change: bool = False, zones: Zones | None = ZONES) -> Still:
    return Still(frame(200).image, taken_ms, CHANGE if is_change else (), zones)


def opened(jpeg: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def times(ring: FrameRing) -> list[int]:
    return [each.taken_ms for each in ring.between(0, 10**9)]


def test_pictures_in_which_nothing_changes_are_kept_five_times_a_second() -> None:
    ring = FrameRing()
    for at_ms in range(0, 1000, 33):
        ring.take(still(at_ms))

    assert times(ring) == [0, 231, 462, 693, 924]


def test_a_picture_with_a_change_is_always_kept() -> None:
    ring = FrameRing()
    for at_ms in (0, 10, 20):
        ring.take(still(at_ms, is_change=at_ms == 20))

    assert times(ring) == [0, 20]


def test_pictures_older_than_eight_seconds_are_let_go() -> None:
    ring = FrameRing()
    for at_ms in range(0, 20_000, 1000):
        ring.take(still(at_ms))

    assert times(ring) == list(range(11_000, 20_000, 1000))


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    one = len(still(0).jpeg())
    monkeypatch.setattr(evidence_ring, "MOST_BYTES", 3 * one)
    ring = FrameRing()
    for at_ms in range(0, 6_000, 500):
        ring.take(still(at_ms))

    assert ring.size <= 3 * one
    assert times(ring)[-1] == 5_500


def test_the_best_picture_is_the_newest_with_a_change() -> None:
    stills = [still(0, is_change=True), still(1, is_change=True), still(2)]

    best = best_of(stills)

    assert best is stills[1]
    assert best_of([]) is None
    assert best_of([stills[2]]) is stills[2]


def test_for_each_time_another_picture_is_chosen() -> None:
    stills = [still(n) for n in (0, 900, 1100, 3000)]

    assert [s.taken_ms for s in spread(stills, (1000, 1000, 9000))] == [900, 1100, 3000]
    assert spread([], (1000,)) == ()


def test_in_a_covered_picture_only_the_public_places_are_left() -> None:
    seen = opened(still(0).covered())

    assert seen[4:20, 4:26].min() > 150, "board:1 is public"
    assert seen[4:20, 40:60].max() < 60, "seat:1 is not"
    assert seen[32:, :].max() < 60, "nor is the muck"


def test_where_a_public_place_lies_under_another_it_is_covered() -> None:
    """A card there may be one of the seat."""
    both = Zones(
        (
            Zone("board:1", ((0, 0), (64, 0), (64, 48), (0, 48))),
            Zone("seat:1", ((0, 0), (64, 0), (64, 24), (0, 24))),
        )
    )

    seen = opened(still(0, zones=both).covered())

    assert seen[:16].max() < 60
    assert seen[34:].min() > 150


def test_a_card_that_the_table_has_seen_is_left_where_it_lies() -> None:
    """An exposed card at a seat: it alone is shown, not the other card beside it."""
    seen = opened(still(0, is_change=True).covered(frozenset({("seat:1", "As")})))

    assert seen[8:14, 43:47].min() > 150
    assert seen[4:20, 54:64].max() < 60


@pytest.mark.parametrize("public", [("seat:1", "Ks"), ("seat:2", "As")])
def test_another_card_or_the_same_elsewhere_is_not(public: tuple[str, str]) -> None:
    seen = opened(still(0, is_change=True).covered(frozenset({public})))

    assert seen[4:20, 36:].max() < 60


def test_without_zones_nothing_is_public() -> None:
    assert still(0, zones=None).covered() == b""


def test_a_large_picture_is_made_smaller_and_its_zones_with_it() -> None:
    image = np.full((2160, 3840, 3), 200, np.uint8)
    board = Zones((Zone("board:1", ((0, 0), (1920, 0), (1920, 2160), (0, 2160))),))
    large = Still(image, 0, (), board)

    seen = opened(large.covered())

    assert opened(large.jpeg()).shape == (1080, 1920, 3)
    assert seen[:, :940].min() > 150
    assert seen[:, 980:].max() < 60


def test_the_hash_of_a_picture_does_not_say_what_is_on_it() -> None:
    """Whoever renders every card and compares hashes would else learn a sealed one."""
    assert sha256(still(0).jpeg()) != sha256(still(0).jpeg())
