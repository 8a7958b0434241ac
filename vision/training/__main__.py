"""Train the recogniser's nets from artwork, one after the other."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from vision.training.cards import train_cards
from vision.training.corners import train_corners
from vision.training.plan import Plan

_TRAININGS: Final[dict[str, Callable[[Plan], None]]] = {
    "cards": train_cards,
    "corners": train_corners,
}


def main(arguments: list[str] | None = None) -> int:
    """Run the training; returns the exit status."""
    options = vars(_options().parse_args(arguments))
    only = options.pop("only")
    plan = Plan(**options)
    if plan.namer_steps < plan.finder_steps:
        sys.stderr.write("training: --namer-steps must not be below --finder-steps\n")
        return 2
    plan.out.mkdir(parents=True, exist_ok=True)
    try:
        for name, train in _TRAININGS.items():
            if only in ("", name):
                train(plan)
    except (FileNotFoundError, ModuleNotFoundError) as error:
        sys.stderr.write(f"training: {error}\n")
        return 2
    return 0


def _options() -> argparse.ArgumentParser:
    usual = Plan(Path(), Path())
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--artwork", type=Path, required=True, help="folder with a folder per deck")
    parser.add_argument("--out", type=Path, required=True, help="folder for nets and checkpoints")
    parser.add_argument("--only", choices=("", *_TRAININGS), default="", help="train only these")
    parser.add_argument("--bf16", action="store_true", help="in bfloat16, where that is faster")
    for name, help_text in (
        ("seed", "same seed, same pictures"),
        ("threads", "threads of the nets themselves"),
        ("workers", "processes that draw pictures for the corner nets"),
        ("card-steps", "steps of the whole-card net"),
        ("finder-steps", "steps of the net that finds corner indices"),
        ("namer-steps", "steps of the net that names them"),
    ):
        value = getattr(usual, name.replace("-", "_"))
        parser.add_argument(f"--{name}", type=int, default=value, help=f"{help_text} ({value})")
    return parser


if __name__ == "__main__":
    sys.exit(main())
