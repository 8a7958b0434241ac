"""A source's health, told from its pictures and their times."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.rendered import RenderedCamera, Scene, render
from vision.sources.frames import Frame
from vision.sources.health import HealthMonitor, SourceHealth, judge_picture

TABLE = render(Scene(), RenderedCamera())


def blurred(image: NDArray[np.uint8], sigma: float) -> NDArray[np.uint8]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)


@pytest.mark.parametrize(
    ("image", "health"),
    [
        (TABLE, SourceHealth.OK),
        (np.zeros((720, 1280, 3), np.uint8), SourceHealth.BLACK),
        ((TABLE // 40), SourceHealth.BLACK),
        (blurred(TABLE, 12), SourceHealth.BLURRED),
    ],
    ids=["a good picture", "nothing at all", "lens cover on", "out of focus"],
)
def test_a_picture_is_judged(image: NDArray[np.uint8], health: SourceHealth) -> None:
    assert judge_picture(image) is health


def test_a_stream_that_repeats_one_picture_is_frozen() -> None:
    monitor = HealthMonitor()
    states = [monitor.feed(Frame(TABLE, n * 0.5, n)) for n in range(6)]

    assert states[:4] == [SourceHealth.OK] * 4
    assert states[4:] == [SourceHealth.FROZEN] * 2


def test_a_new_picture_thaws_it() -> None:
    monitor = HealthMonitor()
    for number in range(6):
        monitor.feed(Frame(TABLE, float(number), number))

    assert monitor.feed(Frame(render(Scene(), number=9), 6.0, 6)) is SourceHealth.OK


def test_files_may_repeat_a_picture() -> None:
    monitor = HealthMonitor(expects_noise=False)

    assert {monitor.feed(Frame(TABLE, float(n), n)) for n in range(6)} == {SourceHealth.OK}


def test_silence_means_lost() -> None:
    monitor = HealthMonitor()
    monitor.feed(Frame(TABLE, 10.0, 0))

    assert monitor.at(12.9) is SourceHealth.OK
    assert monitor.at(13.0) is SourceHealth.LOST


@pytest.mark.parametrize("health", [h for h in SourceHealth if h is not SourceHealth.OK])
def test_every_fault_says_what_to_do(health: SourceHealth) -> None:
    assert health.advice.startswith("The ")
    assert ":" in health.advice
