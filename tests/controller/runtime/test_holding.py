"""Two tables never write to one journal."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from controller.runtime.errors import JournalError
from controller.runtime.holding import held


def test_a_second_table_is_refused_and_told_what_to_do(tmp_path: Path) -> None:
    journal = str(tmp_path / "one.journal")

    with held(journal), pytest.raises(JournalError, match=r"one\.journal: another .*stop that"):
        held(journal).__enter__()


def test_the_journal_is_free_again_once_the_table_has_ended(tmp_path: Path) -> None:
    journal = str(tmp_path / "one.journal")
    with held(journal):
        pass

    with held(journal):
        assert not Path(journal).exists()


def hold(journal: str, ready: str) -> None:
    with held(journal):
        Path(ready).touch()
        multiprocessing.Event().wait()


def test_a_killed_table_holds_nothing(tmp_path: Path) -> None:
    journal, ready = str(tmp_path / "one.journal"), tmp_path / "ready"
    context = multiprocessing.get_context("spawn")
    other = context.Process(target=hold, args=(journal, str(ready)))
    other.start()
    while not ready.exists():
        other.join(timeout=0.01)
    with pytest.raises(JournalError):
        held(journal).__enter__()
    other.kill()
    other.join()

    with held(journal):
        pass


@pytest.mark.parametrize("place", ["postgresql://x@localhost/y", "gone/one.journal"])
def test_a_place_that_is_no_file_is_left_to_the_journal(place: str) -> None:
    with held(place):
        assert not Path(f"{place}.lock").exists()
