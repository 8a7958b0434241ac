"""``cutcard device``: the technician's commands for the machine at the table."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from platformdirs import user_config_path

from controller.cli.device_answers import (
    Answers,
    Line,
    counted,
    everything,
    fault_lines,
    identified,
    part_lines,
    print_lines,
)
from controller.cli.device_checks import PROBE_S
from controller.cli.device_image import check, sign
from controller.cli.device_install import install
from controller.cli.device_target import Target, open_target
from controller.cli.device_words import plain, sentence
from controller.cli.failures import CommandError, ExitCode
from controller.cli.stopping import run_until_stopped
from firmware_bridge import (
    Capability,
    CommandRefusedError,
    DeviceKey,
    ForeignFrame,
    Heard,
    KeyStore,
    LinkError,
    SerialPort,
    Settings,
    TappedPort,
    draw_key,
    list_ports,
    probe,
)

device = typer.Typer(
    name="device",
    help="The machine: find it, test its parts, watch its line, read what it counted.",
    no_args_is_help=True,
)

Port = Annotated[
    str,
    typer.Argument(
        metavar="PORT", help="A port such as /dev/ttyACM0, a table file, or `simulated`."
    ),
]
Keys = Annotated[
    Path | None,
    typer.Option("--keys", help="The file of keys: take only a machine that proves its own."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines.")]

KEYS_FILE = user_config_path("cutcard") / "keys.json"
"""Where the keys of this computer's machines are kept unless something else is said."""

KEEP_ALIVE = ("ReadStatus", "DeviceStatus")
"""What an idle line says four times a second."""


Work = Callable[[Target], Coroutine[Any, Any, Answers]]


def _with(port: str, keys: Path | None, work: Work) -> Answers:
    with open_target(port, keys) as target:
        return run_until_stopped(work(target))


@device.command()
def find(as_json: AsJson = False) -> int:
    """List the serial ports, and say on which a machine answers.

    Exit code 1 when none does. Nothing is moved.

    Example: `cutcard device find`
    """
    lines: Answers = []
    for port in list_ports():
        line: Line = {**plain(port), "answers": "", "problem": ""}
        try:
            who = probe(port.url, PROBE_S)
            line["answers"] = f"{who.model} number {who.serial_number}"
        except LinkError as error:
            line["problem"] = str(error)
        lines.append(line)
    print_lines(lines, as_json, "no serial port: connect the machine by USB")
    return ExitCode.DONE if any(line["answers"] for line in lines) else ExitCode.FOUND_FAILURE


@device.command()
def identify(port: Port, keys: Keys = None, as_json: AsJson = False) -> int:
    """Say which machine answers, how it is built, what it can do and how it stands.

    Example: `cutcard device identify /dev/ttyACM0`
    """
    print_lines(_with(port, keys, identified), as_json)
    return ExitCode.DONE


