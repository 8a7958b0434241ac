"""The camera's thread: what it hands over, how a lost camera comes back, and how it ends."""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_mock import MockerFixture

from controller.events import DeviceReported
from controller.rulebook import load_rulebook
from controller.runtime import CameraFeed, Journal, Table, TableConfig
from controller.runtime.camera import JUDGE_EVERY, CameraHealth, JoinedFeed, Listener
from controller.runtime.config import CameraSection, TableSection
from vision import (
    Frame,
    ReadingSource,
    RenderedCamera,
    Scene,
    Sighting,
    SourceError,
    SourceHealth,
    render,
)

PLAIN = render(Scene(), RenderedCamera(width_px=640, height_px=360))
BLACK = np.zeros_like(PLAIN)
ANSWER_S = 10.0
"""How long a test waits for the feed's thread; it answers in milliseconds."""


class Pictures(ReadingSource):
    """Gives pictures, then breaks off like a camera whose cable is pulled; or ends."""

    def __init__(self, *images: NDArray[np.uint8], breaks: bool = True, on: bool = False) -> None:
        self._images: Iterator[NDArray[np.uint8]] = itertools.repeat(PLAIN) if on else iter(images)
        self._breaks, self._number = breaks, 0
        self.is_closed = False

    def read(self) -> Frame | None:
        for image in self._images:
            self._number += 1
            return Frame(image, self._number / 30, self._number - 1)
        if self._breaks:
            raise SourceError("camera 0 has stopped giving pictures; check its cable")
        return None

    def close(self) -> None:
        self.is_closed = True


class Counting:
    """Says one sighting for each frame."""

    def __init__(self, health: SourceHealth = SourceHealth.OK) -> None:
        self.health = health

    def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
        return (Sighting("burn", (), frame.number, frame.at_s),)


class Silent(Counting):
    """Says nothing."""

    def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
        return ()


class Heard:
    """What a feed said, in order."""

    def __init__(self) -> None:
        self.all: queue.Queue[tuple[str, str]] = queue.Queue()
        self.listener = Listener(
            lambda sighting: self.all.put(("seen", sighting.zone)),
            lambda health, words: self.all.put((health, words)),
            lambda cause: self.all.put(("failed", str(cause))),
        )

    def until(self, *kinds: CameraHealth | str) -> list[tuple[str, str]]:
        """Everything up to the last of these, which must come in this order."""
        heard, wanted = [], list(kinds)
        while wanted:
            heard.append(self.all.get(timeout=ANSWER_S))
            if heard[-1][0] == wanted[0]:
                wanted.pop(0)
        return heard


@pytest.fixture(autouse=True)
def no_waits(mocker: MockerFixture) -> None:
    mocker.patch("controller.runtime.camera.FIRST_WAIT_S", 0.001)
    mocker.patch("controller.runtime.camera.LONGEST_WAIT_S", 0.002)


def test_a_lost_camera_is_said_opened_again_and_said_ready() -> None:
    first, second = Pictures(PLAIN), Pictures(PLAIN, PLAIN)
    tries = iter(range(1, 100))

    def reopen() -> Pictures:
        if next(tries) != 3:
            raise SourceError("still away")
        return second

    heard = Heard()
    feed = CameraFeed(first, Counting(), reopen=reopen)
    feed.start(heard.listener)
    said = heard.until("lost", "ready", "lost")
    feed.stop()

    assert [kind for kind, _ in said] == ["seen", "lost", "seen", "ready", "seen", "lost"]
    assert "check its cable" in said[1][1]
    assert first.is_closed
    assert second.is_closed


def test_a_camera_that_cannot_be_opened_again_is_lost_for_good() -> None:
    heard = Heard()
    feed = CameraFeed(Pictures(PLAIN), Counting())
    feed.start(heard.listener)

    assert heard.until("lost")[-1][0] == "lost"
    feed.stop()
    assert heard.all.empty()


def test_a_file_at_its_end_is_not_opened_again() -> None:
    heard = Heard()
    feed = CameraFeed(
        Pictures(PLAIN, breaks=False), Counting(), reopen=lambda: Pictures(PLAIN, breaks=False)
    )
    feed.start(heard.listener)

    assert heard.until("lost")[-1] == ("lost", "the source has no more pictures")
    feed.stop()
    assert heard.all.empty()


