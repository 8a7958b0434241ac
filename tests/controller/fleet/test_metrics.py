"""What Prometheus reads is what happened at the table."""

from __future__ import annotations

import socket
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.fleet import Instruments, Line, MetricsError, Sources, serve_metrics
from controller.runtime.errors import JournalError
from tests.controller.fleet.house import HAND, SimulatedTable
from tests.postgres import free_port


def unreadable() -> float:
    raise JournalError("t.journal", "it is damaged")


def read(port: int) -> dict[tuple[str, ...], float]:
    """Every number by its name and the values of its labels but the table's."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        (s.name, *(v for k, v in sorted(s.labels.items()) if k != "table")): s.value
        for family in text_string_to_metric_families(text)
        for s in family.samples
    }


def sources(**more: object) -> Sources:
    return Sources(devices=lambda: {"shuffler": "lost", "camera": "absent"}, **more)  # type: ignore[arg-type]  # each test names its own


def test_events_rulings_and_the_time_to_write_them_are_counted(table: SimulatedTable) -> None:
    instruments = Instruments("T1", table.journal, sources())
    port = free_port()
    stop = serve_metrics(instruments, port)
    table.happen(*HAND)
    numbers = read(port)
    stop()

    assert numbers["cutcard_events_total", "card_dealt"] == 8
    assert numbers["cutcard_events_total", "hand_started"] == 1
    assert numbers["cutcard_rulings_total", "exposed_card"] == 1
    assert numbers["cutcard_journal_write_seconds_count",] == len(HAND)


def test_line_devices_camera_and_outbox_are_shown(table: SimulatedTable) -> None:
    asked = sources(
        line=lambda: Line(sends=12, commands=9, noise=4),
        camera_age_s=lambda: 0.5,
        waiting=lambda: 3.0,
    )
    port = free_port()
    stop = serve_metrics(Instruments("T1", table.journal, asked), port)
    numbers = read(port)
    stop()

    assert numbers["cutcard_link_retries_total",] == 3
    assert numbers["cutcard_link_noise_bytes_total",] == 4
    assert numbers["cutcard_camera_age_seconds",] == 0.5
    assert numbers["cutcard_outbox_records",] == 3
    assert numbers["cutcard_device_health", "shuffler", "lost"] == 1
    assert numbers["cutcard_device_health", "shuffler", "ready"] == 0


def test_what_cannot_be_known_is_left_out(table: SimulatedTable) -> None:
    port = free_port()
    stop = serve_metrics(Instruments("T1", table.journal, sources(waiting=unreadable)), port)
    names = {key[0] for key in read(port)}
    stop()

    assert not names & {"cutcard_outbox_records", "cutcard_camera_age_seconds"}


def test_a_port_in_use_is_one_clear_line(table: SimulatedTable) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(MetricsError, match="choose another"):
            serve_metrics(Instruments("T1", table.journal, sources()), port)
