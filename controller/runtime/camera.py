"""Reads a camera in a thread of its own and hands each sighting over.

A camera that is lost is opened again until it gives pictures; meanwhile the
table is told, and goes on with what is left.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from vision import (
    FoundCard,
    Frame,
    FrameSource,
    HealthMonitor,
    Homography,
    Sighting,
    SourceHealth,
    VisionError,
    Zones,
)

_LOGGER = logging.getLogger(__name__)

CameraHealth = Literal["ready", "degraded", "lost"]

FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 8.0
"""Between attempts to open a lost camera again: each wait is twice the one before."""

JUDGE_EVERY: Final = 15
"""Pictures between two judgements of black, blurred or frozen: half a second of a usual camera."""

_SURE_LOOKS: Final = 3
"""Judgements that must agree: a sleeve in front of the lens is no fault of the camera."""

_STOP_S: Final = 5.0

_BADNESS: Final[dict[CameraHealth, int]] = {"ready": 0, "degraded": 1, "lost": 2}


class Watcher(Protocol):
    """What decides on frames; ``vision.TrackedTable`` is one."""

    @property
    def health(self) -> SourceHealth:
        """Whether it knows where the table lies in the picture."""
        ...

    def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
        """The sightings that this frame completes."""
        ...


class Eye(Protocol):
    """A watcher as a technician sees it; asked and told in the feed's thread only."""

    @property
    def zones(self) -> Zones:
        """The zones, in pixels."""
        ...

    @property
    def homography(self) -> Homography | None:
        """Table millimetres to pixels; None where the zones are in pixels."""
        ...

    @property
    def seen(self) -> tuple[FoundCard, ...]:
        """Every card seen now."""
        ...

    def move_zones(self, zones: Zones, /) -> None:
        """Watch other polygons from now on, in the unit of the zones file."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The newest picture, and what the watcher made of it.

    Attributes:
        frame: The picture.
        came_s: When it came, on the monotonic clock.
        zones: The zones in its pixels; None where nothing is known of them.
        cards: The cards seen, with this picture taken in.
        homography: Table millimetres to its pixels; None where that is not known.
        health: Whether the watcher knows where the table lies in it.
    """

    frame: Frame
    came_s: float
    zones: Zones | None = None
    cards: tuple[FoundCard, ...] = ()
    homography: Homography | None = None
    health: SourceHealth = SourceHealth.OK


def _nobody(frame: Frame, zones: Zones | None, seen: tuple[Sighting, ...]) -> None:
    """Keep no picture."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told what a camera does, in the feed's thread.

    Attributes:
        seen: A zone's content has changed.
        told: The camera's health has changed; the words say what to do.
        failed: The feed has ended by a fault of this program.
        filmed: A picture was looked at: with its zones where they are known for sure, and
            the changes that were seen on it. Told before the changes themselves, and always
            in the feed's thread.
    """

    seen: Callable[[Sighting], None]
    told: Callable[[CameraHealth, str], None]
    failed: Callable[[BaseException], None]
    filmed: Callable[[Frame, Zones | None, tuple[Sighting, ...]], None] = _nobody

    def on(self, loop: asyncio.AbstractEventLoop) -> Listener:
        """The same, called on a loop instead of in the feed's thread."""

        def seen(sighting: Sighting) -> None:
            loop.call_soon_threadsafe(self.seen, sighting)

        def told(health: CameraHealth, words: str) -> None:
            loop.call_soon_threadsafe(self.told, health, words)

        def failed(cause: BaseException) -> None:
            loop.call_soon_threadsafe(self.failed, cause)

        return Listener(seen, told, failed, self.filmed)


