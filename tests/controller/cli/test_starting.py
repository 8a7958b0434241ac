"""The first second of the program, while it loads."""

from __future__ import annotations

import builtins
from types import ModuleType

import pytest

from controller.cli.failures import ExitCode
from controller.cli.starting import main


def test_a_ctrl_c_while_the_program_loads_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load = builtins.__import__

    def interrupted(name: str, *rest: object) -> ModuleType:
        if name == "controller.cli.app":
            raise KeyboardInterrupt
        return load(name, *rest)  # type: ignore[arg-type]  # handed through as it came

    monkeypatch.setattr(builtins, "__import__", interrupted)

    assert main(["--version"]) == ExitCode.INTERRUPTED
    assert capsys.readouterr() == ("", "")
