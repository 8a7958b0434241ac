"""The pictures that belong to a ruling or an alarm, in words."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.view.texts import text


class PictureView(msgspec.Struct, frozen=True, kw_only=True):
    """One picture: ``words`` say what it shows, for its caption and for who cannot see it."""

    name: str
    words: str
    is_best: bool = False
    is_covered: bool = False
    is_sealed: bool = False


class EvidenceView(msgspec.Struct, frozen=True, kw_only=True):
    """The pictures of a ruling or an alarm.

    ``is_failing`` says that no picture can be written at present.
    """

    pictures: tuple[PictureView, ...] = ()
    is_failing: bool = False


def picture_words(
    moment: Literal["before", "best", "after"], away_ms: int, lang: str, *, is_covered: bool
) -> str:
    """What a picture shows.

    Args:
        moment: Before, after, or the best one.
        away_ms: Milliseconds between it and the best one.
        lang: ``en`` or ``fr``.
        is_covered: Whether all but the public places is black.
    """
    if is_covered:
        return text("picture.covered", lang)
    seconds = f"{abs(away_ms) / 1000:.1f}"
    if lang == "fr":
        seconds = seconds.replace(".", ",")
    return text(f"picture.{moment}", lang, s=seconds)
