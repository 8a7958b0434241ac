"""Many tables and one pit: what a table sends out by MQTT, and who gathers it."""

from controller.fleet.broker import Broker
from controller.fleet.errors import BrokerError, FleetError, MetricsError, PitDatabaseError
from controller.fleet.listening import Listener
from controller.fleet.metrics import Instruments, Line, Sources, serve_metrics
from controller.fleet.outbox import Outbox
from controller.fleet.position import PositionFile
from controller.fleet.publishing import Publisher, answer_of
from controller.fleet.store import PitStore, TableLine

__all__ = [
    "Broker",
    "BrokerError",
    "FleetError",
    "Instruments",
    "Line",
    "Listener",
    "MetricsError",
    "Outbox",
    "PitDatabaseError",
    "PitStore",
    "PositionFile",
    "Publisher",
    "Sources",
    "TableLine",
    "answer_of",
    "serve_metrics",
]
