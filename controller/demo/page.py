"""The dealer's page of the demo."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from controller.demo.options import DemoOptions
from controller.runtime import Table
from controller.web import Door, serve


class DemoPage:
    """The dealer's page, served while the context is open."""

    def __init__(self, table: Table, options: DemoOptions, served: Callable[[str], None]) -> None:
        self._table, self._options, self._served = table, options, served

    async def __aenter__(self) -> None:
        """Serve; returns once the page can be opened."""
        started = asyncio.Event()
        options = self._options
        self._task = asyncio.create_task(
            serve(
                self._table,
                Door(options.host, options.port),
                lang=options.language,
                show=options.show,
                started=started,
            )
        )
        ready = asyncio.create_task(started.wait())
        await asyncio.wait((self._task, ready), return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            ready.cancel()
            self._task.result()
        self._served(f"http://{options.host}:{options.port}/")

    async def __aexit__(self, *_: object) -> None:
        """Stop serving."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
