"""Trying to get in: without a name, with a wrong one, from another site, past one's role."""

from __future__ import annotations

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from http.client import HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.async_api import Browser, Page, expect

from controller.cli import main
from controller.events import FloorDecided
from controller.runtime.access import Role
from controller.runtime.access_users import Users

from .browsing import (
    EXPOSED_HAND,
    NEEDS_CHROMIUM,
    PHONE,
    TABLET,
    browser,
    free_port,
    recorded,
    running,
    violations,
    written,
)

pytestmark = NEEDS_CHROMIUM

PASSWORD = "cards in the air"


def certify(folder: Path) -> None:
    """A certificate for this computer, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "table 5")])
    now = datetime.now(tz=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    (folder / "page.crt").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "page.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


class Line:
    """What an attacker types: requests with any headers."""

    def __init__(self, folder: Path, port: int) -> None:
        self._tls = ssl.create_default_context(cafile=str(folder / "page.crt"))
        self._port = port

    def ask(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[int, dict[str, str]]:
        connection = HTTPSConnection("127.0.0.1", self._port, context=self._tls, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, named)
        answer: HTTPResponse = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}

    def sign_in(self, name: str, password: str, origin: str = "") -> tuple[int, dict[str, str]]:
        body = urlencode({"name": name, "password": password})
        here = origin or f"https://127.0.0.1:{self._port}"
        kind = "application/x-www-form-urlencoded"
        return self.ask("POST", "/signin", body, Origin=here, Content_Type=kind)


async def test_beyond_this_computer_only_those_get_in_who_may(tmp_path: Path) -> None:
    port = free_port()
    await asyncio.to_thread(prepare, tmp_path)
    page = 'host = "0.0.0.0"\nusers = "users.json"\ncertificate = "page.crt"\nkey = "page.key"\n'
    file = written(tmp_path, EXPOSED_HAND, port, page)
    url = f"https://127.0.0.1:{port}"
    async with running(file) as said, browser() as chromium:
        assert f"https://0.0.0.0:{port}/" in said
        line = Line(tmp_path, port)
        await asyncio.to_thread(refuses_strangers, line)
        await asyncio.to_thread(refuses_other_sites, line, port)
        dealer = await signed_in(chromium, url, "dora", TABLET)
        floor = await signed_in(chromium, url, "ana", PHONE)
        await keeps_a_dealer_at_the_table(dealer, url)
        await overrules_under_her_name(floor)
        await puts_out_pages_of_who_signs_out(floor, dealer)
        await asyncio.to_thread(makes_guessers_wait, line)

    assert [(d.who, d.decision, d.reason) for d in recorded(tmp_path, FloorDecided)] == [
        ("ana", "overruled", "The card was never off the deck")
    ]


def prepare(folder: Path) -> None:
    certify(folder)
    users = Users(folder / "users.json")
    users.add("dora", Role.DEALER, PASSWORD)
    users.add("ana", Role.FLOOR, PASSWORD)


def refuses_strangers(line: Line) -> None:
    for path in ("/", "/floor", "/house", "/floor/", "/anything"):
        status, headers = line.ask("GET", path)
        assert (status, headers["location"].split("?")[0]) == (303, "/signin"), path
    assert line.ask("GET", "/_nicegui_ws/socket.io/?EIO=4&transport=polling")[0] == 401
    assert line.ask("GET", "/", Cookie="cutcard=guessed")[0] == 303
    status, headers = line.ask("GET", "/signin")
    assert status == 200
    assert headers["x-frame-options"] == "DENY"
    assert line.sign_in("nobody", PASSWORD)[0] == 401
    assert line.sign_in("ana", "wrong password")[0] == 401
    assert line.sign_in("ana", "x" * 5000)[0] == 401


def refuses_other_sites(line: Line, port: int) -> None:
    assert line.sign_in("ana", PASSWORD, origin="https://evil.example")[0] == 403
    status, headers = line.sign_in("ana", PASSWORD)
    assert status == 303
    cookie = headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Secure"))
    mine = cookie.split(";")[0]
    assert line.ask("GET", "/floor", Cookie=mine)[0] == 200
    assert line.ask("GET", "/house", Cookie=mine)[0] == 403
    assert line.ask("POST", "/signout", Cookie=mine)[0] == 403  # says not where it comes from
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "Cookie": mine,
    }
    socket = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert line.ask("GET", socket, Origin="https://evil.example", **upgrade)[0] == 403
    assert line.ask("GET", socket, **upgrade)[0] == 403
    assert line.ask("GET", socket, Origin=f"https://127.0.0.1:{port}", **upgrade)[0] == 101
    assert line.ask("GET", "/floor", Cookie=mine, Sec_Fetch_Site="cross-site")[0] == 403


async def signed_in(chromium: Browser, url: str, name: str, size: tuple[int, int]) -> Page:
    context = await chromium.new_context(
        ignore_https_errors=True, viewport={"width": size[0], "height": size[1]}
    )
    page = await context.new_page()
    await page.goto(url)
    assert await violations(page) == []
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    return page


async def keeps_a_dealer_at_the_table(page: Page, url: str) -> None:
    assert page.url == f"{url}/"
    await expect(page.get_by_role("link", name="Floor")).to_have_count(0)

    answer = await page.request.get(f"{url}/floor")

    assert answer.status == 403


async def overrules_under_her_name(page: Page) -> None:
    """After signing in she is where her work is; by way of the table if she came from there."""
    await page.goto(page.url.rstrip("/").removesuffix("/floor") + "/floor")
    await page.get_by_label("Reason, for the record").fill("The card was never off the deck")
    await page.get_by_role("button", name="Overrule").click()
    await expect(page.get_by_text("No ruling is open")).to_be_visible()


async def puts_out_pages_of_who_signs_out(floor: Page, dealer: Page) -> None:
    second = await floor.context.new_page()
    await second.goto(floor.url)
    await expect(second.get_by_role("button", name="Sign out")).to_be_visible()
    await floor.get_by_role("button", name="Sign out").click()
    await expect(floor.get_by_label("Password")).to_be_visible()

    await expect(second.get_by_label("Password")).to_be_visible(timeout=20_000)
    await expect(dealer.locator("h1.instruction")).to_be_visible()


def makes_guessers_wait(line: Line) -> None:
    answers = [line.sign_in("dora", f"guess {n}")[0] for n in range(6)]

    assert answers[-1] == 429
    status, headers = line.sign_in("dora", PASSWORD)
    assert status == 429  # the right one too: nobody learns that it is right
    assert int(headers["retry-after"]) > 0


def test_without_users_no_page_is_served_beyond_this_computer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, (), free_port(), 'host = "0.0.0.0"\n')

    assert main(["run", str(file)]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "name a file of users" in err
