"""Every parser of something that comes from outside: what it is fed, and how it may refuse."""

from __future__ import annotations

import functools
import random
import sqlite3
import struct
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
from cobs import cobs  # type: ignore[import-untyped]  # it ships no types
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.cards import FULL_DECK
from controller.fleet import Broker, BrokerError, PositionFile
from controller.fleet.listening import read as read_message
from controller.fleet.narrating import Narrator
from controller.fleet.publishing import read_request
from controller.fleet.topics import ROOT
from controller.rulebook import RulebookError, load_rulebook
from controller.rules import EventFileError, judge
from controller.runtime import Journal, load_config
from controller.runtime.access import Role
from controller.runtime.access_users import Users
from controller.runtime.config import MqttSection
from controller.runtime.errors import AccessError, ConfigError, JournalError
from controller.runtime.journal.exporting import head_line, read_head
from controller.runtime.journal.hands import recorded_hands
from controller.runtime.journal.keys import load_public_keys
from controller.runtime.journal.location import Location
from controller.runtime.journal.verifying import verify
from controller.shuffle import OrdersFileError, read_orders
from firmware_bridge import (
    AuditFile,
    AuditFileError,
    BootCause,
    Capability,
    CardOut,
    Frame,
    Identity,
    Image,
    ImageError,
    KeyStore,
    KeyStoreError,
    Kind,
    MagazineCard,
    SecurityVersions,
    draw_key,
    open_image,
    read_private_key,
    read_public_key,
    sign_image,
)
from firmware_bridge.device_link import DeviceLink
from firmware_bridge.errors import ProtocolError
from firmware_bridge.framing import Decoder, content_of, crc16
from firmware_bridge.link import HostLink
from firmware_bridge.machine import Machine
from firmware_bridge.messages import MESSAGES, ReadStatus, pack, row_of, unpack
from tests.controller.fleet.house import HAND
from vision import ImageError as PictureError
from vision import SourceError, ZonesError, load_layout, load_zones, open_source
from vision.layout import TableLayout, dump_layout
from vision.sources.images import read_image
from vision.zones import dump_zones

ROOT_FOLDER: Final = Path(__file__).resolve().parents[2]
CK: Final = load_rulebook("ck")
KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
IDENTITY: Final = Identity(
    Kind.SHUFFLER, "soft shuffler", "SIM-0001", "1.0", Capability.NONE, BootCause.POWER
)

Parse = Callable[[bytes, Path], object]


@dataclass(frozen=True)
class Parser:
    """One parser.

    Attributes:
        parse: Given the bytes and an empty folder.
        seeds: Good input.
        refuses: The errors that its documentation names; any other is a finding.
        cost: How many times as long an example takes as that of a parser of bytes.
    """

    parse: Parse
    seeds: Callable[[], Sequence[bytes]]
    refuses: tuple[type[Exception], ...] = ()
    cost: int = 1


# --- the line to the machine ------------------------------------------------------------------


def _frames() -> Sequence[bytes]:
    messages = (CardOut(3, boxed=False), ReadStatus(), IDENTITY)
    return tuple(content_of(Frame(m, 1, 2, 3, 4)) for m in messages)


def _payload() -> Sequence[bytes]:
    """The number of a message and its payload."""
    return tuple(bytes([row_of(m).id]) + pack(m) for m in (CardOut(3, boxed=False), IDENTITY))


def _framed(content: bytes) -> bytes:
    """Sound bytes on the wire, whatever they mean."""
    body = content[:200]
    return b"\0" + bytes(cobs.encode(body + struct.pack("<H", crc16(body)))) + b"\0"


def _decode(data: bytes, _: Path) -> object:
    decoder = Decoder()
    return [*decoder.feed(data), *decoder.feed(_framed(data)), *decoder.feed(data)]


def _message(data: bytes, _: Path) -> object:
    for row in MESSAGES:
        try:
            unpack(row.id, data)
        except ProtocolError:
            continue
    return unpack(data[0] if data else 0, data[1:])


def _host_link(data: bytes, _: Path) -> object:
    """The host, to whom anything at all answers."""
    link = HostLink(1)
    link.port_opened(0.0)
    link.send(ReadStatus(), 0.0)
    for n, piece in enumerate((data, _framed(data), _framed(data[10:]))):
        link.receive(piece, float(n))
        link.tick(n + 0.5)
    return link.take_outputs(), link.data_to_send()


def _device_link(data: bytes, _: Path) -> object:
    """The machine in software, to whom anything at all speaks."""
    machine = Machine(random.Random(1), lambda _: None)
    machine.insert([MagazineCard("a")])
    link = DeviceLink(IDENTITY, 7, machine.execute)
    link.receive(data)
    link.receive(_framed(data))
    return link.data_to_send()


# --- files ------------------------------------------------------------------------------------


def _file(name: str, read: Callable[[Path], object], mode: int = 0o644) -> Parse:
    def parse(data: bytes, folder: Path) -> object:
        path = folder / name
        path.write_bytes(data)
        path.chmod(mode)
        return read(path)

    return parse


