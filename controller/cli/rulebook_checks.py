"""The checks of ``cutcard doctor`` that read rulebooks."""

from __future__ import annotations

from controller.cli.findings import Finding, failure, ok
from controller.rulebook import RulebookError, list_rulebooks, load_rulebook


def check_rulebooks() -> tuple[Finding, ...]:
    """Every rulebook that comes with the program."""
    return tuple(check_rulebook(name) for name in list_rulebooks())


def check_rulebook(name: str) -> Finding:
    """One rulebook, by its name or its file."""
    try:
        book = load_rulebook(name)
    except RulebookError as error:
        return failure(f"rulebook {name}", str(error), "correct the file: cutcard rulebook check")
    return ok(f"rulebook {name}", book.title)
