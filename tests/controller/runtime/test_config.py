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
    text = '[table]\nname = "T"\n[journal]\npath = "j/one.journal"\nkey = "k/one.key"\n'

    config = load_config(written(tmp_path, text))

    assert config.journal.path == str(tmp_path / "j" / "one.journal")
    assert config.journal.key == str(tmp_path / "k" / "one.key")


def test_a_journal_in_a_database_keeps_its_address(tmp_path: Path) -> None:
    text = '[table]\nname = "T"\n[journal]\npath = "postgresql://u@host/db"\n'

    config = load_config(written(tmp_path, text))

    assert (config.journal.path, config.journal.key) == ("postgresql://u@host/db", "")


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
        (f"[table]\nname = {'[' * 9999}\n", 0, "", "nested too deeply"),
        ('[table]\nname = "a\\u0000b"\n', 2, "table.name", "cannot be seen"),
        (
            '[table]\nname = "T"\ndeck_back = "red"\n[shuffler]\nsecond_deck = "red"\n',
            5,
            "shuffler.second_deck",
            "must differ",
        ),
        (
            '[table]\nname = "T"\n[shuffler]\nserial_number = "7"\n',
            4,
            "shuffler.serial_number",
            "give shuffler.url",
        ),
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

    with pytest.raises(ConfigError, match="not a text file in UTF-8"):
        load_config(path)


def test_a_folder_is_no_table_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give the path of a table file"):
        load_config(tmp_path)


def test_the_mark_that_some_editors_put_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "TABLE.toml"
    path.write_bytes(b'\xef\xbb\xbf[table]\r\nname = "T"\r\n')

    assert load_config(path).table.name == "T"


def test_every_path_is_taken_from_the_folder_of_the_table_file(tmp_path: Path) -> None:
    text = """
    [table]
    name = "T"
    rulebook = "house.toml"
    [camera]
    source = "hand.mp4"
    second = "photos/"
    zones = "zones.toml"
    """

    config = load_config(written(tmp_path, text))

    assert config.table.rulebook == str(tmp_path / "house.toml")
    assert config.camera.source == str(tmp_path / "hand.mp4")
    assert config.camera.second == str(tmp_path / "photos")
    assert config.camera.zones == str(tmp_path / "zones.toml")


@pytest.mark.parametrize(
    "source", ["none", "camera:0", "rtsp://host/a", "HTTP://host/", "rendered"]
)
def test_a_source_that_is_no_path_stays_as_it_is(tmp_path: Path, source: str) -> None:
    text = f'[table]\nname = "T"\n[camera]\nsource = "{source}"\n'

    assert load_config(written(tmp_path, text)).camera.source == source


def test_a_journal_in_a_database_stays_as_it_is(tmp_path: Path) -> None:
    text = '[table]\nname = "T"\n[journal]\npath = "postgresql://u@h/d"\n'

    assert load_config(written(tmp_path, text)).journal.path == "postgresql://u@h/d"


def test_users_and_certificate_lie_beside_the_table_file(tmp_path: Path) -> None:
    files = 'users = "u.json"\ncertificate = "p.crt"\nkey = "p.key"\n'

    page = load_config(written(tmp_path, f'[table]\nname = "T"\n[page]\n{files}')).page

    assert page.users == str(tmp_path / "u.json")
    assert (page.certificate, page.key) == (str(tmp_path / "p.crt"), str(tmp_path / "p.key"))


@pytest.mark.parametrize("half", ["certificate", "key"])
def test_a_certificate_without_its_key_is_refused(tmp_path: Path, half: str) -> None:
    error = refusal(tmp_path, f'[table]\nname = "T"\n[page]\n{half} = "p.pem"\n')

    assert error.line == 4
    assert "give page.certificate and page.key" in error.problem
