"""A bundle: what is in it, and that whatever is done to it is found and named."""

from __future__ import annotations

import asyncio
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.runtime.errors import BundleError, JournalError
from controller.runtime.evidence_bundle import Archive, Wanted, build
from controller.runtime.evidence_check import check_bundle
from controller.runtime.evidence_folder import EvidenceFolder
from controller.runtime.journal.keys import KeyFiles, load_public_keys, load_signer
from controller.table import TableState

from .filmed import END, EXPOSED, NEXT_HAND, FilmedTable, exposed_card, filmed

NOW_MS = 1_767_268_800_000
TEXTS = ["events.jsonl", "heads.jsonl", "records.jsonl", "rulings.json"]
SIGNED = ["manifest.json", "manifest.sig", "public.pem"]

Files = dict[str, bytes]


def built(
    folder: Path, table: FilmedTable, wanted: Wanted, state: TableState | None = None
) -> Path:
    archive = Archive(
        table.journal, EvidenceFolder(folder / "t.journal.evidence"), table.journal.signer
    )
    path = folder / "bundle.zip"
    path.write_bytes(build(archive, wanted, state or table.state, NOW_MS))
    return path


@pytest.fixture
async def bundle(tmp_path: Path) -> Path:
    """Of a hand that is over: six pictures, one of them covered."""
    with filmed(tmp_path) as table:
        await exposed_card(table)
        table.happen(*END)
        return built(tmp_path, table, Wanted(1))


