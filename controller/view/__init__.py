"""What the pages show, as plain values."""

from controller.view.building import table_view
from controller.view.floor import (
    ClauseView,
    FloorView,
    OtherView,
    RulingView,
    floor_view,
    other_views,
    sent_back,
)
from controller.view.history import HandLine, HandView, LineView, event_words, hand_view
from controller.view.house import (
    CountView,
    DifferenceView,
    HouseView,
    difference_views,
    house_view,
)
from controller.view.kinds import kind_name
from controller.view.taps import next_hand
from controller.view.texts import LANGUAGES, text
from controller.view.values import (
    AlarmView,
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
    "AlarmView",
    "Button",
    "ClauseView",
    "CountView",
    "DeviceView",
    "DifferenceView",
    "FloorView",
    "HandLine",
    "HandView",
    "HouseView",
    "Instruction",
    "LineView",
    "OtherView",
    "PileView",
    "RulingView",
    "SeatView",
    "StepView",
    "Surroundings",
    "TableView",
    "difference_views",
    "event_words",
    "floor_view",
    "hand_view",
    "house_view",
    "kind_name",
    "next_hand",
    "other_views",
    "sent_back",
    "table_view",
    "text",
]