def test_stopping_does_not_wait_for_a_camera_that_is_away() -> None:
    heard = Heard()

    def away() -> Pictures:
        raise SourceError("still away")

    feed = CameraFeed(Pictures(), Counting(), reopen=away)
    feed.start(heard.listener)
    heard.until("lost")

    feed.stop()
    assert feed._thread is not None
    assert not feed._thread.is_alive()


@pytest.mark.parametrize(
    ("health", "advice"),
    [(SourceHealth.MOVED, "is found again"), (SourceHealth.ASTRAY, "uncover the table's markers")],
)
def test_a_camera_that_was_moved_is_said_once(health: SourceHealth, advice: str) -> None:
    heard = Heard()
    feed = CameraFeed(Pictures(PLAIN, PLAIN, PLAIN), Counting(health))
    feed.start(heard.listener)
    said = [entry for entry in heard.until("lost") if entry[0] == "degraded"]
    feed.stop()

    assert len(said) == 1
    assert advice in said[0][1]


def test_a_dark_picture_is_said_when_it_lasts_and_when_it_is_over() -> None:
    dark, light = [BLACK] * (3 * JUDGE_EVERY), [PLAIN] * (3 * JUDGE_EVERY)
    heard = Heard()
    feed = CameraFeed(Pictures(*light, *dark, *light), Counting())
    feed.start(heard.listener)
    said = [entry for entry in heard.until("lost") if entry[0] != "seen"]
    feed.stop()

    assert [kind for kind, _ in said] == ["degraded", "ready", "lost"]
    assert "lens cover" in said[0][1]


def test_a_sleeve_before_the_lens_is_no_fault() -> None:
    heard = Heard()
    pictures = [PLAIN] * 40 + [BLACK] * 20 + [PLAIN] * 40
    feed = CameraFeed(Pictures(*pictures), Counting())
    feed.start(heard.listener)
    kinds = {kind for kind, _ in heard.until("lost")}
    feed.stop()

    assert kinds == {"seen", "lost"}


def test_a_fault_of_the_program_is_handed_over(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Counting):
        def feed(self, frame: Frame, /) -> tuple[Sighting, ...]:
            raise RuntimeError("a defect")

    heard = Heard()
    feed = CameraFeed(Pictures(PLAIN), Broken())
    feed.start(heard.listener)

    assert heard.until("failed")[-1] == ("failed", "a defect")
    feed.stop()
    assert "the camera's thread failed" in caplog.text


class Told:
    """A feed that says what it is told to."""

    age_s = 0.0

    def start(self, listener: Listener, /) -> None:
        self.listener = listener

    def stop(self) -> None:
        """Nothing to stop."""


def test_two_cameras_are_as_well_as_the_worse_of_them() -> None:
    one, two, heard = Told(), Told(), Heard()
    JoinedFeed((one, two)).start(heard.listener)
    one.listener.told("degraded", "wipe the lens")
    two.listener.told("lost", "check its cable")
    one.listener.told("ready", "")
    two.listener.told("ready", "")

    assert list(heard.all.queue) == [
        ("degraded", "camera 1: wipe the lens"),
        ("lost", "camera 2: check its cable"),
        ("ready", ""),
    ]


async def test_a_table_goes_on_when_its_camera_is_lost_and_uses_it_when_it_returns(
    tmp_path: Path,
) -> None:
    config = TableConfig(table=TableSection(name="T"), camera=CameraSection(source="camera:0"))
    journal = Journal.open(tmp_path / "t.journal", table_id="T", rulebook="ck")
    is_back = threading.Event()

    def reopen() -> Pictures:
        if not is_back.is_set():
            raise SourceError("camera 0 does not open")
        return Pictures(on=True)

    feed = CameraFeed(Pictures(PLAIN), Silent(), reopen=reopen)
    table = Table(config, load_rulebook("ck"), journal, camera=feed)
    changed = asyncio.Event()
    table.subscribe(changed.set)
    running = asyncio.create_task(table.run())

    async def camera_is(sign: str) -> None:
        while sign not in {d.sign for d in table.view("en").devices if d.name == "Camera"}:
            await asyncio.wait_for(changed.wait(), ANSWER_S)
            changed.clear()

    await camera_is("failure")
    is_back.set()
    await camera_is("ok")
    await table.stop()
    await running
    kept = [entry.event for entry in journal.read() if isinstance(entry.event, DeviceReported)]
    journal.close()

    assert [event.health for event in kept] == ["lost", "ready"]
