"""The table drawn from above as one SVG picture, from public values only."""

from __future__ import annotations

import math
from html import escape
from typing import Final

from controller.view import PileView, SeatView, TableView, text

WIDTH: Final = 1000
HEIGHT: Final = 800
_CENTRE: Final = (500.0, 388.0)
_SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_CARD_W: Final = 44
_CARD_H: Final = 60


def draw_table(view: TableView) -> str:
    """The whole picture; its sizes are in the units of its own view box, 1000 by 800."""
    lit = frozenset(view.instruction.zones)
    parts = [
        f'<svg class="felt" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(text("table", view.lang))}">',
        '<ellipse class="rail" cx="500" cy="388" rx="418" ry="322"/>',
        '<ellipse class="cloth" cx="500" cy="388" rx="396" ry="300"/>',
        '<ellipse class="line" cx="500" cy="388" rx="262" ry="182"/>',
        _board(view, lit),
        *(_pile(pile, n, lit) for n, pile in enumerate(view.piles)),
        _pot(view),
        *(_seat(view, seat, len(view.seats), lit) for seat in view.seats),
        _dealer(view.lang),
        "</svg>",
    ]
    return "".join(parts)


def _on_oval(seat: int, seats: int, rx: float, ry: float) -> tuple[float, float]:
    """Seats run clockwise from the dealer's left; the dealer sits at the bottom."""
    angle = math.radians(90 + 360 * seat / (seats + 1))
    return _CENTRE[0] + rx * math.cos(angle), _CENTRE[1] + ry * math.sin(angle)


def draw_card(x: float, y: float, face: str, *, scale: float = 1.0) -> str:
    """A card with its centre at (x, y); ``face`` in PHH notation, empty for a back."""
    move = f'transform="translate({x:.1f} {y:.1f}) scale({scale})"'
    box = f'x="{-_CARD_W / 2}" y="{-_CARD_H / 2}" width="{_CARD_W}" height="{_CARD_H}" rx="6"'
    if not face or face == "??":
        return (
            f'<g class="card back" {move}><rect class="paper" {box}/>'
            '<rect class="weave" x="-17" y="-25" width="34" height="50" rx="3"/></g>'
        )
    if face == "Jk":
        return (
            f'<g class="card" {move} data-card="Jk"><rect class="paper" {box}/>'
            '<text class="rank" y="8">JK</text></g>'
        )
    rank, suit = face[0].replace("T", "10"), face[1]
    return (
        f'<g class="card suit-{suit}" {move} data-card="{escape(face)}">'
        f'<rect class="paper" {box}/><text class="rank" y="-3">{rank}</text>'
        f'<text class="suit" y="23">{_SUIT_SIGNS[suit]}</text></g>'
    )


def _row(x: float, y: float, faces: tuple[str, ...], *, step: float, scale: float) -> str:
    start = x - step * (len(faces) - 1) / 2
    return "".join(
        draw_card(start + n * step, y, face, scale=scale) for n, face in enumerate(faces)
    )


def _board(view: TableView, lit: frozenset[str]) -> str:
    places = max(5, len(view.board))
    step = 60.0
    start = 500 - step * (places - 1) / 2
    parts = []
    for n in range(places):
        x = start + n * step
        if n < len(view.board):
            parts.append(draw_card(x, 360, view.board[n], scale=1.25))
        else:
            parts.append(
                f'<rect class="place" x="{x - 26:.1f}" y="324" width="52" height="72" rx="7"/>'
            )
    if any(zone.startswith("board") for zone in lit):
        width = step * places + 6
        parts.append(
            f'<rect class="lit" x="{500 - width / 2:.1f}" y="313" '
            f'width="{width:.1f}" height="94" rx="12"/>{_arrow(500, 304)}'
        )
    return "".join(parts)


def _arrow(x: float, y: float) -> str:
    """Says 'here' without colour: a pointer just above the place."""
    return f'<path class="arrow" d="M{x - 13:.1f} {y - 20:.1f}h26l-13 18z"/>'


_PILE_PLACES: Final = ((359.0, 458.0), (453.0, 458.0), (547.0, 458.0), (641.0, 458.0))


