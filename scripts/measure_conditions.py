"""How well rendered cards are read, one condition changed at a time.

All 52 cards are laid in four rows, turned a little, and read once per condition:
index height in pixels, tilt of the camera, defocus, light, how much of each
card the next one covers, and print. The faces are the project's own,
which the nets were trained on: the table shows where reading ends, not how well
other decks are read. Prints one line per condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vision.artwork import CARD_WIDTH_MM, FaceStyle
from vision.layout import VIEW_HEIGHT_MM, VIEW_WIDTH_MM
from vision.reader import CardReader
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import RANKS, SUITS, UNKNOWN, Face, Point, Quad, SeenCard

_ROWS_MM = (150.0, 270.0, 390.0, 510.0)
"""Where the four suits lie, from the top of the view: clear of its markers."""

_INDEX_MM = 17.7
"""Height of the standard index of the project's own faces."""

_USUAL_INDEX_PX = 22.0
_SURE = 0.9
_USUAL_FACE = FaceStyle()


@dataclass(frozen=True, slots=True)
class Condition:
    """How cards lie and are seen; what is not named is as usual."""

    name: str
    index_px: float = _USUAL_INDEX_PX
    tilt_deg: float = 4.0
    blur_px: float = 0.45
    light: float = 1.0
    covered: float = -0.2
    style: FaceStyle = _USUAL_FACE

    @property
    def camera(self) -> RenderedCamera:
        """The camera that sees cards so."""
        width = round(self.index_px / _INDEX_MM * VIEW_WIDTH_MM)
        return RenderedCamera(
            width_px=width,
            height_px=round(width * VIEW_HEIGHT_MM / VIEW_WIDTH_MM),
            tilt_deg=self.tilt_deg,
            blur_px=self.blur_px,
            light=self.light,
        )

    @property
    def scene(self) -> Scene:
        """The suits in rows, each card covering a share of the one before."""
        step = CARD_WIDTH_MM * (1 - self.covered)
        left = (VIEW_WIDTH_MM - step * (len(RANKS) - 1)) / 2
        lying = (
            PlacedCard(
                rank + suit, Face.UP, left + n * step, y, 3.0 * (n % 3 - 1), style=self.style
            )
            for suit, y in zip(SUITS, _ROWS_MM, strict=True)
            for n, rank in enumerate(RANKS)
        )
        return Scene(tuple(lying))


CONDITIONS = (
    *(Condition(f"index_{px}_px", index_px=px) for px in (8, 10, 12, 14, 17, 20, 26, 35)),
    *(Condition(f"tilt_{deg}_deg", tilt_deg=deg) for deg in (0, 20, 35, 50)),
    *(Condition(f"defocus_{px}_px", blur_px=px) for px in (0.8, 1.2, 1.8, 2.5)),
    *(Condition(f"light_{part}", light=part) for part in (0.25, 0.5, 1.3)),
    *(Condition(f"covered_{part}", covered=part) for part in (0.2, 0.4, 0.6, 0.75)),
    Condition("four_colours", style=FaceStyle(four_colour=True)),
    Condition("jumbo", style=FaceStyle("jumbo")),
)


def readings(condition: Condition, reader: CardReader) -> Iterator[tuple[str, SeenCard | None]]:
    """Each card laid, with what is read in its middle; and each name read where none lies."""
    scene, camera = condition.scene, condition.camera
    pose = camera.homography(scene.width_mm, scene.height_mm)
    left = list(reader.read(render(scene, camera)))
    unmatched = []
    for placed in scene.cards:
        middle, reach = _place(card_quad(placed, pose))
        same = [s for s in left if s.card == placed.card and _away(s, middle) < reach]
        if same:
            left.remove(same[0])
            yield placed.card, same[0]
        else:
            unmatched.append((placed.card, middle, reach))
    for card, middle, reach in unmatched:
        nearest = min(left, key=lambda s: _away(s, middle), default=None)
        if nearest is not None and _away(nearest, middle) < reach:
            left.remove(nearest)
            yield card, nearest
        else:
            yield card, None
    yield from (("", seen) for seen in left if seen.card != UNKNOWN)


def _place(quad: Quad) -> tuple[Point, float]:
    """Middle of a card, and how far from it a reading still means it: a quarter of its diagonal."""
    (ax, ay), _, (cx, cy), _ = quad
    return ((ax + cx) / 2, (ay + cy) / 2), 0.25 * ((ax - cx) ** 2 + (ay - cy) ** 2) ** 0.5


def _away(seen: SeenCard, place: Point) -> float:
    x, y = seen.centre
    return float(((x - place[0]) ** 2 + (y - place[1]) ** 2) ** 0.5)


def main() -> None:
    """Print recall, wrong names, and wrong names with a confidence of 0.9 or more."""
    reader = CardReader.load()
    print(f"{'condition':<18}{'right':>6}{'wrong':>6}{'unread':>7}{'sure':>6}{'sure wrong':>11}")
    for condition in CONDITIONS:
        pairs = list(readings(condition, reader))
        named = [(card, s) for card, s in pairs if s is not None and s.card != UNKNOWN]
        right = sum(card == s.card for card, s in named)
        sure = [(card, s) for card, s in named if s.confidence >= _SURE]
        sure_wrong = sum(card != s.card for card, s in sure)
        unread = sum(bool(card) for card, _ in pairs) - sum(bool(card) for card, _ in named)
        print(
            f"{condition.name:<18}{right:>6}{len(named) - right:>6}{unread:>7}"
            f"{len(sure):>6}{sure_wrong:>11}"
        )


if __name__ == "__main__":
    main()
