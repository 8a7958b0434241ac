"""The sentences, English and French side by side, so that neither is forgotten.

Short and imperative: they are read at arm's length. ``{seat}``, ``{cards}``,
``{count}``, ``{street}`` and ``{money}`` are filled in.
"""

from __future__ import annotations

from typing import Final

from controller.irregularities import Kind
from controller.rulings import StepKind, Verdict

Pair = tuple[str, str]

STEPS: Final[dict[StepKind, Pair]] = {
    StepKind.CALL_FLOOR: (
        "Stop. Call the floor.",
        "Arrêtez. Appelez le responsable.",
    ),
    StepKind.ANNOUNCE: (
        "Show {cards} to the whole table and announce it.",
        "Montrez {cards} à toute la table et annoncez-la.",
    ),
    StepKind.FINISH_DEAL: ("Finish the deal.", "Terminez la donne."),
    StepKind.COMPLETE_BETTING: (
        "Complete the betting ({street}).",
        "Terminez le tour d’enchères ({street}).",
    ),
    StepKind.DEAL_TO_SEAT: (
        "Give seat {seat} the top card.",
        "Donnez la carte du dessus au siège {seat}.",
    ),
    StepKind.MOVE_TO_BURN: (
        "Put {cards} on the burn pile.",
        "Mettez {cards} avec les cartes brûlées.",
    ),
    StepKind.MOVE_TO_BOARD: ("Put {cards} on the board.", "Mettez {cards} au tableau."),
    StepKind.SET_ASIDE: (
        "Set {cards} aside, face up.",
        "Mettez {cards} de côté, face visible.",
    ),
    StepKind.REMOVE_CARD: ("Take {cards} out of play.", "Retirez {cards} du jeu."),
    StepKind.RETURN_TO_STUB: (
        "Put {cards} back into the shoe.",
        "Remettez {cards} dans le sabot.",
    ),
    StepKind.RESHUFFLE_STUB: (
        "The machine shuffles the stub: {count} cards.",
        "La machine mélange le talon : {count} cartes.",
    ),
    StepKind.BURN: ("Burn a card.", "Brûlez une carte."),
    StepKind.DEAL_BOARD: (
        "Deal the {street}: {count} cards on the board.",
        "Donnez le {street} : {count} cartes au tableau.",
    ),
    StepKind.KILL_HAND: (
        "The hand of seat {seat} is dead: muck it.",
        "La main du siège {seat} est morte : écartez-la.",
    ),
    StepKind.RETURN_MONEY: ("Give the chips back: {money}.", "Rendez les jetons : {money}."),
    StepKind.WASH: (
        "Take every card back and scramble them face down.",
        "Reprenez toutes les cartes et brassez-les face cachée.",
    ),
    StepKind.GATHER_ALL: (
        "Put all cards into the machine.",
        "Mettez toutes les cartes dans la machine.",
    ),
    StepKind.CHECK_DECK: (
        "Spread the deck face up and check it.",
        "Étalez le jeu face visible et vérifiez-le.",
    ),
    StepKind.CHANGE_DECK: ("Change the deck.", "Changez de jeu."),
    StepKind.SHUFFLE: ("The machine shuffles the deck.", "La machine mélange le jeu."),
    StepKind.CUT: ("Cut the deck.", "Faites couper le jeu."),
    StepKind.REDEAL: ("Deal again, same button.", "Redonnez, même bouton."),
    StepKind.AWARD_POT: ("Push the pot to the winner.", "Poussez le pot au gagnant."),
}

KINDS: Final[dict[Kind, Pair]] = {
    Kind.EXPOSED_CARD: ("Card {cards} exposed{at}.", "Carte {cards} exposée{at}."),
    Kind.BOXED_CARD: ("Boxed card {cards}{at}.", "Carte retournée dans le jeu {cards}{at}."),
    Kind.JOKER: ("Joker in the deck{at}.", "Joker dans le jeu{at}."),
    Kind.DUPLICATE_CARD: ("{cards} is there twice.", "{cards} est là deux fois."),
    Kind.WRONG_BACK: (
        "A card has another back ({detail}).",
        "Une carte a un autre dos ({detail}).",
    ),
    Kind.COUNT_SHORT: ("A card is missing: {count} counted.", "Il manque une carte : {count}."),
    Kind.COUNT_LONG: ("A card too many: {count} counted.", "Une carte en trop : {count}."),
    Kind.MISSING_BURN: ("No card was burned.", "Aucune carte n’a été brûlée."),
    Kind.PREMATURE_FLOP: (
        "Flop {cards} before the betting was complete.",
        "Flop {cards} avant la fin des enchères.",
    ),
    Kind.PREMATURE_TURN: (
        "Turn {cards} before the betting was complete.",
        "Tournant {cards} avant la fin des enchères.",
    ),
    Kind.PREMATURE_RIVER: (
        "River {cards} before the betting was complete.",
        "Rivière {cards} avant la fin des enchères.",
    ),
    Kind.FOUR_CARD_FLOP: ("Four cards on the flop.", "Quatre cartes au flop."),
    Kind.UNEXPECTED: (
        "A card went where none was due{at}.",
        "Une carte est allée où aucune n’était due{at}.",
    ),
}

VERDICTS: Final[dict[Verdict, Pair]] = {
    Verdict.CONTINUE: ("Correct it and go on", "Corrigez et continuez"),
    Verdict.MISDEAL: ("Misdeal", "Fausse donne"),
    Verdict.FOULED_DECK: ("Fouled deck", "Jeu vicié"),
    Verdict.HAND_DEAD: ("Dead hand", "Main morte"),
    Verdict.PLAY_ON: ("Play on", "Le coup continue"),
    Verdict.FLOOR_DECIDES: ("The floor decides", "Le responsable décide"),
}

STREETS: Final[dict[str, Pair]] = {
    "preflop": ("before the flop", "avant le flop"),
    "flop": ("flop", "flop"),
    "turn": ("turn", "tournant"),
    "river": ("river", "rivière"),
}

SMALL: Final[dict[str, Pair]] = {
    "at_seat": (" at seat {seat}", " au siège {seat}"),
    "the_card": ("the card", "la carte"),
    "money": ("{amount} to seat {seat}", "{amount} au siège {seat}"),
}
