"""``cutcard device sign-image`` and ``check-image``: from a maker's key to a content given out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from controller.cli import main
from firmware_bridge import SerialPort, SoftwareShuffler

CONTENT = b":100000000C9472000C947E000C947E000C947E0084\n"


@pytest.fixture
def machine() -> Iterator[SoftwareShuffler]:
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-77") as shuffler:
        yield shuffler


@pytest.fixture
def maker(tmp_path: Path) -> Path:
    """A folder with the maker's keys and a firmware."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / "maker.pem").write_bytes(private)
    (tmp_path / "maker.pub").write_bytes(public)
    (tmp_path / "fw.hex").write_bytes(CONTENT)
    return tmp_path


def sign(maker: Path, security_version: int = 3, model: str = "soft shuffler") -> str:
    image = str(maker / f"fw{security_version}.image")
    arguments = ["device", "sign-image", str(maker / "fw.hex"), "--key", str(maker / "maker.pem")]
    arguments += ["--model", model, "--firmware", "1.2", "--out", image]
    assert main([*arguments, "--security-version", str(security_version)]) == 0
    return image


def check(maker: Path, image: str, *more: str) -> int:
    versions = str(maker / "versions.json")
    key = str(maker / "maker.pub")
    return main(["device", "check-image", image, "--key", key, "--versions", versions, *more])


def test_a_signed_image_passes_and_is_given_out(
    maker: Path, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image, out = sign(maker), maker / "out.hex"

    assert check(maker, image) == 0
    assert check(maker, image, "--port", machine.url, "--extract", str(out)) == 0
    assert out.read_bytes() == CONTENT
    assert "security version 3" in capsys.readouterr().out


def test_an_older_one_is_not_given_out_afterwards(
    maker: Path, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    newer, older, out = sign(maker, 3), sign(maker, 2), maker / "out.hex"
    assert check(maker, newer, "--port", machine.url, "--extract", str(maker / "new.hex")) == 0

    assert check(maker, older, "--port", machine.url, "--extract", str(out)) == 2
    assert "must not come back" in capsys.readouterr().err
    assert not out.exists()


def test_an_image_for_another_model_is_not_given_out(
    maker: Path, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image, out = sign(maker, model="cutcard ref 1"), maker / "out.hex"

    assert check(maker, image, "--port", machine.url, "--extract", str(out)) == 2
    assert "soft shuffler" in capsys.readouterr().err
    assert not out.exists()


def test_an_image_that_was_changed_is_not_given_out(
    maker: Path, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image, out = Path(sign(maker)), maker / "out.hex"
    data = bytearray(image.read_bytes())
    data[-70] ^= 1
    image.write_bytes(data)

    assert check(maker, str(image), "--port", machine.url, "--extract", str(out)) == 2
    assert "do not install it" in capsys.readouterr().err
    assert not out.exists()


def test_nothing_is_given_out_while_a_table_holds_the_port(
    maker: Path, machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    image, out = sign(maker), maker / "out.hex"
    table = SerialPort(machine.url)
    try:
        code = check(maker, image, "--port", machine.url, "--extract", str(out))
    finally:
        table.close()

    assert code == 2
    assert "held by another program" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("more", "word"),
    [(["--extract", "out.hex"], "--port"), (["--port", "/dev/none"], "/dev/none")],
)
def test_a_mistake_is_one_line(
    maker: Path, capsys: pytest.CaptureFixture[str], more: list[str], word: str
) -> None:
    image = sign(maker)
    capsys.readouterr()

    assert check(maker, image, *more) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert word in err


def test_files_that_are_not_there_are_said(maker: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(maker, str(maker / "none.image")) == 2
    assert "none.image cannot be read" in capsys.readouterr().err
