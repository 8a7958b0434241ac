"""Keys are made once, kept from others, and tell apart who signed."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from controller.runtime.errors import JournalError
from controller.runtime.journal.keys import KeyFiles, key_id, load_public_keys, load_signer

# RFC 8032, section 7.1, test 2: secret key, public key, message of one byte, signature.
SECRET = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
SIGNATURE = (
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


@pytest.fixture
def files(tmp_path: Path) -> KeyFiles:
    return KeyFiles.named(tmp_path / "t.journal.key")


def test_a_key_is_made_at_first_use_and_used_ever_after(files: KeyFiles) -> None:
    first, second = load_signer(files), load_signer(files)

    assert first.key_id == second.key_id
    assert files.public.name == "t.journal.pub"
    assert files.public.read_bytes().count(b"BEGIN PUBLIC KEY") == 1


def test_only_its_owner_may_read_it(files: KeyFiles) -> None:
    load_signer(files)

    assert files.private.stat().st_mode & 0o777 == 0o600
    assert sorted(p.name for p in files.private.parent.iterdir()) == [
        "t.journal.key",
        "t.journal.pub",
    ]


def test_a_key_that_others_may_read_is_refused(files: KeyFiles) -> None:
    load_signer(files)
    files.private.chmod(0o640)

    with pytest.raises(JournalError, match=r"key .*others may read it; chmod 600"):
        load_signer(files)


def test_signatures_are_those_of_the_standard(files: KeyFiles) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(SECRET))
    store(files.private, key)

    signer = load_signer(files)

    assert signer.sign(b"\x72").hex() == SIGNATURE
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(PUBLIC))
    assert signer.key_id == key_id(public)


def store(path: Path, key: Ed25519PrivateKey | X25519PrivateKey) -> None:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)


def test_a_signature_holds_for_its_text_and_its_key_alone(files: KeyFiles) -> None:
    signer = load_signer(files)
    keys = load_public_keys([files.public])
    signature = signer.sign(b"head")

    assert keys.has_signed(signer.key_id, b"head", signature)
    assert not keys.has_signed(signer.key_id, b"heads", signature)
    assert not keys.has_signed("0" * 16, b"head", signature)
    assert not keys.has_signed(signer.key_id, b"head", b"short")


def test_older_public_keys_stay_when_the_private_key_is_lost(files: KeyFiles) -> None:
    first = load_signer(files)
    files.private.unlink()
    second = load_signer(files)

    assert load_public_keys([files.public]).ids == {first.key_id, second.key_id}


@pytest.mark.parametrize("content", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n"])
def test_a_broken_private_key_is_one_line(content: bytes, files: KeyFiles) -> None:
    files.private.write_bytes(content)
    files.private.chmod(0o600)

    with pytest.raises(JournalError, match="it is no Ed25519 private key; restore it"):
        load_signer(files)


def test_a_key_of_another_kind_is_refused(files: KeyFiles) -> None:
    other = X25519PrivateKey.generate()
    store(files.private, other)
    files.public.write_bytes(
        other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )

    with pytest.raises(JournalError, match="no Ed25519 private key"):
        load_signer(files)
    with pytest.raises(JournalError, match=r"no Ed25519 public key; give the \.pub file"):
        load_public_keys([files.public])


def test_a_public_key_is_not_taken_for_a_private_one(files: KeyFiles) -> None:
    load_signer(files)

    with pytest.raises(JournalError, match="name the private key"):
        KeyFiles.named(files.public)


def test_where_no_key_can_be_made_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("a file")

    with pytest.raises(JournalError, match="check the folder's permissions"):
        load_signer(KeyFiles.named(tmp_path / "keys" / "t.key"))
