"""Rule: what a rulebook orders for an irregularity."""

from controller.rules.deciding.decisions import rule

__all__ = ["rule"]
