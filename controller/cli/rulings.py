"""A ruling as a person at a terminal reads it."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from controller.rulings import Ruling
from controller.wording import describe


def print_ruling(ruling: Ruling, language: str) -> None:
    """Print reason, verdict, steps and clauses.

    Args:
        ruling: What was decided.
        language: ``en`` or ``fr``.
    """
    console = Console(highlight=False, soft_wrap=True)
    reason, verdict, *steps = describe(ruling, language)
    console.print(Text(f"{ruling.id}  {reason}", "bold"))
    console.print(Text(f"  {verdict} ({', '.join(ruling.clauses)})"))
    for step in steps:
        console.print(Text(f"  {step}"))