def _pile(pile: PileView, n: int, lit: frozenset[str]) -> str:
    x, y = _PILE_PLACES[n % len(_PILE_PLACES)]
    if not pile.count and pile.zone not in lit:
        return ""
    shown = pile.cards[-3:]
    cards = (
        _row(x, y, shown, step=20, scale=0.7)
        if shown
        else draw_card(x, y, "", scale=0.7)
        if pile.count
        else ""
    )
    label = f"{escape(pile.name)} {pile.count}"
    ring = (
        f'<rect class="lit" x="{x - 46:.1f}" y="{y - 28:.1f}" width="92" height="82" rx="10"/>'
        f"{_arrow(x, y - 32)}"
        if pile.zone in lit
        else ""
    )
    return (
        f'<g class="pile">{cards}<text class="label" x="{x:.1f}" y="{y + 42:.1f}">{label}</text>'
        f"{ring}</g>"
    )


def _pot(view: TableView) -> str:
    if not view.pot:
        return ""
    words = f"{escape(text('pot', view.lang))} {view.pot}"
    wide = 140
    if view.pots:
        main, *sides = view.pots
        parted = [f"{text('pot_main', view.lang)} {main}"]
        parted += [f"{text('pot_side', view.lang)} {chips}" for chips in sides]
        words, wide = escape(", ".join(parted)), 140 + 90 * len(sides)
    return (
        f'<g class="pot"><rect x="{500 - wide // 2}" y="252" width="{wide}" height="34" rx="17"/>'
        f'<text x="500" y="275">{words}</text></g>'
    )


def _dealer(lang: str) -> str:
    return (
        '<g class="dealer"><rect x="442" y="724" width="116" height="34" rx="17"/>'
        f'<text x="500" y="747">{escape(text("dealer", lang))}</text></g>'
    )


def _seat(view: TableView, seat: SeatView, seats: int, lit: frozenset[str]) -> str:
    x, y = _on_oval(seat.seat, seats, 412, 318)
    kind = "seat"
    kind += "" if seat.dealt_in else " empty"
    kind += " folded" if seat.folded else ""
    kind += " acting" if seat.to_act else ""
    words = [text("seat", view.lang, seat=seat.seat)]
    if not seat.dealt_in:
        words.append(text("empty", view.lang))
    inner_x, inner_y = _on_oval(seat.seat, seats, 326, 238)
    parts = [
        f'<g class="{kind}" data-seat="{seat.seat}"><title>{escape(", ".join(words))}</title>',
        f'<circle class="pod" cx="{x:.1f}" cy="{y:.1f}" r="31"/>',
        f'<text class="number" x="{x:.1f}" y="{y + 9:.1f}">{seat.seat}</text>',
        _hand(seat, inner_x, inner_y),
        _chips(seat, seats),
    ]
    if seat.to_act:
        parts.append(f'<circle class="turn" cx="{x:.1f}" cy="{y:.1f}" r="37"/>')
    if f"seat:{seat.seat}" in lit:
        parts.append(f'<circle class="lit" cx="{x:.1f}" cy="{y:.1f}" r="42"/>')
        parts.append(_arrow(x, max(24.0, y - 44)))
    parts.append("</g>")
    return "".join(parts)


def _hand(seat: SeatView, x: float, y: float) -> str:
    faces = (*seat.cards, *("" for _ in range(seat.down)))
    step = 37.0 if len(faces) < 4 else 24.0
    return _row(x, y, faces, step=step, scale=0.84)


def _chips(seat: SeatView, seats: int) -> str:
    parts = []
    angle_x, angle_y = _on_oval(seat.seat, seats, 250, 172)
    if seat.bet:
        parts.append(
            f'<g class="bet"><circle cx="{angle_x:.1f}" cy="{angle_y - 3:.1f}" r="9"/>'
            f'<text x="{angle_x:.1f}" y="{angle_y + 22:.1f}">{seat.bet}</text></g>'
        )
    tags = [*(["D"] if seat.button else []), *([seat.blind] if seat.blind else [])]
    tag_x, tag_y = _on_oval(seat.seat, seats, 464, 366)
    for n, tag in enumerate(tags):
        x = tag_x + (n - (len(tags) - 1) / 2) * 32
        kind = "disc" if tag == "D" else "blind"
        parts.append(
            f'<g class="{kind}"><circle cx="{x:.1f}" cy="{tag_y:.1f}" r="15"/>'
            f'<text x="{x:.1f}" y="{tag_y + 5:.1f}">{tag}</text></g>'
        )
    return "".join(parts)
