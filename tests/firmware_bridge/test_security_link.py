"""A stranger on the cable: what each of his tries comes to (docs/protocol.md, "Keys and seals")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cobs import cobs  # type: ignore[import-untyped]  # it ships no types

from firmware_bridge.faults import WIRES
from firmware_bridge.framing import Decoder, Frame, content_of, crc16, encode
from firmware_bridge.messages import (
    Accepted,
    BootCause,
    Booted,
    CardOut,
    CardsIn,
    Challenge,
    Challenged,
    Deal,
    DeviceEvent,
    DeviceStatus,
    EventsReplayed,
    Gate,
    Hold,
    Identify,
    Identity,
    Prove,
    Proven,
    ReadStatus,
    Refusal,
    Refused,
    Reply,
    Sealed,
    SealedCommand,
    SealedEvent,
    SetKey,
    Shuffle,
)
from firmware_bridge.outputs import Answered, EventSeen
from firmware_bridge.security import DeviceKey
from firmware_bridge.security_device import KeyMemory
from firmware_bridge.security_host import LATE_S, Breach, SecurityIncident
from firmware_bridge.states import LinkState

if TYPE_CHECKING:
    from tests.firmware_bridge.conftest import Joined

KEY = DeviceKey(bytes(range(32)))
OTHER = DeviceKey(bytes(range(1, 33)))
LIVE_WIRES = [name for name in WIRES if name != "silent"]


def paired(join: type[Joined], wire: str = "perfect", seed: int = 1) -> Joined:
    """Host and device with the same key."""
    joined = join(WIRES[wire], seed, keys={"S-1": KEY}, memory=KeyMemory(KEY))
    joined.reopens = wire != "perfect"
    return joined


def connected(join: type[Joined]) -> Joined:
    """Paired, proved, and past the time in which late frames are forgiven."""
    joined = paired(join)
    joined.connect()
    joined.during(LATE_S + 0.1)
    return joined


def breaches(joined: Joined) -> list[Breach]:
    return [o.breach for o in joined.outputs if isinstance(o, SecurityIncident)]


def on_the_wire(joined: Joined, what: Callable[[], object]) -> tuple[list[Frame], list[Frame]]:
    """What the host and the device say on a perfect line while ``what`` goes on."""
    said: tuple[list[Frame], list[Frame]] = [], []
    for frames, wire in zip(said, (joined.there, joined.back), strict=True):
        decoder, put = Decoder(), wire.put

        def listen(
            data: bytes,
            now_s: float,
            frames: list[Frame] = frames,
            decoder: Decoder = decoder,
            put: Callable[[bytes, float], None] = put,
        ) -> None:
            frames.extend(f for f in decoder.feed(data) if isinstance(f, Frame))
            put(data, now_s)

        wire.put = listen  # type: ignore[method-assign]  # an ear on the cable
    what()
    for wire in (joined.there, joined.back):
        del wire.put
    return said


def the_deal(frames: list[Frame]) -> Frame:
    """The one sealed ``Deal`` among the host's frames."""
    [deal] = [f for f in frames if isinstance(f.message, SealedCommand) and f.message.id == 0x11]
    return deal


def to_host(joined: Joined, frame: Frame) -> None:
    """The stranger says something to the host."""
    joined.host.receive(encode(frame), joined.now_s)
    joined.outputs.extend(joined.host.take_outputs())


def to_device(joined: Joined, frame: Frame) -> Frame:
    """The stranger says something to the device, and hears its answer."""
    joined.device.data_to_send()
    joined.device.receive(encode(frame))
    *_, answer = Decoder().feed(joined.device.data_to_send())
    assert isinstance(answer, Frame)
    return answer


# --- the two ends themselves ------------------------------------------------------------------


def test_host_and_device_with_the_same_key_become_ready(join: type[Joined]) -> None:
    joined = paired(join)

    joined.connect()

    assert joined.host.state is LinkState.READY
    assert breaches(joined) == []


