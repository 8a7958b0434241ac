"""How well the recogniser reads a folder of labelled photographs.

``python -m vision.evaluation DIR``: DIR holds sets, each a folder of pictures
with a ``labels.csv`` (``image,x1,y1,x2,y2,label``; one row per visible card,
labels such as ``AS``, ``BACK``, ``JOKER``; an empty box stands for the whole
picture), or is one such set.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from vision.errors import VisionError
from vision.reader import CardReader
from vision.values import CARD_LABELS, JOKER, UNKNOWN, Face, Point, SeenCard

BACK: Final = "back"
_SURE: Final = 0.9
_BINS: Final = 10

_TEST_SETS: Final = ("plaskod_9toA", "rdpong_single")
_TEST_PREFIX: Final = "test"
_DEV_PREFIX: Final = "train"


@dataclass(frozen=True, slots=True)
class LabelledCard:
    """A card that is in the picture: label and box (x1, y1, x2, y2); no box, whole picture."""

    label: str
    box: tuple[float, float, float, float] | None

    def holds(self, point: Point) -> bool:
        """Whether a point lies in the box, or there is none."""
        if self.box is None:
            return True
        x1, y1, x2, y2 = self.box
        return x1 <= point[0] <= x2 and y1 <= point[1] <= y2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one card: ``right``, ``wrong``, ``unsure``, ``missed`` or ``extra``.

    An extra is a card named where none is labelled.
    """

    outcome: str
    confidence: float = 0.0


class SetScore(msgspec.Struct, frozen=True):
    """Measures of one set.

    Attributes:
        name: Of the set.
        images: Pictures read.
        cards: Visible cards labelled.
        right: Found, and named rightly.
        wrong: Found, and given the name of another card.
        unsure: Found, but not named.
        missed: Not found.
        extra: Named where no card is labelled.
        sure: Named with a confidence of 0.9 or more.
        sure_precision: Share of those that are right; 0 where there are none.
        calibration_error: Mean gap between confidence and accuracy, weighted over ten bins.
        ms_per_image: Mean time to read a picture, loading not counted.
    """

    name: str
    images: int
    cards: int
    right: int
    wrong: int
    unsure: int
    missed: int
    extra: int
    sure: int
    sure_precision: float
    calibration_error: float
    ms_per_image: float


@dataclass(slots=True)
class _Tally:
    verdicts: list[Verdict] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    cards: int = 0


def judge(seen: tuple[SeenCard, ...], labelled: list[LabelledCard]) -> list[Verdict]:
    """Compare what was read with what is there.

    A labelled card is matched by the read card that has its name and lies in
    its box, else by the one nearest to the middle of its box.

    Args:
        seen: What the reader said.
        labelled: What is in the picture.

    Returns:
        One verdict per labelled card, and one per card named where none is.
    """
    left = list(seen)
    verdicts: list[Verdict] = []
    unmatched = []
    for card in labelled:
        same = [s for s in left if _named(s) == card.label and card.holds(s.centre)]
        if same:
            best = max(same, key=lambda s: s.confidence)
            left.remove(best)
            verdicts.append(Verdict("right", best.confidence))
        else:
            unmatched.append(card)
    for card in unmatched:
        near = [s for s in left if card.holds(s.centre)]
        if not near:
            verdicts.append(Verdict("missed"))
            continue
        best = max(near, key=lambda s: s.confidence)
        left.remove(best)
        outcome = "unsure" if _named(best) == UNKNOWN else "wrong"
        verdicts.append(Verdict(outcome, best.confidence))
    verdicts += [Verdict("extra", s.confidence) for s in left if _named(s) not in (UNKNOWN, BACK)]
    return verdicts


def score(name: str, verdicts: list[Verdict], times_s: list[float], cards: int) -> SetScore:
    """Sum verdicts up."""
    count = {o: sum(v.outcome == o for v in verdicts) for o in _OUTCOMES}
    named = [v for v in verdicts if v.outcome in ("right", "wrong", "extra")]
    sure = [v for v in named if v.confidence >= _SURE]
    sure_right = sum(v.outcome == "right" for v in sure)
    return SetScore(
        name=name,
        images=len(times_s),
        cards=cards,
        right=count["right"],
        wrong=count["wrong"],
        unsure=count["unsure"],
        missed=count["missed"],
        extra=count["extra"],
        sure=len(sure),
        sure_precision=round(sure_right / len(sure), 4) if sure else 0.0,
        calibration_error=round(_calibration_error(named), 4),
        ms_per_image=round(1000 * float(np.mean(times_s)), 1) if times_s else 0.0,
    )


_OUTCOMES: Final = ("right", "wrong", "unsure", "missed", "extra")


