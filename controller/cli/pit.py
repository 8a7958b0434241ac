"""``cutcard pit``: all tables in one place."""

from __future__ import annotations

import signal
import time
from datetime import UTC, datetime
from types import FrameType
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from controller.cli.failures import ExitCode
from controller.cli.stopping import StoppedError
from controller.fleet import Broker, Listener, PitStore, TableLine
from controller.runtime.config import NONE, MqttSection

pit = typer.Typer(
    name="pit", help="Gather what all tables tell, and show how they stand.", no_args_is_help=True
)

DATABASE = Annotated[
    str,
    typer.Option(
        "--database", help="A file, or postgresql://user@host/database.", show_default=True
    ),
]

_STOPS: Final = {signal.SIGTERM: ExitCode.TERMINATED, signal.SIGHUP: ExitCode.HUNG_UP}


def wall_ms() -> int:
    """The computer's clock: Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


@pit.command()
def listen(
    broker: Annotated[
        str, typer.Option("--broker", help="mqtt://host:1883, or mqtts://host:8883 over TLS.")
    ],
    database: DATABASE = "pit.db",
    user: Annotated[str, typer.Option("--user", help="The pit's user at the broker.")] = "",
    password_file: Annotated[
        str, typer.Option("--password-file", help="A file whose first line is the password.")
    ] = NONE,
    ca: Annotated[
        str, typer.Option("--ca", help="The certificate that vouches for the broker.")
    ] = NONE,
    name: Annotated[
        str, typer.Option("--name", help="Under which the broker keeps messages for this pit.")
    ] = "pit",
) -> int:
    """Store what the tables tell, until Ctrl-C.

    Each record is stored once, in the order of its table, and acknowledged only then. A broker or a
    database that is away is awaited; records that were lost on the way are asked for again.
    docs/mqtt.md describes what is sent.

    Example: `cutcard pit listen --broker mqtt://localhost --database pit.db`
    """
    section = MqttSection(url=broker, user=user, password_file=password_file, ca=ca)
    where = Broker.of(section)
    store = PitStore.open(database, wall_ms)
    console = Console(stderr=True)
    try:
        _until_stopped(Listener(where, store, name, told=console.print))
    finally:
        store.close()
    return ExitCode.DONE


@pit.command()
def tables(
    database: DATABASE = "pit.db",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line per table.")] = False,
) -> int:
    """Show how every table stands.

    Example: `cutcard pit tables --database pit.db --json`
    """
    store = PitStore.open(database, wall_ms, must_exist=True)
    try:
        lines = store.tables()
    finally:
        store.close()
    if as_json:
        for line in lines:
            print(msgspec.json.encode(line).decode())
    else:
        Console().print(_shown(lines))
    return ExitCode.DONE


def _until_stopped(listener: Listener) -> None:
    """Run; a signal lets what is being stored be stored first."""
    came: list[ExitCode] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        came.append(_STOPS[signal.Signals(number)])
        listener.stop()

    heard = [s for s in _STOPS if signal.getsignal(s) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heard}
    try:
        listener.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise StoppedError(came[0])


def _shown(lines: tuple[TableLine, ...]) -> Table:
    table = Table("table", "line", "hand", "street", "alarms", "rulings", "devices", "records")
    for line in lines:
        state = line.state
        devices = sorted(f"{n} {h}" for n, h in state.devices.items()) if state else []
        table.add_row(
            line.table,
            "online" if line.is_online else f"away since {_clock(line.heard_ms)}",
            str(state.hand) if state else "",
            (state.stopped or state.street) if state else "",
            ", ".join(alarm.cause.value for alarm in state.alarms) if state else "",
            ", ".join(open_.kind.value for open_ in state.open) if state else "",
            ", ".join(devices),
            f"{line.records}" + (f" ({line.lost} lost)" if line.lost else ""),
        )
    return table


def _clock(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, tz=UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
