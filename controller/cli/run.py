"""``cutcard run``: a real table."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from controller.cli.failures import ExitCode
from controller.cli.outgoing import give_out
from controller.cli.stopping import run_until_stopped
from controller.rulebook import Rulebook, load_rulebook
from controller.runtime import Journal, Table, TableConfig, load_config
from controller.runtime.config import NONE
from controller.runtime.holding import held
from controller.runtime.opening import connect_shuffler, open_camera
from controller.web import Door, serve


def run(
    table: Annotated[Path, typer.Argument(metavar="TABLE.toml", help="The table file.")],
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the dealer page in this browser.")
    ] = False,
) -> int:
    """Run the table that a file describes, until Ctrl-C.

    Every event is written to the journal before anything follows from it; started again with the
    same file, the table goes on in the same hand. docs/configuration.md explains the file.

    Example: `cutcard run table.toml --open`
    """
    config = load_config(table)
    book = load_rulebook(config.table.rulebook)
    run_until_stopped(run_table(config, book, show))
    return ExitCode.DONE


async def run_table(config: TableConfig, book: Rulebook, show: bool = False) -> None:
    """Open everything the file names and run until cancelled or stopped by a failure.

    Raises:
        LinkError: The machine cannot be connected.
        VisionError: The camera or its zones cannot be used.
        FleetError: The broker is named wrongly, or the metrics cannot be served.
        RuntimeFault: The journal or the page cannot be used, or the table stopped.
    """
    async with AsyncExitStack() as stack:
        stack.enter_context(held(config.journal.path))
        journal = Journal.open(
            config.journal.path,
            table_id=config.table.name,
            rulebook=config.table.rulebook,
            key=Path(config.journal.key) if config.journal.key else None,
        )
        stack.callback(journal.close)
        shuffler = None
        if config.has_shuffler:
            shuffler = await stack.enter_async_context(await connect_shuffler(config))
        camera = await asyncio.to_thread(open_camera, config) if config.has_camera else None
        running = Table(config, book, journal, shuffler=shuffler, camera=camera)
        running.keep_pictures()
        give_out(stack, running, journal, config, shuffler, camera)
        await _until_one_ends(running, config, show)


async def _until_one_ends(table: Table, config: TableConfig, show: bool) -> None:
    """Table and page live and die together; the first failure is the one that is told."""
    door = _door(config)
    ready = asyncio.Event()
    tasks = {
        asyncio.create_task(table.run(), name="table"),
        asyncio.create_task(
            serve(
                table,
                door,
                lang=config.table.language,
                show=show,
                started=ready,
            ),
            name="page",
        ),
    }
    said = asyncio.create_task(_say_address(ready, door))
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await table.stop()
        for task in (*tasks, said):
            task.cancel()
        await asyncio.gather(*tasks, said, return_exceptions=True)
    for task in done:
        task.result()


def _door(config: TableConfig) -> Door:
    page = config.page
    users, certificate, key = (
        None if name == NONE else Path(name) for name in (page.users, page.certificate, page.key)
    )
    return Door(page.host, page.port, users, certificate, key)


async def _say_address(ready: asyncio.Event, door: Door) -> None:
    await ready.wait()
    console = Console(stderr=True, soft_wrap=True)
    console.print(f"The dealer page is at {door.url} - Ctrl-C ends.")
    if not door.is_loopback and door.certificate is None:
        console.print("Passwords travel in the clear: give page.certificate (docs/pages.md).")