def _texts(*patterns: str) -> Callable[[], Sequence[bytes]]:
    def seeds() -> Sequence[bytes]:
        return tuple(p.read_bytes() for glob in patterns for p in sorted(ROOT_FOLDER.glob(glob)))

    return seeds


def _judged(data: bytes, _: Path) -> object:
    return tuple(judge(enumerate(data.splitlines(), start=1), CK))


def _layouts() -> Sequence[bytes]:
    layout = TableLayout.standard(4)
    return dump_layout(layout).encode(), dump_zones(layout.zones, "px").encode()


def _layout(path: Path) -> object:
    load_zones(path)
    return load_layout(path)


def _made(folder: Path, name: str, make: Callable[[Path], object]) -> bytes:
    path = folder / name
    make(path)
    return path.read_bytes()


@functools.cache
def _kept(what: str) -> bytes:
    """A good file of its kind, made once by what writes it."""

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        match what:
            case "keys":
                return _made(folder, what, lambda p: KeyStore(p).store("SIM-1", draw_key()))
            case "versions":
                image = Image("m", "1", 3, b"x")
                return _made(folder, what, lambda p: SecurityVersions(p).note("SIM-1", image))
            case "users":
                password = "a long password"
                return _made(folder, what, lambda p: Users(p).add("ana", Role.FLOOR, password))
            case "public":
                return _journal_files(folder)[1]
            case "head":
                return _journal_files(folder)[2]
            case _:
                return _journal_files(folder)[0]


def _journal_files(folder: Path) -> tuple[bytes, bytes, bytes]:
    """A journal of one hand, its public key and its newest signature."""
    path = folder / "t.journal"
    with closing(Journal.open(path, table_id="t", rulebook="ck")) as journal:
        for event in HAND:
            journal.append(event, hand=1)
        head = journal.head()
    assert head is not None
    with closing(Journal.open(path, read_only=True)):
        pass
    return path.read_bytes(), path.with_name("t.journal.pub").read_bytes(), head_line(head)


def _seed(what: str) -> Callable[[], Sequence[bytes]]:
    return lambda: (_kept(what),)


def _journal(data: bytes, folder: Path) -> object:
    path, key = folder / "t.journal", folder / "t.journal.pub"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(data)
    key.write_bytes(_kept("public"))
    with closing(Journal.open(path, read_only=True)) as journal:
        read = sum(1 for _ in journal.read())
    return read, verify(path, load_public_keys([key]))


