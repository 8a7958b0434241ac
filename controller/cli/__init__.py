"""The command line: ``cutcard``."""

from controller.cli.app import main

__all__ = ["main"]