def evaluate(folder: Path, reader: CardReader, use: str = "") -> list[SetScore]:
    """Measure a reader on every set in a folder.

    Args:
        folder: One set, or a folder of sets.
        reader: What is measured.
        use: ``"dev"`` or ``"test"`` to take only that part of the known sets; empty for all.

    Returns:
        One score per set that has pictures of that use.
    """
    sets = [folder] if (folder / "labels.csv").is_file() else sorted(folder.iterdir())
    scores = []
    for one in sets:
        if not (one / "labels.csv").is_file():
            continue
        tally = _Tally()
        for name, cards in read_labels(one / "labels.csv").items():
            if not use or use_of(one.name, name) == use:
                _read_one(one / name, cards, reader, tally)
        if tally.times_s:
            scores.append(score(one.name, tally.verdicts, tally.times_s, tally.cards))
    return scores


def use_of(set_name: str, image: str) -> str:
    """``"test"`` for what may only be measured on, else ``"dev"``.

    A picture named ``test...`` is for testing unless its whole set is for
    development, which shows in that no picture of the set is named ``train...``.
    """
    if set_name in _TEST_SETS:
        return "test"
    mixed = set_name in _MIXED_SETS
    return "test" if mixed and image.lower().startswith(_TEST_PREFIX) else "dev"


_MIXED_SETS: Final = ("edje_tf", "sergio_felt")


def read_labels(path: Path) -> dict[str, list[LabelledCard]]:
    """Read a ``labels.csv``.

    Args:
        path: Of the file.

    Returns:
        The labelled cards of each picture.

    Raises:
        ValueError: A row has no image, an unknown label or half a box.
    """
    cards: dict[str, list[LabelledCard]] = defaultdict(list)
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                cards[row["image"]].append(LabelledCard(_label(row["label"]), _box(row)))
            except (KeyError, ValueError, TypeError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
    return dict(cards)


def _label(written: str) -> str:
    known = {"BACK": BACK, "JOKER": JOKER}
    label = known.get(written.upper(), written[:1].upper() + written[1:].lower())
    if label not in (*CARD_LABELS, BACK):
        raise ValueError(f"{written!r} is no card: write it as AS, TD, BACK or JOKER")
    return label


def _box(row: dict[str, str]) -> tuple[float, float, float, float] | None:
    values = [row[key] for key in ("x1", "y1", "x2", "y2")]
    if not any(values):
        return None
    x1, y1, x2, y2 = (float(value) for value in values)
    return (x1, y1, x2, y2)


def _named(seen: SeenCard) -> str:
    return BACK if seen.face is Face.DOWN else seen.card


def _read_one(path: Path, cards: list[LabelledCard], reader: CardReader, tally: _Tally) -> None:
    # Boxes are in pixels of the stored picture, so a note to turn it is not followed.
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if picture is None:
        raise ValueError(f"{path} cannot be read as a picture")
    started = time.perf_counter()
    seen = reader.read(np.asarray(picture, dtype=np.uint8))
    tally.times_s.append(time.perf_counter() - started)
    tally.verdicts += judge(seen, cards)
    tally.cards += len(cards)


def _calibration_error(named: list[Verdict]) -> float:
    if not named:
        return 0.0
    confidence = np.array([v.confidence for v in named])
    right = np.array([v.outcome == "right" for v in named], dtype=np.float64)
    bins = np.minimum((confidence * _BINS).astype(np.int64), _BINS - 1)
    gaps = [
        abs(confidence[bins == b].mean() - right[bins == b].mean()) * float((bins == b).mean())
        for b in np.unique(bins)
    ]
    return float(sum(gaps))


def main(arguments: list[str] | None = None) -> int:
    """Run the evaluation; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.evaluation", description="Measure the recogniser on photographs."
    )
    parser.add_argument("folder", type=Path, help="a set of photographs, or a folder of sets")
    parser.add_argument("--use", choices=("dev", "test"), default="", help="only this part")
    parser.add_argument("--model", type=Path, help="another recogniser than the shipped one")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    if not options.folder.is_dir():
        _say(f"evaluation: no folder {options.folder}: give one with labelled photographs")
        return 2
    try:
        scores = evaluate(options.folder, CardReader.load(options.model), options.use)
    except (VisionError, ValueError) as error:
        _say(f"evaluation: {error}")
        return 2
    if not scores:
        _say(f"evaluation: no labels.csv with such pictures under {options.folder}")
        return 2
    if options.json:
        sys.stdout.write(msgspec.json.encode(scores).decode() + "\n")
    else:
        sys.stdout.write(table(scores))
    return 0


def table(scores: list[SetScore]) -> str:
    """The scores as lines of text under a heading."""
    heads = ("set", "images", "cards", "right", "wrong", "unsure", "missed", "extra")
    lines = [
        f"{heads[0]:<16}" + "".join(f"{h:>8}" for h in heads[1:]) + "  >=0.9  precise  calib    ms"
    ]
    for s in scores:
        counts = (s.images, s.cards, s.right, s.wrong, s.unsure, s.missed, s.extra)
        lines.append(
            f"{s.name:<16}"
            + "".join(f"{c:>8}" for c in counts)
            + f"{s.sure:>7}{s.sure_precision:>9.3f}"
            + f"{s.calibration_error:>7.3f}{s.ms_per_image:>6.0f}"
        )
    return "\n".join(lines) + "\n"


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
