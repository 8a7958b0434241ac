from __future__ import annotations

import shutil
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.artwork import draw_face
from vision.corners import CROP_SIZE, CornerReader, cut_index
from vision.errors import ModelError
from vision.levels import Levels
from vision.reader import MODEL_PATH
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import Face

CAMERA = RenderedCamera(seed=3)
INDEX_SHARE = 17.7 / 88
"""Index height by card height on the project's own standard face."""


@lru_cache(maxsize=1)
def corners() -> CornerReader:
    return CornerReader.load(MODEL_PATH.parent)


@pytest.mark.parametrize("angle_deg", [0, 35, 90, 160, 255])
def test_both_indices_of_a_card_are_found_where_they_are(angle_deg: float) -> None:
    scene = Scene((PlacedCard("Ah", Face.UP, 700, 300, angle_deg),))
    pose = CAMERA.homography(scene.width_mm, scene.height_mm)
    quad = np.array(card_quad(scene.cards[0], pose))
    height = float(np.hypot(*(quad[3] - quad[0])))

    found = [
        i
        for i in corners().read(Levels(render(scene, CAMERA)))
        if i.card == "Ah" and i.confidence > 0.5
    ]

    down = (quad[3] - quad[0]) / height
    assert len(found) == 2
    for index in found:
        upright = bool(index.down @ down > 0)
        corner = quad[0] if upright else quad[2]
        assert np.hypot(*(index.middle - corner)) < 0.2 * height
        assert abs(float(index.down @ down)) > 0.97
        assert index.height == pytest.approx(INDEX_SHARE * height, rel=0.3)


def test_a_table_without_cards_has_no_index_that_is_named_for_sure() -> None:
    found = corners().read(Levels(render(Scene(), CAMERA)))

    assert [i for i in found if i.confidence > 0.9 and i.score > 0.5] == []


def test_shares_are_distributions_over_ranks_and_suits() -> None:
    crops = np.random.default_rng(3).integers(0, 255, (5, 48, 32, 3), dtype=np.uint8)

    ranks, suits = corners().shares(crops)

    assert (ranks.shape, suits.shape) == ((5, 14), (5, 4))
    assert ranks.sum(axis=1) == pytest.approx(1)
    assert suits.sum(axis=1) == pytest.approx(1)


@pytest.mark.parametrize("turns", range(4))
def test_an_index_is_cut_out_upright_however_the_picture_is_turned(turns: int) -> None:
    face = np.ascontiguousarray(draw_face("Qs", 252)[..., :3])
    upright = cut_index(face, (25.2, 51.0), np.pi / 2, 70.8)
    turned = np.ascontiguousarray(np.rot90(face, turns))
    x, y = 25.2, 51.0
    width, height = face.shape[1], face.shape[0]
    for _ in range(turns):  # counter-clockwise, as numpy turns
        x, y, width, height = y, width - 1 - x, height, width

    cut = cut_index(turned, (x, y), np.pi / 2 - turns * np.pi / 2, 70.8)

    assert cut.shape == (CROP_SIZE[1], CROP_SIZE[0], 3)
    assert cv2.norm(cut, upright, cv2.NORM_L1) / cut.size < 3


@pytest.mark.parametrize("name", ["finder.onnx", "indices.onnx", "corners.json"])
def test_an_absent_or_damaged_net_is_named(tmp_path: Path, name: str) -> None:
    for file in MODEL_PATH.parent.glob("*.*"):
        shutil.copy(file, tmp_path)
    (tmp_path / name).write_bytes(b"no net")

    with pytest.raises(ModelError, match=name.replace(".", r"\.")):
        CornerReader.load(tmp_path)
