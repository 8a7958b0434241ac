"""A stranger who does whatever he likes on the cable, at random: he gets nothing done.

He hears everything, drops what he likes, plays it again later to either end, changes
it and makes its checksum right, and says plain things of his own. He has no key.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.framing import Decoder, Frame, encode
from firmware_bridge.messages import (
    Accepted,
    CardOut,
    CardsIn,
    Challenge,
    Deal,
    Eject,
    EventsReplayed,
    Hold,
    Identify,
    Prove,
    Refusal,
    Refused,
    Resume,
    SealedCommand,
    SealedEvent,
    SealedReply,
    SetKey,
    Shuffle,
)
from firmware_bridge.outputs import Answered, EventSeen
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_device import KeyMemory

if TYPE_CHECKING:
    from tests.firmware_bridge.conftest import Joined

KEY = DeviceKey(bytes(range(32)))


class Stranger:
    """Sits between the two ends of a perfect line."""

    def __init__(self, joined: Joined, rng: random.Random) -> None:
        self._joined, self._rng = joined, rng
        self._heard: list[Frame] = []
        self._is_deaf_to: set[str] = set()
        self._tap("there")
        self._tap("back")

    def _tap(self, direction: str) -> None:
        wire = getattr(self._joined, direction)
        decoder, put = Decoder(), wire.put

        def carry(data: bytes, now_s: float) -> None:
            self._heard.extend(f for f in decoder.feed(data) if isinstance(f, Frame))
            if direction not in self._is_deaf_to:
                put(data, now_s)

        wire.put = carry

    def act(self) -> None:
        """Do one thing."""
        deeds: list[Callable[[], None]] = [
            self._replay,
            self._replay,
            self._replay_changed,
            self._speak_to_device,
            self._speak_to_host,
            self._change_deafness,
        ]
        self._rng.choice(deeds)()

    def rest(self) -> None:
        """Let everything through from now on."""
        self._is_deaf_to.clear()

    def _change_deafness(self) -> None:
        self._is_deaf_to = set(self._rng.sample(["there", "back"], self._rng.randrange(3)))

    def _replay(self) -> None:
        if self._heard:
            self._say(self._rng.choice(self._heard))

    def _replay_changed(self) -> None:
        if not self._heard:
            return
        frame = self._rng.choice(self._heard)
        name = self._rng.choice(["sequence", "session", "event", "message"])
        if name != "message":
            near = max(0, getattr(frame, name) + self._rng.choice([-1, 1, 2]))
            self._say(replace(frame, **{name: near}))
        elif isinstance(frame.message, SealedCommand | SealedReply | SealedEvent):
            body = self._rng.randbytes(32)
            self._say(replace(frame, message=replace(frame.message, body=body)))

    def _speak_to_device(self) -> None:
        choices = [Shuffle(), Deal(9999), Resume(), Eject(), Hold(), SetKey(b"\1\2" * 16)]
        choices += [Challenge(self._rng.randbytes(32)), Prove(self._rng.randbytes(32))]
        choices += [Identify(), SealedCommand(0x11, 2, b"\x0f\x27".ljust(32, b"\0"), 99, bytes(32))]
        self._say(self._now(self._rng.choice(choices)), to_device=True)

    def _speak_to_host(self) -> None:
        choices = [CardOut(1, False), CardsIn(9999), Accepted(), Refused(Refusal.SESSION)]
        choices += [Refused(Refusal.SEAL), EventsReplayed(900, 900), Refused(Refusal.BUSY)]
        choices += [SealedReply(0x45, 0, bytes(32), bytes(32))]
        self._say(self._now(self._rng.choice(choices)), to_device=False)

    def _now(self, message: object) -> Frame:
        """As fitting as can be heard on the line."""
        host, device = self._joined.host, self._joined.device
        sequence = device._last_sequence + self._rng.randrange(2)
        session = self._rng.choice([device._session, device._session, 7, 9])
        event = host.position.number + self._rng.randrange(2)
        return Frame(message, sequence, session, self._joined.epoch, event)  # type: ignore[arg-type]

    def _say(self, frame: Frame, *, to_device: bool | None = None) -> None:
        joined = self._joined
        if to_device if to_device is not None else self._rng.random() < 0.5:
            joined.device.receive(encode(frame))
        else:
            joined.host.receive(encode(frame), joined.now_s)
            joined.outputs.extend(joined.host.take_outputs())


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**32))
def test_nothing_is_done_that_the_host_did_not_ask_and_nothing_heard_that_did_not_happen(
    join: type[Joined], seed: int
) -> None:
    rng = random.Random(seed)
    joined = join(seed=seed, keys={"S-1": KEY}, memory=KeyMemory(KEY))
    stranger = Stranger(joined, rng)
    joined.connect()
    asked: dict[int, Deal] = {}
    happened: list[CardsIn] = []
    for number in range(1, 120):
        match rng.randrange(4):
            case 0:
                asked[joined.host.send(Deal(number), joined.now_s)] = Deal(number)
            case 1:
                happened.append(CardsIn(number))
                joined.emit(number)
            case _:
                stranger.act()
        for _ in range(rng.randrange(4)):
            joined.step()
    stranger.rest()
    joined.until_settled(len(asked))
    joined.during(3.0)

    done = [command for command in joined.executed if command != Hold()]
    assert done == [deal for deal in asked.values() if deal in done], "in order, once, ours alone"
    for output in joined.outputs:
        if isinstance(output, Answered) and output.reply == Accepted():
            assert asked[output.ticket] in done, "what was said to be done was done"
    seen = [o.event for o in joined.outputs if isinstance(o, EventSeen)]
    assert [event for event in seen if isinstance(event, CardsIn)] == happened
    assert joined.memory.key == KEY
