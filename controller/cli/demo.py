"""``cutcard demo``: a whole simulated table, on the dealer page or as lines."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Final, Literal

import msgspec
import typer

from controller.cli.failures import CommandError, ExitCode
from controller.cli.stopping import run_until_stopped
from controller.demo import DemoOptions, HandReport, play

WATCHED_PACE_S: Final = 1.2
"""Seconds per act when somebody watches: time enough to read one instruction."""

HANDS_UNWATCHED: Final = 10
"""Hands played without a page when no number is given."""


def demo(
    hands: Annotated[
        int, typer.Option("--hands", min=0, help="Hands to play; 0: until Ctrl-C with a page.")
    ] = 0,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Same seed, same hands and mistakes.")
    ] = 1,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="No page: play as fast as possible and end.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line per hand.")] = False,
    rulebook: Annotated[
        str, typer.Option("--rulebook", "-r", help="A name of `cutcard rulebook list`, or a file.")
    ] = "ck",
    seats: Annotated[int, typer.Option("--seats", min=2, max=10, help="Players.")] = 6,
    language: Annotated[
        Literal["en", "fr"], typer.Option("--language", help="Language of the page.")
    ] = "en",
    port: Annotated[
        int, typer.Option("--port", min=1, max=65535, help="Port of the page on this computer.")
    ] = 8080,
    video: Annotated[
        str, typer.Option("--video", metavar="FILE", help="Watch a video instead of simulating.")
    ] = "",
    camera: Annotated[
        int | None,
        typer.Option("--camera", min=0, metavar="N", help="Watch USB camera N instead."),
    ] = None,
    speed: Annotated[
        float, typer.Option("--speed", min=0.1, help="2 plays twice as fast on the page.")
    ] = 1.0,
) -> int:
    """Play a simulated table: real bytes, rendered pictures, a dealer who makes mistakes.

    A software shuffler speaks the real protocol, the pictures go through the real recogniser, and
    the simulated dealer follows the page. Exit code 1 when a mistake was missed, something was
    reported that had not happened, or a hand ended inconsistent.

    With --video or --camera a real table with the printed markers (docs/camera.md) is watched
    instead, without a shoe; a line per hand says what was ruled.

    Example: `cutcard demo --hands 5 --seed 1 --no-browser --json`
    """
    if video and camera is not None:
        raise CommandError("give either --video or --camera, not both")
    options = DemoOptions(
        source=video if camera is None else f"camera:{camera}",
        hands=hands or (HANDS_UNWATCHED if no_browser else 0),
        seed=seed,
        rulebook=rulebook,
        seats=seats,
        language=language,
        pace_s=0.0 if no_browser else WATCHED_PACE_S / speed,
        port=0 if no_browser else port,
        show=not no_browser and has_display(),
    )
    return run_until_stopped(_play(options, as_json))


def has_display() -> bool:
    """Whether a browser window can be opened; without one only the address is said."""
    if sys.platform != "linux":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


async def _play(options: DemoOptions, as_json: bool) -> ExitCode:
    good, count = True, 0
    async for report in play(options, _say_address):
        good, count = good and report.is_good, count + 1
        line = msgspec.json.encode(report).decode() if as_json else in_words(report)
        print(line, flush=True)
    if not as_json:
        verdict = "every mistake found, nothing else reported" if good else "see the lines above"
        print(f"{count} hands: {verdict}")
    return ExitCode.DONE if good else ExitCode.FOUND_FAILURE


def in_words(report: HandReport) -> str:
    """One hand in one line."""
    injected = ", ".join(report.injected).replace("_", " ") or "no mistake"
    rulings = "; ".join(f"{r.irregularity}: {r.verdict}" for r in report.rulings)
    parts = [f"hand {report.hand}: {injected}", rulings.replace("_", " ")]
    parts += [f"MISSED {kind}" for kind in report.missed]
    parts += [f"FALSE {kind}" for kind in report.false]
    parts += [f"INCONSISTENT {problem}" for problem in report.problems]
    return " | ".join(part for part in parts if part)


def _say_address(address: str) -> None:
    print(f"The dealer page is at {address} - Ctrl-C ends.", file=sys.stderr, flush=True)