@device.command("self-test")
def self_test(
    port: Port,
    keys: Keys = None,
    sensors: Annotated[
        bool, typer.Option("--sensors", help="Read the sensors only; move no motor.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Test every sensor, then every motor by itself. Take the cards out and close the lid first.

    Exit code 1 when a part failed; each failed part comes with what to do.

    Example: `cutcard device self-test /dev/ttyACM0`
    """
    lines = _with(port, keys, lambda target: part_lines(target, moves=not sensors))
    print_lines(lines, as_json)
    is_bad = any(line["outcome"] in ("failed", "silent") for line in lines)
    return ExitCode.FOUND_FAILURE if is_bad else ExitCode.DONE


@device.command()
def watch(
    port: Port,
    keys: Keys = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.1, help="How long; else until Ctrl-C.")
    ] = None,
    everything_: Annotated[
        bool, typer.Option("--all", help="Show the keep-alive of an idle line too.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Show the traffic on the line, decoded, as it goes by.

    `>` is the host, `<` the machine; sealed messages are shown as they were meant.

    Example: `cutcard device watch /dev/ttyACM0 --seconds 10`
    """
    begun_s = time.monotonic()

    def show(heard: Heard) -> None:
        if everything_ or type(_message(heard)).__name__ not in KEEP_ALIVE:
            print(_traffic(heard, heard.at_s - begun_s, as_json), flush=True)

    with open_target(port, keys) as target:
        run_until_stopped(_listen(target, show, seconds))
    return ExitCode.DONE


@device.command()
def counters(
    port: Port,
    keys: Keys = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=600, help="How long to count for the rates.")
    ] = 5.0,
    as_json: AsJson = False,
) -> int:
    """Print what host and machine have counted, and how fast it grows.

    Example: `cutcard device counters /dev/ttyACM0 --seconds 30`
    """
    print_lines(_with(port, keys, lambda target: counted(target, seconds)), as_json)
    return ExitCode.DONE


@device.command()
def faults(port: Port, keys: Keys = None, as_json: AsJson = False) -> int:
    """Print the faults that the machine remembers since its start, and those that stand now.

    Exit code 1 when a fault stands; each comes with what to do.

    Example: `cutcard device faults /dev/ttyACM0`
    """
    lines = _with(port, keys, fault_lines)
    print_lines(lines, as_json, "no fault since the start")
    return ExitCode.FOUND_FAILURE if any(line["stands"] for line in lines) else ExitCode.DONE


@device.command()
def export(
    port: Port,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")],
    keys: Keys = None,
) -> int:
    """Write all that can be read of the machine to one JSON file, for a repair shop.

    It holds identity, status, counters, events and the newest hash of the audit file: no key, and
    no card, which the machine does not know to say. Nothing is moved.

    Example: `cutcard device export /dev/ttyACM0 --out machine.json`
    """
    (content,) = _with(port, keys, lambda target: everything(target, keys))
    try:
        out.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{out} cannot be written ({error.strerror})") from error
    print(f"{out} written")
    return ExitCode.DONE


@device.command()
def pair(
    port: Port,
    keys: Annotated[Path, typer.Option("--keys", help="The file of keys.")] = KEYS_FILE,
) -> int:
    """Give the machine a key of its own. Its switch for the trusted mode must be on.

    Do it with the machine in front of you and a cable that you can see from end to end; turn the
    switch off afterwards. From then on the machine obeys nobody without the key.

    Example: `cutcard device pair /dev/ttyACM0`
    """
    store = KeyStore(keys)
    with open_target(port, None) as target:
        serial_number = run_until_stopped(_pair(target, store))
    print(f"{serial_number} is paired; turn its switch off")
    print(f"write in the table file, under [shuffler]: keys = {json.dumps(str(keys.absolute()))}")
    return ExitCode.DONE


async def _pair(target: Target, store: KeyStore) -> str:
    """Set a new key, keep it, and see that the machine proves it."""
    key = draw_key()
    async with await target.connect() as shuffler:
        serial_number = shuffler.identity.serial_number
        if not shuffler.identity.capabilities & Capability.SEALED:
            raise CommandError(f"{serial_number} cannot keep a key; its firmware is too old")
        before = store.get(serial_number)
        store.store(serial_number, key)  # first: a key that only the machine knows locks us out
        try:
            await shuffler.set_key(key)
        except CommandRefusedError as error:
            _restore(store, serial_number, before)
            raise CommandError(
                f"{serial_number} takes no key ({error.reason}): turn on the switch for its"
                " trusted mode, inside the case, and pair it again"
            ) from error
    async with await target.with_settings(Settings(keys=store)).connect():
        return serial_number


def _restore(store: KeyStore, serial_number: str, before: DeviceKey | None) -> None:
    """The machine has kept its old key, or none."""
    if before is None:
        store.forget(serial_number)
    else:
        store.store(serial_number, before)


async def _listen(target: Target, show: Callable[[Heard], None], seconds: float | None) -> None:
    heard: asyncio.Queue[Heard] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def tell(frame: Heard) -> None:
        loop.call_soon_threadsafe(heard.put_nowait, frame)

    tapped = replace(target.settings, open_port=lambda url: TappedPort(SerialPort(url), tell))
    try:
        async with (
            asyncio.timeout(seconds),
            await target.with_settings(tapped).connect(),
        ):
            while True:
                show(await heard.get())
    except TimeoutError:
        return


def _message(heard: Heard) -> object:
    frame = heard.frame
    return frame if isinstance(frame, ForeignFrame) else frame.message


def _traffic(heard: Heard, at_s: float, as_json: bool) -> str:
    frame, message = heard.frame, _message(heard)
    numbers = {} if isinstance(frame, ForeignFrame) else plain(frame)
    if as_json:
        line = {
            "at_s": round(at_s, 4),
            "from": "host" if heard.is_ours else "machine",
            "message": type(message).__name__,
            "fields": plain(message),
            "sequence": numbers.get("sequence", 0),
            "session": numbers.get("session", 0),
            "event": numbers.get("event", 0),
            "sealed": heard.is_sealed,
            "noise": heard.noise,
        }
        return json.dumps(line)
    mark, sealed = ">" if heard.is_ours else "<", " (sealed)" if heard.is_sealed else ""
    return f"{at_s:9.3f} {mark} {sentence(message)}{sealed}"


device.command("sign-image")(sign)
device.command("check-image")(check)
device.command("install")(install)
