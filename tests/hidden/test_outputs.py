"""One hand, played whole with rendered pictures and real bytes, and everything that comes out.

Every page of the table of pages, every topic and every command stands below: one that is
added must be listened to here, or the reason given why it cannot name a card of a hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nicegui import Client as PageClient
from typer.main import get_command

from controller.cards import FULL_DECK, Card
from controller.cli import main
from controller.cli.app import app
from controller.cli.outgoing import give_out
from controller.demo import DemoOptions
from controller.demo import loop as demo_loop
from controller.demo.page import DemoPage
from controller.fleet.asyncapi import CHANNELS
from controller.runtime import TableConfig
from controller.runtime.access import PAGES
from controller.runtime.config import MetricsSection, MqttSection, TableSection
from controller.simulate.mistakes import HandPlan, Mistake
from tests.controller.web.browsing import CHROMIUM, browser, free_port
from tests.hidden.marks import Watch
from tests.hidden.table import (
    HeardShuffler,
    HeardTable,
    followed,
    logged,
    scraped,
    subscribed,
    until,
)
from tests.mosquitto import running as broker_running

COMMANDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "export": (("--phh", "JOURNAL"), ("--csv", "JOURNAL")),
    "journal copy": (("JOURNAL", "COPY"),),
    "journal export": (("JOURNAL",), ("JOURNAL", "--records")),
    "journal head": (("JOURNAL",),),
    "journal migrate": (("JOURNAL",),),
    "journal retain": (("JOURNAL", "--days", "1", "--dry-run"),),
    "journal verify": (("JOURNAL",), ("JOURNAL", "--json")),
    "judge": (("EVENTS", "--json", "--explain"), ("EVENTS", "--language", "fr")),
    "replay": (("JOURNAL", "--rulebook", "fr2", "--json"), ("JOURNAL", "--rulebook", "tda")),
}
"""Commands that read what was recorded, with their arguments."""

SPEAKS_OF_NO_HAND = {
    "calibrate": "looks at an empty table",
    "deck check": "names the cards that somebody lays out face up to be counted",
    "device counters": "counts",
    "device export": "counts, faults and the audit file",
    "device faults": "faults",
    "device find": "ports",
    "device install": "a firmware image",
    "device identify": "model and versions",
    "device pair": "a key",
    "device self-test": "parts",
    "device check-image": "a firmware image",
    "device sign-image": "a firmware image",
    "doctor": "the set-up",
    "pit listen": "passes on what it is told by MQTT, which is listened to",
    "pit tables": "shows what it was told by MQTT, which is listened to",
    "recognise": "names what lies face up in a picture that somebody gives it",
    "rulebook check": "a rulebook",
    "rulebook diff": "rulebooks",
    "rulebook explain": "rulebooks",
    "rulebook list": "rulebooks",
    "rulebook show": "a rulebook",
    "run": "pages, log, messages and numbers are listened to",
    "shuffle audit": "reads a file of orders that somebody gives it",
    "shuffle simulate": "a model of a shuffle",
    "shuffle theory": "a model of a shuffle",
    "simulate": "counts",
    "user add": "people",
    "user list": "people",
    "user remove": "people",
}
"""Commands that are not listened to, and why."""

SEPARATELY = {"demo", "device watch"}
"""Commands whose output is made of values that the hand gives: its report, its traffic."""

SHOWING = {"page /", "page /floor", "mqtt fact", "mqtt state", "journal export", "export", "log"}
"""Outputs that name the cards of the board, so that a search that finds none there is no search."""

TOPICS = {"fact", "ruling", "opened", "state", "status"}
"""What a table sends in this hand: no picture is kept, and nobody asks to send again."""


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Every command that can be typed."""
    if inner := getattr(command, "commands", None):
        for name, each in inner.items():
            yield from leaves(each, (*path, name))
    else:
        yield " ".join(path)


def test_every_command_is_listened_to_or_speaks_of_no_hand() -> None:
    assert set(leaves(get_command(app))) == {*COMMANDS, *SPEAKS_OF_NO_HAND, *SEPARATELY}


def test_every_topic_is_listened_to() -> None:
    assert set(CHANNELS) - {"picture", "resend"} == TOPICS


@dataclass
class Heard:
    """What one hand told: to a watch that knows what is public, and to one that knows nothing."""

    watch: Watch
    blind: Watch
    hidden: set[Card]
    board: set[Card]


