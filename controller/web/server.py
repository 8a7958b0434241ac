"""Serves the page from the event loop that the table runs in."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI
from nicegui import ui

from controller.runtime.errors import RuntimeFault
from controller.web.following import ShownTable
from controller.web.pages import register_pages

RECONNECT_S: Final = 5
"""How long a browser's place is kept; a cut cable shows on the page within 1.2 of it."""

GRACE_S: Final = 2
"""How long an open browser may keep the program from ending."""


class PageError(RuntimeFault):
    """The page cannot be served at this address."""


async def serve(
    table: ShownTable,
    host: str = "127.0.0.1",
    port: int = 8080,
    *,
    lang: str = "en",
    show: bool = False,
    started: asyncio.Event | None = None,
) -> None:
    """Serve the dealer's page until this coroutine is cancelled.

    Args:
        table: The running table.
        host: Address to listen on; the default is this computer only.
        port: Port to listen on.
        lang: Language of a browser that does not ask for one.
        show: Open the page in this computer's browser.
        started: Set as soon as the page can be opened.

    Raises:
        PageError: The address or port cannot be used.
    """
    listening = _listen(host, port)
    config = uvicorn.Config(
        _app(table, lang),
        log_level="error",
        lifespan="on",
        ws="wsproto",
        timeout_graceful_shutdown=GRACE_S,
    )
    server = _Server(config, started or asyncio.Event())
    running = asyncio.create_task(server.serve(sockets=[listening]))
    opened = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait((running, opened), return_when=asyncio.FIRST_COMPLETED)
        if show and server.ready.is_set():
            webbrowser.open(f"http://{host}:{listening.getsockname()[1]}/")
        await asyncio.shield(running)
    finally:
        server.should_exit = True
        opened.cancel()
        await running
        listening.close()


class _Server(uvicorn.Server):
    """Says when it can be reached, and leaves the signals to the program that it is part of."""

    def __init__(self, config: uvicorn.Config, ready: asyncio.Event) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets=sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Catch none: one who catches SIGTERM here ends the process before the table."""
        yield


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, ValueError) as error:  # a host's name may be no name at all
        listening.close()
        reason = getattr(error, "strerror", None) or "not a name of a computer"
        raise PageError(
            f"the page cannot be served at {host} port {port} ({reason}); "
            "choose another port or address in [page] of the table file"
        ) from error
    return listening


def _app(table: ShownTable, lang: str) -> FastAPI:
    app = FastAPI(openapi_url=None)
    register_pages(table, lang)
    ui.run_with(app, title="cutcard", favicon="🂠", reconnect_timeout=RECONNECT_S)
    return app
