"""Stands before every request and every websocket: same site, signed in, right page.

What is not allowed in a row of the table of pages is refused, so that an address nobody
thought of is closed. The framework's own files are open to everybody; they hold nothing of
the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import quote, urlsplit

from controller.runtime.access import is_fetched, may_open
from controller.runtime.access_sessions import Session, Sessions
from controller.web.door import Door
from controller.web.following import SIGN_IN

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE: Final = "cutcard"
SESSION: Final = "cutcard.session"
"""The key of a request's scope under which its session is found."""

SIGN_OUT: Final = "/signout"
_OPEN: Final = (SIGN_IN, SIGN_OUT, "/favicon.ico")
_FILES: Final = "/_nicegui/"
_SOCKET: Final = "/_nicegui_ws/"
_SAFE: Final = ("GET", "HEAD")

_HEADERS: Final = (
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"frame-ancestors 'none'; base-uri 'none'; object-src 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)
"""No page of another site may hold ours in a frame (clickjacking), or guess at it."""


class Gate:
    """The app behind its checks.

    Args:
        app: What is served.
        door: Where.
        sessions: Those who are signed in; None where nobody has to.
    """

    def __init__(self, app: App, door: Door, sessions: Sessions | None) -> None:
        self._app, self._sessions = app, sessions
        self._hosts = {"127.0.0.1", "localhost", "::1", door.host} if door.is_loopback else set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one connection through, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
        status, target = self._judge(scope, headers)
        if status:
            await _refuse(scope, receive, send, status, target)
        elif scope["type"] == "http":
            await self._app(scope, receive, _with_headers(scope["path"], send))
        else:
            await self._app(scope, receive, send)

    def _judge(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str]:
        """The status of a refusal and where to go instead; 0 lets it through."""
        if not self._is_our_host(headers) or not _is_same_site(scope, headers):
            return 403, ""
        path = scope["path"]
        if ".." in path:  # no address of ours; what lies behind may read it as another
            return 403, ""
        if self._sessions is None or path in _OPEN or path.startswith(_FILES):
            return 0, ""
        session = self._sessions.find(_secret(headers))
        if session is None:
            leads = _is_page(scope) and not is_fetched(path)
            return (303, f"{SIGN_IN}?next={quote(path)}") if leads else (401, "")
        if not path.startswith(_SOCKET) and not may_open(session.role, path):
            return 403, ""
        self._let_in(scope, session)
        return 0, ""

    def _let_in(self, scope: Scope, session: Session) -> None:
        if self._sessions is not None and _is_page(scope) and not is_fetched(scope["path"]):
            self._sessions.touch(session)
        scope[SESSION] = session

    def _is_our_host(self, headers: dict[str, str]) -> bool:
        """On this computer only: another name that leads here is an attack (DNS rebinding)."""
        if not self._hosts:
            return True
        return urlsplit(f"//{headers.get('host', '')}").hostname in self._hosts


def _is_same_site(scope: Scope, headers: dict[str, str]) -> bool:
    """Whether our own page asks, or a person who typed the address or followed a link."""
    is_plain = scope["type"] == "http" and scope["method"] in _SAFE
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host", "")
    if not is_plain:
        return False
    site = headers.get("sec-fetch-site", "none")
    return site in ("none", "same-origin") or headers.get("sec-fetch-mode") == "navigate"


def _is_page(scope: Scope) -> bool:
    """Whether a person waits for a page, who can be led to the sign-in."""
    is_read = scope["type"] == "http" and scope["method"] in _SAFE
    return is_read and not scope["path"].startswith(_SOCKET)


def _secret(headers: dict[str, str]) -> str:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def secret_of(cookie: str) -> str:
    """The secret in a cookie header; empty when there is none."""
    return _secret({"cookie": cookie})


def _with_headers(path: str, send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            more = () if path.startswith(_FILES) else ((b"cache-control", b"no-store"),)
            kept = [(k, v) for k, v in message["headers"] if not more or k != b"cache-control"]
            message["headers"] = [*kept, *_HEADERS, *more]
        await send(message)

    return wrapped


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, target: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    if target:
        headers.append((b"location", target.encode()))
    words = {401: b"Sign in first.", 403: b"This page is not for you.", 303: b""}
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words[status]})
