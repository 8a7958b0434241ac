"""What the engine says, in the dealer's language."""

from controller.wording.alarming import alarm_words, hands_touched, who_answers
from controller.wording.machine import fault_care, fault_name, is_fault, part_care, part_name
from controller.wording.sentences import LANGUAGES, describe, judge_words, say, why
from controller.wording.telling import tell

__all__ = [
    "LANGUAGES",
    "alarm_words",
    "describe",
    "fault_care",
    "fault_name",
    "hands_touched",
    "is_fault",
    "judge_words",
    "part_care",
    "part_name",
    "say",
    "tell",
    "who_answers",
    "why",
]
