"""The host's side of drawing a shuffle together with the machine.

Before each shuffle the machine commits itself to a secret and hears a fresh nonce;
after the shuffle has begun it opens the secret of the one before. A machine that
chose its secret after it had heard the nonce is found out then. The host never
uses an opened secret for anything else, and never learns one of an order in play.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from firmware_bridge.errors import CommandRefusedError
from firmware_bridge.messages import (
    Command,
    CommitEntropy,
    EntropyCommitted,
    EntropyOpened,
    MixEntropy,
    OpenEntropy,
    Reply,
)
from firmware_bridge.shuffle import is_opening

Ask = Callable[[Command], Awaitable[Reply]]
"""Sends a command and waits for its answer; raises when it is refused."""


class JointDrawing:
    """One drawing after another with one machine.

    Args:
        draw_nonce: gives 32 fresh random bytes.
    """

    def __init__(self, draw_nonce: Callable[[], bytes]) -> None:
        self._draw_nonce = draw_nonce
        self._present = b""
        self._before = b""

    async def draw(self, ask: Ask) -> None:
        """Draw for the shuffle that comes next.

        Raises:
            LinkError: the machine did not answer, or refused to draw.
        """
        self._before, self._present = self._present, b""
        committed = await ask(CommitEntropy())
        await ask(MixEntropy(self._draw_nonce()))
        if isinstance(committed, EntropyCommitted):
            self._present = committed.commitment

    async def is_sound(self, ask: Ask) -> bool:
        """Whether the machine opens what it had committed itself to for the last shuffle.

        True too where there is nothing to open: the first shuffle, or a restart between.

        Raises:
            LinkError: the machine did not answer.
        """
        if not self._before:
            return True
        try:
            opened = await ask(OpenEntropy())
        except CommandRefusedError:
            return True
        return isinstance(opened, EntropyOpened) and is_opening(self._before, opened.secret)
