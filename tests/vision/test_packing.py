from __future__ import annotations

import numpy as np

from vision.layout import TableLayout
from vision.levels import Levels
from vision.packing import Patch, inked_patches, packed
from vision.rendered import PlacedCard, RenderedCamera, Scene, card_quad, render
from vision.values import Face

CAMERA = RenderedCamera()


def test_even_cloth_is_not_worth_a_look() -> None:
    assert inked_patches(Levels(np.full((270, 480, 3), 60, np.uint8)), 0) == []


def test_every_card_of_a_table_lies_in_patches_and_most_of_the_cloth_does_not() -> None:
    layout = TableLayout.standard(10)
    spots = [p for seat in (1, 4, 7) for p in layout.places(f"seat:{seat}", 2)]
    scene = Scene(tuple(PlacedCard("8s", Face.UP, x, y) for x, y in spots))
    pose = CAMERA.homography(scene.width_mm, scene.height_mm)
    picture = render(scene, CAMERA)

    patches = inked_patches(Levels(picture), 0)

    shown = np.zeros(picture.shape[:2], dtype=bool)
    for p in patches:
        shown[p.top : p.top + p.height, p.left : p.left + p.width] = True
    for card in scene.cards:
        corners = np.array(card_quad(card, pose))
        inner = corners.mean(axis=0) + 0.8 * (corners - corners.mean(axis=0))
        assert all(shown[int(y), int(x)] for x, y in inner)
    assert shown.mean() < 0.3


def test_a_sheet_holds_each_patch_unchanged_and_none_on_another() -> None:
    picture = np.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    levels = Levels(picture)
    patches = [Patch(0, 16 * n, 32, 48 + 16 * n, 96 - 16 * n) for n in range(4)]
    patches.append(Patch(1, 0, 0, 160, 112))

    sheet, places = packed(levels, patches)

    used = np.zeros(sheet.shape[:2], dtype=np.int64)
    for patch, (left, top) in zip(patches, places, strict=True):
        cut = sheet[top : top + patch.height, left : left + patch.width]
        source = levels.at(patch.level)[patch.top :, patch.left :]
        assert (cut == source[: patch.height, : patch.width]).all()
        used[top : top + patch.height, left : left + patch.width] += 1
    assert used.max() == 1


def test_small_patches_share_a_shelf_with_a_high_one() -> None:
    levels = Levels(np.full((400, 400, 3), 200, np.uint8))
    small = [Patch(0, 0, 0, 48, 48) for _ in range(16)]
    high = [Patch(0, 0, 0, 96, 192) for _ in range(2)]

    sheet, _ = packed(levels, [*small, *high])

    assert sheet.shape[0] * sheet.shape[1] <= 1.3 * (16 * 48 * 48 + 2 * 96 * 192)


def test_a_patch_that_reaches_over_the_border_is_filled_up_with_black() -> None:
    levels = Levels(np.full((100, 100, 3), 200, np.uint8))

    sheet, [(left, top)] = packed(levels, [Patch(0, 80, 80, 32, 32)])

    assert (sheet[top : top + 20, left : left + 20] == 200).all()
    assert (sheet[top + 20 : top + 32, left : left + 32] == 0).all()
