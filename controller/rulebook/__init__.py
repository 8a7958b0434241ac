"""House rules: TOML files that a card-room manager can read and change."""

from controller.rulebook.book import FLOOR, Answer, Rulebook
from controller.rulebook.errors import RulebookError
from controller.rulebook.loading import list_rulebooks, load_rulebook
from controller.rulebook.parameters import PARAMETERS, Parameter

__all__ = [
    "FLOOR",
    "PARAMETERS",
    "Answer",
    "Parameter",
    "Rulebook",
    "RulebookError",
    "list_rulebooks",
    "load_rulebook",
]
