"""What a prompt says, English and French side by side.

Short and imperative, like the steps. ``{seat}``, ``{seats}``, ``{count}``,
``{amount}``, ``{street}``, ``{money}`` and ``{deck}`` are filled in. A kind with
several sentences has one for each ``detail``.
"""

from __future__ import annotations

from typing import Final

from controller.rulings import Prompt, PromptKind
from controller.wording.catalogue import STREETS, Pair
from controller.wording.sentences import LANGUAGES

PROMPTS: Final[dict[PromptKind, Pair]] = {
    PromptKind.TELL_TURN: (
        "Tell the players to act in turn: it is up to seat {seat}.",
        "Rappelez de parler à son tour : c’est au siège {seat}.",
    ),
    PromptKind.TELL_PLAYERS_LEFT: (
        "Announce: {count} players ({street}).",
        "Annoncez : {count} joueurs ({street}).",
    ),
    PromptKind.TELL_ALL_IN: (
        "Announce: seat {seat} is all-in{amount}.",
        "Annoncez : siège {seat} à tapis{amount}.",
    ),
    PromptKind.TELL_RAISE: (
        "Announce: seat {seat} raises{amount}.",
        "Annoncez : le siège {seat} relance{amount}.",
    ),
    PromptKind.TELL_PLAYING_BEHIND: (
        "Announce: seat {seat} is playing behind{amount}.",
        "Annoncez : le siège {seat} joue des jetons à venir{amount}.",
    ),
    PromptKind.TELL_MAKE_UP_BLIND: (
        "Announce: seat {seat} makes up a blind{amount}.",
        "Annoncez : le siège {seat} rattrape une blinde{amount}.",
    ),
    PromptKind.TELL_BRING_IN: (
        "Announce: seat {seat} has the bring-in{amount}.",
        "Annoncez : le siège {seat} ouvre d’office{amount}.",
    ),
    PromptKind.TELL_HIGH_HAND: (
        "Announce: seat {seat} is high and opens.",
        "Annoncez : le siège {seat} a le meilleur jeu visible et ouvre.",
    ),
    PromptKind.TELL_FIRST_DEALER: (
        "Announce: seat {seat} deals first.",
        "Annoncez : le siège {seat} donne en premier.",
    ),
    PromptKind.ASK_OPTION: (
        "Ask seat {seat} aloud: does the blind raise?",
        "Demandez à voix haute au siège {seat} : la blinde relance-t-elle ?",
    ),
    PromptKind.TAP_TABLE: (
        "Tap the table before the burn.",
        "Tapez sur la table avant de brûler.",
    ),
    PromptKind.PLACE_BURN: (
        "Lay the burn under the earlier ones, under the edge of the pot.",
        "Glissez la carte brûlée sous les précédentes, sous le bord du pot.",
    ),
    PromptKind.PLACE_FLOP: (
        "Flop in the centre, pot beside it.",
        "Le flop au centre, le pot à côté.",
    ),
    PromptKind.BETS_STAY_IN_FRONT: (
        "Bets stay before their players until the round is over.",
        "Les mises restent devant les joueurs jusqu’à la fin du tour.",
    ),
    PromptKind.VERIFY_AND_SCOOP: (
        "Verify bets and change, then scoop{money}.",
        "Vérifiez mises et monnaie, puis ramassez{money}.",
    ),
    PromptKind.GATHER_BLINDS: (
        "Gather the blinds into the pot.",
        "Ramassez les blindes dans le pot.",
    ),
    PromptKind.DEAD_BLIND_TO_CENTRE: (
        "Move the dead part of seat {seat}’s blind to the centre{amount}.",
        "Mettez au centre la part morte de la blinde du siège {seat}{amount}.",
    ),
    PromptKind.SIDE_POT_APART: (
        "Side pot {count} apart, near seats {seats}{amount}.",
        "Pot annexe {count} à part, près des sièges {seats}{amount}.",
    ),
    PromptKind.SPLIT_POT: (
        "Equal hands split the pot (seats {seats}).",
        "À jeu égal, partagez le pot (sièges {seats}).",
    ),
    PromptKind.GATHER_FOLDED: (
        "Gather the folded cards of seat {seat}.",
        "Ramassez les cartes couchées du siège {seat}.",
    ),
    PromptKind.LAST_DOWN_CARD_APART: (
        "Keep the last down card apart from the others.",
        "Donnez la dernière carte cachée à part des autres.",
    ),
    PromptKind.COUNT_STUB: (
        "Count the stub: the last count is {count} minutes old.",
        "Comptez le talon : le dernier compte a {count} minutes.",
    ),
    PromptKind.SPREAD_STUB: (
        "All is dealt: drop the stub spread out, not in a stack.",
        "Tout est donné : posez le talon étalé, pas en pile.",
    ),
    PromptKind.CONFIRM_HAND_OVER: (
        "Say that the hand is over.",
        "Annoncez que le coup est terminé.",
    ),
    PromptKind.DISCARDS_INTO_STUB: (
        "Push the discards into the stub, not on top nor under it.",
        "Glissez les défausses dans le talon, ni dessus ni dessous.",
    ),
    PromptKind.TOP_RETRIEVABLE: (
        "The top of the stub stays retrievable.",
        "Le dessus du talon doit rester retrouvable.",
    ),
    PromptKind.VERIFY_DISCARDS: (
        "Count the discarded hands: {count} cards.",
        "Comptez les mains rendues : {count} cartes.",
    ),
    PromptKind.MOVE_BUTTON: (
        "The pot is pushed: now move the button.",
        "Le pot est poussé : déplacez maintenant le bouton.",
    ),
    PromptKind.SCRAMBLE: (
        "Scramble the cards: it is the last act of the hand.",
        "Brassez les cartes : c’est le dernier geste du coup.",
    ),
    PromptKind.WASH: (
        "Wash the cards face down before the shuffle.",
        "Faites la « salade », cartes cachées, avant de mélanger.",
    ),
    PromptKind.SAY_WHO_DEALS: ("Seat {seat} deals.", "Le siège {seat} donne."),
    PromptKind.SAY_WHO_SHUFFLES: (
        "Seat {seat} shuffles {deck}.",
        "Le siège {seat} mélange {deck}.",
    ),
    PromptKind.SAY_WHO_CUTS: ("Seat {seat} cuts.", "Le siège {seat} coupe."),
    PromptKind.SAY_LIVE_DECK: ("In play: {deck}.", "En jeu : {deck}."),
    PromptKind.CUT_CARD: (
        "Release the deck, then cut it onto the cut card.",
        "Lâchez le paquet, puis coupez sur la carte de coupe.",
    ),
    PromptKind.PROTECT_HANDS: (
        "Players protect their own hands.",
        "Chaque joueur protège sa main.",
    ),
    PromptKind.WATCH_ABSENT_CHIPS: (
        "Watch the chips of seat {seat}, who is away.",
        "Surveillez les jetons du siège {seat}, absent.",
    ),
    PromptKind.OTHER_RULES_APPLY: (
        "Floor: a professional deals, choose the rules for that.",
        "Responsable : un croupier professionnel donne, choisissez son règlement.",
    ),
    PromptKind.REPEATED_MISDEALS: (
        "Floor: misdeals by {dealer}: {count}.",
        "Responsable : fausses donnes {dealer} : {count}.",
    ),
    PromptKind.DECK_WORN: (
        "Change the deck: {count} hands were dealt with it.",
        "Changez de jeu : {count} mains ont été données avec lui.",
    ),
    PromptKind.DECK_READY: (
        "The other deck lies ready.",
        "L’autre jeu est prêt.",
    ),
}

