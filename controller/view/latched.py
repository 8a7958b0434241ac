"""What the page shows of latched alarms: the red band, the list, the instruction."""

from __future__ import annotations

from controller.alarms import Alarm
from controller.rulebook import Rulebook
from controller.rules import next_steps
from controller.rulings import Doer, Step, StepKind
from controller.table import TableState
from controller.view.texts import text
from controller.view.values import AlarmView, Instruction
from controller.wording import alarm_words, hands_touched, who_answers


def band(state: TableState, lang: str) -> str:
    """The line of the red band; empty when no alarm is latched."""
    latched = state.watch.alarms
    if not latched:
        return ""
    worst = next((alarm for alarm in latched if alarm.who is Doer.FLOOR), latched[0])
    return f"{alarm_words(worst, lang)} {who_answers(worst, lang)}"


def latched_alarms(state: TableState, book: Rulebook, lang: str) -> tuple[AlarmView, ...]:
    """Every latched alarm, the oldest first."""
    if not state.watch.alarms:
        return ()
    steps = next_steps(state, book)
    first = steps[0].origin if steps and steps[0].kind is StepKind.ACKNOWLEDGE else ""
    return tuple(_shown(alarm, lang, is_blocking=alarm.id == first) for alarm in state.watch.alarms)


def _shown(alarm: Alarm, lang: str, *, is_blocking: bool) -> AlarmView:
    return AlarmView(
        id=alarm.id,
        cause=alarm.cause.value,
        text=alarm_words(alarm, lang),
        who=who_answers(alarm, lang),
        hands=hands_touched(alarm, lang),
        deck=alarm.deck,
        raised_ms=alarm.raised_ms,
        is_escalated=alarm.is_escalated,
        is_blocking=is_blocking,
        for_floor=alarm.who is Doer.FLOOR,
    )


def instruction(state: TableState, step: Step, lang: str) -> Instruction:
    """Nothing is dealt: what the alarm says, and who must answer for it."""
    alarm = next(alarm for alarm in state.watch.alarms if alarm.id == step.origin)
    return Instruction(
        text=alarm_words(alarm, lang),
        why=f"{who_answers(alarm, lang)} ({hands_touched(alarm, lang)})",
        waits_for=text("wait.acknowledged", lang),
    )
