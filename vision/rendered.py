"""A camera over a table that does not exist: pictures of placed cards.

The picture is deterministic: the same scene, camera and frame number give the
same pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.artwork import (
    BACK_COLOURS,
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    FaceStyle,
    draw_back,
    draw_face,
    is_back,
)
from vision.felt import draw_felt
from vision.layout import VIEW_HEIGHT_MM, VIEW_WIDTH_MM
from vision.values import CARD_LABELS, Face, Point, Quad
from vision.zones import Homography, map_points

Image = NDArray[np.uint8]

_SHADOW_PX: Final = 6
"""Room around a card for its shadow."""

_SHADOW_DEPTH: Final = 0.38
_SKIN: Final = (125, 160, 205)
_USUAL_FACE: Final = FaceStyle()


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card lying on the table.

    Attributes:
        card: A label of CARD_LABELS; it matters only when ``face`` is UP.
        face: The side towards the camera.
        x_mm: Centre of the card, from the left of the view.
        y_mm: Centre of the card, from the top of the view.
        angle_deg: Turned clockwise by this much; 0 is upright for the dealer.
        back: Colour of its back: ``red``, ``blue`` or ``other``.
        style: How its face is printed.
    """

    card: str
    face: Face
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0
    back: str = "red"
    style: FaceStyle = _USUAL_FACE

    def __post_init__(self) -> None:
        """Refuse a card that cannot be drawn."""
        if self.face is Face.UP and self.card not in CARD_LABELS:
            raise ValueError(f"{self.card!r} cannot lie face up; use a label such as 'As'")
        if not is_back(self.back):
            raise ValueError(f"no back called {self.back!r}; use {', '.join(BACK_COLOURS)}")


@dataclass(frozen=True, slots=True)
class Disc:
    """A chip or a button lying on the table: centre, radius and BGR colour."""

    x_mm: float
    y_mm: float
    colour: tuple[int, int, int] = (40, 40, 190)
    radius_mm: float = 19.5


@dataclass(frozen=True, slots=True)
class Scene:
    """What lies on the table; later cards lie on top of earlier ones.

    ``hands`` are the finger tips of hands reaching in over everything, in
    millimetres; each hand comes from the nearer of the top and bottom edges.
    """

    cards: tuple[PlacedCard, ...] = ()
    chips: tuple[Disc, ...] = ()
    hands: tuple[Point, ...] = ()
    width_mm: float = VIEW_WIDTH_MM
    height_mm: float = VIEW_HEIGHT_MM


@dataclass(frozen=True, slots=True)
class RenderedCamera:
    """A pinhole camera above the table that just sees the whole view.

    Attributes:
        width_px: Width of its pictures.
        height_px: Height of its pictures.
        tilt_deg: Lean away from straight down, towards the far side.
        roll_deg: Turn about its own axis.
        distance_mm: From the lens to the middle of the table.
        noise: Standard deviation of the sensor noise, in grey levels.
        blur_px: Standard deviation of the lens blur; 0 for none.
        light: Brightness of the whole picture, 1.0 as usual.
        seed: Of the noise and the felt.
    """

    width_px: int = 1280
    height_px: int = 720
    tilt_deg: float = 4.0
    roll_deg: float = 0.0
    distance_mm: float = 1800.0
    noise: float = 2.0
    blur_px: float = 0.45
    light: float = 1.0
    seed: int = 1

    def homography(self, width_mm: float, height_mm: float) -> Homography:
        """Table millimetres to pixels, shape (3, 3)."""
        return _pose(self, width_mm, height_mm)


def card_quad(placed: PlacedCard, homography: Homography) -> Quad:
    """Where a placed card's corners appear, in pixels, its own top left first."""
    corners = (
        (0.0, 0.0),
        (CARD_WIDTH_MM, 0.0),
        (CARD_WIDTH_MM, CARD_HEIGHT_MM),
        (0.0, CARD_HEIGHT_MM),
    )
    a, b, c, d = map_points(homography @ _lying(placed), corners)
    return (a, b, c, d)


def render(scene: Scene, camera: RenderedCamera | None = None, number: int = 0) -> Image:
    """The picture of a scene.

    Args:
        scene: What lies on the table.
        camera: From where and how it is seen; the usual camera when absent.
        number: Number of the frame; only the noise depends on it.

    Returns:
        The frame, shape (height_px, width_px, 3), BGR.
    """
    camera = camera or RenderedCamera()
    clean = _clean(scene, camera)
    if camera.noise <= 0:
        return clean.copy()
    brighter, darker = _noise_bank(camera.noise, camera.seed, clean.shape[:2])
    rng = np.random.default_rng((camera.seed, number))
    up, left = (int(v) for v in rng.integers(0, _NOISE_SLACK, 2))
    window = np.s_[up : up + clean.shape[0], left : left + clean.shape[1]]
    noisy = cv2.subtract(cv2.add(clean, brighter[window]), darker[window])
    return np.asarray(noisy, dtype=np.uint8)


