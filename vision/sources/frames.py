"""What every source of frames has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table.

    Attributes:
        image: Shape (H, W, 3), uint8, BGR.
        at_s: Time of the picture on the source's own clock, in seconds, never falling.
        number: 0 for the first frame of the source, then one more each time.
    """

    image: NDArray[np.uint8] = field(repr=False)
    at_s: float
    number: int


class FrameSource(Protocol):
    """Frames one after another; ``with`` closes it, ``for`` reads it to its end."""

    def read(self) -> Frame | None:
        """The next frame; None once the source has come to its end.

        Raises:
            SourceError: The source is lost.
            ImageError: A picture cannot be read.
        """

    def close(self) -> None:
        """Let go of the device or file; a second call does nothing."""

    def __iter__(self) -> Iterator[Frame]:
        """The frames up to the end."""

    def __enter__(self) -> Self:
        """The source itself."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""


class ReadingSource(ABC):
    """Base of the sources: iteration and closing, built on ``read`` and ``close``."""

    @abstractmethod
    def read(self) -> Frame | None:
        """The next frame; None at the end."""

    def close(self) -> None:  # noqa: B027 - holding nothing is the usual case
        """Let go of what is held; by itself a source holds nothing."""

    def __iter__(self) -> Iterator[Frame]:
        """The frames up to the end."""
        while (frame := self.read()) is not None:
            yield frame

    def __enter__(self) -> Self:
        """The source itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the source."""
        self.close()
