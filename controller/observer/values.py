"""What reaches the observer, and what it keeps between two inputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.cards import Card
from controller.events import Street


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card as it lies in a zone; ``back`` is its back colour when face down, else empty."""

    card: Card
    up: bool
    back: str = ""


@dataclass(frozen=True, slots=True)
class ZoneContent:
    """All cards that lie in a zone now, left to right; times are in milliseconds."""

    zone: str
    cards: tuple[LyingCard, ...]
    at_ms: int


@dataclass(frozen=True, slots=True)
class CardLeftShoe:
    """The shoe gave its ``number``-th card since the last shuffle."""

    number: int
    boxed: bool
    at_ms: int


@dataclass(frozen=True, slots=True)
class CardsEnteredShoe:
    """Somebody put cards into the shoe; it then holds ``count``."""

    count: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class MachineShuffled:
    """The machine shuffled everything in it: ``count`` cards, -1 uncounted, ``boxed`` of them."""

    count: int
    at_ms: int
    boxed: int = 0


@dataclass(frozen=True, slots=True)
class TableCleared:
    """All cards were gathered: what still lies about is on its way out and means nothing."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class TimePassed:
    """The clock moved on with nothing else to report."""

    at_ms: int


Input = ZoneContent | CardLeftShoe | CardsEnteredShoe | MachineShuffled | TableCleared | TimePassed


@dataclass(frozen=True, slots=True)
class Situation:
    """What the observer must know of the hand to read a fact.

    ``due`` is the zone the next card of the stub goes to: ``seat:N``, ``burn``,
    ``board`` or empty when no card is due. ``cards_out`` says that the hand has
    begun, so that a shuffle of the machine is a reshuffle of the stub. ``folded``
    are the seats that are out of the hand: what leaves them goes to the muck,
    where a heap does not show how many cards it holds. ``order`` are the seats of
    the deal from the one that is due on, round and round.
    """

    street: Street = Street.BETWEEN
    due: str = ""
    cards_out: bool = False
    deck_back: str = ""
    folded: frozenset[int] = frozenset()
    order: tuple[int, ...] = ()

    @property
    def due_seat(self) -> int:
        """The seat the next card goes to, 0 when it goes to no seat."""
        return seat_of(self.due)


@dataclass(frozen=True, slots=True)
class Loose:
    """A card that left a zone, or came into one, and whose other end is not known yet."""

    card: LyingCard
    zone: str
    at_ms: int
    together: int = 1


@dataclass(frozen=True, slots=True)
class Memory:
    """What the observer remembers; ``Memory(shoe=..., camera=...)`` starts one.

    ``in_shoe`` is how many cards the machine holds, -1 not known. ``stale`` are
    zones whose content was gathered and is waited for to vanish. ``entering`` is how
    many cards the shoe counted in whose leaving the camera has not seen yet. ``given``
    is the machine's side of the ledger: cards it gave since the deck was shuffled less
    those it took back, -1 not known; ``number`` is that of the last one. ``assumed``
    says that the burn of this street was taken for one though the camera had not seen it.
    """

    shoe: bool = True
    camera: bool = True
    zones: dict[str, tuple[LyingCard, ...]] = field(default_factory=dict)
    outs: tuple[CardLeftShoe, ...] = ()
    gone: tuple[Loose, ...] = ()
    come: tuple[Loose, ...] = ()
    unread: tuple[ZoneContent, ...] = ()
    stale: frozenset[str] = frozenset()
    backs_said: frozenset[tuple[str, str]] = frozenset()
    in_shoe: int = -1
    entering: int = 0
    given: int = -1
    number: int = 0
    board_at_ms: int = -1
    assumed: bool = False


def seat_of(zone: str) -> int:
    """The seat number of a ``seat:N`` zone, 0 for any other zone."""
    head, _, tail = zone.partition(":")
    return int(tail) if head == "seat" and tail else 0


def is_board(zone: str) -> bool:
    """Whether the zone is the board or one of its slots."""
    return zone.split(":")[0] == "board"
