"""Watches the zones of a table and says when their content has changed.

A zone that does not change is not read again. Where something moves nothing is
decided; once it is quiet, the area is read frame after frame until its content
has been the same for ``stable_frames`` frames, or ``patient_frames`` when cards
are unread, or missing without having turned up elsewhere, so that a hand resting
on them is not taken for a change. A card whose picture has not changed since it
was decided stays decided, whatever the reader makes of it now.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.motion import MotionMap, Part, gathered
from vision.sources.frames import Frame
from vision.sources.health import SourceHealth
from vision.tracks import Tracks, ordered, recalled
from vision.values import UNKNOWN, Face, Point, Quad, SeenCard, Sighting
from vision.zones import Homography, Polygon, Zones

_LOGGER = logging.getLogger(__name__)

_MARGIN_SHARE: Final = 0.09
"""Margin of a part read alone, as a share of the frame's height: over half a card's
diagonal, so that a card with its centre inside is whole."""

_RETRY_EVERY: Final = 5
"""Frames between further looks at a card that could not be read."""

_Content = tuple[tuple[str, Face, str], ...]


class Reader(Protocol):
    """What reads the cards of a picture, such as CardReader."""

    def read(self, image: NDArray[np.uint8], /) -> tuple[SeenCard, ...]:
        """The cards in a BGR picture, in its pixels."""


@dataclass(slots=True)
class _Area:
    """One polygon of the table and what is known of it."""

    name: str
    axis: Point
    tracks: Tracks = field(default_factory=Tracks)
    is_open: bool = True
    """Whether it must still be read."""
    run: int = 0
    """For how many looks the content has been the same."""
    settled: tuple[SeenCard, ...] = ()
    decided: tuple[SeenCard, ...] = ()

    @property
    def candidate(self) -> _Content:
        """What the looks so far show."""
        return _content(self.decided)

    def disturb(self) -> None:
        """Something moved: forget the looks and read again once it is quiet."""
        self.tracks.clear()
        self.run, self.is_open = 0, True

    def look(self, cards: list[SeenCard], is_unchanged: Callable[[Quad], bool]) -> None:
        """Count one look."""
        before = self.candidate
        self.tracks.add(cards)
        kept = [card for card in self.settled if is_unchanged(card.quad)]
        self.decided = ordered(recalled(self.tracks.decided(self.axis), kept), self.axis)
        self.run = self.run + 1 if self.candidate == before else 1

    def settle(self) -> None:
        """Take what the looks show as the content."""
        self.settled, self.is_open = self.decided, False

    def gone(self) -> Counter[tuple[str, Face, str]]:
        """The cards that were settled and that the looks no longer show."""
        if len(self.decided) >= len(self.settled):
            return Counter()
        return Counter(_content(self.settled)) - Counter(self.candidate)

    def appeared(self) -> int:
        """How many cards the looks show beyond those settled."""
        return max(0, len(self.decided) - len(self.settled)) if self.is_open else 0


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card as the watcher has it now.

    ``is_settled`` says that its zone was read, and that nothing has moved or changed there
    up to the frame fed last.
    """

    zone: str
    card: SeenCard
    is_settled: bool


