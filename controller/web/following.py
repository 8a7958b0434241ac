"""What every page is built on: the table it shows, who looks at it, and how it follows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from nicegui import ui

from controller.events import TableEvent
from controller.runtime.access import PAGES
from controller.view import (
    DifferenceView,
    FloorView,
    HandLine,
    HandView,
    HouseView,
    OtherView,
    TableView,
)
from controller.web.floor_evidence import Album

VALUE_JS: Final = "(event) => emit(event.target.value)"
"""Sends what stands in a field."""


SIGN_IN: Final = "/signin"
CHECK_S: Final = 10.0
"""How long a page may stand open after its person is out; it shows nothing new meanwhile."""


class ShownTable(Protocol):
    """What the pages need of a running table."""

    def view(self, lang: str) -> TableView:
        """What the dealer is shown now."""
        ...

    def floor(self, lang: str) -> FloorView:
        """What the floor is shown now."""
        ...

    def hands(self) -> tuple[HandLine, ...]:
        """The hands that can be looked at again, oldest first."""
        ...

    def hand(self, number: int, event: int, lang: str) -> HandView | None:
        """A hand after one of its events, 0 for the last; None when it is not kept."""
        ...

    def house(self, lang: str) -> HouseView:
        """What the manager is shown now."""
        ...

    def rulebooks(self) -> tuple[str, ...]:
        """The rulebooks that there are to compare with."""
        ...

    async def differing(self, other: str, lang: str) -> tuple[DifferenceView, ...]:
        """What another rulebook answers differently."""
        ...

    @property
    def album(self) -> Album | None:
        """The evidence of the table; None for a table that keeps none."""
        ...

    async def others(self, ruling: str, lang: str) -> tuple[OtherView, ...]:
        """What other rulebooks say to what a ruling was made on."""
        ...

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` after each change until the returned function is called."""
        ...

    async def tap(self, event: TableEvent) -> None:
        """Send what a person reports.

        Raises:
            TapRefusedError: It does not fit what the table waits for.
        """
        ...


class Person(Protocol):
    """Who looks at a page; ``pages`` are those open to him, ``name`` is empty for nobody."""

    name: str
    pages: tuple[str, ...]

    @property
    def is_in(self) -> bool:
        """Whether the page may still be shown."""
        ...

    def acts(self) -> bool:
        """Note that the person does something; whether he may still."""
        ...

    async def tap(self, table: ShownTable, event: TableEvent) -> None:
        """Send a tap in this person's name.

        Raises:
            TapRefusedError: It does not fit, or this person may not report it.
        """
        ...


class Anybody:
    """Whoever sits at this computer, where nobody has to sign in."""

    name = ""
    pages = tuple(PAGES)
    is_in = True

    def acts(self) -> bool:
        """Always."""
        return True

    async def tap(self, table: ShownTable, event: TableEvent) -> None:
        """Send a tap.

        Raises:
            TapRefusedError: It does not fit what the table waits for.
        """
        await table.tap(event)


class Page(Protocol):
    """A page in one browser."""

    def refresh(self) -> None:
        """Show the table as it is now."""
        ...


def follow(table: ShownTable, page: Page, person: Person) -> None:
    """Show the page and keep it up to date until its browser leaves or its person is out."""
    page.refresh()
    wake = asyncio.Event()
    unsubscribe = table.subscribe(wake.set)
    client = ui.context.client
    task = asyncio.get_running_loop().create_task(_follow(page, person, wake))
    if person.name:
        ui.timer(CHECK_S, lambda: None if person.is_in else ui.navigate.to(SIGN_IN))

    def leave() -> None:
        unsubscribe()
        task.cancel()

    client.on_delete(leave)


async def _follow(page: Page, person: Person, wake: asyncio.Event) -> None:
    """Refresh after changes; several changes at once are one refresh."""
    while True:
        await wake.wait()
        wake.clear()
        if person.is_in:
            page.refresh()