_NOISE_SLACK: Final = 64


@lru_cache(maxsize=4)
def _noise_bank(sigma: float, seed: int, shape: tuple[int, int]) -> tuple[Image, Image]:
    """Noise to add and noise to take away, larger than a frame so that windows differ."""
    rng = np.random.default_rng(seed)
    height, width = shape[0] + _NOISE_SLACK, shape[1] + _NOISE_SLACK
    noise = np.rint(rng.standard_normal((height, width, 3), dtype=np.float32) * sigma)
    return (
        np.asarray(np.clip(noise, 0, 255), dtype=np.uint8),
        np.asarray(np.clip(-noise, 0, 255), dtype=np.uint8),
    )


@lru_cache(maxsize=16)
def _pose(camera: RenderedCamera, width_mm: float, height_mm: float) -> Homography:
    tilt, roll = math.radians(camera.tilt_deg), math.radians(camera.roll_deg)
    lean = np.array(
        [[1, 0, 0], [0, math.cos(tilt), -math.sin(tilt)], [0, math.sin(tilt), math.cos(tilt)]]
    )
    turn = np.array(
        [[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]
    )
    rotation = turn @ lean
    centred = np.array([[1, 0, -width_mm / 2], [0, 1, -height_mm / 2], [0, 0, 1.0]])
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, camera.distance_mm)])
    view = plane @ centred
    corners = map_points(view, [(0, 0), (width_mm, 0), (width_mm, height_mm), (0, height_mm)])
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    focal = min(camera.width_px / (max(xs) - min(xs)), camera.height_px / (max(ys) - min(ys)))
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    lens = np.array(
        [
            [focal, 0, camera.width_px / 2 - focal * middle_x],
            [0, focal, camera.height_px / 2 - focal * middle_y],
            [0, 0, 1.0],
        ]
    )
    pose = lens @ view
    return np.asarray(pose / pose[2, 2], dtype=np.float64)


def _lying(placed: PlacedCard) -> Homography:
    """Card millimetres to table millimetres."""
    angle = math.radians(placed.angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    half_x, half_y = CARD_WIDTH_MM / 2, CARD_HEIGHT_MM / 2
    return np.array(
        [
            [cos, -sin, placed.x_mm - cos * half_x + sin * half_y],
            [sin, cos, placed.y_mm - sin * half_x - cos * half_y],
            [0, 0, 1.0],
        ]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """A card as it appears: its pixels and shadow at a place of the frame."""

    x: int
    y: int
    paint: NDArray[np.float32] = field(repr=False)
    keep: NDArray[np.float32] = field(repr=False)


@lru_cache(maxsize=4)
def _background(camera: RenderedCamera, width_mm: float, height_mm: float) -> Image:
    felt = draw_felt(width_mm, height_mm, camera.seed)
    scale = felt.shape[1] / width_mm
    to_mm = np.diag([1 / scale, 1 / scale, 1.0])
    size = (camera.width_px, camera.height_px)
    warped = cv2.warpPerspective(
        felt, _pose(camera, width_mm, height_mm) @ to_mm, size, borderValue=(48, 52, 56)
    )
    lit = warped * _lighting(camera)[..., None]
    return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)


@lru_cache(maxsize=4)
def _lighting(camera: RenderedCamera) -> NDArray[np.float32]:
    """A lamp above the middle, brighter to the upper left: factors, shape (H, W)."""
    y, x = np.mgrid[0 : camera.height_px, 0 : camera.width_px].astype(np.float32)
    dx, dy = x / camera.width_px - 0.45, y / camera.height_px - 0.42
    light = camera.light * (1.04 - 0.42 * (dx * dx + dy * dy))
    return np.asarray(light, dtype=np.float32)


@lru_cache(maxsize=512)
def _patch(placed: PlacedCard, camera: RenderedCamera, size_mm: tuple[float, float]) -> _Patch:
    pose = _pose(camera, *size_mm)
    quad = np.array(card_quad(placed, pose))
    x, y = np.floor(quad.min(axis=0)).astype(int) - _SHADOW_PX
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + _SHADOW_PX + 2
    width, height = int(right - x), int(bottom - y)
    side_px = float(np.linalg.norm(quad[1] - quad[0]))
    drawn_px = max(16, round(side_px * 1.2))
    picture = (
        draw_face(placed.card, drawn_px, style=placed.style)
        if placed.face is Face.UP
        else draw_back(placed.back, drawn_px)
    )
    shrink = np.diag([CARD_WIDTH_MM / picture.shape[1], CARD_HEIGHT_MM / picture.shape[0], 1.0])
    shift = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]])
    warp = shift @ pose @ _lying(placed) @ shrink
    rgba = picture.astype(np.float32)
    rgba[..., :3] *= rgba[..., 3:] / 255
    seen = cv2.warpPerspective(rgba, warp, (width, height), flags=cv2.INTER_LINEAR)
    alpha = seen[..., 3:] / 255
    shadow = cv2.GaussianBlur(alpha, (0, 0), 2.2)[..., None]
    shadow = np.roll(shadow, (2, 1), axis=(0, 1)) * _SHADOW_DEPTH
    light = _cut_out(_lighting(camera), int(x), int(y), width, height)[..., None]
    paint = seen[..., :3] * light * 0.93
    keep = (1 - alpha) * (1 - shadow)
    return _Patch(int(x), int(y), paint.astype(np.float32), keep.astype(np.float32))


