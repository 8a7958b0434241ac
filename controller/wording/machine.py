"""Faults and parts of the machine, and what to do about them, in English and French.

By the names of the protocol in lower case (``FaultCode``, ``Part``); the command line, the
alarms and docs/device.md say the same.
"""

from __future__ import annotations

from typing import Final

_LANGUAGES: Final = ("en", "fr")

_FAULTS: Final[dict[str, tuple[tuple[str, str], tuple[str, str]]]] = {
    "jam": (
        ("jam", "bourrage"),
        (
            "open the lid, take the card out, look whether it is bent, close the lid",
            "ouvrez le capot, ôtez la carte, voyez si elle est pliée, refermez",
        ),
    ),
    "double_feed": (
        ("double feed", "double prise"),
        (
            "open the lid, part the cards, clean the rollers, close the lid",
            "ouvrez le capot, séparez les cartes, nettoyez les rouleaux, refermez",
        ),
    ),
    "hopper_empty": (("hopper empty", "bac vide"), ("put the deck in", "mettez le jeu")),
    "lid_open": (("lid open", "capot ouvert"), ("close the lid", "fermez le capot")),
    "sensor_stuck": (
        ("sensor stuck", "capteur bloqué"),
        (
            "clean the sensor's window, look for a card or a scrap before it",
            "nettoyez la fenêtre du capteur, cherchez une carte ou un débris devant",
        ),
    ),
    "drive_stalled": (
        ("drive stalled", "moteur calé"),
        (
            "open the lid, free the drive by hand, close the lid",
            "ouvrez le capot, dégagez l’entraînement à la main, refermez",
        ),
    ),
    "no_entropy": (
        ("no entropy", "pas d’aléa"),
        (
            "do not use its shuffles; start it again, then have it repaired",
            "n’utilisez pas ses mélanges ; redémarrez-la, puis faites-la réparer",
        ),
    ),
    "count_differs": (
        ("count differs", "compte inexact"),
        (
            "open the lid, count the deck, look for a card left inside",
            "ouvrez le capot, comptez le jeu, cherchez une carte restée dedans",
        ),
    ),
}

_PARTS: Final[dict[str, tuple[tuple[str, str], tuple[str, str]]]] = {
    "feed": (
        ("feed", "entrée"),
        (
            "clean the feed rollers and the infeed sensors",
            "nettoyez les rouleaux et les capteurs d’entrée",
        ),
    ),
    "carousel": (
        ("carousel", "carrousel"),
        (
            "turn it by hand: free it, clean the slot sensor",
            "tournez-le à la main : dégagez-le, nettoyez le capteur de case",
        ),
    ),
    "unloader": (
        ("unloader", "déchargeur"),
        (
            "clean the unloading rollers and their sensor",
            "nettoyez les rouleaux de déchargement et leur capteur",
        ),
    ),
    "gate": (
        ("gate", "porte"),
        (
            "clean the gate and the exit sensors, look for a card in it",
            "nettoyez la porte et les capteurs de sortie, cherchez-y une carte",
        ),
    ),
    "exit": (
        ("exit", "sortie"),
        (
            "clean the exit rollers and the exit sensors",
            "nettoyez les rouleaux et les capteurs de sortie",
        ),
    ),
    "lid": (
        ("lid", "capot"),
        (
            "close the lid; if it is closed, look at its switch",
            "fermez le capot ; s’il l’est, regardez son contact",
        ),
    ),
    "hopper": (
        ("hopper", "bac"),
        (
            "clean the hopper's sensor, look for a card on it",
            "nettoyez le capteur du bac, cherchez une carte dessus",
        ),
    ),
    "deck_lift": (
        ("deck lift", "élévateur"),
        (
            "free the lift, look at its end switches",
            "dégagez l’élévateur, regardez ses contacts de fin de course",
        ),
    ),
    "noise_source": (
        ("noise source", "source d’aléa"),
        (
            "start the machine again; if it fails again, have it repaired",
            "redémarrez la machine ; si cela dure, faites-la réparer",
        ),
    ),
}


def is_fault(code: str) -> bool:
    """Whether the machine has a fault of this name."""
    return code in _FAULTS


def fault_name(code: str, lang: str) -> str:
    """A fault, such as ``double feed``."""
    return _FAULTS[code][0][_LANGUAGES.index(lang)]


def fault_care(code: str, lang: str) -> str:
    """What to do about a fault."""
    return _FAULTS[code][1][_LANGUAGES.index(lang)]


def part_name(part: str, lang: str) -> str:
    """A part, such as ``deck lift``."""
    return _PARTS[part][0][_LANGUAGES.index(lang)]


def part_care(part: str, lang: str) -> str:
    """What to do about a part that fails."""
    return _PARTS[part][1][_LANGUAGES.index(lang)]
