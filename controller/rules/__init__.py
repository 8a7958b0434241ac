"""The rules engine: detect, rule, follow. Pure and deterministic."""

from controller.rules.alarms import escalates_at_ms, is_standing
from controller.rules.alternatives import Alternative, alternatives
from controller.rules.award import pots_now
from controller.rules.detecting import detect
from controller.rules.engine import Outcome, new_table, open_rulings
from controller.rules.judging import Compared, EventFileError, judge, judge_beside_others
from controller.rules.procedure import Gate, gate, legal_taps, next_steps
from controller.rules.questions import QUESTIONS
from controller.rules.taking_back import advance, tap_to_undo, undo_taps
from controller.rules.window import is_window_open

__all__ = [
    "QUESTIONS",
    "Alternative",
    "Compared",
    "EventFileError",
    "Gate",
    "Outcome",
    "advance",
    "alternatives",
    "detect",
    "escalates_at_ms",
    "gate",
    "is_standing",
    "is_window_open",
    "judge",
    "judge_beside_others",
    "legal_taps",
    "new_table",
    "next_steps",
    "open_rulings",
    "pots_now",
    "tap_to_undo",
    "undo_taps",
]
