"""Ten minutes of rendered video with 200 deals: is every card decided once, and rightly?

A hand brings each card into its zone, lets it lie and leaves; now and then a
hand passes over cards without touching them; after each hand of poker all cards
are taken away. Every frame goes through the real recogniser and the watcher, as on a
running table.
Prints ``name value unit`` lines; ends with 1 when a card was decided wrongly,
twice or never.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from vision import (
    CARD_LABELS,
    JOKER,
    UNKNOWN,
    BackWatch,
    CardReader,
    CardSize,
    Face,
    Frame,
    PileReader,
    PlacedCard,
    Point,
    RenderedCamera,
    Scene,
    Sighting,
    TableLayout,
    TableTracker,
    TableWatcher,
    TrackedTable,
    render,
    zone_scales,
)

FPS: Final = 15
DEAL_FRAMES: Final = 44
"""Just under three seconds a deal: with the gathering 200 deals take ten minutes."""

REACH_FRAMES, LEAVE_FRAMES = 6, 6
PASS_SHARE: Final = 0.3
"""Share of deals after which a hand passes over the table."""

SEATS: Final = (1, 4, 7)
LAYOUT: Final = TableLayout.standard(10)

Content = tuple[str, ...]
"""Cards of a zone as they are said: labels, ``??`` for a back."""


@dataclass(slots=True)
class Table:
    """What truly lies on the table, and what was said of it."""

    cards: dict[str, list[PlacedCard]] = field(default_factory=dict)
    due: dict[str, list[tuple[Content, int]]] = field(default_factory=dict)
    """By zone the contents still to be said, with the frame since which they lie free."""
    deals: int = 0
    right: int = 0
    again: int = 0
    wrong: int = 0
    skipped: int = 0
    """Contents that were never said, because the next one came first."""
    latencies: list[int] = field(default_factory=list)

    def scene(self, hands: tuple[Point, ...] = (), carried: PlacedCard | None = None) -> Scene:
        """The picture to render."""
        lying = [card for cards in self.cards.values() for card in cards]
        return Scene((*lying, carried) if carried else tuple(lying), hands=hands)

    def expect(self, zone: str, frame: int) -> None:
        """What lies in a zone now must be said."""
        content = tuple(
            card.card if card.face is Face.UP else UNKNOWN for card in self.cards.get(zone, [])
        )
        self.due.setdefault(zone, []).append((content, frame))

    def hear(self, sighting: Sighting) -> None:
        """Compare what is said with what must be."""
        said = tuple(card.card for card in sighting.cards)
        waiting = self.due.get(sighting.zone, [])
        contents = [content for content, _ in waiting]
        if said in contents:
            place = contents.index(said)
            self.latencies.append(sighting.frame - waiting[place][1])
            self.due[sighting.zone] = waiting[place + 1 :]
            self.skipped += place
            self.right += 1
            for content, since in waiting[:place]:
                print(f"skipped: {sighting.zone} {content} since {since}", file=sys.stderr)
        elif said == self.last(sighting.zone):
            self.again += 1
        else:
            self.wrong += 1
            print(f"wrong: {sighting.zone} {said}, frame {sighting.frame}", file=sys.stderr)

    def last(self, zone: str) -> Content:
        """What truly lies in a zone."""
        return tuple(
            card.card if card.face is Face.UP else UNKNOWN for card in self.cards.get(zone, [])
        )


def deals(rng: random.Random) -> Iterator[tuple[str, PlacedCard]]:
    """Zone and card of each deal of one hand of poker: down cards, burns, board, showdown."""
    deck = [label for label in CARD_LABELS if label != JOKER]
    rng.shuffle(deck)
    for place in range(2):
        for seat in SEATS:
            yield f"seat:{seat}", _lying(deck.pop(), f"seat:{seat}", 2, place, rng, Face.DOWN)
    for number in range(1, 6):
        yield f"board:{number}", _lying(deck.pop(), f"board:{number}", 1, 0, rng, Face.UP)
    for place in range(2):
        yield "aside", _lying(deck.pop(), "aside", 2, place, rng, Face.UP)


def _lying(
    card: str, zone: str, count: int, place: int, rng: random.Random, face: Face
) -> PlacedCard:
    x, y = LAYOUT.places(zone, count)[place]
    turn = rng.uniform(-4, 4) + rng.choice((0, 180))
    return PlacedCard(card, face, x + rng.uniform(-1, 1), y + rng.uniform(-3, 3), turn)


def edge_of(spot: Point) -> float:
    """Where the hand comes from: the nearer of the far and near edge."""
    return 900.0 if spot[1] > LAYOUT.height_mm / 2 else -90.0


def play(table: Table, rng: random.Random, total: int) -> Iterator[Scene]:
    """The scenes of the whole video, frame by frame; what must be said is noted on the way."""
    frame = 0
    while table.deals < total:
        for zone, card in deals(rng):
            if table.deals == total:
                break
            for scene in _deal(table, zone, card, frame, rng):
                yield scene
                frame += 1
        for scene in _gather(table, frame):
            yield scene
            frame += 1


def _deal(
    table: Table, zone: str, card: PlacedCard, first: int, rng: random.Random
) -> Iterator[Scene]:
    spot = (card.x_mm, card.y_mm)
    away = edge_of(spot)
    for step in range(REACH_FRAMES):
        y = away + (spot[1] - away) * (step + 1) / REACH_FRAMES
        carried = PlacedCard(card.card, card.face, card.x_mm, y, card.angle_deg)
        yield table.scene(((spot[0], y),), carried)
    table.cards.setdefault(zone, []).append(card)
    table.cards[zone].sort(key=lambda placed: placed.x_mm)
    table.deals += 1
    table.expect(zone, first + REACH_FRAMES + LEAVE_FRAMES)
    for step in range(LEAVE_FRAMES):
        y = spot[1] + (away - spot[1]) * (step + 1) / LEAVE_FRAMES
        yield table.scene(((spot[0], y),))
    rest = DEAL_FRAMES - REACH_FRAMES - LEAVE_FRAMES
    passing = rng.random() < PASS_SHARE
    for step in range(rest):
        hands = ((150.0 + 1200.0 * (step - 14) / 12, 420.0),) if passing and 14 <= step < 26 else ()
        yield table.scene(hands)


def _gather(table: Table, first: int) -> Iterator[Scene]:
    """All cards are taken, zone by zone, under a hand."""
    for zone in [zone for zone, cards in table.cards.items() if cards]:
        spot = (table.cards[zone][0].x_mm, table.cards[zone][0].y_mm)
        yield table.scene((spot,))
        table.cards[zone] = []
        table.expect(zone, first)
    for _ in range(2 * FPS):
        yield table.scene()


def main() -> int:
    """Play, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    camera, table, rng = RenderedCamera(), Table(), random.Random(options.seed)
    tracker = TableTracker(LAYOUT)
    tracker.look(render(Scene(), camera))
    scales = sorted(s.px_per_mm for s in zone_scales(LAYOUT.zones, tracker.homography))
    cards = PileReader(CardReader.load(), CardSize.at(scales[len(scales) // 2]))
    watched = TrackedTable(TableWatcher(BackWatch(cards), tracker.zones), tracker)
    begun_s, frames = time.perf_counter(), 0
    for frames, scene in enumerate(play(table, rng, options.deals), start=1):
        image = render(scene, camera, frames)
        for sighting in watched.feed(Frame(image, frames / FPS, frames - 1)):
            table.hear(sighting)
    missed = table.skipped + sum(len(waiting) for waiting in table.due.values())
    slow = sorted(table.latencies)
    print(f"video {frames / FPS:.0f} s")
    print(f"deals {table.deals} cards")
    print(f"statements_right {table.right}")
    print(f"statements_wrong {table.wrong}")
    print(f"statements_again {table.again}")
    print(f"statements_missing {missed}")
    print(f"decided_after_median {slow[len(slow) // 2]} frames")
    print(f"decided_after_p95 {slow[int(0.95 * (len(slow) - 1))]} frames")
    print(f"time_per_frame {1000 * (time.perf_counter() - begun_s) / frames:.1f} ms")
    return 1 if table.wrong or table.again or missed else 0


if __name__ == "__main__":
    sys.exit(main())
