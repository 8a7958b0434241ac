"""The AsyncAPI description of the topics (AsyncAPI 3.0), made from the table of topics."""

from __future__ import annotations

from typing import Final

import msgspec

from controller.fleet.topics import ROOT, TABLE_ID

CHANNELS: Final[dict[str, tuple[str, str, bool]]] = {
    "fact": ("record", "An event of the table, in the order of its journal.", False),
    "ruling": ("record", "A ruling, in the order of the journal.", False),
    "opened": ("record", "A program began to write the journal.", False),
    "picture": ("record", "A picture was kept as evidence; the picture itself is not sent.", False),
    "state": ("state", "How the table stands.", True),
    "status": ("status", "Whether the table is connected; also its last will.", True),
    "resend": ("resend", "A receiver asks the table to send records again.", False),
}
"""By the last word of a topic: its payload, what it is for, and whether it is retained."""


def description() -> bytes:
    """The whole description as JSON."""
    described = {
        "asyncapi": "3.0.0",
        "info": {"title": "cutcard tables", "version": "1"},
        "defaultContentType": "application/json",
        "channels": {word: _channel(word) for word in CHANNELS},
        "operations": {word: _operation(word) for word in CHANNELS},
        "components": {
            "messages": {
                name: {"name": name, "payload": {"$ref": f"./{name}.json"}}
                for name in sorted({payload for payload, _, _ in CHANNELS.values()})
            }
        },
    }
    return msgspec.json.format(msgspec.json.encode(described)) + b"\n"


def _channel(word: str) -> dict[str, object]:
    payload, says, _ = CHANNELS[word]
    return {
        "address": f"{ROOT}/{{table}}/{word}",
        "description": says,
        "parameters": {"table": {"description": f"The table's name: {TABLE_ID}"}},
        "messages": {payload: {"$ref": f"#/components/messages/{payload}"}},
    }


def _operation(word: str) -> dict[str, object]:
    """From the table's side: it sends all but the request, which it receives."""
    return {
        "action": "receive" if word == "resend" else "send",
        "channel": {"$ref": f"#/channels/{word}"},
        "bindings": {"mqtt": {"qos": 1, "retain": CHANNELS[word][2]}},
    }
