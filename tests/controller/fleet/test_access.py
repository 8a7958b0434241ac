"""Over TLS, with users and access lists as deploy/ has them: each table below its own name only."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiomqtt import Client, ProtocolVersion

from controller.cards import Card
from controller.events import CardDealt
from controller.fleet import Broker, answer_of
from controller.fleet.messages import StatusMessage, encoded
from controller.runtime.config import MqttSection
from tests.controller.fleet.house import HAND, Pit, SimulatedTable, until
from tests.mosquitto import Mosquitto, program
from tests.postgres import Server

ACL = Path(__file__).parents[3] / "deploy" / "mosquitto.acl"
USERS = ("t1", "t2", "pit")


@pytest.fixture
def guarded(postgres: Server) -> Iterator[Mosquitto]:
    """A broker over TLS that knows two tables and the pit; each password is the name twice."""
    maker = program("mosquitto_passwd")
    folder = Path(tempfile.mkdtemp(prefix="cutcard-mosquitto-"))
    passwords = folder / "passwords"
    passwords.touch(mode=0o600)
    for user in USERS:
        subprocess.run([maker, "-b", str(passwords), user, user * 2], check=True)
        (folder / f"{user}.password").write_text(user * 2)
    shutil.copy(postgres.certificate, folder / "ca.pem")  # of a server at 127.0.0.1
    shutil.copy(postgres.folder / "server.key", folder / "key.pem")
    settings = (
        f"certfile {folder / 'ca.pem'}",
        f"keyfile {folder / 'key.pem'}",
        "allow_anonymous false",
        f"password_file {passwords}",
        f"acl_file {ACL}",
    )
    broker = Mosquitto(folder, settings)
    broker.start()
    yield broker
    broker.kill()
    shutil.rmtree(folder, ignore_errors=True)


def known_as(user: str, guarded: Mosquitto) -> Broker:
    return Broker.of(
        MqttSection(
            url=guarded.url.replace("mqtt:", "mqtts:"),
            user=user,
            password_file=str(guarded.folder / f"{user}.password"),
            ca=str(guarded.folder / "ca.pem"),
        )
    )


async def test_a_table_cannot_speak_for_another_and_shows_no_hidden_card(
    guarded: Mosquitto, table: SimulatedTable, pit: Pit
) -> None:
    table.happen(HAND[0], HAND[1], CardDealt(seat=1, card=Card.SA))
    pit.listen(known_as("pit", guarded))
    task = asyncio.create_task(table.publisher(known_as("t1", guarded)).run())
    await asyncio.to_thread(until, lambda: pit.online("t1") is True, "the table")
    broker = known_as("t2", guarded)
    async with Client(
        broker.host,
        broker.port,
        username=broker.user,
        password=broker.password,
        tls_context=broker.tls,
        protocol=ProtocolVersion.V5,
    ) as other:
        for name in ("t1", "t2"):
            lie = encoded(StatusMessage(table=name, is_online=False))
            await other.publish(f"cutcard/v1/{name}/status", lie, qos=1)
    await asyncio.to_thread(until, lambda: pit.online("t2") is False, "the other table")
    await asyncio.to_thread(until, lambda: pit.ids("t1") == table.ids(), "every record")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)

    assert pit.online("t1") is True
    pit.leave()
    held = b"".join(path.read_bytes() for path in Path(pit.store.shown).parent.glob("pit.db*"))
    assert b"card_dealt" in held
    assert b'"As"' not in held


async def test_who_cannot_show_who_he_is_is_not_let_in(guarded: Mosquitto) -> None:
    (guarded.folder / "t1.password").write_text("wrong")

    assert "authori" in (await answer_of(known_as("t1", guarded))).lower()
    assert await answer_of(known_as("t2", guarded)) == ""
