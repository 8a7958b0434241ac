"""House rules: TOML files that a card-room manager can read and change."""

from controller.rulebook.book import FLOOR, Answer, Rulebook
from controller.rulebook.clauses import Clause, find_clause, list_clauses
from controller.rulebook.comparing import Difference, differences
from controller.rulebook.errors import RulebookError
from controller.rulebook.loading import list_rulebooks, load_rulebook
from controller.rulebook.naming import nearest
from controller.rulebook.parameters import PARAMETERS, Parameter

__all__ = [
    "FLOOR",
    "PARAMETERS",
    "Answer",
    "Clause",
    "Difference",
    "Parameter",
    "Rulebook",
    "RulebookError",
    "differences",
    "find_clause",
    "list_clauses",
    "list_rulebooks",
    "load_rulebook",
    "nearest",
]
