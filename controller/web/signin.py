"""The page on which people sign in: plain HTML, so that it works before anything else does."""

from __future__ import annotations

import logging
import math
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from controller.runtime.access import HOME, PAGES
from controller.runtime.errors import AccessError
from controller.view import LANGUAGES, text
from controller.web.door import Access
from controller.web.following import SIGN_IN
from controller.web.gate import COOKIE, SIGN_OUT, secret_of

_LOGGER = logging.getLogger(__name__)
_STYLE: Final = (Path(__file__).parent / "signin.css").read_text(encoding="utf-8")

MOST_BYTES: Final = 4096
"""A form of a name and a password is no longer."""


def register_sign_in(app: FastAPI, access: Access, language: str, *, is_tls: bool) -> None:
    """Put the sign-in and the sign-out at their addresses.

    Args:
        app: What is served.
        access: Signs people in.
        language: Of a browser that does not ask for one.
        is_tls: Whether the cookie may be sent over TLS only.
    """

    async def form(lang: str = language) -> Response:
        return _page(lang, "")

    async def sign_in(request: Request, lang: str = language, next: str = "") -> Response:
        fields = await _fields(request)
        address = request.client.host if request.client else ""
        try:
            outcome = await access.sign_in(
                fields.get("name", ""), fields.get("password", ""), address
            )
        except AccessError as error:
            _LOGGER.error("nobody can sign in: %s", error)
            return _page(lang, text("signin.broken", _known(lang)), 503)
        if not isinstance(outcome, str):
            return _refused(lang, outcome)
        session = access.sessions.find(outcome)
        home = HOME[session.role] if session else "/"
        target = next if next in PAGES else home  # never an address of somebody else
        response = RedirectResponse(target, status_code=303)
        response.set_cookie(COOKIE, outcome, httponly=True, samesite="strict", secure=is_tls)
        return response

    async def sign_out(request: Request) -> Response:
        access.sessions.end(secret_of(request.headers.get("cookie", "")))
        response = RedirectResponse(SIGN_IN, status_code=303)
        response.delete_cookie(COOKIE)
        return response

    app.get(SIGN_IN)(form)
    app.post(SIGN_IN)(sign_in)
    app.post(SIGN_OUT)(sign_out)


async def _fields(request: Request) -> dict[str, str]:
    """The fields of the form; none when it is longer than a form is."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return {}
    return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


def _refused(lang: str, wait_s: float) -> Response:
    if not wait_s:
        return _page(lang, text("signin.wrong", _known(lang)), 401)
    minutes = math.ceil(wait_s / 60)
    response = _page(lang, text("signin.wait", _known(lang), n=minutes), 429)
    response.headers["retry-after"] = str(math.ceil(wait_s))
    return response


def _known(lang: str) -> str:
    return lang if lang in LANGUAGES else LANGUAGES[0]


def _page(lang: str, said: str, status: int = 200) -> Response:
    lang = _known(lang)
    words = {
        key: escape(text(f"signin.{key}", lang)) for key in ("title", "name", "password", "go")
    }
    told = f'<p role="alert">{escape(said)}</p>' if said else ""
    return HTMLResponse(
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>cutcard: {words['title']}</title><style>{_STYLE}</style></head>"
        f"<body><main><h1>{words['title']}</h1>{told}"
        f'<form method="post"><label>{words["name"]}'
        '<input name="name" autocomplete="username" required autofocus></label>'
        f'<label>{words["password"]}<input name="password" type="password" '
        'autocomplete="current-password" required></label>'
        f"<button>{words['go']}</button></form></main></body></html>",
        status_code=status,
    )
