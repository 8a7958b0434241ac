"""How the demo is played."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

BACK: Final = "red"
"""Back colour of the demo's deck."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """How the simulated table is played.

    ``hands`` 0 plays until stopped. ``pace_s`` is how long the dealer takes for
    an act; 0 plays as fast as the sensors see. ``port`` 0 serves no page.
    ``source`` names a camera or video that is watched in place of the rendered
    table, as ``vision.open_source`` takes it.
    """

    hands: int = 0
    source: str = ""
    seed: int = 1
    rulebook: str = "ck"
    seats: int = 6
    language: str = "en"
    pace_s: float = 0.0
    host: str = "127.0.0.1"
    port: int = 0
    show: bool = False
    journal: Path | None = None
