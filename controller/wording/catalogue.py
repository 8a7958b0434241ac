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
        "Show {cards} to the whole table and announce it{whence}{becomes}.",
        "Montrez {cards} à toute la table et annoncez-la{whence}{becomes}.",
    ),
    StepKind.FINISH_HAND: ("Finish the hand first.", "Terminez d’abord la main."),
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
    StepKind.MOVE_TO_BOARD: ("Turn {cards} up on the board.", "Retournez {cards} au tableau."),
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
        "Deal the {street}: {count} cards on the board in all.",
        "Complétez le tableau ({street}) : {count} cartes en tout.",
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
    StepKind.REDEAL: (
        "Deal again, the button as it lies.",
        "Redonnez, le bouton reste où il est.",
    ),
    StepKind.MOVE_TO_SEAT: (
        "Give {cards} to seat {to_seat}, unseen.",
        "Passez {cards} au siège {to_seat}, sans la montrer.",
    ),
    StepKind.TOP_OF_STUB: (
        "Put {cards} back on top of the stub.",
        "Reposez {cards} sur le dessus du talon.",
    ),
    StepKind.PICK_BURN: (
        "Floor: mix {cards} face down and pick one as the burn.",
        "Responsable : mélangez {cards} face cachée et choisissez-en une à brûler.",
    ),
    StepKind.PICK_UP_STUB: (
        "Pick the stub up in its order and deal on.",
        "Ramassez le talon dans son ordre et continuez.",
    ),
    StepKind.LEAVE_OUT: (
        "Leave out the {count} cards in doubt: they are discards.",
        "Écartez les {count} cartes douteuses : elles sont défaussées.",
    ),
    StepKind.DISCARD: ("Discard {cards} for good.", "Écartez {cards} définitivement."),
    StepKind.PUSH_BACK_CHIPS: (
        "Count the chips and push them back before seat {seat}.",
        "Comptez les jetons et repoussez-les devant le siège {seat}.",
    ),
    StepKind.POST_BLIND: (
        "Seat {seat} posts the blind.",
        "Le siège {seat} poste sa blinde.",
    ),
    StepKind.PLACE_BUTTON: (
        "Put the button before seat {seat}.",
        "Placez le bouton devant le siège {seat}.",
    ),
    StepKind.SPREAD_FACE_UP: (
        "Spread the new deck face up.",
        "Étalez le nouveau jeu face visible.",
    ),
    StepKind.WASH_FACE_UP: ("Scramble it face up.", "Brassez-le face visible."),
    StepKind.WASH_FACE_DOWN: ("Scramble it face down.", "Brassez-le face cachée."),
    StepKind.RIFFLE: (
        "Shuffle it at least {count} times.",
        "Mélangez-le au moins {count} fois.",
    ),
    StepKind.FIND_CARD: (
        "Find the missing card before the next hand.",
        "Retrouvez la carte manquante avant la prochaine main.",
    ),
    StepKind.REFUSE: (
        "Refuse: the deck is not changed now.",
        "Refusez : le jeu n’est pas changé maintenant.",
    ),
    StepKind.DRAW_CARDS: (
        "Ask seat {seat} how many cards it changes.",
        "Demandez au siège {seat} combien de cartes il change.",
    ),
    StepKind.PAY: ("Pay out: {money}.", "Distribuez : {money}."),
    StepKind.ACKNOWLEDGE: (
        "Stop. The alarm must be answered for: name and reason.",
        "Arrêtez. Quelqu’un doit répondre de l’alarme : nom et motif.",
    ),
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
    Kind.FOUR_CARD_FLOP: ("{count} cards on the flop.", "{count} cartes au flop."),
    Kind.EXTRA_BURN: ("Too many burns: {count}.", "Trop de cartes brûlées : {count}."),
    Kind.LATE_BURN_ERROR: (
        "Betting began after a burn error.",
        "Les enchères ont commencé après une erreur de brûle.",
    ),
    Kind.NOT_SHUFFLED: (
        "Dealt from a deck without {detail}.",
        "Donne sans {detail}.",
    ),
    Kind.SHUFFLE_SEQUENCE: (
        "Shuffle out of order: {detail}.",
        "Mélange dans le mauvais ordre : {detail}.",
    ),
    Kind.BAD_CUT: (
        "The cut left too few cards in a pile: {count}.",
        "La coupe a laissé trop peu de cartes dans un tas : {count}.",
    ),
    Kind.WRONG_SEAT: (
        "Card at seat {seat} belongs to seat {due}.",
        "La carte du siège {seat} revient au siège {due}.",
    ),
    Kind.EMPTY_SEAT: (
        "Card dealt to the empty seat {seat}.",
        "Carte donnée au siège vide {seat}.",
    ),
    Kind.UNENTITLED_PLAYER: (
        "Seat {seat} has no right to a hand.",
        "Le siège {seat} n’a pas droit à une main.",
    ),
    Kind.UNPOSTED_PLAYER: (
        "Seat {seat} was dealt in without posting.",
        "Le siège {seat} a reçu des cartes sans avoir posté.",
    ),
    Kind.ABSENT_PLAYER: (
        "Seat {seat} was away at the last card.",
        "Le siège {seat} était absent à la dernière carte.",
    ),
    Kind.NO_CARDS: ("Seat {seat} got no cards.", "Le siège {seat} n’a pas reçu de cartes."),
    Kind.SHORT_HAND: (
        "Seat {seat} has too few cards.",
        "Le siège {seat} a trop peu de cartes.",
    ),
    Kind.EXTRA_CARD: (
        "Seat {seat} has too many cards: {count}.",
        "Le siège {seat} a trop de cartes : {count}.",
    ),
    Kind.WRONG_BUTTON: (
        "The button is at seat {seat}, it belongs to seat {due}.",
        "Le bouton est au siège {seat}, il revient au siège {due}.",
    ),
    Kind.ENDANGERED_HAND: (
        "Hand of seat {seat}: {detail}.",
        "Main du siège {seat} : {detail}.",
    ),
    Kind.OUT_OF_TURN: (
        "Seat {seat} acted out of turn; seat {due} is to act.",
        "Le siège {seat} a joué hors de son tour ; c’est au siège {due}.",
    ),
    Kind.POT_SPLASHED: (
        "Seat {seat} threw chips into the pot.",
        "Le siège {seat} a jeté ses jetons dans le pot.",
    ),
    Kind.CHANGE_TAKEN: (
        "Seat {seat} made its own change.",
        "Le siège {seat} s’est rendu la monnaie.",
    ),
    Kind.STUB_DROPPED: ("The stub was dropped.", "Le talon est tombé."),
    Kind.LAST_CARD: (
        "The last card of the deck was used.",
        "La dernière carte du jeu a servi.",
    ),
    Kind.NOT_ENOUGH_CARDS: (
        "Not enough cards for this many players: {count} needed.",
        "Pas assez de cartes pour autant de joueurs : il en faut {count}.",
    ),
    Kind.MARRED_CARD: ("Marred card {cards}.", "Carte abîmée {cards}."),
    Kind.DECK_REQUESTED: (
        "A player asks for another deck{at}.",
        "Un joueur demande un autre jeu{at}.",
    ),
    Kind.KNEW_OF_FOULED_DECK: (
        "Seat {seat} alone knew of the fouled deck.",
        "Seul le siège {seat} savait que le jeu était vicié.",
    ),
    Kind.OBJECTION: ("Seat {seat} objects.", "Le siège {seat} fait objection."),
    Kind.CLAIM: ("Seat {seat} claims a misdeal.", "Le siège {seat} demande la maldonne."),
    Kind.DOUBT: ("Nobody can say what happened. {detail}", "Personne ne peut dire. {detail}"),
    Kind.UNEXPECTED: (
        "A card went where none was due{at}.",
        "Une carte est allée où aucune n’était due{at}.",
    ),
}

