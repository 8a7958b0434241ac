"""``cutcard device``: what a technician asks of a machine, on a real pseudo-terminal."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli import main
from controller.cli.device_words import FAULT_CARE, PART_CARE, plain, sentence
from firmware_bridge import (
    BootCause,
    Capability,
    Fault,
    FaultCode,
    FaultLocated,
    FaultRaised,
    FoundPort,
    Identity,
    KeyMemory,
    KeyStore,
    Kind,
    MagazineCard,
    Part,
    Shuffler,
    SoftwareShuffler,
    draw_key,
)
from firmware_bridge.messages import Challenge, Deal, SetKey

KEY = draw_key()
Lines = list[dict[str, object]]


@pytest.fixture
def machine() -> Iterator[SoftwareShuffler]:
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-77") as shuffler:
        shuffler.insert([MagazineCard(f"card {n}") for n in range(52)])
        yield shuffler


@pytest.fixture
def paired() -> Iterator[SoftwareShuffler]:
    memory = KeyMemory(KEY)
    with SoftwareShuffler(rng=random.Random(1), serial_number="SN-77", memory=memory) as shuffler:
        yield shuffler


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    KeyStore(tmp_path / "keys.json").store("SN-77", KEY)
    return tmp_path / "keys.json"


def lines(capsys: pytest.CaptureFixture[str]) -> Lines:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


# --- find and identify ------------------------------------------------------------------------


def test_find_says_who_answers_on_each_port(
    machine: SoftwareShuffler, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = (FoundPort(machine.url, "2341:0042", "A1", "adapter"), FoundPort("/no", "", "", "x"))
    monkeypatch.setattr("controller.cli.device.list_ports", lambda: found)

    assert main(["device", "find", "--json"]) == 0
    first, second = lines(capsys)
    assert first["url"] == machine.url
    assert first["usb_id"] == "2341:0042"
    assert first["answers"] == "soft shuffler number SN-77"
    assert second["answers"] == ""
    assert "cannot be found" in str(second["problem"])


def test_find_without_a_port_is_a_found_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("controller.cli.device.list_ports", lambda: ())

    assert main(["device", "find"]) == 1
    assert "connect the machine" in capsys.readouterr().out


def test_identify_says_who_it_is_how_it_is_built_and_how_it_stands(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", "identify", machine.url, "--json"]) == 0

    (line,) = lines(capsys)
    assert line["serial_number"] == "SN-77"
    assert line["protocol"] == 1
    assert "counted deal" in str(line["capabilities"])
    assert line["status"] == {
        "gate": "held",
        "permitted": 0,
        "cards": 52,
        "drawn": 0,
        "faults": 0,
        "is_busy": False,
    }
    assert main(["device", "identify", machine.url]) == 0
    assert "soft shuffler" in capsys.readouterr().out


def test_a_machine_with_a_key_says_who_it_is_and_no_more(
    paired: SoftwareShuffler, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", "identify", paired.url, "--json"]) == 0
    (line,) = lines(capsys)
    assert "status" not in line
    assert "--keys" in str(line["refused"])

    assert main(["device", "identify", paired.url, "--keys", str(keys), "--json"]) == 0
    (line,) = lines(capsys)
    assert "status" in line


def test_a_table_file_names_the_machine(
    paired: SoftwareShuffler, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = keys.with_name("table.toml")
    table.write_text(
        f'[table]\nname = "T"\n[shuffler]\nurl = "{paired.url}"\n'
        'serial_number = "SN-77"\nkeys = "keys.json"\n',
        encoding="utf-8",
    )

    assert main(["device", "identify", str(table), "--json"]) == 0
    (line,) = lines(capsys)
    assert "status" in line


def test_the_simulated_machine_needs_no_port(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["device", "identify", "simulated", "--json"]) == 0

    (line,) = lines(capsys)
    assert line["model"] == "soft shuffler"


# --- self-test --------------------------------------------------------------------------------


def test_every_part_is_tested(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", "self-test", machine.url, "--json"]) == 0

    found = {line["part"]: line["outcome"] for line in lines(capsys)}
    assert found["sensors"] == found["feed"] == found["gate"] == "passed"
    assert found["carousel"] == "absent"
    assert len(found) == 1 + len(Part)


def test_a_failed_part_comes_with_what_to_do(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.wear_out(Part.FEED)

    assert main(["device", "self-test", machine.url, "--json"]) == 1
    feed = next(line for line in lines(capsys) if line["part"] == "feed")
    assert feed["outcome"] == "failed"
    assert "rollers" in str(feed["do"])


def test_a_failed_sensor_is_named_without_moving_anything(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.inject(Fault.LID_OPEN)

    assert main(["device", "self-test", machine.url, "--sensors"]) == 1
    out = capsys.readouterr().out
    assert "lid open" in out
    assert "close the lid" in out
    assert machine.moves == 0


# --- watch ------------------------------------------------------------------------------------


def test_watch_shows_both_directions(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", "watch", machine.url, "--seconds", "0.4", "--all", "--json"]) == 0

    heard = lines(capsys)
    said = [(line["from"], line["message"]) for line in heard]
    assert said[:4] == [
        ("host", "Identify"),
        ("machine", "Identity"),
        ("host", "ReadStatus"),
        ("machine", "DeviceStatus"),
    ]
    assert all(line["sealed"] is False for line in heard)


def test_watch_hides_the_keep_alive_and_opens_seals(
    paired: SoftwareShuffler, keys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["device", "watch", paired.url, "--keys", str(keys), "--seconds", "0.4"]
    assert main(arguments) == 0
    quiet = capsys.readouterr().out
    assert main([*arguments, "--all"]) == 0
    full = capsys.readouterr().out

    assert "> Challenge" in quiet
    assert "ReadStatus" not in quiet
    assert "ReadStatus (sealed)" in full


# --- counters, faults, export -----------------------------------------------------------------


def test_counters_come_with_their_rates(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", "counters", machine.url, "--seconds", "0.5", "--json"]) == 0

    found = {line["counter"]: line for line in lines(capsys)}
    assert found["machine: starts"]["value"] == 1
    assert float(str(found["host: frames sent"]["per_second"])) > 0
    assert found["host: noise"]["value"] == 0


def test_faults_that_were_and_that_stand(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.inject(Fault.JAM)
    machine.clear_fault(FaultCode.JAM)
    machine.inject(Fault.LID_OPEN)

    assert main(["device", "faults", machine.url, "--json"]) == 1
    jam, lid = lines(capsys)
    assert (jam["fault"], jam["stands"]) == ("jam", False)
    assert int(str(jam["cleared"])) > int(str(jam["event"]))
    assert (lid["fault"], lid["stands"], lid["do"]) == ("lid open", True, "close the lid")


def test_a_standing_fault_that_the_ring_has_forgotten_is_named(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.inject(Fault.JAM)
    machine.inject(Fault.FLOOD)

    assert main(["device", "faults", machine.url, "--json"]) == 1
    (jam,) = lines(capsys)
    assert (jam["fault"], jam["stands"], jam["event"]) == ("jam", True, 0)


def test_a_machine_without_faults(
    machine: SoftwareShuffler, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", "faults", machine.url]) == 0
    assert "no fault" in capsys.readouterr().out


def test_an_export_holds_everything_but_keys_and_cards(
    paired: SoftwareShuffler, keys: Path, tmp_path: Path
) -> None:
    paired.insert([MagazineCard("SECRET")])
    out = tmp_path / "machine.json"
    (tmp_path / "audit.jsonl").write_text("")

    assert main(["device", "export", paired.url, "--keys", str(keys), "--out", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    content = json.loads(text)
    assert content["identity"]["serial_number"] == "SN-77"
    assert content["events"][-1] == {"event": 2, "message": "CardsIn", "count": 1}
    assert content["audit"] == {"lines": 0, "newest_hash": "0" * 64}
    assert KEY.value.hex() not in text
    assert "SECRET" not in text


# --- pair -------------------------------------------------------------------------------------


def test_a_machine_is_paired_and_proves_its_key(
    machine: SoftwareShuffler, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.memory.is_trusted = True
    file = tmp_path / "keys.json"

    assert main(["device", "pair", machine.url, "--keys", str(file)]) == 0
    out = capsys.readouterr().out
    assert "SN-77 is paired" in out
    assert f'keys = "{file}"' in out
    assert KeyStore(file)["SN-77"] == machine.memory.key


def test_a_machine_whose_switch_is_off_is_not_paired(
    machine: SoftwareShuffler, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "keys.json"

    assert main(["device", "pair", machine.url, "--keys", str(file)]) == 2
    assert "turn on the switch" in capsys.readouterr().err
    assert "SN-77" not in KeyStore(file)


def test_a_machine_that_cannot_keep_a_key_is_not_paired(
    machine: SoftwareShuffler,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old = Identity(Kind.SHUFFLER, "old", "SN-77", "0.1", Capability.LIGHT, BootCause.POWER)
    monkeypatch.setattr(Shuffler, "identity", old)

    assert main(["device", "pair", machine.url, "--keys", str(tmp_path / "keys.json")]) == 2
    assert "cannot keep a key" in capsys.readouterr().err
    assert not (tmp_path / "keys.json").exists()


def test_a_refused_pairing_keeps_the_key_of_before(paired: SoftwareShuffler, keys: Path) -> None:
    assert main(["device", "pair", paired.url, "--keys", str(keys)]) == 2

    assert KeyStore(keys)["SN-77"] == KEY


# --- mistakes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["identify", "/dev/nothing"], "cannot be found"),
        (["self-test", "nothing.toml"], "no such file"),
        (["watch", "simulated", "--keys", "nothing.json"], "pair the machine"),
        (["counters", "simulated", "--seconds", "0"], "--seconds"),
        (["export", "simulated", "--out", "/no/folder/file"], "cannot be written"),
        (["identify"], "PORT"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["device", *arguments]) == 2

    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert word in err


def test_a_foreign_machine_is_refused_in_one_line(
    paired: SoftwareShuffler, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    KeyStore(tmp_path / "keys.json").store("SN-77", draw_key())

    code = main(["device", "identify", paired.url, "--keys", str(tmp_path / "keys.json")])

    assert code == 2
    assert "not trusted" in capsys.readouterr().err
    assert (tmp_path / "audit.jsonl").exists()


def test_a_table_without_a_shuffler_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[table]\nname = "T"\n', encoding="utf-8")

    assert main(["device", "identify", str(file)]) == 2
    assert "no shuffler" in capsys.readouterr().err


# --- words ------------------------------------------------------------------------------------


def test_every_fault_and_part_has_something_to_do() -> None:
    assert set(FAULT_CARE) == set(FaultCode)
    assert set(PART_CARE) == set(Part)


def test_messages_are_read_as_words() -> None:
    assert sentence(Deal(3)) == "Deal count=3"
    assert sentence(FaultRaised(FaultCode.DOUBLE_FEED)) == "FaultRaised code=double_feed"
    assert plain(FaultLocated(FaultCode.JAM, Part.FEED, 2)) == {
        "code": "jam",
        "part": "feed",
        "tries": 2,
    }
    assert plain(Challenge(b"\1" * 32)) == {"nonce": "01" * 32}


def test_a_key_is_never_shown() -> None:
    assert plain(SetKey(KEY.value)) == {}
    assert KEY.value.hex() not in sentence(SetKey(KEY.value))


def test_capabilities_are_named() -> None:
    capabilities = Capability.LIGHT | Capability.EJECT
    who = Identity(Kind.SHUFFLER, "m", "s", "1", capabilities, BootCause.POWER)

    assert plain(who)["capabilities"] == ["light", "eject"]
