"""Zones files: what they say, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.errors import ZonesError
from vision.layout import TableLayout
from vision.zones import Zone, Zones, dump_zones, load_zones

SQUARE = "[[0, 0], [100, 0], [100, 100], [0, 100]]"


def written(folder: Path, text: str) -> Path:
    path = folder / "zones.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_zones_file_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, f'unit = "mm"\n[[zone]]\nname = "seat:1"\ncorners = {SQUARE}\n')
    file = load_zones(path)

    assert file.unit == "mm"
    assert file.zones.zone_of((50, 50)) == "seat:1"


def test_pixels_are_the_usual_unit(tmp_path: Path) -> None:
    path = written(tmp_path, f'[[zone]]\nname = "muck"\ncorners = {SQUARE}\n')

    assert load_zones(path).unit == "px"


def test_what_is_written_reads_back_the_same(tmp_path: Path) -> None:
    zones = TableLayout.standard(6).zones

    assert load_zones(written(tmp_path, dump_zones(zones, "mm"))).zones == zones


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[zone]]\nname = "seet:1"\ncorners = ' + SQUARE, ["zone[0]", "seet:1", "'seat:1'"]),
        ('[[zone]]\nname = "burn"\ncornres = ' + SQUARE, ["cornres", "'corners'"]),
        ('[[zone]]\nname = "burn"\ncorners = [[0, 0], [1, 1]]', ["zone[0]", "3 or more"]),
        ('[[zone]]\nname = "burn"\ncorners = [["a", 0]]', ["zone[0].corners"]),
        ('unit = "inch"\nzone = []', ["unit", "inch"]),
        ("zone = []", ["no [[zone]]"]),
        ("unit = ?", ["not valid TOML", "line 1"]),
        ("zone = " + "[" * 9999, ["not valid TOML"]),
    ],
)
def test_a_wrong_file_is_explained_in_one_line(tmp_path: Path, text: str, words: list[str]) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ZonesError) as caught:
        load_zones(path)

    message = str(caught.value)
    assert "\n" not in message
    assert all(word in message for word in [str(path), *words])


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ZonesError, match=r"nowhere\.toml"):
        load_zones(tmp_path / "nowhere.toml")


def test_the_earlier_zone_wins_where_two_overlap() -> None:
    small = Zone("burn", ((10, 10), (20, 10), (20, 20), (10, 20)))
    large = Zone("muck", ((0, 0), (100, 0), (100, 100), (0, 100)))

    assert Zones((small, large)).zone_of((15, 15)) == "burn"
    assert Zones((large, small)).zone_of((15, 15)) == "muck"


def test_zones_follow_a_homography() -> None:
    double = np.diag([2.0, 2.0, 1.0])
    zones = Zones((Zone("pot", ((0, 0), (10, 0), (10, 10), (0, 10))),)).mapped(double)

    assert zones.polygon("pot") == ((0, 0), (20, 0), (20, 20), (0, 20))


def test_no_zones_at_all_is_said() -> None:
    with pytest.raises(ZonesError, match="no zones"):
        Zones(()).zone_of((1, 1))


def test_the_file_shown_in_the_documentation_is_valid(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "camera.md"
    shown = page.read_text(encoding="utf-8").split("```toml")[1].split("```")[0]

    assert load_zones(written(tmp_path, shown)).zones.names == ("seat:1", "burn")


def test_the_mark_that_some_editors_put_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    text = f'\ufeffunit = "mm"\n[[zone]]\nname = "burn"\ncorners = {SQUARE}\n'

    assert load_zones(written(tmp_path, text)).unit == "mm"
