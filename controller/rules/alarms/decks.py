"""The life of each deck: hands, shuffles, days and jams, and since when it is known to be right."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from controller.alarms import DeckLife, Watch
from controller.events import DeckChanged, DeckPrepared, HandStarted
from controller.table import TableState

Change = Callable[[DeckLife], DeckLife]


def life_of(state: TableState) -> DeckLife:
    """What the deck in play has been through."""
    return state.watch.decks.get(state.deck_back, DeckLife())


def change_life(watch: Watch, back: str, change: Change) -> Watch:
    """The watch with the life of one deck changed."""
    life = change(watch.decks.get(back, DeckLife()))
    return replace(watch, decks={**watch.decks, back: life})


def dealt(watch: Watch, back: str, hand: int) -> Watch:
    """The first card of a hand was dealt from the deck; a hand dealt anew counts once."""

    def older(life: DeckLife) -> DeckLife:
        if life.since_check[-1:] == (hand,):
            return life
        return replace(
            life,
            hands=life.hands + 1,
            since_count=(*life.since_count, hand),
            since_check=(*life.since_check, hand),
        )

    return change_life(watch, back, older)


def shuffled(watch: Watch, back: str, *, is_complete: bool, is_counted: bool = False) -> Watch:
    """The deck was shuffled, and counted complete when ``is_complete``.

    ``is_counted``: this shuffle was counted when the deck was made ready.
    """

    def older(life: DeckLife) -> DeckLife:
        since = () if is_complete else life.since_count
        more = 0 if is_counted else 1
        return replace(life, shuffles=life.shuffles + more, since_count=since)

    watch = replace(watch, is_made_ready=False)
    return change_life(watch, back, older)


def counted_complete(watch: Watch, back: str) -> Watch:
    """All cards of the deck were counted."""
    return change_life(watch, back, lambda life: replace(life, since_count=()))


def jammed(watch: Watch, back: str) -> Watch:
    """The machine jammed with the deck: worn and sticky cards do that more often."""
    return change_life(watch, back, lambda life: replace(life, jams=life.jams + 1))


def started(watch: Watch, event: HandStarted) -> Watch:
    """The deck is in use on this day; one that lay ready is in play."""
    watch = replace(
        watch,
        ready=tuple(b for b in watch.ready if b != event.deck_back),
        is_made_ready=event.deck_back in watch.ready,
    )

    def older(life: DeckLife) -> DeckLife:
        if not event.date or event.date == life.date:
            return life
        return replace(life, days=life.days + 1, date=event.date)

    return change_life(watch, event.deck_back, older)


def changed(watch: Watch, back: str, event: DeckChanged) -> Watch:
    """Another deck is in play: a new one begins its life, and so does one that has no name."""
    fresh = event.is_new or not event.back
    ready = tuple(b for b in watch.ready if b != back)
    watch = replace(watch, ready=ready)
    return change_life(watch, back, lambda life: DeckLife() if fresh else life)


def prepared(watch: Watch, event: DeckPrepared) -> Watch:
    """The other deck was shuffled and lies ready."""
    ready = (*(b for b in watch.ready if b != event.back), event.back)
    watch = replace(watch, ready=ready)
    return shuffled(watch, event.back, is_complete=event.count >= 0)
