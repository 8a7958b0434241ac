"""A video in place of the rendered table: the same reader, rules and rulings."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from controller.cards import Card
from controller.demo import DemoOptions, play
from controller.demo.camera import set_out
from controller.demo.world import World
from vision import RenderedCamera, SourceError, TableLayout, render

PICTURES = 12
SEATS = 3


class Film:
    """Records a world's moments to a video file."""

    def __init__(self, path: Path) -> None:
        self.world = World()
        self._layout = TableLayout.standard(SEATS)
        self._camera = RenderedCamera()
        size = (self._camera.width_px, self._camera.height_px)
        self._out = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, size)
        self._number = 0
        self.hold()

    def lay(self, face: str, zone: str, *, up: bool = False) -> None:
        card = next(c for c in self.world.shoe if c.face is Card(face))
        self.world.lay(self.world.leave_shoe(card.uid), zone, up=up)
        self.hold()

    def hold(self) -> None:
        for _ in range(PICTURES):
            self._out.write(render(set_out(self.world, self._layout), self._camera, self._number))
            self._number += 1

    def close(self) -> None:
        self._out.release()


async def rulings(path: Path) -> list[tuple[str, str]]:
    options = DemoOptions(source=str(path), seats=SEATS, hands=1)
    return [
        (ruling.irregularity, ruling.verdict)
        async for report in play(options)
        for ruling in report.rulings
    ]


@pytest.mark.clause("ck.misdeal.g")
async def test_the_second_card_exposed_in_a_video_is_a_misdeal(tmp_path: Path) -> None:
    film = Film(tmp_path / "exposed.avi")
    film.lay("Kd", "seat:2")
    film.lay("7c", "seat:3", up=True)
    film.close()

    assert await rulings(tmp_path / "exposed.avi") == [("exposed_card", "misdeal")]


async def test_a_hand_dealt_right_leads_to_no_ruling(tmp_path: Path) -> None:
    film = Film(tmp_path / "clean.avi")
    for face, seat in zip(("Kd", "7c", "2h", "As", "9d", "4c"), (2, 3, 1, 2, 3, 1), strict=True):
        film.lay(face, f"seat:{seat}")
    film.lay("5s", "burn")
    for place, face in enumerate(("Tc", "Jh", "3d"), start=1):
        film.lay(face, f"board:{place}", up=True)
    film.close()

    assert await rulings(tmp_path / "clean.avi") == []


async def test_a_video_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nothing\.avi"):
        await rulings(tmp_path / "nothing.avi")
