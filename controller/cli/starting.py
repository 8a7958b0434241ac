"""Starts the program: a Ctrl-C while it loads, which takes a second, ends it quietly too."""

from __future__ import annotations

from collections.abc import Sequence

from controller.cli.failures import ExitCode


def main(arguments: Sequence[str] | None = None) -> int:
    """Load the commands and run one.

    Args:
        arguments: The words after ``cutcard``; those of the process when None.

    Returns:
        The exit code, one of ``ExitCode``.
    """
    try:
        from controller.cli.app import main as run_command
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    return run_command(arguments)