class CameraFeed:
    """A camera and what decides on its frames.

    Args:
        source: Where frames come from; closed when the feed stops.
        watcher: Called from the feed's thread only.
        reopen: Opens the camera again once it is lost; without it a loss is final.
        expects_noise: Whether equal pictures mean a hung stream; not so for files.
        eye: The watcher, where a technician may look at what it sees.
    """

    def __init__(
        self,
        source: FrameSource,
        watcher: Watcher,
        *,
        reopen: Callable[[], FrameSource] | None = None,
        expects_noise: bool = False,
        eye: Eye | None = None,
    ) -> None:
        self._source, self._watcher = source, watcher
        self._reopen_source, self._expects_noise = reopen, expects_noise
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._said: tuple[CameraHealth, str] = ("ready", "")
        self._seen_s = time.monotonic()
        self._eye = eye
        self._look: Look | None = None
        self._errands: queue.SimpleQueue[Callable[[Eye], None]] = queue.SimpleQueue()

    @property
    def age_s(self) -> float:
        """How long ago the newest picture came."""
        return time.monotonic() - self._seen_s

    @property
    def look(self) -> Look | None:
        """The newest picture that the watcher has taken in; None before the first."""
        return self._look

    @property
    def can_be_told(self) -> bool:
        """Whether there is an eye whose zones can be moved."""
        return self._eye is not None

    def later(self, errand: Callable[[Eye], None]) -> None:
        """Do something with the eye in the feed's thread, before the next picture."""
        self._errands.put(errand)

    def start(self, listener: Listener) -> None:
        """Begin to read, and tell the listener."""
        self._thread = threading.Thread(
            target=self._run, args=(listener,), name="camera", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop reading and close the source; returns when the thread has ended."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=_STOP_S)
        self._source.close()

    def _run(self, listener: Listener) -> None:
        try:
            while not self._stop.is_set():
                try:
                    self._follow(listener)
                    return
                except VisionError as error:
                    self._tell(listener, "lost", str(error))
                if self._reopen_source is None or not self._reopen(self._reopen_source):
                    return
        except Exception as error:
            _LOGGER.exception("the camera's thread failed")
            listener.failed(error)

    def _follow(self, listener: Listener) -> None:
        """Read until the source ends or the feed is stopped.

        Raises:
            VisionError: The source is lost.
        """
        judge = _Judge(self._expects_noise)
        while not self._stop.is_set():
            frame = self._source.read()
            if frame is None:
                self._tell(listener, "lost", "the source has no more pictures")
                return
            self._seen_s = time.monotonic()
            self._run_errands()
            sightings = self._watcher.feed(frame)
            listener.filmed(frame, _sure_zones(self._watcher), sightings)
            for sighting in sightings:
                listener.seen(sighting)
            self._look = self._looked(frame)
            self._judge(listener, judge.look(frame))

    def _run_errands(self) -> None:
        while self._eye is not None and not self._errands.empty():
            self._errands.get()(self._eye)

    def _looked(self, frame: Frame) -> Look:
        eye, health = self._eye, self._watcher.health
        if eye is None:
            return Look(frame, self._seen_s, health=health)
        return Look(frame, self._seen_s, eye.zones, eye.seen, eye.homography, health)

    def _judge(self, listener: Listener, picture: SourceHealth) -> None:
        for health in (self._watcher.health, picture):
            if health is not SourceHealth.OK:
                self._tell(listener, "degraded", health.advice)
                return
        self._tell(listener, "ready", "")

    def _tell(self, listener: Listener, health: CameraHealth, words: str) -> None:
        """Say how the camera is, once for each change."""
        if (health, words) != self._said:
            self._said = (health, words)
            _LOGGER.info("camera %s %s", health, words)
            listener.told(health, words)

    def _reopen(self, reopen: Callable[[], FrameSource]) -> bool:
        """Open the camera again, however long it takes; False when the feed is stopped."""
        self._source.close()
        wait_s = FIRST_WAIT_S
        while not self._stop.wait(wait_s):
            try:
                self._source = reopen()
                return True
            except VisionError as error:
                _LOGGER.info("the camera is still away: %s", error)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)
        return False


def _sure_zones(watcher: Watcher) -> Zones | None:
    """Where the zones lie in the picture; None while the watcher is not sure of it."""
    zones = getattr(watcher, "zones", None)
    is_sure = isinstance(zones, Zones) and watcher.health is SourceHealth.OK
    return zones if is_sure else None


class Feed(Protocol):
    """One camera or several that watch a table."""

    @property
    def age_s(self) -> float:
        """How long ago the newest picture came."""
        ...

    def start(self, listener: Listener, /) -> None:
        """Begin to read, and tell the listener."""
        ...

    def stop(self) -> None:
        """Stop reading; returns when it has ended."""
        ...


class JoinedFeed:
    """Several cameras on one table, told of as one camera: its health is that of the worst.

    Args:
        feeds: Their watchers share out the zones between them.
    """

    def __init__(self, feeds: tuple[Feed, ...]) -> None:
        self._feeds = feeds
        self._lock = threading.Lock()
        self._states: list[tuple[CameraHealth, str]] = [("ready", "")] * len(feeds)
        self._said: tuple[CameraHealth, str] = ("ready", "")

    @property
    def feeds(self) -> tuple[Feed, ...]:
        """Each of them."""
        return self._feeds

    @property
    def age_s(self) -> float:
        """How long ago the newest picture came, of the camera that is furthest behind."""
        return max(feed.age_s for feed in self._feeds)

    def start(self, listener: Listener) -> None:
        """Begin to read with all of them."""
        for number, feed in enumerate(self._feeds):
            feed.start(replace(listener, told=self._told(listener, number)))

    def stop(self) -> None:
        """Stop all of them."""
        for feed in self._feeds:
            feed.stop()

    def _told(self, listener: Listener, number: int) -> Callable[[CameraHealth, str], None]:
        def told(health: CameraHealth, words: str) -> None:
            with self._lock:
                named = f"camera {number + 1}: {words}" if words else ""
                self._states[number] = (health, named)
                worst = max(self._states, key=lambda state: _BADNESS[state[0]])
                if worst != self._said:
                    self._said = worst
                    listener.told(*worst)

        return told


def cameras_of(feed: Feed | None) -> tuple[CameraFeed, ...]:
    """The cameras behind a feed, one by one."""
    if isinstance(feed, JoinedFeed):
        return tuple(camera for each in feed.feeds for camera in cameras_of(each))
    return (feed,) if isinstance(feed, CameraFeed) else ()


class _Judge:
    """The health of the pictures, once several judgements agree."""

    def __init__(self, expects_noise: bool) -> None:
        self._monitor = HealthMonitor(expects_noise=expects_noise)
        self._fed = self._agreeing = 0
        self._newest = self._sure = SourceHealth.OK

    def look(self, frame: Frame) -> SourceHealth:
        """Judge now and then; what was found last holds in between."""
        self._fed += 1
        if self._fed % JUDGE_EVERY == 0:
            health = self._monitor.feed(frame)
            self._agreeing = self._agreeing + 1 if health is self._newest else 1
            self._newest = health
            if self._agreeing >= _SURE_LOOKS:
                self._sure = health
        return self._sure
