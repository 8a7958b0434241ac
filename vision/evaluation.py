"""How well the recogniser reads a folder of labelled photographs.

``python -m vision.evaluation DIR``: DIR holds sets, each a folder of pictures
with a ``labels.csv`` (``image,x1,y1,x2,y2,label``; one row per visible card,
labels such as ``AS``, ``BACK``, ``JOKER``; an empty box stands for the whole
picture), or is one such set.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.baseline import PlainReader
from vision.errors import VisionError
from vision.labels import LabelledCard, read_labels, use_of
from vision.reader import CardReader
from vision.scores import (
    ConditionScore,
    SetScore,
    Verdict,
    condition_table,
    judge,
    score,
    score_conditions,
    table,
)
from vision.watcher import Reader


@dataclass(slots=True)
class _Tally:
    verdicts: list[Verdict] = field(default_factory=list)
    times_s: list[float] = field(default_factory=list)
    cards: int = 0


class Evaluation(msgspec.Struct, frozen=True):
    """How well one reader did.

    Attributes:
        reader: ``"nets"``, or ``"plain"`` for contours and templates.
        sets: One score per set.
        conditions: One score per condition, over all sets.
    """

    reader: str
    sets: tuple[SetScore, ...]
    conditions: tuple[ConditionScore, ...]


def evaluate(folder: Path, reader: Reader, use: str = "", name: str = "nets") -> Evaluation:
    """Measure a reader on every set in a folder.

    Args:
        folder: One set, or a folder of sets.
        reader: What is measured.
        use: ``"dev"`` or ``"test"`` to take only that part of the known sets; empty for all.
        name: What the reader is called.

    Returns:
        One score per set that has pictures of that use, and one per condition.
    """
    sets = [folder] if (folder / "labels.csv").is_file() else sorted(folder.iterdir())
    scores = []
    verdicts: list[Verdict] = []
    for one in sets:
        if not (one / "labels.csv").is_file():
            continue
        tally = _Tally()
        for image, cards in read_labels(one / "labels.csv").items():
            if not use or use_of(one.name, image) == use:
                _read_one(one / image, cards, reader, tally)
        if tally.times_s:
            scores.append(score(one.name, tally.verdicts, tally.times_s, tally.cards))
            verdicts += tally.verdicts
    return Evaluation(name, tuple(scores), score_conditions(verdicts))


def _read_one(path: Path, cards: list[LabelledCard], reader: Reader, tally: _Tally) -> None:
    # Boxes are in pixels of the stored picture, so a note to turn it is not followed.
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if picture is None:
        raise ValueError(f"{path} cannot be read as a picture")
    started = time.perf_counter()
    seen = reader.read(np.asarray(picture, dtype=np.uint8))
    tally.times_s.append(time.perf_counter() - started)
    tally.verdicts += judge(seen, cards)
    tally.cards += len(cards)


def main(arguments: list[str] | None = None) -> int:
    """Run the evaluation; returns the exit status."""
    options = _options().parse_args(arguments)
    if not options.folder.is_dir():
        _say(f"evaluation: no folder {options.folder}: give one with labelled photographs")
        return 2
    try:
        readers: dict[str, Reader] = {"nets": CardReader.load(options.model)}
        if options.plain:
            readers["plain"] = PlainReader()
        done = [evaluate(options.folder, r, options.use, name) for name, r in readers.items()]
    except (VisionError, ValueError) as error:
        _say(f"evaluation: {error}")
        return 2
    if not done[0].sets:
        _say(f"evaluation: no labels.csv with such pictures under {options.folder}")
        return 2
    if options.json:
        sys.stdout.write(msgspec.json.encode(done).decode() + "\n")
    else:
        sys.stdout.write("\n".join(_told(evaluation) for evaluation in done))
    return 0


def _told(evaluation: Evaluation) -> str:
    tables = table(list(evaluation.sets)), condition_table(evaluation.conditions)
    return "\n".join((f"reader: {evaluation.reader}", *tables))


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m vision.evaluation", description="Measure the recogniser on photographs."
    )
    parser.add_argument("folder", type=Path, help="a set of photographs, or a folder of sets")
    parser.add_argument("--use", choices=("dev", "test"), default="", help="only this part")
    parser.add_argument("--model", type=Path, help="another recogniser than the shipped one")
    parser.add_argument(
        "--plain", action="store_true", help="measure contours and templates in the same run too"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
