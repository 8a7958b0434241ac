"""Where a card is named in a text, however it is written, and a watch over many texts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from controller.cards import FULL_DECK, Card

SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
RANK_WORDS: Final = {
    "en": "two three four five six seven eight nine ten jack queen king ace",
    "fr": "deux trois quatre cinq six sept huit neuf dix valet dame roi as",
}
"""From the two to the ace."""
SUIT_WORDS: Final = {
    "en": {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"},
    "fr": {"c": "trèfle", "d": "carreau", "h": "cœur", "s": "pique"},
}

LABELS: Final = re.compile(r"(?<![0-9A-Za-z.])((?:[2-9TJQKA][cdhs]|\?\?)+)(?![0-9A-Za-z])")
"""A card in PHH notation, or several written together, as hand histories do."""

RANDOM: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
"""Random identifiers of the page's framework (RFC 9562), in which two letters mean nothing."""

WORDS: Final = re.compile(r"\bAs (?=[a-z])")
"""The English word at the beginning of a sentence, which is no ace."""


def _word(lang: str, rank: str) -> str:
    return RANK_WORDS[lang].split()["23456789TJQKA".index(rank)]


def _named() -> dict[str, Card]:
    """Every other way of writing a card, and the card."""
    found = {}
    for card in FULL_DECK:
        rank, suit = card.value
        found[f"{rank.replace('T', '10')}{SUITS[suit]}".casefold()] = card
        found[f"card.{card.name}".casefold()] = card
        for lang, of in (("en", "of"), ("fr", "de")):
            found[f"{_word(lang, rank)} {of} {SUIT_WORDS[lang][suit]}"] = card
            found[f"{rank.replace('T', '10')} {of} {SUIT_WORDS[lang][suit]}".casefold()] = card
    return found


NAMES: Final = _named()
NAMED: Final = re.compile(
    r"(?<![0-9a-zà-ÿœ])(" + "|".join(map(re.escape, sorted(NAMES, key=len, reverse=True))) + r")"
    r"(?![0-9a-zà-ÿœ])"
)


def cards_in(text: str) -> Iterator[Card]:
    """Every card that a text names, in any of the ways in which one can be written."""
    for run in LABELS.findall(WORDS.sub("", RANDOM.sub("", text))):
        for at in range(0, len(run), 2):
            if (label := run[at : at + 2]) != "??":
                yield Card(label)
    for name in NAMED.findall(text.casefold()):
        yield NAMES[name]


@dataclass(frozen=True, slots=True)
class Leak:
    """A card that nobody may know, and the output that named it."""

    output: str
    card: str
    text: str


@dataclass
class Watch:
    """Looks through every text at the moment it leaves the program.

    Attributes:
        public: The cards that have lain face up so far.
        tokens: Marks of the cards as matter; no output may hold one.
        leaks: What was found.
        shown: The public cards that each output named: it can be read.
        heard: The outputs that said anything.
    """

    public: set[Card] = field(default_factory=set)
    tokens: tuple[str, ...] = ()
    leaks: list[Leak] = field(default_factory=list)
    shown: dict[str, set[Card]] = field(default_factory=lambda: defaultdict(set))
    heard: set[str] = field(default_factory=set)

    def hear(self, output: str, text: str) -> None:
        """Take in what an output says now."""
        if not text:
            return
        self.heard.add(output)
        for card in cards_in(text):
            if card in self.public:
                self.shown[output].add(card)
            elif card in FULL_DECK:
                self.leaks.append(Leak(output, card.value, _around(text, card.value)))
        self.leaks.extend(
            Leak(output, token, _around(text, token)) for token in self.tokens if token in text
        )


def _around(text: str, part: str) -> str:
    at = max(0, text.find(part))
    return text[max(0, at - 60) : at + 60]
