"""A broker is named by one line, and what cannot be used is said at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.fleet import Broker, BrokerError, answer_of
from controller.runtime.config import MqttSection
from tests.controller.fleet.house import broker_at
from tests.mosquitto import Mosquitto
from tests.postgres import free_port


def test_the_ports_are_those_registered_for_mqtt() -> None:
    plain = Broker.of(MqttSection(url="mqtt://broker"))
    sealed = Broker.of(MqttSection(url="mqtts://broker"))

    assert (plain.shown, plain.tls) == ("broker:1883", None)
    assert sealed.shown == "broker:8883"
    assert sealed.tls is not None


def test_the_password_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("secret\nnote\n")
    section = MqttSection(url="mqtt://b:9", user="t1", password_file=str(tmp_path / "p"))
    broker = Broker.of(section)

    assert (broker.user, broker.password, broker.port) == ("t1", "secret", 9)
    assert "secret" not in broker.shown


@pytest.mark.parametrize(
    ("section", "words"),
    [
        (MqttSection(url="http://b"), "write mqtt://"),
        (MqttSection(url="mqtt://b:x"), "write mqtt://"),
        (MqttSection(url="mqtt://"), "write mqtt://"),
        (MqttSection(url="mqtt://b", password_file="absent"), "cannot be read"),
        (MqttSection(url="mqtts://b", ca="absent"), "no certificate file"),
    ],
)
def test_what_cannot_be_used_is_one_clear_line(section: MqttSection, words: str) -> None:
    with pytest.raises(BrokerError, match=words):
        Broker.of(section)


async def test_a_broker_is_asked_whether_it_is_there(mosquitto: Mosquitto) -> None:
    assert await answer_of(broker_at(mosquitto)) == ""
    assert await answer_of(Broker("127.0.0.1", free_port())) != ""
