"""docs/device.md names every command, fault and part of the technician's commands."""

from __future__ import annotations

from pathlib import Path

from typer.main import get_command

from controller.cli.device import device
from controller.cli.device_words import FAULT_CARE, PART_CARE, words

PAGE = (Path(__file__).parents[3] / "docs" / "device.md").read_text(encoding="utf-8")


def table(first_heading: str) -> list[list[str]]:
    """The rows below the header whose first cell this is."""
    part = PAGE.split(f"\n| {first_heading} |", 1)[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()[2:]]


def test_every_command_is_in_the_page() -> None:
    commands = vars(get_command(device))["commands"]

    assert [row[0].strip("`") for row in table("command")] == list(commands)


def test_what_to_do_is_the_page_s() -> None:
    assert table("fault") == [[words(code), care] for code, care in FAULT_CARE.items()]
    assert table("part") == [[words(part), care] for part, care in PART_CARE.items()]
