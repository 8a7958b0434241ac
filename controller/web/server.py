"""Serves the page from the event loop that the table runs in."""

from __future__ import annotations

import asyncio
import socket
import ssl
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI
from nicegui import ui

from controller.runtime.access_users import Users
from controller.runtime.errors import RuntimeFault
from controller.web.door import Access, Door
from controller.web.floor_evidence import register_evidence
from controller.web.following import ShownTable
from controller.web.gate import Gate
from controller.web.pages import register_pages
from controller.web.signin import register_sign_in

RECONNECT_S: Final = 5
"""How long a browser's place is kept; a cut cable shows on the page within 1.2 of it."""

GRACE_S: Final = 2
"""How long an open browser may keep the program from ending."""


class PageError(RuntimeFault):
    """The page cannot be served at this address."""


async def serve(
    table: ShownTable,
    door: Door,
    *,
    lang: str = "en",
    show: bool = False,
    started: asyncio.Event | None = None,
) -> None:
    """Serve the pages until this coroutine is cancelled.

    Args:
        table: The running table.
        door: Where, and who is let in.
        lang: Language of a browser that does not ask for one.
        show: Open the dealer's page in this computer's browser.
        started: Set as soon as the pages can be opened.

    Raises:
        PageError: The address, port or certificate cannot be used, or the pages would be
            open to everybody beyond this computer.
        AccessError: The file of users cannot be used.
    """
    access = _access(door)
    listening = _listen(door.host, door.port)
    config = uvicorn.Config(
        _app(table, lang, door, access),
        log_level="error",
        lifespan="on",
        ws="wsproto",
        timeout_graceful_shutdown=GRACE_S,
        ssl_certfile=door.certificate,
        ssl_keyfile=door.key,
    )
    _load_certificate(config, door)
    server = _Server(config, started or asyncio.Event())
    running = asyncio.create_task(server.serve(sockets=[listening]))
    opened = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait((running, opened), return_when=asyncio.FIRST_COMPLETED)
        if show and server.ready.is_set():
            webbrowser.open(door.url)
        await asyncio.shield(running)
    finally:
        server.should_exit = True
        opened.cancel()
        await running
        listening.close()


def _access(door: Door) -> Access | None:
    """Who signs people in; beyond this computer somebody must."""
    if door.users is not None:
        users = Users(door.users)
        users.all()
        return Access(users)
    if not door.is_loopback:
        raise PageError(
            f"the pages would be open to everybody who can reach {door.host}; name a file of "
            "users in [page] of the table file (cutcard user add makes it)"
        )
    return None


def _load_certificate(config: uvicorn.Config, door: Door) -> None:
    try:
        config.load()
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PageError(
            f"certificate {door.certificate} with key {door.key}: {reason}; "
            "both are PEM files, see docs/pages.md"
        ) from error


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


def _app(table: ShownTable, lang: str, door: Door, access: Access | None) -> Gate:
    app = FastAPI(openapi_url=None)
    if access is not None:
        register_sign_in(app, access, lang, is_tls=door.certificate is not None)
    register_pages(table, lang, access)
    register_evidence(app, lambda: table.album)
    ui.run_with(app, title="cutcard", favicon="🂠", reconnect_timeout=RECONNECT_S)
    return Gate(app, door, access.sessions if access else None)