def unpacked(path: Path) -> Files:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(path: Path, files: Files) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def manifest(path: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads(unpacked(path)["manifest.json"])
    return read


async def test_a_bundle_holds_events_rulings_pictures_and_what_checks_them(bundle: Path) -> None:
    pictures = [f"pictures/00000006-0{n}.jpg" for n in range(1, 7)]

    assert sorted(unpacked(bundle)) == sorted([*SIGNED, *TEXTS, *pictures])
    assert check_bundle(bundle).findings == ()
    assert manifest(bundle)["left_out"] == []


async def test_a_ruling_stands_in_it_with_its_clauses_and_their_places(bundle: Path) -> None:
    (ruling,) = json.loads(unpacked(bundle)["rulings.json"])

    assert ruling["id"] == "1/1"
    assert ruling["stored"]["clauses"] == [clause["id"] for clause in ruling["en"]["clauses"]]
    assert ", line " in ruling["en"]["clauses"][0]["place"]
    assert ", ligne " in ruling["fr"]["clauses"][0]["place"]


async def test_the_events_are_an_event_file(bundle: Path) -> None:
    """docs/events.md: one event a line."""
    lines = unpacked(bundle)["events.jsonl"].splitlines()

    names = [json.loads(line)["event"] for line in lines]
    assert len(names) == len(EXPOSED) + len(END)
    assert (names[0], names[-1]) == ("hand_started", "cards_gathered")


async def test_sealed_pictures_of_a_hand_in_play_are_left_out_and_named(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        path = built(tmp_path, table, Wanted(1))

    assert [name for name in unpacked(path) if name.startswith("pictures/")] == [
        "pictures/00000006-05.jpg"  # the covered one
    ]
    assert manifest(path)["left_out"] == [
        {"picture": f"00000006-0{n}", "reason": "sealed"} for n in (1, 2, 3, 4, 6)
    ]
    assert check_bundle(path).findings == ()


async def test_a_picture_that_is_gone_is_named(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        table.happen(*END)
        (tmp_path / "t.journal.evidence" / "00000006-01.jpg.sealed").unlink()
        path = built(tmp_path, table, Wanted(1))

    assert manifest(path)["left_out"] == [{"picture": "00000006-01", "reason": "damaged"}]


async def test_a_bundle_of_a_ruling_holds_that_one_alone(tmp_path: Path) -> None:
    with filmed(tmp_path) as table:
        await exposed_card(table)
        table.happen(*END, NEXT_HAND)
        path = built(tmp_path, table, Wanted(1, "1/1"))

        with pytest.raises(JournalError, match="no ruling 1/9"):
            built(tmp_path, table, Wanted(1, "1/9"))
        with pytest.raises(JournalError, match="no hand 7"):
            built(tmp_path, table, Wanted(7))
    assert manifest(path)["ruling"] == "1/1"
    assert b'"hand":2' not in unpacked(path)["events.jsonl"]


def changed(files: Files) -> Files:
    return {**files, "pictures/00000006-01.jpg": b"\xff\xd8another"}


def removed(files: Files) -> Files:
    return {name: content for name, content in files.items() if name != "pictures/00000006-02.jpg"}


def added(files: Files) -> Files:
    return {**files, "pictures/00000006-99.jpg": b"\xff\xd8"}


def exchanged(files: Files) -> Files:
    first, second = "pictures/00000006-01.jpg", "pictures/00000006-02.jpg"
    return {**files, first: files[second], second: files[first]}


def retold(files: Files) -> Files:
    return {**files, "rulings.json": files["rulings.json"].replace(b"continue", b"misdeal!")}


def remade(files: Files) -> Files:
    """The manifest fits the other picture, but nobody signed it."""
    read = json.loads(files["manifest.json"])
    del read["files"]["pictures/00000006-02.jpg"]
    return {**removed(files), "manifest.json": json.dumps(read).encode()}


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (changed, "pictures/00000006-01.jpg was changed"),
        (removed, "pictures/00000006-02.jpg was removed"),
        (added, "pictures/00000006-99.jpg was added"),
        (exchanged, "pictures/00000006-02.jpg was changed"),
        (retold, "rulings.json was changed"),
        (remade, "manifest.json is not the one that was signed"),
    ],
)
async def test_what_is_done_to_a_bundle_is_found_and_named(
    bundle: Path, forge: Callable[[Files], Files], said: str
) -> None:
    packed(bundle, forge(unpacked(bundle)))

    findings = check_bundle(bundle).findings

    assert any(finding.startswith(said) for finding in findings), findings


async def test_a_bundle_signed_anew_with_another_key_is_found_by_who_has_the_key(
    bundle: Path, tmp_path: Path
) -> None:
    other = load_signer(KeyFiles.named(tmp_path / "other.key"))
    files = unpacked(bundle)
    read = {**json.loads(files["manifest.json"]), "key_id": other.key_id}
    forged = json.dumps(read).encode()
    files |= {
        "manifest.json": forged,
        "manifest.sig": other.sign(forged),
        "public.pem": other.public_pem,
    }
    packed(bundle, files)

    trusted = load_public_keys([tmp_path / "t.journal.pub"])
    (finding,) = check_bundle(bundle, trusted).findings
    assert "not among those given" in finding
    assert check_bundle(bundle).is_own_key, "and without the key it is said that nobody vouches"


async def test_a_file_that_stands_in_it_twice_is_found(bundle: Path) -> None:
    with zipfile.ZipFile(bundle, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("rulings.json", b"[]")

    assert "rulings.json is in it twice" in check_bundle(bundle).findings


async def test_records_that_do_not_follow_from_one_another_are_found(bundle: Path) -> None:
    """Even where the list of files was made to fit and signed with the table's own key."""
    files = unpacked(bundle)
    lines = files["records.jsonl"].splitlines()
    files["records.jsonl"] = b"\n".join([lines[0], *lines[2:]])
    packed(bundle, files)

    findings = check_bundle(bundle).findings

    assert any("not all records" in finding for finding in findings)
    assert any("does not follow" in finding for finding in findings)


def test_what_is_no_bundle_is_said(tmp_path: Path) -> None:
    none, empty = tmp_path / "none.zip", packed(tmp_path / "empty.zip", {})
    (tmp_path / "text.zip").write_text("hello")

    for path in (none, empty, tmp_path / "text.zip"):
        with pytest.raises(BundleError, match=path.name):
            check_bundle(path)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a bundle without pictures."""
    folder = tmp_path_factory.mktemp("small")
    asyncio.run(_made(folder))
    return (folder / "bundle.zip").read_bytes()


async def _made(folder: Path) -> None:
    with filmed(folder) as table:
        table.happen(*EXPOSED, *END)
        built(folder, table, Wanted(1))


@settings(max_examples=100, deadline=None)
@given(at=st.floats(0, 1, exclude_max=True), value=st.integers(0, 255), is_cut=st.booleans())
def test_damage_ends_in_findings_or_in_one_clear_sentence(
    tmp_path_factory: pytest.TempPathFactory, small: bytes, at: float, value: int, is_cut: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.zip"
    content, place = bytearray(small), int(at * len(small))
    content[place] = value
    path.write_bytes(content[: place if is_cut else len(content)])

    with suppress(BundleError):  # any other exception fails the test
        check_bundle(path)
