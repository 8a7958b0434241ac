"""What the supervisor tells whoever keeps evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from controller.rulings import Ruling
from vision import Frame, Sighting, Zones

StateT_contra = TypeVar("StateT_contra", contravariant=True)


class Evidence(Protocol[StateT_contra]):
    """Keeps pictures of what was decided; ``EvidenceKeeper`` does."""

    def film(
        self, frame: Frame, zones: Zones | None, at_ms: int, seen: tuple[Sighting, ...] = (), /
    ) -> None:
        """Take a picture; called in the camera's thread."""
        ...

    def resume(self, state: StateT_contra, /) -> None:
        """Go on at a table that a journal led to."""
        ...

    def follow(
        self, seq: int, at_ms: int, after: StateT_contra, rulings: Sequence[Ruling] = (), /
    ) -> None:
        """Take in what an event did."""
        ...

    async def run(self, changed: Callable[[], None], /) -> None:
        """Write what is to be kept until cancelled; ``changed`` is called after each case."""
        ...

    async def finish(self) -> None:
        """Write what is waiting."""
        ...
