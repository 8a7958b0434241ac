"""Where the link can stand, and what moves it: all state changes are in this table."""

from __future__ import annotations

from enum import Enum

from firmware_bridge.errors import ProtocolError


class LinkState(Enum):
    """Where the link stands."""

    CONNECTING = "connecting"
    READY = "ready"
    DEGRADED = "degraded"
    LOST = "lost"


class LinkEvent(Enum):
    """What moves the link from state to state."""

    PORT_OPENED = "port opened"
    IDENTIFIED = "identified"
    REFUSED = "refused"
    STRAINED = "strained"
    RECOVERED = "recovered"
    RESYNC_NEEDED = "resync needed"
    TRIES_SPENT = "tries spent"
    PORT_CLOSED = "port closed"


TRANSITIONS: dict[LinkState, dict[LinkEvent, LinkState]] = {
    LinkState.LOST: {
        LinkEvent.PORT_OPENED: LinkState.CONNECTING,
    },
    LinkState.CONNECTING: {
        LinkEvent.IDENTIFIED: LinkState.READY,
        LinkEvent.REFUSED: LinkState.LOST,
        LinkEvent.RESYNC_NEEDED: LinkState.CONNECTING,
        LinkEvent.TRIES_SPENT: LinkState.LOST,
        LinkEvent.PORT_CLOSED: LinkState.LOST,
    },
    LinkState.READY: {
        LinkEvent.STRAINED: LinkState.DEGRADED,
        LinkEvent.RESYNC_NEEDED: LinkState.CONNECTING,
        LinkEvent.TRIES_SPENT: LinkState.LOST,
        LinkEvent.PORT_CLOSED: LinkState.LOST,
    },
    LinkState.DEGRADED: {
        LinkEvent.STRAINED: LinkState.DEGRADED,
        LinkEvent.RECOVERED: LinkState.READY,
        LinkEvent.RESYNC_NEEDED: LinkState.CONNECTING,
        LinkEvent.TRIES_SPENT: LinkState.LOST,
        LinkEvent.PORT_CLOSED: LinkState.LOST,
    },
}
"""``docs/protocol.md``, "States of the link". A missing pair is refused."""


def next_state(state: LinkState, event: LinkEvent) -> LinkState:
    """The state after ``event``.

    Raises:
        ProtocolError: the event cannot happen in this state.
    """
    try:
        return TRANSITIONS[state][event]
    except KeyError:
        raise ProtocolError(f"a link that is {state.value} cannot see: {event.value}") from None