async def played(folder: Path, plan: HandPlan, patch: pytest.MonkeyPatch) -> Heard:
    """Play a hand with everything connected."""
    watch, blind = Watch(), Watch()

    def hear(output: str, text: str) -> None:
        watch.hear(output, text)
        blind.hear(output, text)

    patch.setattr(demo_loop, "plan_hand", lambda *_: plan)
    patch.setattr(demo_loop, "Shuffler", HeardShuffler(hear))
    options = DemoOptions(seed=3, seats=4, journal=folder / "t.journal", port=free_port())
    async with AsyncExitStack() as stack:
        mosquitto = stack.enter_context(broker_running())
        stack.enter_context(subscribed(mosquitto.port, hear))
        stack.enter_context(logged(hear))
        table = await stack.enter_async_context(HeardTable(options, watch))
        metrics = free_port()
        config = TableConfig(
            table=TableSection(name="demo", seats=options.seats),
            mqtt=MqttSection(url=mosquitto.url, table="t1"),
            metrics=MetricsSection(port=metrics),
        )
        give_out(stack, table.table, table.journal, config)
        await stack.enter_async_context(DemoPage(table.table, options, lambda _: None))
        chromium = await stack.enter_async_context(browser())
        table.after.append(lambda: hear("metrics", scraped(metrics)))
        for path in PAGES:
            for lang in ("en", "fr"):
                address = f"http://127.0.0.1:{options.port}{path}?lang={lang}"
                page = followed(chromium, address, f"page {path}", hear)
                await stack.enter_async_context(page)
        assert set(PageClient.page_routes.values()) == set(PAGES)
        report = await table.play_hand(1)
        assert report.is_good, report
        hear("demo", msgspec.json.encode(report).decode())
        await table.refusals(hear)
        await asyncio.to_thread(until, lambda: heard_topics(watch) >= TOPICS)
        board = {Card(label) for label in told_board(table)}
    return Heard(watch, blind, table.hidden, board)


def heard_topics(watch: Watch) -> set[str]:
    return {name.removeprefix("mqtt ") for name in watch.heard if name.startswith("mqtt ")}


def told_board(table: HeardTable) -> Iterator[str]:
    """The board of the hand, from the journal."""
    for entry in table.journal.read():
        if getattr(entry.event, "board", None) or type(entry.event).__name__ == "BoardShown":
            yield from (card.value for card in getattr(entry.event, "cards", ()))


def said(heard: Heard, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the commands say of the journal that the hand left."""
    names = {"JOURNAL": folder / "t.journal", "COPY": folder / "c.journal"}
    names["EVENTS"] = folder / "events.jsonl"
    capsys.readouterr()
    for command, calls in sorted(COMMANDS.items(), key=lambda item: item[0] != "journal export"):
        for arguments in calls:
            words = [str(names.get(word, word)) for word in arguments]
            assert main([*command.split(), *words]) in (0, 1), command
            told = capsys.readouterr()
            if command == "journal export" and len(words) == 1:
                names["EVENTS"].write_text(told.out)
            for watch in (heard.watch, heard.blind):
                watch.hear(command, told.out)
                watch.hear("errors", told.err)


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="Chromium is not installed")
@pytest.mark.timeout(600)
async def test_a_hidden_card_is_in_no_output(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plan = HandPlan(Mistake.EXPOSED_LATER, (5,))  # brings a ruling, a card shown and one put back

    heard = await played(tmp_path, plan, monkeypatch)
    await asyncio.to_thread(said, heard, tmp_path, capsys)

    assert heard.watch.leaks == []
    assert len(heard.hidden) >= 8
    assert heard.hidden | heard.board <= set(FULL_DECK)
    outputs = {f"page {path}" for path in PAGES} | {f"mqtt {topic}" for topic in TOPICS}
    outputs |= {*COMMANDS, *SEPARATELY, "log", "metrics", "errors"}
    assert outputs <= heard.watch.heard | SILENT
    # The same search without knowing what is public finds the board wherever it is shown.
    assert len(heard.board) == 5
    assert {leak.output for leak in heard.blind.leaks} >= SHOWING


SILENT = {"journal copy", "journal migrate"}
"""Commands that may have nothing to say."""
