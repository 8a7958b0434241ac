"""The database itself refuses to change or take away what is written.

Triggers let records only be added, and only at the end; what lies before the
newest checkpoint may be deleted (``controller.runtime.journal.retention``). They
stop mistakes: a person with full rights can remove them, and then chain and
signatures show what was done.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection

from controller.runtime.journal.problems import REFUSED

_CHECKPOINT: Final = "(SELECT max(first_seq) FROM journal_checkpoints WHERE table_id = {}.table_id)"
_BEFORE_CHECKPOINT: Final = f"coalesce({_CHECKPOINT.format('OLD')}, 0)"
_LAST: Final = (
    "coalesce((SELECT max(seq) FROM journal_records WHERE table_id = NEW.table_id), "
    f"{_CHECKPOINT.format('NEW')} - 1, 0)"
)
"""The last record; in a copy that begins with a checkpoint, the one before its first."""

_CONDITIONS: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("journal_records_unchanged", "UPDATE", "journal_records", "1 = 1"),
    ("journal_records_kept", "DELETE", "journal_records", f"OLD.seq >= {_BEFORE_CHECKPOINT}"),
    ("journal_records_in_order", "INSERT", "journal_records", f"NEW.seq <> {_LAST} + 1"),
    ("journal_heads_unchanged", "UPDATE", "journal_heads", "1 = 1"),
    ("journal_heads_kept", "DELETE", "journal_heads", f"OLD.seq >= {_BEFORE_CHECKPOINT}"),
    ("journal_checkpoints_unchanged", "UPDATE", "journal_checkpoints", "1 = 1"),
    ("journal_checkpoints_kept", "DELETE", "journal_checkpoints", "1 = 1"),
)
"""Name, what is tried, on which table, and when it is refused."""

GUARDS: Final = frozenset(name for name, *_ in _CONDITIONS)
"""The names of all triggers, so that a missing one is noticed."""

_PRESENT: Final = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}


def install(connection: Connection) -> None:
    """Put the triggers in; the tables must be there."""
    is_file = connection.dialect.name == "sqlite"
    statement = _sqlite if is_file else _postgres
    for condition in _CONDITIONS:
        for sql in statement(*condition):
            connection.exec_driver_sql(sql)
    for sql in () if is_file else _against_truncate():
        connection.exec_driver_sql(sql)


def missing(connection: Connection) -> frozenset[str]:
    """The triggers that somebody has taken out or switched off."""
    present = connection.exec_driver_sql(_PRESENT[connection.dialect.name]).scalars()
    return GUARDS - frozenset(present)


def _sqlite(name: str, act: str, table: str, refused_when: str) -> tuple[str, ...]:
    return (
        f"CREATE TRIGGER {name} BEFORE {act} ON {table} WHEN {refused_when} "
        f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END",
    )


def _postgres(name: str, act: str, table: str, refused_when: str) -> tuple[str, ...]:
    """A trigger function each, since PostgreSQL allows no query in a trigger's WHEN."""
    row = "OLD" if act == "DELETE" else "NEW"
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {refused_when} THEN RAISE EXCEPTION '{REFUSED}'; END IF; RETURN {row}; END $$",
        f"CREATE TRIGGER {name} BEFORE {act} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
    )


def _against_truncate() -> tuple[str, ...]:
    """PostgreSQL can also empty a table at once, for which no row trigger fires."""
    tables = dict.fromkeys(table for _, _, table, _ in _CONDITIONS)
    return (
        "CREATE OR REPLACE FUNCTION journal_not_emptied() RETURNS trigger LANGUAGE plpgsql "
        f"AS $$ BEGIN RAISE EXCEPTION '{REFUSED}'; END $$",
        *(
            f"CREATE TRIGGER {table}_not_emptied BEFORE TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION journal_not_emptied()"
            for table in tables
        ),
    )
