"""Who may see which page and report what, once people sign in."""

from __future__ import annotations

from enum import Enum
from typing import Final

from controller.events import FloorDecided, FouledDeckKnown, SecuredShuffleOrdered, TableEvent


class Role(Enum):
    """What a person does in the house."""

    DEALER = "dealer"
    FLOOR = "floor"
    TECHNICIAN = "technician"
    MANAGER = "manager"


PAGES: Final[dict[str, frozenset[Role]]] = {
    "/": frozenset(Role),
    "/floor": frozenset({Role.FLOOR, Role.MANAGER}),
    "/house": frozenset({Role.MANAGER}),
}
"""Who may open each page; an address that stands in no row is refused to everybody."""

EVIDENCE: Final = "/evidence/"
"""Below it are pictures and bundles: parts of the floor's page, which it fetches by itself."""

PARTS: Final[dict[str, frozenset[Role]]] = {EVIDENCE: PAGES["/floor"]}
"""Who may fetch what lies below an address."""

HOME: Final[dict[Role, str]] = {
    Role.DEALER: "/",
    Role.FLOOR: "/floor",
    Role.TECHNICIAN: "/",
    Role.MANAGER: "/house",
}
"""Where each finds himself after signing in."""

FLOOR_ONLY: Final = (FloorDecided, FouledDeckKnown, SecuredShuffleOrdered)
"""What the floor alone decides, also when its button stands on the dealer's page."""


def may_open(role: Role, path: str) -> bool:
    """Whether the page, or the part of a page, at this address is for this role."""
    for below, roles in PARTS.items():
        if path.startswith(below):
            return role in roles
    return role in PAGES.get(path.rstrip("/") or "/", frozenset())


def is_fetched(path: str) -> bool:
    """Whether a page fetches this by itself, so that it says nothing of a person being there."""
    return path.startswith(tuple(PARTS))


def may_tap(role: Role, event: TableEvent) -> bool:
    """Whether this role may report this; a technician looks and reports nothing."""
    if role is Role.TECHNICIAN:
        return False
    return role is not Role.DEALER or not isinstance(event, FLOOR_ONLY)
