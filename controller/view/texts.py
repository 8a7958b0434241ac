"""The words of the page itself, in English and French.

Steps, verdicts and reasons have their words in ``controller.wording``; here
are the labels around them.
"""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "fr")

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "hand": ("Hand {n}", "Main {n}"),
    "no_hand": ("No hand yet", "Pas encore de main"),
    "street.between": ("Between hands", "Entre deux mains"),
    "street.deal": ("Deal", "Donne"),
    "street.preflop": ("Before the flop", "Avant le flop"),
    "street.flop": ("Flop", "Flop"),
    "street.turn": ("Turn", "Tournant"),
    "street.river": ("River", "Rivière"),
    "street.showdown": ("Showdown", "Abattage"),
    "idle": ("Nothing to do for now.", "Rien à faire pour l’instant."),
    "betting": ("Seat {seat} is to act.", "Au siège {seat} de parler."),
    "betting_open": ("The betting round is open.", "Le tour d’enchères est ouvert."),
    "start": ("Start the next hand.", "Commencez la main suivante."),
    "stopped": (
        "Stop. Touch no card. Call the floor.",
        "Arrêtez. Ne touchez aucune carte. Appelez le chef de table.",
    ),
    "floor": (
        "FLOOR — call the floor person to this table",
        "CHEF DE TABLE — appelez le responsable à cette table",
    ),
    "doer.machine": ("machine", "machine"),
    "doer.floor": ("floor", "chef de table"),
    "wait.camera": ("The camera sees it done.", "La caméra le verra fait."),
    "wait.machine": ("The machine reports it done.", "La machine le signalera fait."),
    "wait.tap": ("Tap when done.", "Touchez quand c’est fait."),
    "pile.burn": ("Burns", "Brûlées"),
    "pile.muck": ("Muck", "Écart"),
    "pile.aside": ("Aside", "À part"),
    "pile.stub": ("Stub", "Talon"),
    "pot": ("Pot", "Pot"),
    "device.shuffler": ("Shuffler", "Sabot"),
    "device.camera": ("Camera", "Caméra"),
    "health.ready": ("ready", "prêt"),
    "health.degraded": ("unsteady", "instable"),
    "health.lost": ("lost: check its cable", "perdu : vérifiez son câble"),
    "health.fault": ("fault: open the lid and look", "panne : ouvrez le capot"),
    "health.unknown_outcome": (
        "restarted: count its cards",
        "redémarré : comptez ses cartes",
    ),
    "health.absent": ("none at this table", "aucun à cette table"),
    "health.waiting": ("connecting", "connexion"),
    "gate.open": ("Shoe open", "Sabot ouvert"),
    "gate.held": ("Shoe held", "Sabot bloqué"),
    "tap.unseen": ("Done, though no sensor saw it", "Fait, mais aucun capteur ne l’a vu"),
    "tap.boxed": (
        "Seat {seat}: the card lay face up in the deck",
        "Siège {seat} : la carte était retournée dans le paquet",
    ),
    "blind.small": ("SB", "PB"),
    "blind.big": ("BB", "GB"),
    "refused.step": (
        "That step is not open; follow the instruction shown.",
        "Cette étape n’est pas en cours ; suivez l’instruction affichée.",
    ),
    "refused.ruling": (
        "No such ruling is in force.",
        "Aucune décision de ce nom n’est en vigueur.",
    ),
    "refused.hand": (
        "The hand is not over; gather the cards first.",
        "La main n’est pas finie ; rassemblez d’abord les cartes.",
    ),
    "refused.betting": (
        "No betting round is open.",
        "Aucun tour d’enchères n’est ouvert.",
    ),
    "refused.seat": (
        "Seat {seat} is not in this hand.",
        "Le siège {seat} n’est pas dans cette main.",
    ),
    "refused.no_hand": (
        "No hand is being played; start one first.",
        "Aucune main n’est en cours ; commencez-en une.",
    ),
    "tap.done": ("Done", "C’est fait"),
    "tap.floor_confirm": ("Floor: ruling confirmed", "Chef de table : décision confirmée"),
    "tap.floor_overrule": ("Floor: ruling overruled", "Chef de table : décision annulée"),
    "tap.betting_closed": ("Betting is complete", "Les enchères sont closes"),
    "tap.cut": ("The deck is cut", "Le paquet est coupé"),
    "tap.shuffled": ("The deck is shuffled", "Le paquet est mélangé"),
    "tap.reshuffled": ("The stub is reshuffled", "Le talon est remélangé"),
    "tap.gathered": ("All cards are gathered", "Toutes les cartes sont rassemblées"),
    "tap.pushed": ("The pot is pushed", "Le pot est poussé"),
    "tap.start": ("Start hand {n}", "Commencer la main {n}"),
    "tap.joker": ("Seat {seat} holds a joker", "Le siège {seat} a un joker"),
    "tap.looked": ("Seat {seat} has looked", "Le siège {seat} a regardé"),
    "tap.exposed": ("Seat {seat}: a card was exposed", "Siège {seat} : une carte a été vue"),
    "tap.dealt": ("Card dealt to seat {seat}", "Carte donnée au siège {seat}"),
    "tap.burned": ("Card burned", "Carte brûlée"),
    "tap.board": ("Card on the board", "Carte au tableau"),
    "tap.counted": ("Stub counted: {n}", "Talon compté : {n}"),
    "tap.blind": ("Seat {seat} posted {n}", "Le siège {seat} a posé {n}"),
    "tap.shown": ("Seat {seat} has shown", "Le siège {seat} a montré"),
    "tap.moved": ("Cards moved: {origin} to {target}", "Cartes déplacées : {origin} vers {target}"),
    "tap.back": ("Wrong back in {zone}", "Mauvais dos : {zone}"),
    "tap.device": ("Device: {device} {health}", "Appareil : {device} {health}"),
    "action.check": ("Check", "Parole"),
    "action.call": ("Call", "Suit"),
    "action.bet": ("Bet", "Mise"),
    "action.raise": ("Raise", "Relance"),
    "action.fold": ("Fold", "Passe"),
    "action.all_in": ("All-in", "Tapis"),
    "steps": ("Steps", "Étapes"),
    "done": ("done", "fait"),
    "now": ("now", "maintenant"),
    "seat": ("Seat {seat}", "Siège {seat}"),
    "empty": ("empty", "vide"),
    "rule": ("Rule", "Règle"),
    "theme.day": ("Day", "Jour"),
    "theme.night": ("Night", "Nuit"),
    "amount": ("Amount", "Montant"),
    "send": ("Enter", "Valider"),
    "report": ("Report", "Signaler"),
    "offline": ("Connection to the table lost", "Connexion à la table perdue"),
    "table": ("Table drawn from above", "La table vue de dessus"),
    "dealer": ("Dealer", "Croupier"),
}
"""Key -> (English, French)."""


def text(key: str, lang: str, **values: object) -> str:
    """The words of ``key`` in ``en`` or ``fr``, with ``values`` filled in."""
    return TEXTS[key][LANGUAGES.index(lang)].format(**values)
