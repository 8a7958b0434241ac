"""``cutcard calibrate``: markers to print, and a camera over a table checked by them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from controller.cli.camera_checks import WARM_UP_FRAMES
from controller.cli.failures import CommandError, ExitCode
from controller.cli.findings import (
    Finding,
    failure,
    has_failure,
    ok,
    print_findings,
    warning,
)
from vision import (
    INDEX_MM,
    SHARP_PX,
    SOFT_PX,
    Calibration,
    Frame,
    Legibility,
    TableLayout,
    draw_calibration,
    dump_layout,
    judge_picture,
    legibility,
    load_layout,
    load_zones,
    marker_sheet_pdf,
    open_source,
    with_zones,
    worst_scale,
)
from vision import calibrate as calibrate_picture


class Paper(StrEnum):
    """Paper that the marker sheet is made for."""

    A4 = "A4"
    LETTER = "Letter"


class Index(StrEnum):
    """How the deck in use prints its corner index."""

    STANDARD = "standard"
    JUMBO = "jumbo"


@dataclass(frozen=True, slots=True)
class IndexSize:
    """The corner index of the deck in use: its kind and printed height."""

    kind: str
    height_mm: float

    def px(self, px_per_mm: float) -> float:
        """Its height in a picture."""
        return self.height_mm * px_per_mm


def calibrate(
    source: Annotated[
        str, typer.Argument(metavar="[SOURCE]", help="camera:0, a stream's address or a picture.")
    ] = "",
    sheet: Annotated[
        Path | None, typer.Option("--sheet", help="Write the markers to print into this PDF.")
    ] = None,
    paper: Annotated[Paper, typer.Option(help="Paper of the marker sheet.")] = Paper.A4,
    side_mm: Annotated[
        float, typer.Option("--marker-mm", help="Side of a marker's black square.")
    ] = 60.0,
    count: Annotated[int, typer.Option("--markers", min=1, max=50, help="How many.")] = 4,
    seats: Annotated[int, typer.Option(min=2, max=10, help="Seats of the standard layout.")] = 10,
    layout: Annotated[
        Path | None,
        typer.Option("--layout", help="Zones of your own: TOML, in mm or in pixels of SOURCE."),
    ] = None,
    measure: Annotated[
        bool,
        typer.Option("--measure", help="Measure where the markers lie; zones move along."),
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the layout found into this TOML file.")
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="Write the picture with the zones drawn.")
    ] = None,
    index: Annotated[Index, typer.Option(help="Corner index of the deck.")] = Index.STANDARD,
    index_mm: Annotated[
        float, typer.Option("--index-mm", min=0.0, help="Height of its rank; 0 for the usual.")
    ] = 0.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> int:
    """Print the table's markers; find the table by them and say whether cards can be read.

    Exit code 1: cards cannot be read, or a zone is outside the picture. docs/camera.md explains
    the layout file.

    Example: `cutcard calibrate --sheet markers.pdf`, then
    `cutcard calibrate camera:0 --measure --out table-zones.toml --overlay zones.png`
    """
    if sheet is None and not source:
        raise CommandError("name a SOURCE to look through, or --sheet FILE.pdf for the markers")
    if sheet is not None:
        _write(sheet, marker_sheet_pdf(range(count), side_mm, paper.value))
        if not source:
            _say_sheet(sheet, as_json)
            return ExitCode.DONE
    frame = _picture(source)
    found = _calibrated(frame, _expected(layout, seats, side_mm), layout, measure)
    if out is not None:
        _write(out, dump_layout(found.layout).encode())
    if overlay is not None:
        _write(overlay, _encoded(draw_calibration(frame.image, found), overlay))
    size = IndexSize(index.value, index_mm or INDEX_MM[index.value])
    findings = list(_findings(frame, found, size))
    if as_json:
        print(_json(source, frame, found, size))
    else:
        print_findings(findings, as_json=False)
    return ExitCode.FOUND_FAILURE if has_failure(findings) else ExitCode.DONE


def _expected(file: Path | None, seats: int, side_mm: float) -> TableLayout:
    """The layout asked for; one in pixels only says later where its zones lie."""
    if file is not None and load_zones(file).unit == "mm":
        return load_layout(file)
    return TableLayout.standard(seats).with_marker_side(side_mm)


def _picture(source: str) -> Frame:
    """One picture, after a camera has had time to set its exposure."""
    last = None
    with open_source(source) as opened:
        for frame in opened:
            last = frame
            if frame.number >= WARM_UP_FRAMES:
                break
    if last is None:
        raise CommandError(f"{source} gives no picture; name another")
    return last


def _calibrated(
    frame: Frame, expected: TableLayout, file: Path | None, measure: bool
) -> Calibration:
    found = calibrate_picture(frame.image, expected, measure=measure)
    if file is not None and (drawn := load_zones(file)).unit == "px":
        return with_zones(found, frame.image, drawn.zones)
    return found


def _findings(frame: Frame, found: Calibration, size: IndexSize) -> Iterator[Finding]:
    height, width = frame.image.shape[:2]
    health = judge_picture(frame.image)
    words = f"{width} x {height}"
    yield (
        warning("picture", f"{words}, {health.value}", health.advice)
        if health.advice
        else ok("picture", words)
    )
    yield _about_markers(found)
    scales = [scale.px_per_mm for scale in found.scales]
    yield ok("scale", f"{min(scales):.2f} to {max(scales):.2f} pixels per millimetre")
    yield _about_index(found, size)
    if found.outside:
        yield failure(
            "zones",
            f"not wholly in the picture: {', '.join(found.outside)}",
            "raise or turn the camera, use a second one, or leave the zone out of the layout",
        )
    else:
        yield ok("zones", f"all {len(found.scales)} zones are in the picture")


def _about_markers(found: Calibration) -> Finding:
    numbers = ", ".join(str(n) for n in found.markers)
    fact = f"{numbers} found, {found.error_px:.1f} pixels off on average"
    if found.is_mislaid:
        return failure("markers", fact, "they lie elsewhere than the layout says: add --measure")
    if len(found.markers) < len(found.layout.markers):
        return warning("markers", fact, "uncover the others: a knock shows sooner with all")
    return ok("markers", fact)


def _about_index(found: Calibration, size: IndexSize) -> Finding:
    smallest = worst_scale(found.scales)
    px = size.px(smallest.px_per_mm)
    fact = (
        f"{size.kind} index of {size.height_mm:g} mm: {px:.1f} pixels high in {smallest.zone}, "
        f"{SHARP_PX[size.kind]:g} needed, {SOFT_PX[size.kind]:g} better"
    )
    nearer = "bring the camera nearer, use more pixels (1920 x 1080), or a second camera"
    match legibility(size.kind, px):
        case Legibility.GOOD:
            return ok("index", fact)
        case Legibility.SHARP_ONLY:
            return warning("index", fact, f"focus well and light well, or {nearer}")
        case Legibility.UNREADABLE:
            return failure("index", fact, f"cards will not be read: {nearer}")


def _json(source: str, frame: Frame, found: Calibration, size: IndexSize) -> str:
    height, width = frame.image.shape[:2]
    smallest = worst_scale(found.scales)
    px = size.px(smallest.px_per_mm)
    zones = [
        {
            "zone": scale.zone,
            "px_per_mm": round(scale.px_per_mm, 3),
            "index_px": round(size.px(scale.px_per_mm), 1),
        }
        for scale in found.scales
    ]
    return json.dumps(
        {
            "source": source,
            "width": width,
            "height": height,
            "health": judge_picture(frame.image).value,
            "markers": found.markers,
            "error_px": round(found.error_px, 2),
            "mislaid": found.is_mislaid,
            "px_per_mm": round(smallest.px_per_mm, 3),
            "index": {
                "kind": size.kind,
                "mm": size.height_mm,
                "px": round(px, 1),
                "needed_px": SHARP_PX[size.kind],
                "better_px": SOFT_PX[size.kind],
                "legibility": legibility(size.kind, px).value,
            },
            "zones": zones,
            "outside": found.outside,
        }
    )


def _say_sheet(sheet: Path, as_json: bool) -> None:
    words = f"{sheet} written: print it at 100 %, and check the line of 100 mm with a ruler"
    print(json.dumps({"sheet": str(sheet)}) if as_json else words)


def _encoded(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], path: Path) -> bytes:
    try:
        done, data = cv2.imencode(path.suffix or ".png", image)
    except cv2.error:
        done = False
    if not done:
        raise CommandError(f"{path}: no picture format is called {path.suffix}; use .png or .jpg")
    return bytes(data)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise CommandError(f"{path}: {reason}; name a file in a folder that exists") from error
