"""docs/mqtt.md, the schemas and what lies in deploy/ say what the program does."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # it ships no types

from controller.fleet import Instruments, Sources
from controller.fleet.asyncapi import CHANNELS, description
from controller.fleet.messages import MESSAGES, schema
from controller.fleet.topics import ROOT, Topics, parsed
from tests.controller.fleet.house import HAND, SimulatedTable

ROOT_FOLDER = Path(__file__).parents[3]
DOCS, DEPLOY = ROOT_FOLDER / "docs", ROOT_FOLDER / "deploy"
PAGE = (DOCS / "mqtt.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MESSAGES)
def test_the_schemas_are_those_of_the_program(name: str) -> None:
    assert (DOCS / "mqtt" / f"{name}.json").read_bytes() == schema(name), (
        "run scripts/write_mqtt_schemas.py"
    )


def test_the_description_is_that_of_the_program_and_every_reference_leads_somewhere() -> None:
    written = (DOCS / "mqtt" / "asyncapi.json").read_bytes()
    references = re.findall(r'"\$ref": "\./(\w+\.json)"', written.decode())

    assert written == description()
    assert sorted(references) == sorted(f"{name}.json" for name in MESSAGES)
    assert all((DOCS / "mqtt" / name).is_file() for name in references)


def test_the_page_names_every_topic_with_its_payload_and_whether_it_is_retained() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (yes|no) \| \[(\w+)\]", PAGE, re.M)

    assert {word: (payload, kept == "yes") for word, kept, payload in rows} == {
        word: (payload, kept) for word, (payload, _, kept) in CHANNELS.items()
    }


def test_every_topic_is_read_as_it_is_written() -> None:
    topics = Topics("t-1")
    types = ("event", "ruling", "opened", "picture")
    written = [topics.record(of_type) for of_type in types]
    written += [topics.state, topics.status, topics.resend]

    assert [parsed(topic) for topic in written] == [("t-1", word) for word in CHANNELS]
    assert parsed(f"{ROOT}/a/b/fact") == ("", "")


def test_the_broker_lets_a_table_write_exactly_what_it_writes() -> None:
    lines = (DEPLOY / "mosquitto.acl").read_text().splitlines()
    may = {tuple(line.split()[1:]) for line in lines if line.startswith("pattern")}

    assert may == {
        ("read" if word == "resend" else "write", f"{ROOT}/%u/{word}") for word in CHANNELS
    }


@pytest.mark.parametrize("name", ["cutcard-table@.service", "cutcard-pit.service"])
def test_a_unit_starts_the_program_and_takes_an_end_in_order_for_one(name: str) -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # keys keep their case
    unit.read(DEPLOY / name)

    assert "/cutcard " in unit["Service"]["ExecStart"]
    assert unit["Service"]["SuccessExitStatus"] == "143"


def test_the_compose_file_has_broker_database_and_pit() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]

    assert set(services) == {"broker", "database", "pit"}
    assert (DEPLOY / services["pit"]["build"]["context"] / "deploy" / "Dockerfile").is_file()


def test_the_dashboard_and_the_page_name_the_numbers_that_there_are(
    table: SimulatedTable,
) -> None:
    sources = Sources(dict, camera_age_s=lambda: 1.0, waiting=lambda: 1.0)
    instruments = Instruments("T1", table.journal, sources)
    table.happen(*HAND)
    there = {s.name for f in instruments.registry.collect() for s in f.samples}
    there.add("cutcard_device_health")  # no device, no sample
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"cutcard_\w+", target["expr"])
    }
    page = set(re.findall(r"^\| `(cutcard_\w+)`", (DOCS / "operations.md").read_text(), re.M))

    assert asked <= there
    assert page - {"cutcard_journal_write_seconds"} <= there
    assert len(page) == 9