def test_after_the_proof_every_command_reply_and_event_is_sealed(join: type[Joined]) -> None:
    joined = connected(join)

    def work() -> None:
        joined.ask(Deal(3))
        joined.emit(51, 50)
        joined.during(1.0)

    there, back = on_the_wire(joined, work)

    assert len(there) > 3
    assert all(isinstance(frame.message, SealedCommand) for frame in there)
    assert len(back) > 5
    assert all(isinstance(frame.message, Sealed) for frame in back)
    assert joined.executed == [Deal(3)]
    seen = [o.event for o in joined.outputs if isinstance(o, EventSeen)]
    assert seen == [CardsIn(51), CardsIn(50)]


@pytest.mark.parametrize("name", LIVE_WIRES)
def test_every_command_runs_once_on_a_bad_line_too(join: type[Joined], name: str) -> None:
    joined = paired(join, name, seed=5)
    joined.connect()
    for n in range(1, 61):
        joined.host.send(Deal(n), joined.now_s)
    joined.until_settled(60)

    ran = [command.count for command in joined.executed if isinstance(command, Deal)]
    assert len(ran) == len(set(ran))
    assert set(range(1, 61)) - set(ran) == set()
    assert ran == sorted(ran)


@pytest.mark.parametrize("name", LIVE_WIRES)
def test_a_bad_line_is_no_stranger(join: type[Joined], name: str) -> None:
    """Lost, doubled, swapped and late frames make no incident."""
    joined = paired(join, name, seed=6)
    joined.connect()
    for n in range(1, 200):
        joined.emit(n)
        joined.during(0.05)

    assert breaches(joined) == []


def test_a_device_says_nothing_before_the_proof_and_all_of_it_after(join: type[Joined]) -> None:
    joined = paired(join)
    joined.connect()
    joined.host.port_closed("pulled")
    joined.reset()
    joined.emit(51)
    assert joined.device.data_to_send() == b""

    joined.connect()
    joined.during(1.0)

    seen = [o.event for o in joined.outputs if isinstance(o, EventSeen)]
    assert seen == [Booted(BootCause.WATCHDOG), CardsIn(51)]


def test_a_restarted_device_is_proved_anew(join: type[Joined]) -> None:
    joined = connected(join)
    joined.reset()
    joined.during(1.0)

    assert joined.host.state is LinkState.READY
    assert isinstance(joined.ask(Shuffle()), Accepted)
    assert breaches(joined) == []


@pytest.mark.parametrize("reason", [Refusal.BUSY, Refusal.SEAL, Refusal.SESSION])
def test_a_late_refusal_is_no_answer_to_the_first_question(
    join: type[Joined], reason: Refusal
) -> None:
    """Commands and handshakes number apart, so that an old answer can bear the same number."""
    joined = join()
    joined.host.port_opened(joined.now_s)
    asked = in_handshake(joined, Identify)

    to_host(joined, replace(asked, message=Refused(reason), epoch=1000))

    assert joined.host.state is LinkState.CONNECTING
    assert breaches(joined) == []
    joined.until(lambda: joined.host.state is LinkState.READY)


def test_after_a_restart_nothing_is_asked_for_that_the_new_start_does_not_have(
    join: type[Joined],
) -> None:
    joined = connected(join)
    joined.emit(*range(100))
    joined.during(1.0)
    joined.reset()
    joined.during(2.0)
    before = joined.host.counters.replays

    joined.during(5.0)

    assert joined.host.counters.replays == before


def test_a_pulled_cable_completes_the_open_command_once(join: type[Joined]) -> None:
    joined = connected(join)
    ticket = joined.host.send(Deal(4), joined.now_s)
    joined.device.receive(joined.host.data_to_send())
    joined.device.data_to_send()  # its answer is lost with the cable
    joined.host.port_closed("pulled")

    joined.connect()
    joined.during(0.5)

    assert joined.executed == [Deal(4)]
    assert Answered(ticket, Accepted()) in joined.outputs


