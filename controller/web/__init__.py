"""The dealer's page: what to do now, the table drawn, and the taps that fit."""

from controller.web.server import serve

__all__ = ["serve"]
