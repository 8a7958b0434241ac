"""What is still to be sent: the journal behind a remembered position."""

from __future__ import annotations

from pathlib import Path

from controller.fleet.outbox import WINDOW, Outbox
from controller.fleet.position import Position, PositionFile
from controller.rules import new_table
from controller.runtime.past import Past
from controller.table import TableState
from tests.controller.fleet.house import CK, HAND, SimulatedTable


def sent(outbox: Outbox, most: int = 1000) -> list[str]:
    ids: list[str] = []
    while (messages := outbox.pending()) and len(ids) < most:
        ids += [message.id for message in messages]
        outbox.acknowledge(messages[-1].seq)
    return ids


def test_everything_is_sent_in_order_and_then_nothing(table: SimulatedTable) -> None:
    table.happen(*HAND, *HAND, *HAND)
    outbox = table.outbox()

    assert outbox.waiting() == len(table.ids())
    assert sent(outbox) == table.ids()
    assert outbox.waiting() == 0
    assert outbox.pending() == ()


def test_what_was_not_acknowledged_is_told_again(table: SimulatedTable) -> None:
    table.happen(*HAND)
    outbox = table.outbox()

    assert outbox.pending() == outbox.pending()
    assert len(outbox.pending()) <= WINDOW


def test_a_restarted_table_goes_on_behind_what_was_acknowledged(table: SimulatedTable) -> None:
    table.happen(*HAND)
    outbox = table.outbox()
    outbox.acknowledge(outbox.pending()[4].seq)

    again = table.outbox()

    assert again.position == outbox.position
    assert sent(again) == table.ids()[5:]


def test_a_message_is_the_same_whenever_it_is_sent(table: SimulatedTable) -> None:
    table.happen(*HAND)
    first = table.outbox()
    before = {message.seq: message for message in first.pending()}
    sent(first)
    first.send_again(3)

    after = {message.seq: message for message in first.pending()}

    assert min(after) == 3
    assert all(before[seq] == message for seq, message in after.items() if seq in before)


def test_to_send_again_what_is_still_to_come_changes_nothing(table: SimulatedTable) -> None:
    table.happen(*HAND)
    outbox = table.outbox()
    pending = outbox.pending()
    outbox.send_again(5)

    assert outbox.pending() == pending


def test_a_position_of_another_journal_counts_for_nothing(
    table: SimulatedTable, tmp_path: Path
) -> None:
    table.happen(*HAND)
    PositionFile.of(table.journal).write(Position(seq=4, id="ab" * 32))

    assert sent(table.outbox()) == table.ids()


def test_a_position_that_cannot_be_read_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "sent").write_bytes(b"\xff rubbish")

    assert PositionFile(tmp_path / "sent").read() == Position()
    assert PositionFile(tmp_path / "absent").read() == Position()


def test_a_table_that_has_sent_all_need_not_read_its_journal_again(
    table: SimulatedTable,
) -> None:
    table.happen(*HAND)
    sent(table.outbox())
    past: Past[TableState] = Past()
    state = new_table(CK)
    for event in HAND:
        past.note(state, event, ())
    outbox = Outbox("t1", CK, table.journal, PositionFile.of(table.journal), past.present)
    table.happen(*HAND)
    fresh = table.outbox()

    assert [m.body for m in outbox.pending()] == [m.body for m in fresh.pending()]
    assert outbox.pending()[0].previous == table.ids()[outbox.position.seq - 1]