class TableWatcher:
    """Turns frames into sightings.

    Args:
        reader: Reads cards; called only for parts that changed.
        zones: The zones in pixels of the frames.
        stable_frames: Looks with the same content before it is said.
        patient_frames: The same when cards have gone or cannot be read.
    """

    def __init__(
        self, reader: Reader, zones: Zones, *, stable_frames: int = 3, patient_frames: int = 8
    ) -> None:
        self._reader = reader
        self._stable_frames = stable_frames
        self._patient_frames = max(stable_frames, patient_frames)
        self._said: dict[str, _Content] = {}
        self._fed = 0
        self._left_out: frozenset[int] = frozenset()
        self._company: Sequence[TableWatcher] = ()
        self.move_zones(zones)

    @property
    def zones(self) -> Zones:
        """The zones watched, in pixels."""
        return self._zones

    @property
    def watched(self) -> tuple[_Area, ...]:
        """The areas that are read."""
        return tuple(a for n, a in enumerate(self._areas) if n not in self._left_out)

    @property
    def homography(self) -> Homography | None:
        """None: these zones lie in the picture, in no plane of the table."""
        return None

    @property
    def seen(self) -> tuple[FoundCard, ...]:
        """Every card seen now, decided or not yet, for a person who looks at the camera."""
        return tuple(
            FoundCard(area.name, card, not area.is_open)
            for area in self.watched
            for card in (area.decided if area.is_open else area.settled)
        )

    def leave_out(
        self,
        areas: frozenset[int],
        company: Sequence[TableWatcher],
        said: Mapping[str, tuple[SeenCard, ...]],
    ) -> None:
        """Leave some areas, by their index, to other watchers of the same table.

        What lies there is not taken for a card of the area next to it; a card
        that leaves here and turns up there is accounted for. ``said`` is what
        has been said of the remaining zones, here or by the watcher before.
        """
        for number in self._left_out - areas:
            self._areas[number].disturb()
        self._left_out, self._company = areas, company
        self._said = {zone: _content(cards) for zone, cards in said.items()}

    @property
    def health(self) -> SourceHealth:
        """Always OK: zones that stay where they are told notice no move of the camera."""
        return SourceHealth.OK

    def move_zones(self, zones: Zones) -> None:
        """Watch other polygons from now on, as after the camera was knocked.

        Everything is read again; only what differs from what was said is said.
        """
        self._zones = zones
        self._areas = [_Area(area.name, _axis(area.corners)) for area in zones.areas]
        self._map: MotionMap | None = None

    def feed(self, frame: Frame) -> tuple[Sighting, ...]:
        """Look at a frame.

        Returns:
            One sighting for each zone whose content is now known to have changed.
        """
        self._fed += 1
        motion = self._motion_map(frame)
        moving, changed = motion.look(frame.image)
        due = [n for n in range(len(self._areas)) if self._is_due(n, moving, changed)]
        if not due:
            return ()
        seen = self._read(frame.image, motion, due)
        for number in due:
            self._areas[number].look(seen[number], motion.is_unchanged)
        fresh = [n for n in due if self._areas[n].run >= self._looks_needed(self._areas[n])]
        fresh.sort(key=lambda n: len(self._areas[n].candidate) - len(self._areas[n].settled))
        for number in fresh:
            self._areas[number].settle()
            motion.settle(number)
        names = dict.fromkeys(self._areas[n].name for n in fresh)
        said = (self._say(name, frame) for name in names)
        return tuple(sighting for sighting in said if sighting is not None)

    def _motion_map(self, frame: Frame) -> MotionMap:
        height, width = frame.image.shape[:2]
        if self._map is None or self._map.size != (width, height):
            self._map = MotionMap(self._zones, width, height)
        return self._map

    def _is_due(self, number: int, moving: NDArray[np.bool_], changed: NDArray[np.bool_]) -> bool:
        if number in self._left_out:
            return False
        area = self._areas[number]
        if moving[number]:
            area.disturb()
            return False
        if changed[number] and not area.is_open:
            area.disturb()
        retry = _has_unread(area.settled) and self._fed % _RETRY_EVERY == 0
        return area.is_open or retry

    def _read(
        self, image: NDArray[np.uint8], motion: MotionMap, due: list[int]
    ) -> dict[int, list[SeenCard]]:
        """Read the parts of the picture that are due: cards by area."""
        margin = round(_MARGIN_SHARE * image.shape[0])
        found: dict[int, list[SeenCard]] = {number: [] for number in due}
        parts = [Part(motion.box(number, margin), frozenset({number})) for number in due]
        for part in gathered(parts):
            box = part.box
            if box.size == 0:
                continue
            cut = np.ascontiguousarray(image[box.top : box.bottom, box.left : box.right])
            for card in self._reader.read(cut):
                whole = _shifted(card, box.left, box.top)
                owner = motion.area_at(*whole.centre)
                # A card in the margin may be in another part too, and is whole there.
                if owner in part.areas and not self._zones.is_blind(whole.centre):
                    found[owner].append(whole)
        return found

    def _looks_needed(self, area: _Area) -> int:
        """How many equal looks decide: more when cards are unread, or gone for no reason."""
        if _has_unread(area.decided) or not self._is_accounted_for(area):
            return self._patient_frames
        return self._stable_frames

    def _is_accounted_for(self, area: _Area) -> bool:
        """Whether every card gone from an area has turned up in another.

        A card that was named must be there by its name; for the others it is
        enough that as many new cards appeared.
        """
        gone = area.gone()
        areas = (*self.watched, *(a for watcher in self._company for a in watcher.watched))
        others = [other for other in areas if other is not area]
        names = {card for other in others for card, _, _ in other.candidate if card != UNKNOWN}
        nameless = sum(count for (card, _, _), count in gone.items() if card == UNKNOWN)
        is_named_elsewhere = all(card in names for card, _, _ in gone if card != UNKNOWN)
        if not is_named_elsewhere or not nameless:
            return is_named_elsewhere
        new = sum(other.appeared() for other in others)
        return nameless <= new - (gone.total() - nameless)

    def _say(self, name: str, frame: Frame) -> Sighting | None:
        cards = tuple(card for area in self.watched if area.name == name for card in area.settled)
        content = _content(cards)
        if content == self._said.get(name, ()):
            return None
        self._said[name] = content
        _LOGGER.info("%s now holds %s", name, " ".join(card.card for card in cards) or "nothing")
        return Sighting(name, cards, frame.number, frame.at_s)


def _content(cards: tuple[SeenCard, ...]) -> _Content:
    return tuple((card.card, card.face, card.back) for card in cards)


def _has_unread(cards: tuple[SeenCard, ...]) -> bool:
    """Whether a card lies face up and could not be named."""
    return any(card.face is Face.UP and card.card == UNKNOWN for card in cards)


def _axis(corners: Polygon) -> Point:
    """The direction of a zone's x axis: from its first corner to its second."""
    (ax, ay), (bx, by) = corners[0], corners[1]
    return (bx - ax, by - ay)


def _shifted(card: SeenCard, left: int, top: int) -> SeenCard:
    a, b, c, d = ((x + left, y + top) for x, y in card.quad)
    quad: Quad = (a, b, c, d)
    return SeenCard(card.card, card.face, quad, card.confidence, card.back)
