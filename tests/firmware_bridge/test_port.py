"""Every way in which a port fails becomes one clear error of ours."""

from __future__ import annotations

import errno
import os
import pty
import select
import socket
import termios
import threading
import time
import tty
from collections.abc import Iterator

import pytest
import serial  # type: ignore[import-untyped]  # pyserial ships no types
from pytest_mock import MockerFixture
from serial import rfc2217

from firmware_bridge import (
    LinkLostError,
    LinkStalledError,
    PortAbsentError,
    PortBusyError,
    PortPermissionError,
    SerialPort,
    SoftwareShuffler,
    probe,
)


@pytest.fixture
def ends() -> Iterator[tuple[int, str]]:
    """A raw pseudo-terminal: our end's descriptor, the other end's name."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    yield ours, os.ttyname(theirs)
    for end in (ours, theirs):
        try:
            os.close(end)
        except OSError:
            continue  # the test closed it


def test_bytes_go_both_ways(ends: tuple[int, str]) -> None:
    ours, name = ends
    port = SerialPort(name)

    os.write(ours, b"hello")
    port.write(b"world")

    assert port.read() == b"hello"
    assert os.read(ours, 100) == b"world"
    assert port.read() == b""
    port.close()


def test_an_absent_port_is_named() -> None:
    with pytest.raises(PortAbsentError, match="/dev/no-such-port cannot be found"):
        SerialPort("/dev/no-such-port")


@pytest.mark.parametrize(
    ("number", "error", "sentence"),
    [
        (errno.EACCES, PortPermissionError, "group dialout"),
        (errno.EAGAIN, PortBusyError, "held by another program"),
        (errno.EBUSY, PortBusyError, "held by another program"),
        (errno.ENOENT, PortAbsentError, "cannot be found"),
        (errno.EIO, PortAbsentError, "cannot be found"),
    ],
)
def test_opening_failures_by_their_number(
    mocker: MockerFixture, number: int, error: type[Exception], sentence: str
) -> None:
    mocker.patch("serial.serial_for_url", side_effect=serial.SerialException(number, "no"))

    with pytest.raises(error, match=sentence):
        SerialPort("/dev/ttyUSB9")


def test_a_second_opening_is_refused(ends: tuple[int, str]) -> None:
    port = SerialPort(ends[1])

    with pytest.raises(PortBusyError):
        SerialPort(ends[1])

    port.close()


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(PortAbsentError, match="nosuch://x"):
        SerialPort("nosuch://x")


def test_nobody_listening_is_an_absent_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        number = server.getsockname()[1]

    with pytest.raises(PortAbsentError, match=f"socket://127.0.0.1:{number}"):
        SerialPort(f"socket://127.0.0.1:{number}")


def test_unplugging_while_reading_is_one_lost_link(ends: tuple[int, str]) -> None:
    ours, name = ends
    port = SerialPort(name)
    os.close(ours)

    with pytest.raises(LinkLostError, match="check cable and power"):
        port.read()
    with pytest.raises(LinkLostError):
        port.write(b"x")
    port.close()


@pytest.mark.parametrize(
    "failure",
    [
        serial.SerialException("device reports readiness to read but returned no data"),
        OSError(errno.EIO, "Input/output error"),
        termios.error(5, "Input/output error"),
    ],
    ids=lambda failure: str(type(failure).__name__),
)
@pytest.mark.parametrize("call", ["read", "write"])
def test_each_class_that_an_unplug_raises_is_mapped(
    ends: tuple[int, str], mocker: MockerFixture, failure: Exception, call: str
) -> None:
    port = SerialPort(ends[1])
    mocker.patch.object(port._serial, call, side_effect=failure)

    with pytest.raises(LinkLostError):
        port.read() if call == "read" else port.write(b"x")

    port.close()


def test_a_line_that_takes_no_bytes_is_stalled_in_bounded_time(ends: tuple[int, str]) -> None:
    port = SerialPort(ends[1])

    begun_s = time.monotonic()
    with pytest.raises(LinkStalledError, match="takes no more bytes"):
        port.write(b"x" * 400_000)

    assert time.monotonic() - begun_s < 5.0
    port.close()


def _pump(source: socket.socket, machine: int) -> None:
    """Bytes from the network to the machine's port, until the socket closes."""
    while data := source.recv(4096):
        os.write(machine, data)


def _serve_raw(server: socket.socket, path: str) -> None:
    """A serial-to-network adapter without protocol."""
    client, _ = server.accept()
    machine = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    os.set_blocking(machine, True)
    stop = threading.Event()
    writer = threading.Thread(target=_answer, args=(machine, client, stop), daemon=True)
    writer.start()
    _pump(client, machine)
    stop.set()
    writer.join()
    os.close(machine)
    client.close()


def _answer(machine: int, client: socket.socket, stop: threading.Event) -> None:
    while not stop.is_set():
        if select.select([machine], [], [], 0.05)[0]:
            client.sendall(os.read(machine, 4096))


def test_a_machine_behind_a_network_socket_is_identified(machine: SoftwareShuffler) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        adapter = threading.Thread(target=_serve_raw, args=(server, machine.url), daemon=True)
        adapter.start()
        identity = probe(f"socket://127.0.0.1:{server.getsockname()[1]}")
        adapter.join()

    assert identity.serial_number == "SIM-0001"


class _PtySerial(serial.Serial):  # type: ignore[misc]  # pyserial ships no types
    """A pseudo-terminal with the modem lines that RFC 2217 talks about and a pty lacks."""

    cts = dsr = cd = ri = False
    rts = dtr = True


class _Connection:
    """Where the manager writes its own answers."""

    def __init__(self, client: socket.socket) -> None:
        self._client = client
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        with self._lock:
            self._client.sendall(data)


def _serve_rfc2217(server: socket.socket, path: str) -> None:
    """A serial-to-network adapter that speaks RFC 2217."""
    client, _ = server.accept()
    port = _PtySerial(path, timeout=0.05)
    connection = _Connection(client)
    manager = rfc2217.PortManager(port, connection)
    stop = threading.Event()

    def answer() -> None:
        while not stop.is_set():
            if data := port.read(port.in_waiting or 1):
                connection.write(b"".join(manager.escape(data)))

    writer = threading.Thread(target=answer, daemon=True)
    writer.start()
    try:
        while data := client.recv(4096):
            port.write(b"".join(manager.filter(data)))
    finally:
        stop.set()
        writer.join()
        port.close()
        client.close()


@pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning")  # pyserial 3.5's own
def test_a_machine_behind_rfc2217_is_identified(machine: SoftwareShuffler) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        adapter = threading.Thread(target=_serve_rfc2217, args=(server, machine.url), daemon=True)
        adapter.start()
        try:
            identity = probe(f"rfc2217://127.0.0.1:{server.getsockname()[1]}", 5.0)
        finally:
            adapter.join(5.0)

    assert identity.serial_number == "SIM-0001"


@pytest.mark.parametrize(
    ("url", "detail"),
    [
        ("/dev/null", "it is no serial port"),
        ("/", "Is a directory"),
        ("socket://localhost", "write it as socket://host:port"),
        ("socket://localhost:99999", "write it as socket://host:port"),
        ("rfc2217://:2217", "write it as socket://host:port"),
    ],
)
def test_what_is_no_port_is_said_once_and_without_words_of_code(url: str, detail: str) -> None:
    with pytest.raises(PortAbsentError) as refused:
        SerialPort(url)

    assert str(refused.value) == f"{url} cannot be found ({detail}): check cable, power and name"
