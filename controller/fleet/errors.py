"""What can go wrong between tables, broker and pit.

* FleetError: catch this to handle any of them
  * BrokerError: the broker's address, certificate or password file cannot be used
  * PitDatabaseError: the pit's database cannot be opened, read or written
  * MetricsError: the metrics cannot be served
"""

from __future__ import annotations


class FleetError(Exception):
    """Base class: catch this to handle any failure outside the table itself."""


class BrokerError(FleetError):
    """The broker cannot be used as it is named.

    Args:
        where: The address or file.
        problem: What is wrong and what to do, one sentence.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"broker {where}: {problem}")
        self.where, self.problem = where, problem


class PitDatabaseError(FleetError):
    """The pit's database cannot be used; what it holds stays.

    Args:
        where: The file or the database, without a password.
        problem: What is wrong and what to do, one sentence.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"pit {where}: {problem}")
        self.where, self.problem = where, problem


class MetricsError(FleetError):
    """The metrics cannot be served on this port."""

    def __init__(self, port: int, reason: str) -> None:
        super().__init__(
            f"metrics port {port} cannot be used ({reason}); choose another [metrics] port"
        )
        self.port = port
