"""Who may do what; passwords, sessions and wrong tries, on a clock of their own."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.events import FloorDecided, SecuredShuffleOrdered, StepConfirmed
from controller.runtime.access import HOME, PAGES, Role, may_open, may_tap
from controller.runtime.access_sessions import (
    FIRST_WAIT_S,
    IDLE_S,
    LONGEST_WAIT_S,
    SHIFT_S,
    TRIES,
    Attempts,
    Sessions,
)
from controller.runtime.access_users import Users
from controller.runtime.errors import AccessError

PASSWORD = "cards in the air"
OVERRULED = FloorDecided(ruling="1/1", decision="overruled", reason="x")


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.mark.parametrize(
    ("role", "pages"),
    [
        (Role.DEALER, {"/"}),
        (Role.FLOOR, {"/", "/floor"}),
        (Role.TECHNICIAN, {"/"}),
        (Role.MANAGER, {"/", "/floor", "/house"}),
    ],
)
def test_each_role_has_its_pages_and_no_other(role: Role, pages: set[str]) -> None:
    """docs/pages.md, "Who may do what"."""
    asked = (*PAGES, "/floor/", "/unheard-of", "/floor/../house", "")

    assert {path for path in PAGES if may_open(role, path)} == pages
    assert HOME[role] in pages
    assert not may_open(role, "/unheard-of")
    assert not may_open(role, "/floor/../house")
    assert may_open(role, "/floor/") == ("/floor" in asked and "/floor" in pages)


@pytest.mark.parametrize(
    ("role", "step", "decision"),
    [
        (Role.DEALER, True, False),
        (Role.FLOOR, True, True),
        (Role.TECHNICIAN, False, False),
        (Role.MANAGER, True, True),
    ],
)
def test_only_the_floor_and_the_manager_decide(role: Role, step: bool, decision: bool) -> None:
    assert may_tap(role, StepConfirmed(step="1/1.1")) is step
    assert may_tap(role, OVERRULED) is decision
    assert may_tap(role, SecuredShuffleOrdered()) is decision


def test_a_password_is_kept_as_a_hash_in_a_file_for_its_owner_alone(tmp_path: Path) -> None:
    users = Users(tmp_path / "users.json")
    users.add("ana", Role.FLOOR, PASSWORD)
    users.add("ben", Role.FLOOR, PASSWORD)

    text = users.path.read_text()
    first, second = users.all()
    assert stat.S_IMODE(users.path.stat().st_mode) == 0o600
    assert PASSWORD not in text
    assert first.hash != second.hash  # the same password, salted
    assert list(tmp_path.iterdir()) == [users.path]


@pytest.mark.parametrize(
    ("name", "password"),
    [("ana", "cards in the aiR"), ("Ana", PASSWORD), ("", ""), ("ana", ""), ("ana", "x" * 4000)],
)
def test_only_the_very_name_and_password_are_right(
    name: str, password: str, tmp_path: Path
) -> None:
    users = Users(tmp_path / "users.json")
    users.add("ana", Role.FLOOR, PASSWORD)

    right = users.check("ana", PASSWORD)

    assert right is not None
    assert right.role is Role.FLOOR
    assert users.check(name, password) is None


def test_a_person_can_be_given_another_role_and_be_taken_out(tmp_path: Path) -> None:
    users = Users(tmp_path / "users.json")
    users.add("ana", Role.DEALER, PASSWORD)
    users.add("ana", Role.FLOOR, PASSWORD + "!")
    users.add("ben", Role.DEALER, PASSWORD)

    assert users.check("ana", PASSWORD) is None
    assert [(u.name, u.role) for u in users.all()] == [("ana", Role.FLOOR), ("ben", Role.DEALER)]
    users.remove("ana")
    assert [u.name for u in users.all()] == ["ben"]
    with pytest.raises(AccessError, match="nobody in it is called 'ana'"):
        users.remove("ana")


@pytest.mark.parametrize(
    ("name", "password", "words"),
    [
        ("ana", "short", "at least 10 characters"),
        ("", PASSWORD, "a name has"),
        ("a\nb", PASSWORD, "a name has"),
        ("a" * 61, PASSWORD, "a name has"),
    ],
)
def test_names_and_passwords_that_will_not_do(
    name: str, password: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(AccessError, match=words):
        Users(tmp_path / "users.json").add(name, Role.DEALER, password)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    users = Users(tmp_path / "users.json")
    users.add("ana", Role.FLOOR, PASSWORD)
    users.path.chmod(0o640)

    with pytest.raises(AccessError, match="chmod 600"):
        users.check("ana", PASSWORD)


@pytest.mark.parametrize("text", ["", "{", '{"user": [{"name": "ana"}]}', '{"users": []}', "\xff"])
def test_a_file_that_is_no_file_of_users_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "users.json"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(0o600)

    with pytest.raises(AccessError, match="no file of users"):
        Users(path).all()


def test_without_a_file_the_command_that_makes_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(AccessError, match="cutcard user add"):
        Users(tmp_path / "none.json").all()


@pytest.mark.parametrize(
    ("role", "idle_s", "is_in"),
    [
        (Role.FLOOR, IDLE_S - 1, True),
        (Role.FLOOR, IDLE_S + 1, False),
        (Role.MANAGER, IDLE_S + 1, False),
        (Role.DEALER, IDLE_S + 1, True),
        (Role.DEALER, SHIFT_S - 1, True),
        (Role.DEALER, SHIFT_S + 1, False),
    ],
)
def test_a_session_ends_by_itself(role: Role, idle_s: float, is_in: bool) -> None:
    clock = Clock()
    sessions = Sessions(clock)
    secret = sessions.begin("ana", role)

    clock.now_s += idle_s

    assert (sessions.find(secret) is not None) is is_in


def test_who_does_something_stays_in_for_a_shift_at_most() -> None:
    clock = Clock()
    sessions = Sessions(clock)
    secret = sessions.begin("ana", Role.FLOOR)
    minutes = 0
    while (session := sessions.find(secret)) is not None:
        sessions.touch(session)
        clock.now_s += 60
        minutes += 1

    assert minutes == SHIFT_S // 60 + 1


def test_signing_out_ends_the_session_for_pages_that_are_open() -> None:
    sessions = Sessions(Clock())
    secret = sessions.begin("ana", Role.FLOOR)
    session = sessions.find(secret)
    assert session is not None

    sessions.end(secret)

    assert sessions.find(secret) is None
    assert not sessions.is_live(session)
    assert sessions.find("") is None


def test_no_two_secrets_are_alike() -> None:
    sessions = Sessions(Clock())

    secrets = {sessions.begin("ana", Role.FLOOR) for _ in range(100)}

    assert len(secrets) == 100
    assert min(map(len, secrets)) >= 43  # 256 bits in base64


def test_wrong_tries_cost_a_wait_that_doubles() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    waits = []
    for _ in range(TRIES + 10):
        attempts.failed("name ana", "address 10.0.0.9")
        waits.append(attempts.wait_s("name ana"))
        clock.now_s += waits[-1]

    assert waits[: TRIES - 1] == [0.0] * (TRIES - 1)
    assert waits[TRIES - 1 : TRIES + 2] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert waits[-1] == LONGEST_WAIT_S


def test_a_guesser_waits_for_every_name_and_others_do_not() -> None:
    attempts = Attempts(Clock())
    for n in range(TRIES):
        attempts.failed(f"name {n}", "address 10.0.0.9")

    assert attempts.wait_s("name new", "address 10.0.0.9") > 0
    assert attempts.wait_s("name 0", "address 10.0.0.7") == 0


def test_the_right_password_forgets_the_wrong_ones() -> None:
    attempts = Attempts(Clock())
    for _ in range(TRIES - 1):
        attempts.failed("name ana")
    attempts.succeeded("name ana")
    attempts.failed("name ana")

    assert attempts.wait_s("name ana") == 0


@settings(max_examples=30)
@given(tries=st.lists(st.tuples(st.integers(0, 3), st.floats(0, 100)), max_size=60))
def test_in_an_hour_a_name_is_tried_less_than_a_dozen_times(
    tries: list[tuple[int, float]],
) -> None:
    """However a guesser spaces the tries: five free ones, then 30 s, doubled with each."""
    clock = Clock()
    attempts = Attempts(clock)
    began_s, made = clock.now_s, 0
    for _, pause_s in tries * 20:
        clock.now_s += pause_s
        if clock.now_s - began_s < 3600 and not attempts.wait_s("name ana"):
            attempts.failed("name ana")
            made += 1

    assert made < 12