# --- a foreign device -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "memory", "expected"),
    [
        ({}, KeyMemory(KEY), Breach.FOREIGN_DEVICE),
        ({"S-2": KEY}, KeyMemory(KEY), Breach.FOREIGN_DEVICE),
        ({"S-1": OTHER}, KeyMemory(KEY), Breach.KEY_REFUSED),
        ({"S-1": KEY}, KeyMemory(), Breach.KEY_REFUSED),
    ],
)
def test_a_device_that_is_not_ours_is_refused_before_anything_moves(
    join: type[Joined], keys: dict[str, DeviceKey], memory: KeyMemory, expected: Breach
) -> None:
    joined = join(keys=keys, memory=memory)
    joined.reopens = False
    joined.host.send(Shuffle(), joined.now_s)
    joined.host.port_opened(joined.now_s)

    joined.until(lambda: joined.host.state is LinkState.LOST)

    assert breaches(joined) == [expected]
    assert joined.executed == []


def in_handshake(joined: Joined, command: type[Identify | Challenge | Prove]) -> Frame:
    """The host's newest frame of the handshake; the stranger sits where the device was."""
    frames = Decoder().feed(joined.host.data_to_send())
    frame = frames[-1]
    assert isinstance(frame, Frame)
    assert isinstance(frame.message, command)
    return frame


def impostor(joined: Joined, identity: Identity) -> None:
    """Answer ``Identify`` as somebody else would."""
    asked = in_handshake(joined, Identify)
    to_host(joined, replace(asked, message=identity, epoch=1000, event=1))


def as_ours(joined: Joined) -> Identity:
    """The identity of our device, which is no secret."""
    probe = to_device(joined, Frame(Identify(), 1, 9))
    assert isinstance(probe.message, Identity)
    return replace(probe.message, last_sequence=0)


def test_a_device_that_says_it_cannot_seal_is_refused(join: type[Joined]) -> None:
    """Downgrade: the genuine identity with the capability taken out on the way."""
    joined = paired(join)
    identity = as_ours(joined)
    joined.host.port_opened(joined.now_s)

    impostor(joined, replace(identity, capabilities=type(identity.capabilities)(1)))

    assert breaches(joined) == [Breach.DOWNGRADE]
    assert joined.host.state is LinkState.LOST


@pytest.mark.parametrize(
    "change",
    [{"epoch": 4711}, {"event": 900}, {"event": 0}],
    ids=lambda change: " ".join(f"{name} {value}" for name, value in change.items()),
)
def test_what_is_said_before_the_proof_moves_no_event(
    join: type[Joined], change: dict[str, int]
) -> None:
    """With a false epoch or number a stranger could make us hear events twice, or miss some."""
    joined = connected(join)
    joined.emit(50)
    joined.during(0.5)
    before = joined.host.position
    joined.host.port_closed("pulled")
    joined.host.port_opened(joined.now_s)
    asked = in_handshake(joined, Identify)
    to_host(joined, replace(asked, message=as_ours(joined), **{"epoch": 1000, "event": 2} | change))
    in_handshake(joined, Challenge)

    assert joined.host.position == before
    joined.host.port_closed("pulled")
    joined.connect()
    joined.emit(49)
    joined.during(0.5)
    seen = [o.event for o in joined.outputs if isinstance(o, EventSeen)]
    assert seen == [CardsIn(50), CardsIn(49)]


@pytest.mark.parametrize("event", [0, 900])
def test_a_false_event_number_at_the_first_meeting_hides_no_event(
    join: type[Joined], event: int
) -> None:
    """The header of ``Identity`` is changed on its way; that of ``Proven`` is proved."""
    joined = paired(join)
    decoder, put = Decoder(), joined.back.put

    def change(data: bytes, now_s: float) -> None:
        for frame in decoder.feed(data):
            assert isinstance(frame, Frame)
            is_identity = isinstance(frame.message, Identity)
            put(encode(replace(frame, event=event) if is_identity else frame), now_s)

    joined.back.put = change  # type: ignore[method-assign]  # a stranger on the cable
    joined.connect()
    joined.emit(51, 50, 49)
    joined.during(1.0)

    seen = [o.event for o in joined.outputs if isinstance(o, EventSeen)]
    assert seen == [CardsIn(51), CardsIn(50), CardsIn(49)]


