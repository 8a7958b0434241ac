"""The words of the page itself, in English and French.

Steps, verdicts and reasons have their words in ``controller.wording``; here
are the labels around them.
"""

from __future__ import annotations

from typing import Final

from controller.view.floor_texts import FLOOR_TEXTS

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
    "wait.acknowledged": (
        "Nothing is dealt until it is acknowledged.",
        "Rien n’est donné avant cela.",
    ),
    "tap.acknowledge": ("Acknowledge the alarm", "Répondre de l’alarme"),
    "tap.undo": ("Undo: {tap}", "Annuler : {tap}"),
    "told.undone": ("The last tap was taken back: {tap}", "Dernier toucher annulé : {tap}"),
    "told.undone_none": ("A tap was to be taken back", "Un toucher devait être annulé"),
    "pad.clear": ("Clear", "Effacer"),
    "refused.amount": (
        "Enter the whole bet in front of the player: more than the bet before it.",
        "Entrez toute la mise du joueur : plus que la mise précédente.",
    ),
    "pot_main": ("Main", "Principal"),
    "pot_side": ("side", "annexe"),
    "refused.undo": (
        "That tap can no longer be taken back; call the floor.",
        "Ce toucher ne peut plus être annulé ; appelez le chef de table.",
    ),
    "tap.cut_card": ("The cut card is under the deck", "La carte de coupe est sous le jeu"),
    "tap.no_cut_card": ("No cut card under the deck", "Pas de carte de coupe sous le jeu"),
    "tap.deck_prepared": ("The other deck lies ready", "L’autre jeu est prêt"),
    "refused.alarm": ("No such alarm is latched.", "Aucune alarme de ce nom n’est en cours."),
    "refused.alarm_name": (
        "Say who acknowledges the alarm, and why.",
        "Dites qui répond de l’alarme, et pourquoi.",
    ),
    "refused.alarm_standing": (
        "Its cause is still there; put the machine right first.",
        "Sa cause dure encore ; remettez d’abord la machine en ordre.",
    ),
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
    "tap.floor_confirmed": ("Floor: ruling confirmed", "Chef de table : décision confirmée"),
    "tap.floor_overruled": ("Floor: ruling overruled", "Chef de table : décision annulée"),
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
    "tap.counted_other": ("Stub counted, another number", "Talon compté, un autre nombre"),
    "tap.blind_small": ("Seat {seat} posted the small blind", "Le siège {seat} a posé la PB"),
    "tap.blind_big": ("Seat {seat} posted the big blind", "Le siège {seat} a posé la GB"),
    "tap.blind_make_up": ("Seat {seat} made up its blind", "Le siège {seat} a rattrapé sa blinde"),
    "tap.drew": ("Seat {seat} draws {n}", "Le siège {seat} change {n}"),
    "tap.deal_completed": ("Everybody has all cards", "Chacun a toutes ses cartes"),
    "tap.cut_refused": ("The player declines to cut", "Le joueur refuse de couper"),
    "tap.hand_counted": ("Cards of seat {seat} counted: {n}", "Cartes du siège {seat} : {n}"),
    "tap.claim": ("Seat {seat} claims a misdeal", "Le siège {seat} demande la maldonne"),
    "tap.objected": ("Seat {seat} objects", "Le siège {seat} fait objection"),
    "tap.splashed": ("Seat {seat} splashed the pot", "Le siège {seat} a jeté dans le pot"),
    "tap.change": ("Seat {seat} made its own change", "Le siège {seat} s’est rendu la monnaie"),
    "tap.behind": ("Seat {seat} plays behind", "Le siège {seat} joue des jetons à venir"),
    "tap.left": ("Seat {seat} has left the table", "Le siège {seat} a quitté la table"),
    "tap.seated": ("Seat {seat} is back", "Le siège {seat} est revenu"),
    "tap.out": ("Seat {seat} is out of the game", "Le siège {seat} est éliminé"),
    "tap.button": ("The button lies at seat {seat}", "Le bouton est au siège {seat}"),
    "tap.knew": (
        "Floor: seat {seat} alone knew of the fouled deck",
        "Chef de table : seul le siège {seat} savait le jeu vicié",
    ),
    "tap.marred": ("A card is marred", "Une carte est abîmée"),
    "tap.deck_change": ("A player asks for another deck", "Un joueur demande un autre jeu"),
    "tap.deck_set_up": ("A player asks for a new set-up", "Un joueur demande des jeux neufs"),
    "tap.deck_changed": ("Another deck is in use", "Un autre jeu est en usage"),
    "tap.dropped": ("Stub dropped, its top is known", "Talon tombé, son dessus est connu"),
    "tap.dropped_in_doubt": ("Stub dropped, in doubt", "Talon tombé, dans le doute"),
    "tap.doubt": ("Nobody can say: {zone}", "Personne ne peut dire : {zone}"),
    "tap.first_dealer": ("Seat {seat} deals first", "Le siège {seat} donne en premier"),
    "tap.professional": (
        "A professional dealer takes over",
        "Un croupier professionnel prend la donne",
    ),
    "tap.secured_on": ("Floor: secured shuffle", "Chef de table : mélange sécurisé"),
    "tap.secured_off": ("Floor: ordinary shuffle", "Chef de table : mélange ordinaire"),
    "danger.fold_announced": ("Seat {seat} said fold", "Le siège {seat} a dit passer"),
    "danger.past_the_line": (
        "Seat {seat}: cards past the line",
        "Siège {seat} : cartes au-delà de la ligne",
    ),
    "danger.forward_motion": (
        "Seat {seat}: cards thrown forward, seat {other} acted",
        "Siège {seat} : cartes jetées en avant, le siège {other} a joué",
    ),
    "danger.touched_muck": (
        "Seat {seat}: cards touched the muck",
        "Siège {seat} : cartes au contact des défausses",
    ),
    "danger.into_other_hand": (
        "Seat {seat}: cards sent into the hand of seat {other}",
        "Siège {seat} : cartes envoyées dans la main du siège {other}",
    ),
    "danger.dead_card_mixed_in": (
        "Seat {seat}: a dead card is mixed in",
        "Siège {seat} : une carte morte y est mêlée",
    ),
    "danger.taken_by_dealer": (
        "Seat {seat}: unprotected, taken by the dealer",
        "Siège {seat} : main non protégée, prise par le donneur",
    ),
    "zone.pot": ("the pot", "le pot"),
    "zone.stub": ("the stub", "le talon"),
    "zone.board": ("the board", "le tableau"),
    "zone.burn": ("the burns", "les brûlées"),
    "zone.muck": ("the muck", "l’écart"),
    "topic.deck": ("Deck and table", "Jeu et table"),
    "topic.house": ("House", "Maison"),
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
    "offline": (
        "No connection to the table. What stood here is no longer current. "
        "The page tries again by itself; if this stays, call the floor.",
        "Pas de liaison avec la table. Ce qui était affiché n’est plus à jour. "
        "La page réessaie d’elle-même ; si cela dure, appelez le chef de table.",
    ),
    "table": ("Table drawn from above", "La table vue de dessus"),
    "dealer": ("Dealer", "Croupier"),
    **FLOOR_TEXTS,
}
"""Key -> (English, French)."""


def text(key: str, lang: str, **values: object) -> str:
    """The words of ``key`` in ``en`` or ``fr``, with ``values`` filled in."""
    return TEXTS[key][LANGUAGES.index(lang)].format(**values)
