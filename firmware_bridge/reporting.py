"""Where the link stands and what it has to tell its owner. Pure."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from firmware_bridge.outputs import LinkChanged, LinkOutput, Unanswered
from firmware_bridge.outstanding import Pending
from firmware_bridge.states import LinkEvent, LinkState, next_state

_LOGGER = logging.getLogger(__name__)


class Reporter:
    """The state of one link and its outputs, each handed out once."""

    def __init__(self) -> None:
        self.state = LinkState.LOST
        self._outputs: list[LinkOutput] = []

    @property
    def is_lost(self) -> bool:
        """Whether no bytes flow."""
        return self.state is LinkState.LOST

    @property
    def is_up(self) -> bool:
        """Whether a device was identified and takes commands."""
        return self.state in (LinkState.READY, LinkState.DEGRADED)

    def move(self, event: LinkEvent, reason: str) -> None:
        """Go where the event leads, and say so where that is another state.

        Raises:
            ProtocolError: the event cannot happen in this state.
        """
        old, self.state = self.state, next_state(self.state, event)
        if old is not self.state:
            _LOGGER.info("link %s -> %s: %s", old.value, self.state.value, reason)
            self.say(LinkChanged(old, self.state, reason))

    def say(self, output: LinkOutput) -> None:
        """Something happened."""
        self._outputs.append(output)

    def give_up(self, pending: Pending) -> None:
        """A command will not be answered; nobody waits for the link's own."""
        if pending.ticket:
            self.say(Unanswered(pending.ticket, pending.may_have_run))

    def take(self) -> Sequence[LinkOutput]:
        """What happened since the last call, in order."""
        outputs, self._outputs = self._outputs, []
        return outputs
