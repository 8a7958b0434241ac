"""The checks of ``cutcard doctor`` beyond the table: broker, database, port of the metrics."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator

from controller.cli.findings import Finding, failure, ok, warning
from controller.fleet import Broker, BrokerError, answer_of
from controller.runtime import TableConfig
from controller.runtime.errors import JournalError
from controller.runtime.journal.database import connect
from controller.runtime.journal.location import Location
from controller.runtime.journal.problems import said


def check_house(config: TableConfig) -> Iterator[Finding]:
    """What the table file names outside this computer."""
    if "://" in config.journal.path:
        yield check_database(config.journal.path)
    if config.has_broker:
        yield check_broker(config)
    if config.metrics.port:
        yield check_metrics(config.metrics.port)


def check_database(url: str) -> Finding:
    """Whether the journal's database answers."""
    try:
        location = Location.of(url)
        engine = connect(location, read_only=True)
        try:
            with said(location.shown), engine.connect() as connection:
                connection.exec_driver_sql("SELECT 1")
        finally:
            engine.dispose()
    except JournalError as error:
        return failure("database", str(error), "correct [journal] path or the server")
    return ok("database", f"{location.shown} answers")


def check_broker(config: TableConfig) -> Finding:
    """Whether the broker takes the table in. A table plays on without one."""
    try:
        broker = Broker.of(config.mqtt)
    except BrokerError as error:
        return failure("broker", str(error), "correct [mqtt]")
    refused = asyncio.run(answer_of(broker))
    if refused:
        fact = f"{broker.shown}: {refused}"
        return warning("broker", fact, "start it, or correct [mqtt]; the table plays on meanwhile")
    return ok("broker", f"{broker.shown} takes table {config.mqtt.table!r} in")


def check_metrics(port: int) -> Finding:
    """Whether the port for Prometheus is free."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            other = "stop the other program (another table?) or choose another [metrics] port"
            return warning("metrics", f"port {port} is not free", other)
        return failure("metrics", f"port {port}: {error.strerror}", "choose another [metrics] port")
    return ok("metrics", f"port {port} is free")
