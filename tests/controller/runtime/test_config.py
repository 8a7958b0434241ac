"""What a table file may say, and what is answered to one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.runtime.config import load_config
from controller.runtime.errors import ConfigError

EXAMPLE = Path(__file__).parents[3] / "docs" / "examples" / "table.toml"


def written(folder: Path, text: str) -> Path:
    path = folder / "TABLE.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(folder: Path, text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        load_config(written(folder, text))
    return caught.value


def test_the_documented_example_loads() -> None:
    config = load_config(EXAMPLE)

    assert config.table.name == "Table 1"
    assert not config.has_shuffler
    assert not config.has_camera


def test_only_the_name_must_be_given(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, '[table]\nname = "T"\n'))

    assert (config.table.seats, config.table.rulebook, config.table.language) == (10, "ck", "en")
    assert config.page.host == "127.0.0.1"


def test_the_journal_lies_beside_the_table_file(tmp_path: Path) -> None:
    text = '[table]\nname = "T"\n[journal]\npath = "j/one.journal"\n'

    config = load_config(written(tmp_path, text))

    assert config.journal.path == str(tmp_path / "j" / "one.journal")


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ('[table]\nname = "T"\nseets = 9\n', 3, "table.seets", "did you mean 'seats'?"),
        ('[table]\nname = "T"\n\n[shufler]\n', 4, "shufler", "did you mean 'shuffler'?"),
        ('[table]\nname = "T"\nlanguage = "de"\n', 3, "table.language", "one of 'en', 'fr'"),
        ('[table]\nname = "T"\nseats = 11\n', 3, "table.seats", "<= 10"),
        ('[table]\nname = "T"\nseats = "ten"\n', 3, "table.seats", "expected `int`"),
        ("[table]\nseats = 9\n", 0, "table.name", "must be given"),
        ('[table]\nname = "T"\n[page]\nport = 0\n', 4, "page.port", ">= 1"),
        ('table = "T"\n', 1, "table", "[table]"),
        ("[table\n", 1, "", "not valid TOML"),
        ('[table]\nname = "T"\nwheel = 1\n', 3, "table.wheel", "allowed here: name, seats"),
    ],
)
def test_a_mistake_is_answered_with_its_place_and_its_remedy(
    tmp_path: Path, text: str, line: int, key: str, words: str
) -> None:
    error = refusal(tmp_path, text)

    assert (error.line, error.key) == (line, key)
    assert words in str(error)
    assert "TABLE.toml" in str(error)
    assert "\n" not in str(error)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: there is no such file"):
        load_config(tmp_path / "nowhere.toml")


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\xff\xe0")

    with pytest.raises(ConfigError, match="cannot be read as text"):
        load_config(path)
