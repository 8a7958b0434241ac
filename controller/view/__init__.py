"""What the dealer's page shows, as plain values."""

from controller.view.texts import LANGUAGES, text
from controller.view.values import (
    Button,
    DeviceView,
    Instruction,
    PileView,
    SeatView,
    StepView,
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
    "TableView",
    "text",
]
