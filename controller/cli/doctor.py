"""``cutcard doctor``: what of the set-up works, and what to do about the rest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from controller.cli.camera_checks import check_camera, check_markers, check_model, check_zones_file
from controller.cli.checks import check_journal, check_page, check_python, check_table_file
from controller.cli.device_checks import check_keys, check_ports, check_shuffler
from controller.cli.failures import ExitCode
from controller.cli.findings import Finding, has_failure, ok, print_findings, warning
from controller.cli.house_checks import check_house
from controller.cli.rulebook_checks import check_rulebook, check_rulebooks
from controller.rulebook import list_rulebooks
from controller.runtime.config import NONE, CameraSection, TableConfig
from controller.runtime.opening import MARKERS
from vision import Frame, TableLayout, ZonesError, load_layout


def doctor(
    table: Annotated[
        Path | None, typer.Argument(metavar="[TABLE.toml]", help="The table to check.")
    ] = None,
    port: Annotated[
        str, typer.Option("--port", help="A shuffler's port, such as /dev/ttyACM0.")
    ] = "",
    camera: Annotated[
        str, typer.Option("--camera", help="A picture source, such as camera:0.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line per check.")] = False,
) -> int:
    """Check devices, files and set-up, and say what to do.

    Without a table file the general set-up is checked: Python, recogniser, rulebooks, ports. With
    one, everything it names is checked as well. Nothing is moved and nothing is written. Exit
    code 1 when something must be put right.

    Example: `cutcard doctor table.toml`
    """
    findings = tuple(_findings(table, port, camera))
    print_findings(findings, as_json)
    return ExitCode.FOUND_FAILURE if has_failure(findings) else ExitCode.DONE


def _findings(table: Path | None, port: str, camera: str) -> Iterator[Finding]:
    yield check_python()
    yield check_model()
    yield from check_rulebooks()
    config: TableConfig | None = None
    if table is not None:
        finding, config = check_table_file(table)
        yield finding
    if config is not None:
        if config.table.rulebook not in list_rulebooks():
            yield check_rulebook(config.table.rulebook)
        if "://" not in config.journal.path:
            yield check_journal(Path(config.journal.path))
        yield check_page(config.page.host, config.page.port)
        yield from check_house(config)
    yield from _shuffler(config, port)
    yield from _camera(config, camera)


def _shuffler(config: TableConfig | None, port: str) -> Iterator[Finding]:
    if not port and config is not None and config.has_shuffler:
        port = config.shuffler.url
    if config is not None and config.shuffler.keys != NONE:
        yield check_keys(Path(config.shuffler.keys), config.shuffler.serial_number)
    if port:
        yield check_shuffler(port)
    else:
        yield from check_ports()


def _camera(config: TableConfig | None, spec: str) -> Iterator[Finding]:
    section = config.camera if config is not None else CameraSection()
    if not spec and config is not None and config.has_camera:
        spec = section.source
    if not spec:
        yield warning("camera", "none named", "look through one with --camera camera:0")
        return
    if section.zones != MARKERS:
        yield check_zones_file(Path(section.zones))
    for source in (spec, section.second):
        if source != NONE:
            finding, frame = check_camera(source)
            yield finding
            if frame is not None:
                yield from _zones(config, frame)


def _zones(config: TableConfig | None, frame: Frame) -> Iterator[Finding]:
    """Whether the table is found in a camera's picture, if it is to be found by markers."""
    if config is None:
        yield ok("zones", "not checked: give a table file to look for its markers")
    elif config.camera.zones == MARKERS:
        yield check_markers(frame, TableLayout.standard(config.table.seats))
    else:
        try:
            layout = load_layout(Path(config.camera.zones))
        except ZonesError:
            return  # wrong, which has been said, or in pixels, which need no markers
        yield check_markers(frame, layout)
