"""The command line: ``cutcard``."""

from controller.cli.starting import main

__all__ = ["main"]
