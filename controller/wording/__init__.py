"""What the engine says, in the dealer's language."""

from controller.wording.sentences import LANGUAGES, describe, judge_words, say, why
from controller.wording.telling import tell

__all__ = ["LANGUAGES", "describe", "judge_words", "say", "tell", "why"]
