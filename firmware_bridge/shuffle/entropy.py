"""Entropy of machine and host, mixed so that neither alone controls or knows the result.

The machine draws a secret and commits itself to it; only then the host draws and
tells its nonce; the seed is HMAC-SHA256 of both (docs/protocol.md, "Entropy"). The
machine cannot choose its secret to fit the nonce, the host does not know the
secret. If either end draws well, the seed is good.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from firmware_bridge.errors import ProtocolError

SECRET_BYTES: Final = 32
"""Of the machine's secret and of the host's nonce; 256 bits are more than the 226 of
the orders of 52 cards (log2 52! = 225.6)."""

_COMMITMENT: Final = b"cutcard entropy commitment\0"
_SEED: Final = b"cutcard shuffle seed\0"
_STREAM: Final = b"cutcard shuffle stream\0"


def commitment_to(secret: bytes) -> bytes:
    """What the machine says before it hears the host's nonce."""
    return hashlib.sha256(_COMMITMENT + _checked(secret)).digest()


def is_opening(commitment: bytes, secret: bytes) -> bool:
    """Whether the secret is the one that was committed to."""
    return len(secret) == SECRET_BYTES and hmac.compare_digest(commitment, commitment_to(secret))


def mix(secret: bytes, nonce: bytes) -> bytes:
    """The seed of one shuffle.

    Raises:
        ProtocolError: secret or nonce are not 32 bytes.
    """
    return hmac.digest(_checked(secret), _SEED + _checked(nonce), "sha256")


def _checked(value: bytes) -> bytes:
    if len(value) != SECRET_BYTES:
        raise ProtocolError(f"entropy comes in {SECRET_BYTES} bytes, not {len(value)}")
    return value


class Stream:
    """As many bytes as a shuffle needs from one seed: HMAC-SHA256 in counter mode.

    This is the counter mode of NIST SP 800-108 with HMAC as its function.
    """

    def __init__(self, seed: bytes) -> None:
        self._seed = _checked(seed)
        self._blocks = 0
        self._left = b""

    def take(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        while len(self._left) < count:
            block = self._blocks.to_bytes(4, "little")
            self._left += hmac.digest(self._seed, _STREAM + block, "sha256")
            self._blocks += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each with the same probability.

        One byte up to 256, else two; a draw in the uneven rest is thrown away, so
        that nothing is favoured (rejection sampling).

        Raises:
            ProtocolError: ``bound`` is not 1 to 65536.
        """
        if not 1 <= bound <= 1 << 16:
            raise ProtocolError(f"a draw is out of 1 to 65536, not {bound}")
        width = 1 if bound <= 1 << 8 else 2
        whole = 1 << 8 * width
        limit = whole - whole % bound
        while (drawn := int.from_bytes(self.take(width), "little")) >= limit:
            pass
        return drawn % bound


class EntropyMixer:
    """The machine's side, for one deck: commit, mix, shuffle, and open the round before.

    A secret tells, with the host's nonce, where every card lies. So it is opened only
    when the next shuffle of the same deck has begun: no sooner is its order gone.
    """

    def __init__(self) -> None:
        self._secret = b""
        self._nonce = b""
        self._in_play = b""
        self._gone = b""

    def commit(self, secret: bytes) -> bytes:
        """Begin a round with a fresh secret; the commitment to tell the host."""
        commitment = commitment_to(secret)
        self._secret, self._nonce = secret, b""
        return commitment

    def mix(self, nonce: bytes) -> bool:
        """Take the host's nonce; False where nothing was committed, or one was taken already."""
        if not self._secret or self._nonce or len(nonce) != SECRET_BYTES:
            return False
        self._nonce = nonce
        return True

    def begin_shuffle(self) -> bytes:
        """The seed of the shuffle that begins; empty where both ends have not drawn for it."""
        self._gone, self._in_play = self._in_play, b""
        if not self._nonce:
            return b""
        seed = mix(self._secret, self._nonce)
        self._in_play, self._secret, self._nonce = self._secret, b"", b""
        return seed

    def opening(self) -> bytes:
        """The secret of the order before the present one; empty where there is none."""
        return self._gone
