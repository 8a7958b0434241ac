"""Counting a deck: spread on the felt, or card by card as a shuffler's camera sees it.

Only how often each card was seen is kept, in the fixed order of CARD_LABELS.
The order in which cards came is neither stored nor logged nor shown: it would
be the order of the deck in play.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from vision.tracks import SURE_MARGIN, Track, short_side
from vision.values import CARD_LABELS, JOKER, UNKNOWN, Face, SeenCard

_PLACE: Final = {label: n for n, label in enumerate(CARD_LABELS)}

_SAME_CARD: Final = 0.5
"""Two readings of one name nearer than this share of the short side are one card."""

_MOST_CONFIDENT: Final = 0.995
_LOOKS_TO_CHANGE: Final = 2
"""Looks in a row at another name that make another card, where no gap was seen."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What should be there: ``decks`` times 52 cards, and so many jokers in all."""

    jokers: int = 0
    decks: int = 1

    def copies(self, label: str) -> int:
        """How many of a card there should be."""
        return self.jokers if label == JOKER else self.decks

    @property
    def size(self) -> int:
        """How many cards there should be."""
        return 52 * self.decks + self.jokers


@dataclass(frozen=True, slots=True)
class DeckReport:
    """What a deck was found to be; names are in the order of CARD_LABELS.

    Attributes:
        counted: Cards seen face up or as boxed, named or not.
        missing: Cards that should be there and were not seen, each once for each missing.
        double: Cards seen more often than they should be, each once for each too many.
        unread: Cards seen face up that could not be named.
        boxed: Cards that lay the other way round.
        backs: How many backs of each colour were seen in the deck turned over.
        foreign: How many of them are of another colour than the deck's.
        marred: Cards with a bent corner, a nick or a mark, for a person to look at.
    """

    counted: int
    missing: tuple[str, ...]
    double: tuple[str, ...]
    unread: int = 0
    boxed: int = 0
    backs: Mapping[str, int] = field(default_factory=dict)
    foreign: int = 0
    marred: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether this is the deck that it should be, all cards the same way round."""
        return not (self.missing or self.double or self.unread or self.boxed or self.foreign)


def report(counts: Sequence[int], deck: Deck, unread: int = 0, boxed: int = 0) -> DeckReport:
    """Compare counts, in the order of CARD_LABELS, with a deck.

    A joker more than the deck should have is double; what was not read or lay
    face down is not taken for any card.
    """
    missing, double = [], []
    for label, count in zip(CARD_LABELS, counts, strict=True):
        over = count - deck.copies(label)
        missing += [label] * -over
        double += [label] * over
    return DeckReport(sum(counts) + unread + boxed, tuple(missing), tuple(double), unread, boxed)


class SpreadCount:
    """Counts a deck that lies spread, from one or several pictures of it.

    Args:
        deck: What should be there.
        parts: Whether each picture shows other cards; otherwise all show the same
            spread, or overlapping parts of it, and a card in two of them is one.
        looks: In how many pictures a card must be seen: more than 1 for the many
            pictures of a video, where the recogniser sees each card often.
        back: Colour of the deck's back; that of most backs when empty.
    """

    def __init__(self, deck: Deck, *, parts: bool = False, looks: int = 1, back: str = "") -> None:
        self._deck, self._parts, self._looks, self._back = deck, parts, looks, back
        self._evidence: dict[tuple[int, int], list[float]] = {}
        self._added = [0] * len(CARD_LABELS)
        self._unread = self._boxed = 0
        self._backs: dict[str, int] = {}
        self._marred: dict[str, int] = {}

    def add(self, cards: Iterable[SeenCard], marred: Iterable[str] = ()) -> None:
        """Count one picture, in which some of the cards look marred."""
        for label in marred:
            self._marred[label] = self._marred.get(label, 0) + 1
        seen = _distinct(cards)
        up = [card for card in seen if card.face is Face.UP]
        down = [card for card in seen if card.face is Face.DOWN]
        if len(down) > len(up):
            self._add_turned(down, len(up))
            return
        unread = sum(card.card == UNKNOWN for card in up)
        self._unread = self._merged(self._unread, unread)
        self._boxed = self._merged(self._boxed, len(down))
        self._add_named(card for card in up if card.card != UNKNOWN)

    def _add_turned(self, down: Sequence[SeenCard], up: int) -> None:
        """A picture of the deck turned over: its backs, and boxed cards face up."""
        self._boxed = self._merged(self._boxed, up)
        for colour in sorted({card.back for card in down}):
            count = sum(card.back == colour for card in down)
            self._backs[colour] = self._merged(self._backs.get(colour, 0), count)

    def _merged(self, before: int, now: int) -> int:
        return before + now if self._parts else max(before, now)

    def _add_named(self, named: Iterable[SeenCard]) -> None:
        copies = [0] * len(CARD_LABELS)
        for card in named:
            place = _PLACE[card.card]
            weight = -math.log(1.0 - min(card.confidence, _MOST_CONFIDENT))
            self._evidence.setdefault((place, copies[place]), []).append(weight)
            copies[place] += 1
        if self._parts:
            self._added = [a + b for a, b in zip(self._added, copies, strict=True)]

    def report(self) -> DeckReport:
        """What the deck was found to be so far."""
        counts = self._added if self._parts else self._counts()
        found = report(counts, self._deck, self._unread, self._boxed)
        usual = self._back or max(self._backs, key=lambda c: self._backs[c], default="")
        foreign = sum(count for colour, count in self._backs.items() if colour != usual)
        backs = dict(sorted(self._backs.items()))
        marred = tuple(c for c in CARD_LABELS if self._marred.get(c, 0) >= self._looks)
        return replace(found, backs=backs, foreign=foreign, marred=marred)

    def _counts(self) -> list[int]:
        counts = [0] * len(CARD_LABELS)
        for (place, _), weights in self._evidence.items():
            enough = len(weights) >= self._looks
            counts[place] += enough and (self._looks == 1 or sum(weights) >= SURE_MARGIN)
        return counts


def _distinct(cards: Iterable[SeenCard]) -> list[SeenCard]:
    """The cards of a picture, each once even where both its indices were read."""
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda seen: -seen.confidence):
        reach = _SAME_CARD * short_side(card)
        if not any(
            other.card == card.card and math.dist(other.centre, card.centre) < reach
            for other in kept
        ):
            kept.append(card)
    return kept


class PassageCount:
    """Counts single cards that pass a camera one after another.

    A passage ends when a picture shows no card, or when another name is read
    several times in a row. What is kept of it is one more in a count.

    Args:
        deck: What should be there.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._counts = [0] * len(CARD_LABELS)
        self._unread = self._boxed = 0
        self._passing: Track | None = None
        self._other: Track | None = None

    @property
    def is_passing(self) -> bool:
        """Whether a card is in view."""
        return self._passing is not None

    @property
    def passed(self) -> int:
        """How many cards have passed."""
        return sum(self._counts) + self._unread + self._boxed

    def look(self, cards: Iterable[SeenCard]) -> None:
        """Count one picture: the surest card in it, if any, is the one that passes."""
        seen = max(cards, key=lambda card: card.confidence, default=None)
        if seen is None:
            self._close()
        elif self._passing is None:
            self._passing = _begun(seen)
        elif self._is_another(seen):
            self._other = self._other or Track(seen)
            self._other.add(seen)
            if self._other.looks >= _LOOKS_TO_CHANGE:
                following, self._other = self._other, None
                self._close()
                self._passing = following
        else:
            self._other = None
            self._passing.add(seen)

    def report(self) -> DeckReport:
        """What the deck was found to be; a card still in view is counted too."""
        self._close()
        return report(self._counts, self._deck, self._unread, self._boxed)

    def _is_another(self, seen: SeenCard) -> bool:
        """Whether a look speaks for another card than the one that is passing."""
        if self._passing is None:
            return False
        now = self._passing.decided()
        if now.face is not seen.face:
            return True
        return UNKNOWN not in (now.card, seen.card) and now.card != seen.card

    def _close(self) -> None:
        """The card has passed: count it, and forget it."""
        if self._passing is None:
            return
        decided = self._passing.decided()
        if decided.face is Face.DOWN:
            self._boxed += 1
        elif decided.card == UNKNOWN:
            self._unread += 1
        else:
            self._counts[_PLACE[decided.card]] += 1
        self._passing = self._other = None


def _begun(seen: SeenCard) -> Track:
    track = Track(seen)
    track.add(seen)
    return track
