"""docs/shuffle.md says what theory, files and tests are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.shuffle import (
    Kind,
    Model,
    audit,
    greatest_excess,
    mean_class,
    read_orders,
    separation,
    simulate,
    total_variation,
)
from controller.shuffle.audit import REPEAT_WINDOW
from controller.shuffle.reading import LEAST_CARDS, MOST_CARDS, MOST_DECKS

PAGE = (Path(__file__).parents[3] / "docs" / "shuffle.md").read_text(encoding="utf-8")


def table(first_heading: str) -> list[list[str]]:
    """The rows below the header whose first cell this is."""
    part = PAGE.split(f"| {first_heading} |", 1)[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()[2:]]


@pytest.mark.parametrize("row", table("riffles"), ids=lambda row: str(row[0]))
def test_the_table_of_riffles_is_theory(row: list[str]) -> None:
    model = Model(Kind.RIFFLE, int(row[0]))

    assert row[1] == f"{total_variation(model, 52):.3f}"
    assert row[2] == f"{separation(model, 52):.3f}"
    assert row[3] == f"{mean_class(model, 52):.2f}"


@pytest.mark.parametrize("row", table("shelves"), ids=lambda row: str(row[0]))
def test_the_table_of_shelves_is_theory(row: list[str]) -> None:
    model = Model(Kind.SHELF, int(row[0]))

    assert row[1] == f"{total_variation(model, 52):.3f}"
    assert row[2] == f"{separation(model, 52):.3f}"
    assert row[3] == f"{greatest_excess(model, 52):.3g}"
    assert row[4] == f"{mean_class(model, 52):.2f}"


def test_the_example_file_is_read(tmp_path: Path) -> None:
    (example,) = re.findall(r"```\n(# three.*?)```", PAGE, re.S)
    file = tmp_path / "orders.txt"
    file.write_text(example, encoding="utf-8")

    assert read_orders(file).orders.shape == (3, 10)
    assert read_orders(file).orders[0].tolist() == [3, 0, 7, 1, 9, 4, 2, 8, 5, 6]


def test_every_test_is_in_the_page_and_no_other() -> None:
    asked = [test.name for test in audit(simulate("uniform", 2, 52, 1)).tests]

    assert [name for row in table("test") for name in row[0].split(", ")] == asked


def test_limits_are_the_pages() -> None:
    assert f"{LEAST_CARDS} to {MOST_CARDS} cards, a file up to {MOST_DECKS:,} orders" in PAGE
    assert f"each deck with the {REPEAT_WINDOW} after it" in PAGE
