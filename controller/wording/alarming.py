"""What an alarm says, English and French side by side.

``{deck}``, ``{cards}``, ``{expected}``, ``{counted}``, ``{detail}`` and ``{hands}`` are
filled in; the sentence stands in the red band and is read at arm's length.
"""

from __future__ import annotations

from typing import Final

from controller.alarms import Alarm, AlarmCause
from controller.rulings import Doer
from controller.wording.catalogue import Pair
from controller.wording.machine import fault_name, is_fault
from controller.wording.sentences import LANGUAGES

ALARMS: Final[dict[AlarmCause, Pair]] = {
    AlarmCause.MACHINE_FAULT: (
        "Fault of the machine: {detail}.",
        "Panne de la machine : {detail}.",
    ),
    AlarmCause.STRANGER: (
        "A device that is not this table’s is on the cable. Touch nothing.",
        "Un appareil étranger à cette table est sur le câble. Ne touchez à rien.",
    ),
    AlarmCause.WRONG_MODE: (
        "The machine is not set to deal. Set it back before any card.",
        "La machine n’est pas réglée pour donner. Réglez-la avant toute carte.",
    ),
    AlarmCause.COUNT_SHORT: (
        "Cards are missing{deck}: {counted} counted, {expected} expected.",
        "Il manque des cartes{deck} : {counted} comptées, {expected} attendues.",
    ),
    AlarmCause.COUNT_LONG: (
        "Too many cards{deck}: {counted} counted, {expected} expected.",
        "Trop de cartes{deck} : {counted} comptées, {expected} attendues.",
    ),
    AlarmCause.COUNTS_DIFFER: (
        "Machine and table count differently: {expected} against {counted}.",
        "La machine et la table comptent différemment : {expected} contre {counted}.",
    ),
    AlarmCause.BOXED_DECK: (
        "Cards lie the wrong way round in the deck{deck}: {counted}. Turn them and shuffle again.",
        "Cartes retournées dans le jeu{deck} : {counted}. Remettez-les et mélangez à nouveau.",
    ),
    AlarmCause.WRONG_BACK: (
        "A card of another deck is in play ({detail}).",
        "Une carte d’un autre jeu est en jeu ({detail}).",
    ),
    AlarmCause.DUPLICATE_CARD: (
        "{cards} is in the deck twice{deck}.",
        "{cards} est deux fois dans le jeu{deck}.",
    ),
    AlarmCause.CARD_CAME_BACK: (
        "{cards} was out of this hand and is back in it.",
        "{cards} était sortie de cette main et y est revenue.",
    ),
    AlarmCause.SORTED_ORDER: (
        "The deck is not shuffled: its cards come in order. Deal no more.",
        "Le jeu n’est pas mélangé : ses cartes se suivent. Ne donnez plus.",
    ),
    AlarmCause.NO_CUT_CARD: (
        "No cut card under the deck. Put it there before the first card.",
        "Pas de carte de coupe sous le jeu. Placez-la avant la première carte.",
    ),
}

_WHO: Final[dict[Doer, Pair]] = {
    Doer.DEALER: ("The dealer acknowledges.", "Le croupier en répond."),
    Doer.FLOOR: ("The floor acknowledges.", "Le responsable en répond."),
}

_SMALL: Final[dict[str, Pair]] = {
    "deck": (" ({deck} deck)", " (jeu {deck})"),
    "hands": ("hands {hands}", "mains {hands}"),
    "none": ("no hand", "aucune main"),
    "card": ("a card", "une carte"),
}


_DETAILS: Final[dict[str, Pair]] = {
    "unknown_shuffle": (
        "nobody knows whether it shuffled; count the cards in it",
        "on ne sait pas si elle a mélangé ; comptez les cartes qui s’y trouvent",
    ),
}
"""Details that are the code of what was reported and no words."""


def alarm_words(alarm: Alarm, lang: str) -> str:
    """What is wrong, in one line.

    Args:
        alarm: The alarm.
        lang: ``en`` or ``fr``.
    """
    cards = " ".join(str(card) for card in alarm.cards if card.is_known)
    deck = _pick(_SMALL["deck"], lang).format(deck=alarm.deck) if alarm.deck else ""
    return _pick(ALARMS[alarm.cause], lang).format(
        deck=deck,
        cards=cards or _pick(_SMALL["card"], lang),
        expected=alarm.expected,
        counted=alarm.counted,
        detail=_detail(alarm.detail, lang),
    )


def _detail(detail: str, lang: str) -> str:
    """What was reported, in words."""
    if coded := _DETAILS.get(detail):
        return _pick(coded, lang)
    if is_fault(detail):
        return fault_name(detail, lang)
    return detail or "?"


def who_answers(alarm: Alarm, lang: str) -> str:
    """Who has to acknowledge it."""
    return _pick(_WHO[alarm.who], lang)


def hands_touched(alarm: Alarm, lang: str) -> str:
    """The hands that it may have touched, runs of them drawn together."""
    if not alarm.hands:
        return _pick(_SMALL["none"], lang)
    return _pick(_SMALL["hands"], lang).format(hands=", ".join(_runs(alarm.hands)))


def _runs(hands: tuple[int, ...]) -> list[str]:
    runs: list[list[int]] = []
    for hand in sorted(set(hands)):
        if runs and runs[-1][1] == hand - 1:
            runs[-1][1] = hand
        else:
            runs.append([hand, hand])
    return [str(a) if a == b else f"{a}-{b}" for a, b in runs]


def _pick(pair: Pair, lang: str) -> str:
    return pair[LANGUAGES.index(lang)]
