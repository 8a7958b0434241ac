"""The pages: the dealer's at the table, the floor's beside it."""

from controller.web.server import serve

__all__ = ["serve"]
