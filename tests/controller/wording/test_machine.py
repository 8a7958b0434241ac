"""Faults and parts of the machine have a name and a remedy in both languages."""

from __future__ import annotations

import pytest

from controller.alarms import Alarm, AlarmCause
from controller.wording import (
    LANGUAGES,
    alarm_words,
    fault_care,
    fault_name,
    is_fault,
    part_care,
    part_name,
)
from firmware_bridge import FaultCode, Part


@pytest.mark.parametrize("code", [code.name.lower() for code in FaultCode])
def test_every_fault_of_the_protocol_is_named_and_answered(code: str) -> None:
    names = {fault_name(code, lang) for lang in LANGUAGES}
    cares = {fault_care(code, lang) for lang in LANGUAGES}

    assert is_fault(code)
    assert len(names) == len(cares) == len(LANGUAGES)


@pytest.mark.parametrize("part", [part.name.lower() for part in Part])
def test_every_part_of_the_protocol_is_named_and_answered(part: str) -> None:
    assert all(part_name(part, lang) for lang in LANGUAGES)
    assert len({part_care(part, lang) for lang in LANGUAGES}) == len(LANGUAGES)


def test_an_alarm_names_the_fault_in_the_language_of_the_page() -> None:
    alarm = Alarm(
        id="alarm/1", cause=AlarmCause.MACHINE_FAULT, hand=1, raised_ms=0, detail="lid_open"
    )

    assert alarm_words(alarm, "en") == "Fault of the machine: lid open."
    assert alarm_words(alarm, "fr") == "Panne de la machine : capot ouvert."
