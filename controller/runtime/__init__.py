"""A table at work: journal, table file, devices, and the supervisor that joins them."""

from controller.runtime.camera import CameraFeed
from controller.runtime.config import TableConfig, load_config
from controller.runtime.errors import (
    ConfigError,
    JournalError,
    RuntimeFault,
    TableStoppedError,
    TapRefusedError,
)
from controller.runtime.journal import Journal
from controller.runtime.replay import Difference, Replay, replay
from controller.runtime.table import Table

__all__ = [
    "CameraFeed",
    "ConfigError",
    "Difference",
    "Journal",
    "JournalError",
    "Replay",
    "RuntimeFault",
    "Table",
    "TableConfig",
    "TableStoppedError",
    "TapRefusedError",
    "load_config",
    "replay",
]
