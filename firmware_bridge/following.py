"""Which events of the device were heard: once, in order, or known to be lost. Pure."""

from __future__ import annotations

from dataclasses import replace

from firmware_bridge.framing import Frame
from firmware_bridge.messages import DeviceEvent, EventsReplayed
from firmware_bridge.outputs import EventPosition, EventSeen, EventsLost


class EventFollower:
    """Follows the events of one device from epoch to epoch.

    Args:
        position: resume after this event; one of no epoch starts with what happens next.
    """

    def __init__(self, position: EventPosition) -> None:
        self.position = position
        self._newest = position.number

    @property
    def is_behind(self) -> bool:
        """Whether the device has events that were not heard."""
        return self._newest > self.position.number

    def begin(self, epoch: int, newest: int) -> bool:
        """A device was identified in this epoch, its newest event has this number.

        Returns:
            Whether it has restarted since it was followed last.
        """
        self._newest = newest
        if epoch == self.position.epoch:
            return False
        is_first = self.position.epoch == 0
        self.position = EventPosition(epoch, newest if is_first else 0)
        return not is_first

    def take(self, frame: Frame, event: DeviceEvent) -> EventSeen | None:
        """The event, if it is the next one; None for one heard before, or one too early."""
        if frame.event != self.position.number + 1:
            return None
        self.position = EventPosition(frame.epoch, frame.event)
        return EventSeen(frame.event, event)

    def notice(self, newest: int) -> None:
        """A frame told the number of the newest event."""
        self._newest = max(self._newest, newest)

    def skip_lost(self, replayed: EventsReplayed) -> EventsLost | None:
        """Go on behind events that have left the device's ring; None where none have."""
        first = self.position.number + 1
        if replayed.oldest <= first:
            return None
        self.position = replace(self.position, number=replayed.oldest - 1)
        return EventsLost(first, replayed.oldest - 1)
