"""``cutcard user``: people are added, listed and taken out; the password is never an argument."""

from __future__ import annotations

import getpass
import io
import json
import sys
from pathlib import Path

import pytest

from controller.cli import main
from controller.runtime.access import Role
from controller.runtime.access_users import Users

PASSWORD = "cards in the air"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{PASSWORD}\n"))
    return tmp_path / "users.json"


def add(file: Path, name: str = "ana", role: str = "floor") -> int:
    return main(["user", "add", name, "--role", role, "--file", str(file)])


def test_a_person_who_was_added_can_sign_in(file: Path) -> None:
    assert add(file) == 0

    user = Users(file).check("ana", PASSWORD)

    assert user is not None
    assert user.role is Role.FLOOR


def test_the_list_names_people_and_roles_and_no_hash(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(file)
    capsys.readouterr()

    assert main(["user", "list", "--file", str(file), "--json"]) == 0

    assert json.loads(capsys.readouterr().out) == {"name": "ana", "role": "floor"}


def test_a_person_can_be_taken_out(file: Path) -> None:
    add(file)

    assert main(["user", "remove", "ana", "--file", str(file)]) == 0
    assert Users(file).all() == ()


def test_typed_twice_the_password_must_be_the_same(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter([PASSWORD, "another one!!"])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(getpass, "getpass", lambda _prompt: next(typed))

    assert add(file) == 2
    assert "differ" in capsys.readouterr().err
    assert not file.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["user", "remove", "ben"], "cutcard user add"),
        (["user", "list"], "cutcard user add"),
        (["user", "add", "ana", "--role", "king"], "king"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(
    words: list[str], said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--file", str(file)]) == 2

    err = capsys.readouterr().err
    assert said in err
    assert "Traceback" not in err


def test_a_short_password_is_refused_in_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("short\n"))

    assert add(file) == 2
    assert capsys.readouterr().err.count("\n") == 1
