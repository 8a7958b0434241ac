"""Many hands with injected faults, on the level of events: no bytes, no pictures."""

from controller.simulate.errors import SimulationError, TableSizeError, UnknownFaultError
from controller.simulate.mistakes import FAULTS
from controller.simulate.report import KindCount, Report
from controller.simulate.running import simulate

__all__ = [
    "FAULTS",
    "KindCount",
    "Report",
    "SimulationError",
    "TableSizeError",
    "UnknownFaultError",
    "simulate",
]
