"""The key store: only its owner reads it, and a broken one is said to be broken."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from firmware_bridge.errors import KeyStoreError
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_keys import KeyStore, draw_key, draw_nonce

KEY = DeviceKey(bytes(range(32)))


def test_a_stored_key_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "cutcard" / "keys.json"
    KeyStore(path).store("S-1", KEY)
    KeyStore(path).store("S-2", draw_key())

    again = KeyStore(path)

    assert again["S-1"] == KEY
    assert sorted(again) == ["S-1", "S-2"]


def test_a_forgotten_key_is_gone(tmp_path: Path) -> None:
    store = KeyStore(tmp_path / "keys.json")
    store.store("S-1", KEY)
    store.store("S-2", KEY)
    store.forget("S-1")
    store.forget("S-3")

    assert list(KeyStore(tmp_path / "keys.json")) == ["S-2"]


def test_the_file_and_its_folder_are_their_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "cutcard" / "keys.json"
    KeyStore(path).store("S-1", KEY)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["keys.json"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys.json"
    KeyStore(path).store("S-1", KEY)
    path.chmod(mode)

    with pytest.raises(KeyStoreError, match="chmod 600"):
        KeyStore(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "devices": {}}',
        '{"version": 1}',
        '{"version": 1, "devices": []}',
        '{"version": 1, "devices": {"S-1": {}}}',
        '{"version": 1, "devices": {"S-1": {"key": 5}}}',
        '{"version": 1, "devices": {"S-1": {"key": "abcd"}}}',
        '{"version": 1, "devices": {"S-1": {"key": "' + "00" * 32 + '"}}}',
        '{"version": 1, "devices": {"S-1": {"key": "' + "xy" * 32 + '"}}}',
    ],
)
def test_a_file_that_is_no_key_store_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    path.chmod(0o600)

    with pytest.raises(KeyStoreError, match=r"keys\.json: it is"):
        KeyStore(path)


def test_an_error_never_shows_a_part_of_a_key(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"version": 1, "devices": {"S-1": {"key": "deadbeef" * 7}}}))
    path.chmod(0o600)

    with pytest.raises(KeyStoreError) as caught:
        KeyStore(path)

    assert "deadbeef" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(KeyStoreError, match="cannot be written"):
        KeyStore(tmp_path / "file" / "keys.json").store("S-1", KEY)


def test_no_file_is_no_key(tmp_path: Path) -> None:
    assert len(KeyStore(tmp_path / "keys.json")) == 0


def test_keys_and_nonces_are_never_the_same() -> None:
    drawn = {draw_nonce() for _ in range(100)} | {draw_key().value for _ in range(100)}

    assert len(drawn) == 200
    assert {len(value) for value in drawn} == {32}
