"""What the engine says, in the dealer's language."""

from controller.wording.alarming import alarm_words, hands_touched, who_answers
from controller.wording.sentences import LANGUAGES, describe, judge_words, say, why
from controller.wording.telling import tell

__all__ = [
    "LANGUAGES",
    "alarm_words",
    "describe",
    "hands_touched",
    "judge_words",
    "say",
    "tell",
    "who_answers",
    "why",
]
