"""What the dealer's page shows, as plain values."""

from controller.view.building import table_view
from controller.view.taps import next_hand
from controller.view.texts import LANGUAGES, text
from controller.view.values import (
    Button,
    DeviceView,
    Instruction,
    PileView,
    SeatView,
    StepView,
    Surroundings,
    TableView,
)

__all__ = [
    "LANGUAGES",
    "Button",
    "DeviceView",
    "Instruction",
    "PileView",
    "SeatView",
    "StepView",
    "Surroundings",
    "TableView",
    "next_hand",
    "table_view",
    "text",
]
