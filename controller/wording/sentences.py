"""Fills the catalogue's sentences with the facts of a step or an irregularity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.cards import Card
from controller.irregularities import Irregularity, Kind
from controller.rulings import Ruling, Step, StepKind, Verdict
from controller.wording.catalogue import (
    DETAILS,
    KINDS,
    REFUSED_CUT,
    SMALL,
    STEPS,
    STREETS,
    VERDICTS,
    Pair,
)

LANGUAGES: Final = ("en", "fr")
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def say(step: Step, lang: str) -> str:
    """The instruction of a step.

    Args:
        step: The step.
        lang: ``en`` or ``fr``.
    """
    money = ", ".join(
        _pick(SMALL["money"], lang).format(amount=m.amount, seat=m.seat) for m in step.money
    )
    street = STREETS.get(step.street)
    whence = "from_hand" if step.seat else "from_deck"
    becomes = _pick(SMALL["becomes_burn"], lang) if step.target == "burn" else ""
    sentence = SMALL["award"] if money and step.kind is StepKind.AWARD_POT else STEPS[step.kind]
    return _pick(sentence, lang).format(
        seat=step.seat or step.origin.removeprefix("seat:"),
        cards=_moved(step, lang),
        count=step.count,
        street=_pick(street, lang) if street else step.street,
        money=money,
        whence=_pick(SMALL[whence], lang).format(seat=step.seat),
        becomes=becomes,
        from_seat=step.origin.removeprefix("seat:"),
        to_seat=step.target.removeprefix("seat:"),
    )


def why(irregularity: Irregularity, lang: str) -> str:
    """What was seen to be wrong, in one line."""
    at = _pick(SMALL["at_seat"], lang).format(seat=irregularity.seat) if irregularity.seat else ""
    refused = irregularity.kind is Kind.BAD_CUT and irregularity.detail == "refused"
    return _pick(REFUSED_CUT if refused else KINDS[irregularity.kind], lang).format(
        cards=_cards(irregularity.cards, lang, empty=""),
        at=at,
        count=irregularity.count,
        seat=irregularity.seat,
        due=irregularity.due_seat,
        detail=_detail(irregularity.detail, lang),
    )


def _detail(word: str, lang: str) -> str:
    known = DETAILS.get(word)
    return _pick(known, lang) if known else word


def judge_words(verdict: Verdict, lang: str) -> str:
    """The verdict in words."""
    return _pick(VERDICTS[verdict], lang)


def describe(ruling: Ruling, lang: str) -> tuple[str, ...]:
    """A ruling as lines: what was seen, the verdict, then the steps."""
    steps = (f"{n}. {say(step, lang)}" for n, step in enumerate(ruling.steps, start=1))
    return (why(ruling.irregularity, lang), judge_words(ruling.verdict, lang), *steps)


def _pick(pair: Pair, lang: str) -> str:
    return pair[LANGUAGES.index(lang)]


def _cards(cards: Sequence[Card], lang: str, empty: str | None = None) -> str:
    """Cards as a person reads them: rank and suit sign; unknown ones are 'the card'."""
    known = [_sign(card) for card in cards if card.is_known]
    if known:
        return " ".join(known)
    return _pick(SMALL["the_card"], lang) if empty is None else empty


_UNSEEN: Final = {"burn": "last_burn", "seat": "card_of_seat", "off_table": "fallen_card"}
"""What a card whose face nobody knows is called, by the place it comes from."""


def _moved(step: Step, lang: str) -> str:
    """The cards of a step; unseen ones by their place."""
    if any(card.is_known for card in step.cards):
        return _cards(step.cards, lang)
    place, _, seat = step.origin.partition(":")
    name = _UNSEEN.get(place, "the_card") if step.cards else "the_card"
    if name == "last_burn" and len(step.cards) > 1:
        name = "last_burns"
    return _pick(SMALL[name], lang).format(count=len(step.cards), seat=seat)


def _sign(card: Card) -> str:
    return "Joker" if card is Card.JOKER else card.rank.replace("T", "10") + _SUITS[card.suit]