@pytest.mark.parametrize("proof", ["random", "ours again", "of another session"])
def test_a_device_without_the_key_cannot_prove_itself(join: type[Joined], proof: str) -> None:
    joined = paired(join)
    identity = as_ours(joined)
    joined.host.port_opened(joined.now_s)
    impostor(joined, identity)
    asked = in_handshake(joined, Challenge)
    to_host(joined, replace(asked, message=Challenged(b"\7" * 32)))
    asked = in_handshake(joined, Prove)
    assert isinstance(asked.message, Prove)
    given = {
        "random": b"\5" * 32,
        "ours again": asked.message.proof,
        "of another session": genuine_proof(join),
    }[proof]

    to_host(joined, replace(asked, message=Proven(given)))

    assert breaches(joined) == [Breach.FALSE_PROOF]
    assert joined.host.state is LinkState.LOST


def genuine_proof(join: type[Joined]) -> bytes:
    """A device's proof that was recorded in another session."""
    other = paired(join, seed=77)
    _, back = on_the_wire(other, other.connect)
    [proof] = [f.message.proof for f in back if isinstance(f.message, Proven)]
    return proof


def test_our_own_challenge_given_back_is_refused(join: type[Joined]) -> None:
    joined = paired(join)
    identity = as_ours(joined)
    joined.host.port_opened(joined.now_s)
    impostor(joined, identity)
    asked = in_handshake(joined, Challenge)
    assert isinstance(asked.message, Challenge)

    to_host(joined, replace(asked, message=Challenged(asked.message.nonce)))

    assert breaches(joined) == [Breach.FALSE_PROOF]


def test_a_recorded_handshake_opens_nothing(join: type[Joined]) -> None:
    """All of the genuine device's frames of one session, played to the host in the next."""
    joined = paired(join)
    _, recorded = on_the_wire(joined, joined.connect)
    joined.host.port_closed("pulled")
    joined.host.port_opened(joined.now_s)
    joined.host.data_to_send()

    for frame in recorded:
        to_host(joined, frame)
        for sequence in range(1, 8):
            to_host(joined, replace(frame, sequence=sequence))

    assert joined.host.state is not LinkState.READY


# --- a stranger who speaks to the host --------------------------------------------------------

FORGED: list[Reply | DeviceEvent] = [
    CardOut(1, False),
    CardsIn(52),
    DeviceStatus(Gate.OPEN, 0, 52, 0, 0, False),
    EventsReplayed(1, 900),
    Accepted(),
    Refused(Refusal.BUSY),
]


@pytest.mark.parametrize("message", FORGED, ids=lambda m: type(m).__name__)
def test_a_plain_frame_is_refused_and_recorded(
    join: type[Joined], message: Reply | DeviceEvent
) -> None:
    """Downgrade in the middle of a session."""
    joined = connected(join)
    sequence = 0 if isinstance(message, DeviceEvent) else 3
    before = joined.host.position
    to_host(joined, Frame(message, sequence, 7, 1000, before.number + 1))

    assert breaches(joined) == [Breach.UNSEALED]
    assert joined.host.position == before


def sealed_event(joined: Joined) -> Frame:
    """A genuine sealed event, taken from the wire before the host has it."""
    joined.emit(44)
    [frame] = Decoder().feed(joined.device.data_to_send())
    assert isinstance(frame, Frame)
    assert isinstance(frame.message, SealedEvent)
    return frame


def test_a_false_tag_is_refused_and_recorded(join: type[Joined]) -> None:
    joined = connected(join)
    frame = sealed_event(joined)
    assert isinstance(frame.message, SealedEvent)
    body = CardsIn(45).count.to_bytes(2, "little").ljust(32, b"\0")

    to_host(joined, replace(frame, message=replace(frame.message, body=body)))

    assert breaches(joined) == [Breach.FALSE_TAG]
    assert not [o for o in joined.outputs if isinstance(o, EventSeen)]


def test_an_event_under_another_number_is_refused(join: type[Joined]) -> None:
    joined = connected(join)
    frame = sealed_event(joined)
    to_host(joined, frame)

    to_host(joined, replace(frame, event=frame.event + 1))

    assert breaches(joined) == [Breach.FALSE_TAG]
    assert len([o for o in joined.outputs if isinstance(o, EventSeen)]) == 1


