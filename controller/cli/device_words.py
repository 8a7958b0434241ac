"""What a technician reads about the machine on the command line, in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.runtime.machine_lines import Plain, plain, sentence, words
from controller.wording import fault_care, part_care
from firmware_bridge import FaultCode, Part

__all__ = ["FAULT_CARE", "PART_CARE", "Plain", "plain", "sentence", "words"]

FAULT_CARE: Final[Mapping[FaultCode, str]] = {
    code: fault_care(code.name.lower(), "en") for code in FaultCode
}
PART_CARE: Final[Mapping[Part, str]] = {part: part_care(part.name.lower(), "en") for part in Part}