def _cut_out(
    plane: NDArray[np.float32], x: int, y: int, width: int, height: int
) -> NDArray[np.float32]:
    """A window of a plane, its edge repeated where the window reaches outside."""
    rows = np.clip(np.arange(y, y + height), 0, plane.shape[0] - 1)
    columns = np.clip(np.arange(x, x + width), 0, plane.shape[1] - 1)
    return plane[rows[:, None], columns[None, :]]


@lru_cache(maxsize=4)
def _clean(scene: Scene, camera: RenderedCamera) -> Image:
    """The frame before the sensor's noise."""
    size_mm = (scene.width_mm, scene.height_mm)
    frame = _background(camera, *size_mm).copy()
    pose = _pose(camera, *size_mm)
    for disc in scene.chips:
        _draw_disc(frame, disc, pose)
    for placed in scene.cards:
        _lay(frame, _patch(placed, camera, size_mm))
    for tip in scene.hands:
        _draw_hand(frame, tip, pose, scene)
    if camera.blur_px > 0:
        cv2.GaussianBlur(frame, (3, 3), camera.blur_px, dst=frame)
    frame.flags.writeable = False
    return frame


def _lay(frame: Image, patch: _Patch) -> None:
    height, width = patch.keep.shape[:2]
    top, left = max(0, patch.y), max(0, patch.x)
    bottom = min(frame.shape[0], patch.y + height)
    right = min(frame.shape[1], patch.x + width)
    if bottom <= top or right <= left:
        return
    part = np.s_[top - patch.y : bottom - patch.y, left - patch.x : right - patch.x]
    under = frame[top:bottom, left:right]
    mixed = under * patch.keep[part] + patch.paint[part]
    frame[top:bottom, left:right] = np.clip(mixed, 0, 255).astype(np.uint8)


def _draw_disc(frame: Image, disc: Disc, pose: Homography) -> None:
    angle = np.linspace(0, 2 * math.pi, 32, endpoint=False)
    for radius, colour in ((1.0, disc.colour), (0.72, (225, 228, 230)), (0.6, disc.colour)):
        reach = disc.radius_mm * radius
        ring = [(disc.x_mm + reach * math.cos(a), disc.y_mm + reach * math.sin(a)) for a in angle]
        outline = np.round(np.array(map_points(pose, ring))).astype(np.int32)
        cv2.fillPoly(frame, [outline], colour, cv2.LINE_AA)


def _draw_hand(frame: Image, tip: Point, pose: Homography, scene: Scene) -> None:
    """A sleeve, a palm and four fingers, pointing in from the nearer edge."""
    x, y = tip
    inward = -1.0 if y > scene.height_mm / 2 else 1.0
    edge = scene.height_mm + 60 if inward < 0 else -60.0
    scale = math.dist(*map_points(pose, [(x, y), (x + 100, y)])) / 100
    palm_y = y - inward * 95

    def line(a: Point, b: Point, width_mm: float, colour: tuple[int, int, int]) -> None:
        (ax, ay), (bx, by) = map_points(pose, [a, b])
        start, end = (round(ax), round(ay)), (round(bx), round(by))
        cv2.line(frame, start, end, colour, max(1, round(width_mm * scale)), cv2.LINE_AA)

    line((x, palm_y), (x, edge), 80, (60, 45, 40))
    line((x, palm_y), (x, palm_y - inward * 30), 85, _SKIN)
    for offset in (-30, -10, 10, 30):
        line((x + offset, palm_y), (x + offset * 1.1, y), 17, _SKIN)
