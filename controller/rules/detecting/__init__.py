"""Detect: what an event shows to be wrong, the same under every rulebook."""

from controller.rules.detecting.looks import detect

__all__ = ["detect"]
