"""Compare what was read with what is there, and sum it up."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np

from vision.conditions import conditions_of
from vision.labels import BACK, LabelledCard
from vision.values import UNKNOWN, Face, SeenCard

_SURE: Final = 0.9
_BINS: Final = 10
_OUTCOMES: Final = ("right", "wrong", "unsure", "missed", "extra")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one card: ``right``, ``wrong``, ``unsure``, ``missed`` or ``extra``.

    An extra is a card named where none is labelled. ``conditions`` are those
    that the card was seen under; an extra has none.
    """

    outcome: str
    confidence: float = 0.0
    conditions: tuple[str, ...] = ()


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


class ConditionScore(msgspec.Struct, frozen=True):
    """Measures of the cards of all sets that were seen under one condition.

    Attributes:
        condition: Its name, as ``vision.conditions`` gives it.
        cards: Visible cards labelled.
        recall: Share of them that were found and named rightly.
        precision: Share of right ones among those named.
        sure: Named with a confidence of 0.9 or more.
        sure_wrong: Of those, how many wrongly.
    """

    condition: str
    cards: int
    recall: float
    precision: float
    sure: int
    sure_wrong: int


def judge(seen: tuple[SeenCard, ...], labelled: list[LabelledCard]) -> list[Verdict]:
    """Compare what was read with what is there.

    A labelled card is matched by the read card that has its name and has its
    middle in the box or covers half of it, else by the surest one with its
    middle in the box.

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
        same = [s for s in left if _named(s) == card.label and _lies_at(s, card)]
        if same:
            best = max(same, key=lambda s: s.confidence)
            left.remove(best)
            verdicts.append(Verdict("right", best.confidence, _conditions(card, labelled)))
        else:
            unmatched.append(card)
    for card in unmatched:
        near = [s for s in left if card.holds(s.centre)]
        if not near:
            verdicts.append(Verdict("missed", 0.0, _conditions(card, labelled)))
            continue
        best = max(near, key=lambda s: s.confidence)
        left.remove(best)
        outcome = "unsure" if _named(best) == UNKNOWN else "wrong"
        verdicts.append(Verdict(outcome, best.confidence, _conditions(card, labelled)))
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


def score_conditions(verdicts: list[Verdict]) -> tuple[ConditionScore, ...]:
    """Sum verdicts up by the conditions that cards were seen under."""
    by_name: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        for name in verdict.conditions:
            by_name[name].append(verdict)
    scores = []
    for name, group in sorted(by_name.items()):
        right = sum(v.outcome == "right" for v in group)
        named = [v for v in group if v.outcome in ("right", "wrong")]
        sure = [v for v in named if v.confidence >= _SURE]
        scores.append(
            ConditionScore(
                condition=name,
                cards=len(group),
                recall=round(right / len(group), 4),
                precision=round(right / len(named), 4) if named else 0.0,
                sure=len(sure),
                sure_wrong=sum(v.outcome == "wrong" for v in sure),
            )
        )
    return tuple(scores)


def _conditions(card: LabelledCard, labelled: list[LabelledCard]) -> tuple[str, ...]:
    others = [other.box for other in labelled if other is not card and other.box is not None]
    return conditions_of(card.box, others)


def _lies_at(seen: SeenCard, card: LabelledCard) -> bool:
    return card.holds(seen.centre) or card.is_covered_by(seen.quad)


def _named(seen: SeenCard) -> str:
    return BACK if seen.face is Face.DOWN else seen.card


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


def condition_table(scores: tuple[ConditionScore, ...]) -> str:
    """The scores by condition as lines of text under a heading."""
    lines = [f"{'condition':<24}{'cards':>8}{'recall':>8}{'precise':>9}{'>=0.9':>7}{'wrong':>7}"]
    lines += [
        f"{s.condition:<24}{s.cards:>8}{s.recall:>8.3f}{s.precision:>9.3f}{s.sure:>7}{s.sure_wrong:>7}"
        for s in scores
    ]
    return "\n".join(lines) + "\n"
