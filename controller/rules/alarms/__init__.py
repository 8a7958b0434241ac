"""Alarms of machine and deck: raised from events, latched, escalated, acknowledged."""

from controller.rules.alarms.raising import blocking, due_ms, escalates_at_ms, is_standing
from controller.rules.alarms.watching import watch

__all__ = ["blocking", "due_ms", "escalates_at_ms", "is_standing", "watch"]
