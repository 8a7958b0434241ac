"""What changed in one zone between two sightings of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.observer.values import LyingCard


@dataclass(frozen=True, slots=True)
class Turn:
    """A card of the zone that was face down and lies face up now; ``place`` from 1, leftmost."""

    card: LyingCard
    place: int


@dataclass(frozen=True, slots=True)
class Change:
    """Cards that appeared in the zone, vanished from it, and turned face up in it."""

    appeared: tuple[LyingCard, ...] = ()
    vanished: tuple[LyingCard, ...] = ()
    turned: tuple[Turn, ...] = ()


def compare(old: Sequence[LyingCard], new: Sequence[LyingCard]) -> Change:
    """Match the cards of two contents of one zone, the surest matches first.

    A face that is the same is the same card; then cards face down are matched
    with one another; then a card face down with one that lies up now (it was
    turned), or the other way round.
    """
    before, after = list(enumerate(old, start=1)), list(new)
    _match(before, after, lambda a, b: a.up and b.up and a.card is b.card)
    _match(before, after, lambda a, b: not a.up and not b.up and a.back == b.back)
    _match(before, after, lambda a, b: not a.up and not b.up)
    turned = _match(before, after, lambda a, b: not a.up and b.up)
    _match(before, after, lambda a, b: a.up and not b.up)
    _match(before, after, lambda a, b: not (a.card.is_known and b.card.is_known))
    return Change(tuple(after), tuple(card for _, card in before), tuple(turned))


def _match(
    before: list[tuple[int, LyingCard]],
    after: list[LyingCard],
    same: Callable[[LyingCard, LyingCard], bool],
) -> list[Turn]:
    """Take matching pairs out of both lists; returns the newer card of each with its old place."""
    pairs = []
    for place, card in tuple(before):
        found = next((other for other in after if same(card, other)), None)
        if found is not None:
            before.remove((place, card))
            after.remove(found)
            pairs.append(Turn(found, place))
    return pairs
