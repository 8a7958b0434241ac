"""The pages: the dealer's at the table, the floor's and the house's beside it."""

from controller.web.door import Door
from controller.web.server import serve

__all__ = ["Door", "serve"]
