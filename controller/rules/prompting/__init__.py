"""Prompts: what the dealer says or minds besides the next move, at the moment for it."""

from controller.rules.prompting.moments import prompts, shown

__all__ = ["prompts", "shown"]