def test_a_replayed_event_counts_once(join: type[Joined]) -> None:
    joined = connected(join)
    frame = sealed_event(joined)

    for _ in range(5):
        to_host(joined, frame)

    assert len([o for o in joined.outputs if isinstance(o, EventSeen)]) == 1


def test_an_event_of_an_earlier_proof_is_refused(join: type[Joined]) -> None:
    joined = connected(join)
    frame = sealed_event(joined)
    joined.host.port_closed("pulled")
    joined.connect()
    joined.during(LATE_S + 0.1)

    to_host(joined, replace(frame, event=joined.host.position.number + 1))

    assert breaches(joined) == [Breach.FALSE_TAG]


def test_a_late_frame_of_a_moment_before_is_refused_but_no_incident(join: type[Joined]) -> None:
    joined = connected(join)
    frame = sealed_event(joined)
    joined.host.port_closed("pulled")
    joined.connect()
    heard = [o for o in joined.outputs if isinstance(o, EventSeen)]

    to_host(joined, replace(frame, event=joined.host.position.number + 1))

    assert breaches(joined) == []
    assert joined.host.counters.refused == 1
    assert [o for o in joined.outputs if isinstance(o, EventSeen)] == heard


def test_a_frame_of_an_earlier_session_is_a_replay(join: type[Joined]) -> None:
    joined = connected(join)
    frame = sealed_event(joined)
    joined.host.abandon(joined.now_s)  # changes the session
    joined.during(LATE_S + 0.5)

    to_host(joined, frame)

    assert breaches(joined) == [Breach.REPLAY]


@pytest.mark.parametrize("left", [0, 8, 16, 31])
def test_a_truncated_tag_is_refused_and_recorded(join: type[Joined], left: int) -> None:
    """A frame with a sound checksum and a tag of fewer bytes, as some devices once took."""
    joined = connected(join)
    short = shortened(sealed_event(joined), left)

    joined.host.receive(short, joined.now_s)
    joined.outputs.extend(joined.host.take_outputs())

    assert breaches(joined) == [Breach.MALFORMED]
    assert not [o for o in joined.outputs if isinstance(o, EventSeen)]


@pytest.mark.parametrize("left", [0, 8, 16, 31])
def test_a_tag_filled_up_with_zeros_is_refused(join: type[Joined], left: int) -> None:
    joined = connected(join)
    frame = sealed_event(joined)
    assert isinstance(frame.message, SealedEvent)
    tag = frame.message.tag[:left].ljust(32, b"\0")

    to_host(joined, replace(frame, message=replace(frame.message, tag=tag)))

    assert breaches(joined) == [Breach.FALSE_TAG]


def shortened(frame: Frame, left: int) -> bytes:
    """The frame with so many bytes of its tag and a checksum that fits."""
    content = content_of(frame)[: -32 + left]
    stuffed: bytes = cobs.encode(content + crc16(content).to_bytes(2, "little"))
    return b"\0" + stuffed + b"\0"


# --- a stranger who speaks to the device ------------------------------------------------------


def test_a_device_with_a_key_obeys_no_plain_command(join: type[Joined]) -> None:
    joined = connected(join)
    there, _ = on_the_wire(joined, lambda: joined.ask(Hold()))
    joined.executed.clear()
    for command in (Shuffle(), Deal(5), Hold(), ReadStatus()):
        for sequence in (there[-1].sequence, there[-1].sequence + 1):
            frame = Frame(command, sequence, 7, 1000)
            assert to_device(joined, frame).message == Refused(Refusal.SEAL)

    assert joined.executed == []
    assert joined.memory.refused["seal"] == 8
    assert isinstance(joined.ask(Deal(2)), Accepted)


def test_a_replayed_command_is_executed_once(join: type[Joined]) -> None:
    joined = connected(join)
    there, _ = on_the_wire(joined, lambda: joined.ask(Deal(3)))
    deal = the_deal(there)

    answers = [to_device(joined, deal).message for _ in range(5)]
    joined.ask(Hold())
    later = to_device(joined, deal).message

    assert all(isinstance(answer, Sealed) for answer in answers)
    assert later == Refused(Refusal.SESSION)
    assert joined.executed.count(Deal(3)) == 1


