"""What a training run is told, and how it tells how far it is."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plan:
    """One training run.

    Attributes:
        artwork: Folder with one folder per deck.
        out: Folder for nets, sheets and checkpoints; made when absent.
        seed: Same seed, same pictures.
        threads: Of the nets themselves.
        workers: Processes that draw pictures for the corner nets.
        bf16: Whether the corner nets learn in bfloat16, where that is faster.
        card_steps: Steps of the whole-card net.
        finder_steps: Steps of the net that finds corner indices.
        namer_steps: Steps of the net that names them; no fewer than ``finder_steps``.
    """

    artwork: Path
    out: Path
    seed: int = 1
    threads: int = 1
    workers: int = 1
    bf16: bool = False
    card_steps: int = 1100
    finder_steps: int = 1300
    namer_steps: int = 1500


def say(line: str) -> None:
    """Print a line of progress at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
