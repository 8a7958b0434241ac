"""A table that shows what it is given, for looking at the page alone."""

from __future__ import annotations

from collections.abc import Callable

from controller.events import AlarmAcknowledged, StepConfirmed, TableEvent
from controller.runtime.errors import TapRefusedError
from controller.view import (
    Button,
    DeviceView,
    DifferenceView,
    FloorView,
    HandLine,
    HandView,
    HouseView,
    Instruction,
    OtherView,
    PileView,
    SeatView,
    StepView,
    TableView,
)

ALARM = AlarmAcknowledged(alarm="alarm/1", by_whom="", reason="")
INSTRUCTION = {"en": "Give seat 3 the top card of the stub.", "fr": "Donnez au siège 3 la carte."}


def seats() -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            seat=n,
            dealt_in=n != 7,
            folded=n in (2, 9),
            to_act=n == 5,
            button=n == 10,
            blind={1: "SB", 2: "BB"}.get(n, ""),
            bet={1: 5, 2: 10, 4: 30}.get(n, 0),
            cards=("As",) if n == 3 else (),
            down=0 if n in (2, 7, 9) else 1 if n == 3 else 2,
        )
        for n in range(1, 11)
    )


def full_view(lang: str, *, done: int = 1, floor: bool = True) -> TableView:
    words = ("Call the floor.", "Finish the deal.", INSTRUCTION["en"], "Burn the exposed card.")
    return TableView(
        lang=lang,
        name="Table 1",
        hand=42,
        street="Deal",
        instruction=Instruction(
            text=INSTRUCTION[lang],
            why="Seat 3's first card was dealt face up.",
            verdict="The hand goes on",
            clauses=("ck.exposed.6", "ck.exposed.7"),
            zones=("seat:3",),
            waits_for="The camera sees it done.",
        ),
        prompts=("Announce: 6 players (before the flop).",),
        steps=tuple(
            StepView(id=f"42/1.{n}", text=text, done=n <= done, present=n == done + 1)
            for n, text in enumerate(words, start=1)
        ),
        seats=seats(),
        board=("Td", "9c", "Kh"),
        piles=(
            PileView(name="Burns", count=1, cards=(), zone="burn"),
            PileView(name="Muck", count=4, cards=(), zone="muck"),
            PileView(name="Aside", count=1, cards=("2d",), zone="aside"),
            PileView(name="Stub", count=28, zone="stub"),
        ),
        pot=125,
        buttons=(
            Button(label="Done", event=StepConfirmed(step="42/1.2"), group="step"),
            Button(label="Seat 5 has looked", event=StepConfirmed(step="looked"), group="action"),
            Button(label="Acknowledge", event=ALARM, group="action", asks_name=True),
            Button(label="Seat 5 holds a joker", event=StepConfirmed(step="joker"), topic="Seat 5"),
        ),
        alarm="FLOOR — call the floor person to this table" if floor else "",
        devices=(
            DeviceView(name="Shuffler", sign="ok", text="ready"),
            DeviceView(name="Camera", sign="failure", text="lost: check its cable"),
        ),
        gate="Shoe held",
    )


class ShownTableFake:
    album = None

    def __init__(self) -> None:
        self.done, self.alarm = 1, True
        self.tapped: list[TableEvent] = []
        self.callbacks: list[Callable[[], None]] = []

    def view(self, lang: str) -> TableView:
        return full_view(lang, done=self.done, floor=self.alarm)

    def floor(self, lang: str) -> FloorView:
        return FloorView(lang=lang, name="Table 1")

    def hands(self) -> tuple[HandLine, ...]:
        return ()

    def hand(self, number: int, event: int, lang: str) -> HandView | None:
        return None

    def house(self, lang: str) -> HouseView:
        raise NotImplementedError

    def rulebooks(self) -> tuple[str, ...]:
        return ()

    async def differing(self, other: str, lang: str) -> tuple[DifferenceView, ...]:
        return ()

    async def others(self, ruling: str, lang: str) -> tuple[OtherView, ...]:
        return ()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.callbacks.append(callback)
        return lambda: self.callbacks.remove(callback)

    async def tap(self, event: TableEvent) -> None:
        if event == StepConfirmed(step="joker"):
            raise TapRefusedError("no joker is in play; tap another report")
        self.tapped.append(event)
        self.change(done=self.done + 1)

    def change(self, *, done: int, floor: bool = True) -> None:
        self.done, self.alarm = done, floor
        for callback in tuple(self.callbacks):
            callback()