VARIANTS: Final[dict[tuple[PromptKind, str], Pair]] = {
    (PromptKind.DECK_WORN, "shuffles"): (
        "Change the deck: it was shuffled {count} times.",
        "Changez de jeu : il a été mélangé {count} fois.",
    ),
    (PromptKind.DECK_WORN, "days"): (
        "Change the deck: it is in use for {count} days.",
        "Changez de jeu : il sert depuis {count} jours.",
    ),
    (PromptKind.DECK_WORN, "jams"): (
        "Change the deck, clean the rollers: the machine jammed {count} times with it.",
        "Changez de jeu, nettoyez les rouleaux : {count} bourrages avec lui.",
    ),
    (PromptKind.TELL_FIRST_DEALER, "again"): (
        "Equal cards: seats {seats} draw again.",
        "Égalité : les sièges {seats} tirent à nouveau.",
    ),
    (PromptKind.TELL_FIRST_DEALER, "tie"): (
        "Floor: seats {seats} drew equal cards, say who deals.",
        "Responsable : égalité des sièges {seats}, dites qui donne.",
    ),
    (PromptKind.CUT_CARD, "under_the_deck"): (
        "Put the cut card under the deck.",
        "Placez la carte de coupe sous le paquet.",
    ),
    (PromptKind.TOP_RETRIEVABLE, "never"): (
        "The top of the stub must not be retrievable.",
        "Le dessus du talon ne doit plus être retrouvable.",
    ),
}
"""Sentences of a kind for one of its details; any other detail takes the kind's own."""

_FACTS: Final[dict[str, Pair]] = {
    "amount": (" ({amount})", " ({amount})"),
    "bets": (" ({bets})", " ({bets})"),
    "bet": ("seat {seat}: {amount}", "siège {seat} : {amount}"),
    "deck": ("deck {count}", "le jeu {count}"),
    "the_deck": ("the deck", "le jeu"),
    "dealer": ("seat {seat}", "du siège {seat}"),
    "house_dealer": ("the dealer", "du croupier"),
}


def tell(prompt: Prompt, lang: str) -> str:
    """A prompt in the dealer's language.

    Args:
        prompt: The prompt.
        lang: ``en`` or ``fr``.
    """
    pair = VARIANTS.get((prompt.kind, prompt.detail)) or PROMPTS[prompt.kind]
    street = STREETS.get(prompt.street)
    count, seat = prompt.count, prompt.seat
    return _pick(pair, lang).format(
        seat=seat,
        seats=", ".join(map(str, prompt.seats)),
        count=count,
        amount=_fact("amount", lang, amount=prompt.amount) if prompt.amount else "",
        money=_bets(prompt, lang),
        street=_pick(street, lang) if street else prompt.street,
        deck=_fact("deck" if count else "the_deck", lang, count=count),
        dealer=_fact("dealer" if seat else "house_dealer", lang, seat=seat),
    )


def _bets(prompt: Prompt, lang: str) -> str:
    """What each player has before him; empty where no bets are entered."""
    if not prompt.money:
        return ""
    bets = (_fact("bet", lang, seat=m.seat, amount=m.amount) for m in prompt.money)
    return _fact("bets", lang, bets=", ".join(bets))


def _fact(name: str, lang: str, **values: object) -> str:
    return _pick(_FACTS[name], lang).format(**values)


def _pick(pair: Pair, lang: str) -> str:
    return pair[LANGUAGES.index(lang)]