def _record(data: bytes, folder: Path) -> object:
    """A whole journal in which some record's body, or its kind of opening, is something else."""
    path = folder / "t.journal"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(_kept("journal"))
    with closing(sqlite3.connect(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in names.fetchall():
            database.execute(f'DROP TRIGGER "{name}"')
        number = 1 + (data[0] if data else 0) % (len(HAND) + 1)
        database.execute("UPDATE journal_records SET body = ? WHERE seq = ?", (data[1:], number))
        database.commit()
    with closing(Journal.open(path, read_only=True)) as journal:
        told = tuple(recorded_hands(journal))
        narrator, before = Narrator("t", CK), b""
        for record in journal.records():
            narrator.tell(record, before, is_first=False)
            before = record.hash
    (folder / "t.journal.pub").write_bytes(_kept("public"))
    return told, verify(path, load_public_keys([folder / "t.journal.pub"]))


def _bodies() -> Sequence[bytes]:
    opened = b'{"rulebook":"ck","program":"0.1","key_id":"ab"}'
    return tuple(b"\0" + body for body in (opened, b'{"event":"deck_cut"}', b"{}"))


def _signed_in(path: Path) -> object:
    return Users(path).check("ana", "a long password")


def _audited(path: Path) -> object:
    return AuditFile(path)


def _pem() -> Sequence[bytes]:
    encoding, none = serialization.Encoding.PEM, serialization.NoEncryption()
    public = KEY.public_key().public_bytes(
        encoding, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return public, KEY.private_bytes(encoding, serialization.PrivateFormat.PKCS8, none)


def _orders() -> Sequence[bytes]:
    """As old places, as cards of a new deck, and as cards of an input that is given."""
    cards = " ".join(map(str, FULL_DECK))
    turned = " ".join(map(str, reversed(FULL_DECK)))
    places = " ".join(map(str, range(52, 0, -1)))
    texts = (f"{places}\n{places}\n", f"{turned}\n{cards}\n", f"input: {turned}\n{cards}\n")
    return tuple(text.encode() for text in texts)


def _image(data: bytes, _: Path) -> object:
    """As it came, and with a good signature over whatever it says."""
    with suppress(ImageError):
        open_image(data, [KEY.public_key()])
    return open_image(data[:-64] + KEY.sign(data[:-64]), [KEY.public_key()])


def _images() -> Sequence[bytes]:
    return (sign_image(Image("model", "1.0", 2, b"firmware" * 20), KEY),)


# --- pictures ---------------------------------------------------------------------------------


@functools.cache
def _pictures() -> Sequence[bytes]:
    """A small picture in each form, and a PNG that says it is huge."""
    picture = np.random.default_rng(1).integers(0, 255, (24, 32, 3), dtype=np.uint8)
    kinds = (".jpg", ".png", ".bmp", ".webp", ".tiff")
    made = [bytes(cv2.imencode(kind, picture)[1]) for kind in kinds]
    png = made[1]
    huge = png[:16] + struct.pack(">II", 65_535, 65_535) + png[24:]
    return (*made, huge)


def _pictured(suffix: str) -> Parse:
    def read(path: Path) -> object:
        read_image(path)
        source = open_source(str(path))
        try:
            return source.read()
        finally:
            source.close()

    return _file(f"picture{suffix}", read)


# --- messages ---------------------------------------------------------------------------------


def _payloads() -> Sequence[bytes]:
    hash_ = '"' + "ab" * 32 + '"'
    record = (
        f'{{"table":"t1","seq":4,"id":{hash_},"previous":{hash_},"is_first":false,'
        '"type":"event","kind":"deck_cut","event":3,"hand":1,"at_ms":5,"written_ms":6,'
        '"body":{"type":"deck_cut"},"alarms":[]}'
    )
    status = '{"table":"t1","is_online":true,"program":"0.1"}'
    return record.encode(), status.encode(), b'{"first":3}'


def _told(data: bytes, _: Path) -> object:
    words = ("fact", "ruling", "opened", "picture", "state", "status", "resend")
    topic = data[:40].decode("latin-1")
    said = [read_message(f"{ROOT}/t1/{word}", data) for word in words]
    return read_message(topic, data), said, read_request(data)


def _broker(data: bytes, _: Path) -> object:
    return Broker.of(MqttSection(url=data.decode("utf-8", "replace"), table="t"))


def _located(data: bytes, _: Path) -> object:
    return Location.of(data.decode("utf-8", "replace"))


PARSERS: Final[dict[str, Parser]] = {
    "frames": Parser(_decode, _frames),
    "messages": Parser(_message, _payload, (ProtocolError,)),
    "link of the host": Parser(_host_link, _frames),
    "link of the machine": Parser(_device_link, _frames),
    "events": Parser(_judged, _texts("docs/examples/*.jsonl"), (EventFileError,), cost=4),
    "rulebook": Parser(
        _file("book.toml", lambda p: load_rulebook(p)),
        _texts("controller/rulebooks/*.toml"),
        (RulebookError,),
        cost=10,
    ),
    "table file": Parser(
        _file("table.toml", load_config), _texts("docs/examples/table.toml"), (ConfigError,)
    ),
    "zones and layout": Parser(_file("zones.toml", _layout), _layouts, (ZonesError,), cost=2),
    "key store": Parser(_file("keys.json", KeyStore, 0o600), _seed("keys"), (KeyStoreError,)),
    "security versions": Parser(
        _file("versions.json", SecurityVersions), _seed("versions"), (ImageError,)
    ),
    "audit file": Parser(_file("audit.jsonl", _audited, 0o600), lambda: (), (AuditFileError,)),
    "users": Parser(
        _file("users.json", _signed_in, 0o600), _seed("users"), (AccessError,), cost=60
    ),
    "pem public": Parser(_file("key.pub", read_public_key), _pem, (ImageError,)),
    "pem private": Parser(_file("key.pem", read_private_key, 0o600), _pem, (ImageError,)),
    "journal's public keys": Parser(
        _file("t.pub", lambda p: load_public_keys([p])), _seed("public"), (JournalError,)
    ),
    "firmware image": Parser(_image, _images, (ImageError,)),
    "jpeg": Parser(_pictured(".jpg"), _pictures, (PictureError, SourceError), cost=4),
    "png": Parser(_pictured(".png"), _pictures, (PictureError, SourceError), cost=4),
    "tiff": Parser(_pictured(".tiff"), _pictures, (PictureError, SourceError), cost=4),
    "mqtt": Parser(_told, _payloads),
    "mqtt position": Parser(
        _file("t.sent", lambda p: PositionFile(p).read()), lambda: (b'{"seq":3,"id":"ab"}',)
    ),
    "broker's address": Parser(_broker, lambda: (b"mqtts://broker:8883",), (BrokerError,)),
    "journal's address": Parser(
        _located, lambda: (b"postgresql://cutcard@db/cutcard?sslmode=require",), (JournalError,)
    ),
    "journal": Parser(_journal, _seed("journal"), (JournalError,), cost=60),
    "record": Parser(_record, _bodies, (JournalError, msgspec.DecodeError), cost=60),
    "noted head": Parser(lambda d, _: read_head(d, "head"), _seed("head"), (JournalError,)),
    "shuffle orders": Parser(
        _file("orders.txt", read_orders),
        _orders,
        (OrdersFileError,),
    ),
}
"""By name. PHH is written and never read; who reads it is PokerKit."""
