"""Short names of the irregularities, for lists, filters and plots."""

from __future__ import annotations

from typing import Final

from controller.irregularities import Kind
from controller.view.texts import LANGUAGES

NAMES: Final[dict[Kind, tuple[str, str]]] = {
    Kind.EXPOSED_CARD: ("Exposed card", "Carte exposée"),
    Kind.BOXED_CARD: ("Boxed card", "Carte retournée"),
    Kind.JOKER: ("Joker", "Joker"),
    Kind.DUPLICATE_CARD: ("Duplicate card", "Carte en double"),
    Kind.WRONG_BACK: ("Wrong back", "Mauvais dos"),
    Kind.COUNT_SHORT: ("Deck short", "Jeu incomplet"),
    Kind.COUNT_LONG: ("Deck long", "Jeu en surnombre"),
    Kind.MISSING_BURN: ("Missing burn", "Brûle oubliée"),
    Kind.PREMATURE_FLOP: ("Premature flop", "Flop prématuré"),
    Kind.PREMATURE_TURN: ("Premature turn", "Tournant prématuré"),
    Kind.PREMATURE_RIVER: ("Premature river", "Rivière prématurée"),
    Kind.FOUR_CARD_FLOP: ("Four-card flop", "Flop à quatre cartes"),
    Kind.EXTRA_BURN: ("Extra burn", "Brûle en trop"),
    Kind.LATE_BURN_ERROR: ("Burn error found late", "Erreur de brûle tardive"),
    Kind.NOT_SHUFFLED: ("Not shuffled or cut", "Sans mélange ou coupe"),
    Kind.SHUFFLE_SEQUENCE: ("Shuffle out of order", "Mélange dans le désordre"),
    Kind.BAD_CUT: ("Bad cut", "Coupe non valable"),
    Kind.WRONG_SEAT: ("Card to the wrong seat", "Carte au mauvais siège"),
    Kind.EMPTY_SEAT: ("Card to an empty seat", "Carte à un siège vide"),
    Kind.UNENTITLED_PLAYER: ("Player without a right to a hand", "Joueur sans droit à une main"),
    Kind.UNPOSTED_PLAYER: ("Dealt in without posting", "Servi sans avoir posté"),
    Kind.ABSENT_PLAYER: ("Absent player", "Joueur absent"),
    Kind.NO_CARDS: ("Player without cards", "Joueur sans cartes"),
    Kind.SHORT_HAND: ("Too few cards", "Trop peu de cartes"),
    Kind.EXTRA_CARD: ("Too many cards", "Trop de cartes"),
    Kind.WRONG_BUTTON: ("Wrong button", "Bouton mal placé"),
    Kind.ENDANGERED_HAND: ("Endangered hand", "Main en danger"),
    Kind.OUT_OF_TURN: ("Out of turn", "Hors tour"),
    Kind.POT_SPLASHED: ("Splashed pot", "Jetons jetés dans le pot"),
    Kind.CHANGE_TAKEN: ("Change taken", "Monnaie prise"),
    Kind.STUB_DROPPED: ("Stub dropped", "Talon tombé"),
    Kind.LAST_CARD: ("Last card used", "Dernière carte servie"),
    Kind.NOT_ENOUGH_CARDS: ("Not enough cards", "Pas assez de cartes"),
    Kind.MARRED_CARD: ("Marred card", "Carte abîmée"),
    Kind.DECK_REQUESTED: ("Deck requested", "Jeu demandé"),
    Kind.KNEW_OF_FOULED_DECK: ("Knew of the fouled deck", "Jeu vicié connu"),
    Kind.OBJECTION: ("Objection", "Objection"),
    Kind.CLAIM: ("Misdeal claimed", "Maldonne demandée"),
    Kind.DOUBT: ("Doubt", "Doute"),
    Kind.UNEXPECTED: ("Card where none was due", "Carte là où aucune n’était due"),
}
"""Kind -> (English, French)."""


def kind_name(kind: Kind, lang: str) -> str:
    """What an irregularity is called, in ``en`` or ``fr``."""
    return NAMES[kind][LANGUAGES.index(lang)]
