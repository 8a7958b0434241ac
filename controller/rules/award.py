"""The award: which pots there are and who gets what of them (fr1.pot.2, fr1.pot.3)."""

from __future__ import annotations

from msgspec.structs import replace

from controller.rulebook import Rulebook
from controller.rules.house import sharing, stakes
from controller.rulings import Money, Step, StepKind
from controller.table import TableState
from controller.table.pots import Pot, award, pots, totals
from controller.table.showdown import is_shown, ranking


def pots_now(state: TableState) -> tuple[Pot, ...]:
    """The main pot and the side pots, as the bets made them."""
    dead = state.dead if len(state.antes) != 1 else {**state.dead, **_one_ante(state)}
    matched = tuple(replace(s, chips=s.chips - dead.get(s.seat, 0)) for s in stakes(state))
    return pots(matched, sum(state.paid.values()) - sum(stake.chips for stake in matched))


def _one_ante(state: TableState) -> dict[int, int]:
    """One player's ante for the whole table is dead; antes of all are bets that all have met."""
    return {seat: state.dead.get(seat, 0) + ante for seat, ante in state.antes.items()}


def award_step(state: TableState, book: Rulebook) -> Step:
    """Push the pots to the winners; who they are is said when the cards can tell.

    With one player left he takes everything. Otherwise every hand must be shown and
    every card known; until then the dealer reads the hands.
    """
    money = _money(state, book)
    if len(state.live) == 1 and not money:
        return Step(id="next", kind=StepKind.AWARD_POT)
    return Step(id="next", kind=StepKind.AWARD_POT, money=money, count=len(pots_now(state)))


def _money(state: TableState, book: Rulebook) -> tuple[Money, ...]:
    if len(state.live) == 1:
        ranked: tuple[tuple[int, ...], ...] = (state.live,)
    elif state.live and any(state.paid.values()) and is_shown(state):
        ranked = ranking(state)
    else:
        return ()
    return totals(award(pots_now(state), ranked, sharing(state, book)))
