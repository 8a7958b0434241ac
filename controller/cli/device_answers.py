"""What the machine answers, as lines for a technician or for a program."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from controller.cli.device_target import Target
from controller.cli.device_words import FAULT_CARE, PART_CARE, Plain, plain, words
from controller.runtime.opening import AUDIT_NAME
from firmware_bridge import (
    PROTOCOL_VERSION,
    Capability,
    CommandRefusedError,
    FaultCleared,
    FaultCode,
    FaultLocated,
    FaultRaised,
    Outcome,
    Shuffler,
    check_parts,
    read_history,
    verify_audit,
)

Line = dict[str, object]
Answers = list[Line]
"""Lines of the same shape: a JSON object each, or a table."""


def print_lines(lines: Sequence[Line], as_json: bool, nothing: str = "") -> None:
    """Print them as JSON lines, or for a person: a table, or a list when there is one line."""
    if as_json:
        for line in lines:
            print(json.dumps(line))
        return
    if not lines:
        print(nothing)
        return
    table = Table(show_header=len(lines) > 1, box=None, pad_edge=False)
    if len(lines) == 1:
        for name, value in lines[0].items():
            table.add_row(Text(name.replace("_", " ")), Text(_shown(value)))
    else:
        for name in lines[0]:
            table.add_column(name.replace("_", " "))
        for line in lines:
            table.add_row(*(Text(_shown(value)) for value in line.values()))
    Console().print(table)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_shown(v)}" for name, v in value.items())
    if isinstance(value, list):
        return ", ".join(str(part) for part in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


# --- what is asked ----------------------------------------------------------------------------


async def identified(target: Target) -> Answers:
    """Identity, build and status in one line."""
    async with await target.connect() as shuffler:
        return [await _identity(shuffler)]


async def _identity(shuffler: Shuffler) -> Line:
    line: Line = {"port": shuffler.url, **plain(shuffler.identity)}
    del line["last_sequence"]  # the session's, not the machine's
    line["protocol"] = PROTOCOL_VERSION
    try:
        line["status"] = plain(await shuffler.status())
        line["capacity"] = plain(await shuffler.capacity())
    except CommandRefusedError as error:
        line["refused"] = f"{error}; give --keys" if error.reason == "seal" else str(error)
    return line


async def part_lines(target: Target, *, moves: bool) -> Answers:
    """The sensors, then each part with its outcome and what to do."""
    async with await target.connect() as shuffler:
        failed = (await shuffler.self_test()).failed
        lines = [
            _part(f"sensor: {words(code)}", Outcome.FAILED, FAULT_CARE[code])
            for code in FaultCode
            if failed >> (code - 1) & 1
        ]
        if not lines:
            lines.append(_part("sensors", Outcome.PASSED, ""))
        if moves:
            async for part, outcome in check_parts(shuffler):
                care = PART_CARE[part] if outcome in (Outcome.FAILED, Outcome.SILENT) else ""
                lines.append(_part(words(part), outcome, care))
        return lines


def _part(name: str, outcome: Outcome, care: str) -> Line:
    return {"part": name, "outcome": outcome.value, "do": care}


async def counted(target: Target, seconds: float) -> Answers:
    """Each counter with its value and its growth in a second."""
    async with await target.connect() as shuffler:
        before = await _counters(shuffler)
        await asyncio.sleep(seconds)
        after = await _counters(shuffler)
    return [
        {
            "counter": name,
            "value": value,
            "per_second": round((value - before[name]) / seconds, 3),
        }
        for name, value in after.items()
    ]


async def _counters(shuffler: Shuffler) -> dict[str, int]:
    """The host's, and the machine's where it keeps any."""
    counters = shuffler.counters
    found = {
        "host: commands": counters.commands,
        "host: frames sent": counters.sends,
        "host: frames of nobody's": counters.strays,
        "host: replays asked": counters.replays,
        "host: frames refused": counters.refused,
        "host: noise": counters.noise.total,
    }
    if shuffler.identity.capabilities & Capability.METERS:
        meters = plain(await shuffler.meters())
        found |= {
            f"machine: {name.replace('_', ' ')}": int(value)
            for name, value in meters.items()
            if isinstance(value, int)
        }
    return found


async def fault_lines(target: Target) -> Answers:
    """Every fault that the machine remembers, oldest first, and whether it stands."""
    history = await read_history(target.url, target.serial_number, target.settings)
    async with await target.connect() as shuffler:
        standing = set((await shuffler.status()).fault_codes)
    places: dict[FaultCode, FaultLocated] = {}
    lines: Answers = []
    newest: dict[FaultCode, Line] = {}
    for number, event in history.events:
        if isinstance(event, FaultLocated):
            places[event.code] = event
        elif isinstance(event, FaultRaised):
            newest[event.code] = _fault(number, event.code, places.pop(event.code, None))
            lines.append(newest[event.code])
        elif isinstance(event, FaultCleared) and event.code in newest:
            newest[event.code]["cleared"] = number
    for code in standing:
        if code not in newest:  # its event has left the machine's memory
            newest[code] = _fault(0, code, None)
            lines.insert(0, newest[code])
        newest[code]["stands"] = True
    return lines


def _fault(number: int, code: FaultCode, place: FaultLocated | None) -> Line:
    return {
        "event": number,
        "fault": words(code),
        "part": words(place.part) if place else "",
        "tries": place.tries if place else 0,
        "cleared": 0,
        "stands": False,
        "do": PART_CARE[place.part] if place else FAULT_CARE[code],
    }


async def everything(target: Target, keys: Path | None) -> Answers:
    """All that can be read, as one object."""
    history = await read_history(target.url, target.serial_number, target.settings)
    async with await target.connect() as shuffler:
        content: Line = {
            "identity": await _identity(shuffler),
            "sensors_failed": (await shuffler.self_test()).failed,
            "counters": await _counters(shuffler),
        }
    content["events_forgotten"] = history.lost
    content["events"] = [
        {"event": number, "message": type(event).__name__, **plain(event)}
        for number, event in history.events
    ]
    content["audit"] = _audit(keys)
    return [content]


def _audit(keys: Path | None) -> dict[str, Plain]:
    """How long the file of incidents is and where its chain ends."""
    if keys is None or not (path := keys.with_name(AUDIT_NAME)).exists():
        return {}
    lines, newest = verify_audit(path)
    return {"lines": lines, "newest_hash": newest}
