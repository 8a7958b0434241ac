"""What Prometheus reads of a running table, on this computer only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.fleet.errors import MetricsError
from controller.runtime.errors import JournalError
from controller.runtime.journal import Journal

HOST: Final = "127.0.0.1"
"""Prometheus, or a proxy that asks for a password, runs on the same computer."""

WRITE_S: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Buckets of the time to write an event: from a fast disk to one that keeps the dealer waiting."""

HEALTHS: Final = ("absent", "ready", "degraded", "lost", "fault", "unknown_outcome")
"""The healths of a device; exactly one of them is 1."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the line to the shuffler cost so far."""

    sends: int = 0
    commands: int = 0
    noise: int = 0


def _no_line() -> Line:
    return Line()


def _none() -> float | None:
    return None


@dataclass(frozen=True)
class Sources:
    """Where the numbers come from; each is asked when Prometheus reads.

    Attributes:
        devices: Health by device.
        line: Of the shuffler.
        camera_age_s: Since the newest picture; None without a camera.
        waiting: Records that the broker has not acknowledged; None without a broker.
    """

    devices: Callable[[], dict[str, str]]
    line: Callable[[], Line] = _no_line
    camera_age_s: Callable[[], float | None] = _none
    waiting: Callable[[], float | None] = _none


class Instruments:
    """The numbers of one table.

    Args:
        table: Its name.
        journal: Open; each of its writes is counted and timed from now on.
        sources: The rest.
    """

    def __init__(self, table: str, journal: Journal, sources: Sources) -> None:
        self.registry = CollectorRegistry()
        names = ("table", "kind")
        self._events = Counter(
            "cutcard_events", "Events written down.", names, registry=self.registry
        )
        self._rulings = Counter(
            "cutcard_rulings", "Rulings by irregularity.", names, registry=self.registry
        )
        self._write_s = Histogram(
            "cutcard_journal_write_seconds",
            "Time until an event is on disk.",
            ("table",),
            buckets=WRITE_S,
            registry=self.registry,
        )
        self._table = table
        self.registry.register(_Reader(table, sources))
        journal.meter = self

    def wrote(self, kind: str, took_s: float) -> None:
        """An event is on disk."""
        self._events.labels(self._table, kind).inc()
        self._write_s.labels(self._table).observe(took_s)

    def ruled(self, kind: str) -> None:
        """A ruling followed from an event."""
        self._rulings.labels(self._table, kind).inc()


class _Reader(Collector):
    """Asks the sources when Prometheus reads."""

    def __init__(self, table: str, sources: Sources) -> None:
        self._table, self._sources = table, sources

    def collect(self) -> Iterable[Metric]:
        yield self._devices()
        yield from self._line()
        yield from self._gauge(
            "cutcard_camera_age_seconds", "Since the newest picture.", self._sources.camera_age_s
        )
        yield from self._gauge(
            "cutcard_outbox_records", "Not yet acknowledged by the broker.", self._sources.waiting
        )

    def _devices(self) -> Metric:
        family = GaugeMetricFamily(
            "cutcard_device_health",
            "1 for the health that a device has.",
            labels=("table", "device", "health"),
        )
        for device, health in self._sources.devices().items():
            for name in HEALTHS:
                family.add_metric((self._table, device, name), float(name == health))
        return family

    def _line(self) -> Iterable[Metric]:
        line = self._sources.line()
        for name, words, value in (
            ("cutcard_link_commands", "Commands to the shuffler.", line.commands),
            ("cutcard_link_retries", "Commands sent once more.", line.sends - line.commands),
            ("cutcard_link_noise_bytes", "Bytes on the line that were no frame.", line.noise),
        ):
            family = CounterMetricFamily(name, words, labels=("table",))
            family.add_metric((self._table,), max(0, value))
            yield family

    def _gauge(self, name: str, words: str, ask: Callable[[], float | None]) -> Iterable[Metric]:
        try:
            value = ask()
        except JournalError:
            value = None  # the table itself says so; a number would be wrong
        if value is not None:
            family = GaugeMetricFamily(name, words, labels=("table",))
            family.add_metric((self._table,), value)
            yield family


def serve_metrics(instruments: Instruments, port: int) -> Callable[[], None]:
    """Serve the numbers; the function returned ends it.

    Raises:
        MetricsError: The port cannot be used.
    """
    try:
        server, thread = start_http_server(port, HOST, registry=instruments.registry)
    except OSError as error:
        raise MetricsError(port, error.strerror or str(error)) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
