"""Firmware images: only what a trusted key has signed, for this model, and never a step back."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.errors import ImageError
from firmware_bridge.image import (
    Image,
    SecurityVersions,
    open_image,
    read_private_key,
    read_public_key,
    sign_image,
)

MAKER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
IMAGE = Image("cutcard ref 1", "1.2", 7, b"\x0c\x94\x72\x00 firmware")
SIGNED = sign_image(IMAGE, MAKER)


def test_what_the_maker_signed_is_opened() -> None:
    assert open_image(SIGNED, [MAKER.public_key()]) == IMAGE
    assert open_image(SIGNED, [OTHER.public_key(), MAKER.public_key()]) == IMAGE


def test_the_file_is_laid_out_as_described() -> None:
    header = b"cutcard image 1\0" + b"cutcard ref 1\0\0\0" + b"1.2\0\0\0\0\0" + b"\7\0\0\0"
    header += len(IMAGE.content).to_bytes(4, "little")

    assert SIGNED[:-64] == header + IMAGE.content
    MAKER.public_key().verify(SIGNED[-64:], SIGNED[:-64])


@settings(deadline=None)
@given(bit=st.integers(0, len(SIGNED) * 8 - 1))
def test_any_changed_bit_is_refused(bit: int) -> None:
    changed = bytearray(SIGNED)
    changed[bit // 8] ^= 1 << bit % 8

    with pytest.raises(ImageError):
        open_image(bytes(changed), [MAKER.public_key()])


@settings(deadline=None)
@given(length=st.integers(0, len(SIGNED) - 1))
def test_a_truncated_image_is_refused(length: int) -> None:
    with pytest.raises(ImageError):
        open_image(SIGNED[:length], [MAKER.public_key()])


@pytest.mark.parametrize("trusted", [[], [OTHER.public_key()]])
def test_without_the_maker_s_key_nothing_is_opened(trusted: list[object]) -> None:
    """Some tools take an image that has only a hash for verified when no key is given."""
    with pytest.raises(ImageError, match="none of the keys"):
        open_image(SIGNED, trusted)  # type: ignore[arg-type]  # a list of public keys


@pytest.mark.parametrize(
    "data",
    [b"", b"\x0c\x94" * 500, SIGNED + b"\0", SIGNED[:-64], SIGNED[:-64] + bytes(64)],
    ids=["nothing", "a plain binary", "a byte more", "unsigned", "an empty signature"],
)
def test_what_is_no_signed_image_is_refused(data: bytes) -> None:
    with pytest.raises(ImageError):
        open_image(data, [MAKER.public_key()])


@pytest.mark.parametrize(
    "image",
    [
        replace(IMAGE, content=b""),
        replace(IMAGE, model="x" * 17),
        replace(IMAGE, firmware="x" * 9),
        replace(IMAGE, model="tête"),
        replace(IMAGE, security_version=-1),
        replace(IMAGE, security_version=1 << 32),
    ],
)
def test_what_does_not_fit_the_header_is_not_signed(image: Image) -> None:
    with pytest.raises(ImageError):
        sign_image(image, MAKER)


def test_an_older_security_version_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "cutcard" / "versions.json"
    SecurityVersions(path).note("SN-1", IMAGE)
    again = SecurityVersions(path)

    again.check("SN-1", IMAGE)
    again.check("SN-1", replace(IMAGE, security_version=8))
    again.check("SN-2", replace(IMAGE, security_version=1))
    with pytest.raises(ImageError, match="must not come back"):
        again.check("SN-1", replace(IMAGE, security_version=6))
    with pytest.raises(ImageError, match="must not come back"):
        again.note("SN-1", replace(IMAGE, security_version=6))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "[]", '{"SN-1": "x"}', "rubbish"])
def test_a_broken_file_of_versions_is_not_taken_for_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "versions.json"
    path.write_text(text)

    with pytest.raises(ImageError, match="restore it"):
        SecurityVersions(path)


def pem(key: Ed25519PrivateKey | X25519PrivateKey) -> tuple[bytes, bytes]:
    """Private and public key as files hold them."""
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private, public


def test_keys_are_read_from_pem(tmp_path: Path) -> None:
    private, public = tmp_path / "maker.pem", tmp_path / "maker.pub"
    private.write_bytes(pem(MAKER)[0])
    public.write_bytes(pem(MAKER)[1])

    signed = sign_image(IMAGE, read_private_key(private))

    assert open_image(signed, [read_public_key(public)]) == IMAGE


def test_files_that_hold_no_such_key_are_refused(tmp_path: Path) -> None:
    private, public = pem(X25519PrivateKey.generate())
    for name, content in (("private", private), ("public", public), ("rubbish", b"x")):
        (tmp_path / name).write_bytes(content)

    for name in ("public", "private", "rubbish", "nothing"):
        with pytest.raises(ImageError, match=name):
            read_public_key(tmp_path / name)
        with pytest.raises(ImageError, match=name):
            read_private_key(tmp_path / name)
