"""What the gate lets through, told by status, without a browser."""

from __future__ import annotations

import pytest

from controller.runtime.access import Role
from controller.runtime.access_sessions import Sessions
from controller.web.door import Door
from controller.web.gate import Gate, Message, Receive, Scope, Send

HERE = "127.0.0.1:8080"
OURS = {"host": HERE, "origin": f"http://{HERE}"}


async def behind(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"the table"})


async def nothing() -> Message:
    return {"type": "websocket.connect"}


async def asked(gate: Gate, scope: Scope) -> list[Message]:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    await gate(scope, nothing, send)
    return sent


def request(
    headers: dict[str, str], path: str = "/", method: str = "GET", kind: str = "http"
) -> Scope:
    raw = [(k.encode(), v.encode()) for k, v in headers.items()]
    return {"type": kind, "method": method, "path": path, "headers": raw}


@pytest.mark.parametrize(
    ("headers", "method", "status"),
    [
        ({"host": HERE}, "GET", 200),
        ({"host": "localhost:8080"}, "GET", 200),
        ({"host": "[::1]:8080"}, "GET", 200),
        ({"host": "evil.example:8080"}, "GET", 403),  # a name of theirs that leads here
        ({"host": "127.0.0.1.evil.example"}, "GET", 403),
        ({}, "GET", 403),
        (OURS, "POST", 200),
        ({"host": HERE}, "POST", 403),
        ({"host": HERE, "origin": "https://evil.example"}, "POST", 403),
        ({"host": HERE, "origin": "http://127.0.0.1:9"}, "GET", 403),
        ({"host": HERE, "origin": "null"}, "POST", 403),
        ({"host": HERE, "sec-fetch-site": "cross-site"}, "GET", 403),
        ({"host": HERE, "sec-fetch-site": "same-site"}, "GET", 403),
        ({"host": HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, "GET", 200),
    ],
)
async def test_only_our_own_pages_ask(headers: dict[str, str], method: str, status: int) -> None:
    gate = Gate(behind, Door(), None)

    first, *_ = await asked(gate, request(headers, method=method))

    assert first["status"] == status


@pytest.mark.parametrize(
    ("headers", "is_open"),
    [(OURS, True), ({"host": HERE}, False), ({"host": HERE, "origin": "https://evil"}, False)],
)
async def test_a_websocket_of_another_site_is_closed(
    headers: dict[str, str], is_open: bool
) -> None:
    gate = Gate(behind, Door(), None)

    first, *_ = await asked(gate, request(headers, "/_nicegui_ws/socket.io/", kind="websocket"))

    assert (first["type"] != "websocket.close") is is_open


@pytest.mark.parametrize(
    ("role", "path", "status"),
    [
        (None, "/", 303),
        (None, "/floor", 303),
        (None, "/_nicegui_ws/socket.io/", 401),
        (None, "/signin", 200),
        (None, "/_nicegui/3/nicegui.js", 200),
        (None, "/_nicegui/../floor", 403),
        (None, "/signin/../floor", 403),
        (Role.DEALER, "/", 200),
        (Role.DEALER, "/floor", 403),
        (Role.DEALER, "/house", 403),
        (Role.FLOOR, "/floor", 200),
        (Role.FLOOR, "/house", 403),
        (Role.MANAGER, "/house", 200),
        (Role.MANAGER, "/docs", 403),
    ],
)
async def test_each_page_is_for_its_roles(role: Role | None, path: str, status: int) -> None:
    sessions = Sessions(lambda: 0.0)
    cookie = f"cutcard={sessions.begin('ana', role)}" if role else "cutcard=guessed"
    gate = Gate(behind, Door(), sessions)

    first, *_ = await asked(gate, request({"host": HERE, "cookie": cookie}, path))

    assert first["status"] == status


async def test_pages_may_not_be_framed_or_kept() -> None:
    first, *_ = await asked(Gate(behind, Door(), None), request({"host": HERE}))

    headers = dict(first["headers"])
    assert headers[b"x-frame-options"] == b"DENY"
    assert b"frame-ancestors 'none'" in headers[b"content-security-policy"]
    assert headers[b"cache-control"] == b"no-store"


async def test_beyond_this_computer_any_name_of_ours_will_do() -> None:
    gate = Gate(behind, Door("0.0.0.0"), Sessions(lambda: 0.0))

    first, *_ = await asked(gate, request({"host": "table5.casino.example"}, "/signin"))

    assert first["status"] == 200


@pytest.mark.parametrize(
    ("role", "path", "status"),
    [
        (Role.FLOOR, "/evidence/00000006-04.jpg", 200),
        (Role.MANAGER, "/evidence/hand-1.zip", 200),
        (Role.DEALER, "/evidence/00000006-04.jpg", 403),
        (Role.TECHNICIAN, "/evidence/hand-1.zip", 403),
        (Role.FLOOR, "/evidence/../users.json", 403),
        (Role.FLOOR, "/evidence", 403),
        (None, "/evidence/00000006-04.jpg", 401),
    ],
)
async def test_evidence_is_for_floor_and_manager(role: Role | None, path: str, status: int) -> None:
    sessions = Sessions(lambda: 0.0)
    secret = sessions.begin("somebody", role) if role else ""
    gate = Gate(behind, Door(), sessions)

    first, *_ = await asked(gate, request({"host": HERE, "cookie": f"cutcard={secret}"}, path))

    assert first["status"] == status


async def test_a_page_that_fetches_pictures_keeps_no_session_alive() -> None:
    """docs/pages.md: a session ends after 30 minutes without a touch."""
    now_s = 0.0
    sessions = Sessions(lambda: now_s)
    secret = sessions.begin("ana", Role.FLOOR)
    gate = Gate(behind, Door(), sessions)
    for minute in (10, 20, 29):
        now_s = minute * 60.0
        await asked(
            gate,
            request({"host": HERE, "cookie": f"cutcard={secret}"}, "/evidence/00000006-04.jpg"),
        )
    now_s = 31 * 60.0

    first, *_ = await asked(gate, request({"host": HERE, "cookie": f"cutcard={secret}"}, "/floor"))

    assert first["status"] == 303