REFUSED_CUT: Final[Pair] = ("The cut was refused{at}.", "La coupe a été refusée{at}.")
"""Of ``BAD_CUT``, when nothing was cut at all."""

VERDICTS: Final[dict[Verdict, Pair]] = {
    Verdict.CONTINUE: ("Correct it and go on", "Corrigez et continuez"),
    Verdict.MISDEAL: ("Misdeal", "Fausse donne"),
    Verdict.FOULED_DECK: ("Fouled deck", "Jeu vicié"),
    Verdict.HAND_DEAD: ("Dead hand", "Main morte"),
    Verdict.PLAY_ON: ("Play on", "Le coup continue"),
    Verdict.FLOOR_DECIDES: ("The floor decides", "Le responsable décide"),
}

STREETS: Final[dict[str, Pair]] = {
    "third": ("third street", "troisième carte"),
    "fourth": ("fourth street", "quatrième carte"),
    "fifth": ("fifth street", "cinquième carte"),
    "sixth": ("sixth street", "sixième carte"),
    "seventh": ("seventh street", "septième carte"),
    "predraw": ("before the draw", "avant le tirage"),
    "draw": ("after the draw", "après le tirage"),
    "preflop": ("before the flop", "avant le flop"),
    "flop": ("flop", "flop"),
    "turn": ("turn", "tournant"),
    "river": ("river", "rivière"),
}

DETAILS: Final[dict[str, Pair]] = {
    "shuffle": ("a shuffle", "mélange"),
    "cut": ("a cut", "coupe"),
    "fold_announced": ("a fold was announced", "le coucher a été annoncé"),
    "past_the_line": ("thrown past the line", "jetée au-delà de la ligne"),
    "forward_motion": ("thrown forward, another player acted", "jetée en avant, un autre a joué"),
    "touched_muck": ("it touched the muck", "elle a touché les défausses"),
    "into_other_hand": ("sent into another hand", "envoyée dans une autre main"),
    "dead_card_mixed_in": ("a dead card was mixed in", "une carte morte y est mêlée"),
    "taken_by_dealer": ("unprotected, taken by the dealer", "non protégée, prise par le donneur"),
}
"""What an irregularity's detail says, where a word of it is shown."""

SMALL: Final[dict[str, Pair]] = {
    "at_seat": (" at seat {seat}", " au siège {seat}"),
    "from_hand": (": from the hand of seat {seat}", " : elle vient du siège {seat}"),
    "from_deck": (": from the deck", " : elle vient du jeu"),
    "becomes_burn": (", it will be the burn", ", elle sera la carte brûlée"),
    "award": ("Push the pot: {money}.", "Poussez le pot : {money}."),
    "the_card": ("the card", "la carte"),
    "last_burn": ("the last burn", "la dernière carte brûlée"),
    "last_burns": ("the last {count} burns", "les {count} dernières cartes brûlées"),
    "card_of_seat": ("the card of seat {seat}", "la carte du siège {seat}"),
    "fallen_card": ("the fallen card", "la carte tombée"),
    "money": ("{amount} to seat {seat}", "{amount} au siège {seat}"),
}