def test_a_command_of_an_earlier_proof_is_not_executed(join: type[Joined]) -> None:
    joined = connected(join)
    there, _ = on_the_wire(joined, lambda: joined.ask(Deal(3)))
    joined.host.port_closed("pulled")
    joined.connect()
    joined.executed.clear()
    following = [
        to_device(joined, replace(frame, sequence=sequence)).message
        for frame in (the_deal(there),)
        for sequence in range(1, 40)
    ]

    assert set(following) == {Refused(Refusal.SEAL)}
    assert joined.executed == []


def test_an_old_counter_is_refused_when_the_sequence_numbers_come_round(
    join: type[Joined],
) -> None:
    """After 65535 commands the sequence number fits again; the counter does not."""
    joined = connected(join)
    there, _ = on_the_wire(joined, lambda: joined.ask(Deal(3)))
    joined.executed.clear()
    deal = the_deal(there)
    joined.device._last_sequence = deal.sequence - 1

    assert to_device(joined, deal).message == Refused(Refusal.SEAL)
    assert joined.executed == []


def test_a_session_opened_by_a_stranger_is_told_nothing(join: type[Joined]) -> None:
    joined = connected(join)
    to_device(joined, Frame(Identify(), 1, 9))

    joined.emit(33)

    assert joined.device.data_to_send() == b""


def test_a_device_that_was_made_to_forget_the_proof_is_proved_anew(join: type[Joined]) -> None:
    joined = connected(join)
    for session in (9, 7):
        to_device(joined, Frame(Identify(), 1, session))

    assert joined.ask(Deal(6)) == Accepted()
    assert joined.executed == [Deal(6)]
    assert breaches(joined) == []


def test_a_stranger_s_challenge_does_not_end_the_session(join: type[Joined]) -> None:
    joined = connected(join)
    asked = Frame(Challenge(b"\6" * 32), 1, 7, 1000)
    assert isinstance(to_device(joined, asked).message, Challenged)
    assert to_device(joined, replace(asked, message=Prove(b"\6" * 32))).message == (
        Refused(Refusal.SEAL)
    )

    assert isinstance(joined.ask(Deal(2)), Accepted)
    assert breaches(joined) == []


def test_a_replayed_proof_does_not_turn_the_counter_back(join: type[Joined]) -> None:
    joined = paired(join)

    def work() -> None:
        joined.connect()
        joined.ask(Deal(3))

    there, _ = on_the_wire(joined, work)
    [proof] = [frame for frame in there if isinstance(frame.message, Prove)]
    deal = the_deal(there)
    joined.executed.clear()

    assert isinstance(to_device(joined, proof).message, Proven)
    joined.device._last_sequence = deal.sequence - 1

    assert to_device(joined, deal).message == Refused(Refusal.SEAL)
    assert joined.executed == []


def test_a_key_is_set_only_in_the_trusted_mode(join: type[Joined]) -> None:
    joined = join(memory=KeyMemory())
    joined.connect()

    assert joined.ask(SetKey(KEY.value)) == Refused(Refusal.TRUST)
    joined.memory.is_trusted = True
    assert joined.ask(SetKey(bytes(32))) == Refused(Refusal.BAD_VALUE)
    assert joined.ask(SetKey(KEY.value)) == Accepted()
    assert joined.memory.key == KEY


def test_a_stranger_cannot_replace_a_key(join: type[Joined]) -> None:
    joined = connected(join)
    there, _ = on_the_wire(joined, lambda: joined.ask(Hold()))
    joined.executed.clear()

    for sequence in (there[-1].sequence, there[-1].sequence + 1):
        forged = Frame(SetKey(OTHER.value), sequence, 7, 1000)
        assert to_device(joined, forged).message == Refused(Refusal.TRUST)

    assert joined.memory.key == KEY
    assert joined.ask(Deal(2)) == Accepted()
    assert joined.executed == [Deal(2)]
