"""Who has the button and the blinds in the next hand.

The house's rule is one of three:

* ``dead``: the blinds go to the players in turn, and a player who is out leaves
  an empty place in that turn: a blind that falls on it is not paid, a button
  that falls on it stays with the player before or lies at the empty seat
  (fr1.button.1, faq.button.dead-1, faq.button.dead-2).
* ``moving``: the button goes to the next player whoever is out, and blinds are
  paid double or on the button until the turn is restored (faq.button.move-1 to
  faq.button.move-5).
* ``advance``: button and blinds go to the next players (fr1.button.0,
  ck.player-dealt.2); nobody makes up for a blind that was passed over.

Two players are the same under every rule, since no rule text names them: the
button pays the small blind, and the big blind changes sides (Tournament
Directors Association rule 34-B; WSOP tournament rule 87).

A player who sits down takes part in the turn from the hand in which he is among
the players; whether he must wait or pay to come in is the house's matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

import msgspec


class Rotation(Enum):
    """How button and blinds move on: ``button.rule``."""

    DEAD = "dead"
    MOVING = "moving"
    ADVANCE = "advance"


class EmptySeat(Enum):
    """Where a button lies that falls on an empty seat: ``button.empty_seat``."""

    PREVIOUS_PLAYER = "previous_player"
    EMPTY_SEAT = "empty_seat"


class NoBlinds(Enum):
    """A hand in which both blinds fall on empty seats: ``button.no_blinds``.

    No text says: only when several players are out at once can it come to that.
    """

    NEXT_PLAYER_PAYS = "next_player_pays"
    PLAYED_WITHOUT = "played_without"


class Blind(Enum):
    """A forced bet, in the word of ``BlindPosted.kind``."""

    SMALL = "small"
    BIG = "big"


class Post(msgspec.Struct, frozen=True):
    """A blind that a player has to post."""

    seat: int
    blind: Blind


class ButtonRule(msgspec.Struct, frozen=True, kw_only=True):
    """The house's answers; all but ``rotation`` matter to the dead button only.

    ``big_blind_may_be_missing``: the turn of a player who is out just before his
    big blind is kept, so that a hand has no big blind (fr1.button.exD); otherwise
    the big blind is always paid by the next player (faq.button.dead-2).
    """

    rotation: Rotation = Rotation.DEAD
    empty_seat: EmptySeat = EmptySeat.PREVIOUS_PLAYER
    big_blind_may_be_missing: bool = False
    no_blinds: NoBlinds = NoBlinds.NEXT_PLAYER_PAYS


class Positions(msgspec.Struct, frozen=True, kw_only=True):
    """One hand's button and blinds.

    ``small_blind`` and ``big_blind`` are 0 where nobody pays that blind; of two
    players who pay the same blind they name the last. ``dealer`` is the player
    who deals when the players deal. ``ghosts`` are the empty seats that keep
    their place in the turn, and ``big_blind_turn`` is the seat, empty or not,
    whose turn the big blind was.
    """

    seats: tuple[int, ...]
    button: int
    small_blind: int
    big_blind: int
    dealer: int
    ghosts: tuple[int, ...] = ()
    posts: tuple[Post, ...] = ()
    big_blind_turn: int

    def pays(self, blind: Blind) -> tuple[int, ...]:
        """The seats that post a blind, in the order of their seats from the button."""
        return tuple(post.seat for post in self.posts if post.blind is blind)


def left_of(seat: int, seats: Iterable[int]) -> int:
    """The next of the seats clockwise; the seat itself when there is no other."""
    ordered = sorted(seats)
    return next((s for s in ordered if s > seat), ordered[0])


def right_of(seat: int, seats: Iterable[int]) -> int:
    """The next of the seats against the clock; the seat itself when there is no other."""
    ordered = sorted(seats, reverse=True)
    return next((s for s in ordered if s < seat), ordered[0])


def from_left_of(seat: int, seats: Iterable[int]) -> tuple[int, ...]:
    """The seats clockwise, the first one left of ``seat`` first, ``seat`` itself last."""
    ordered = sorted(seats)
    return (*(s for s in ordered if s > seat), *(s for s in ordered if s <= seat))


def first_positions(players: Iterable[int], button: int) -> Positions:
    """The first hand, once the first dealer is known.

    Raises:
        ValueError: Fewer than two players, or the button is not one of them.
    """
    seats = _players(players)
    if button not in seats:
        raise ValueError(f"seat {button} cannot have the button: the players sit at {seats}")
    if len(seats) == 2:
        return _heads_up(seats, left_of(button, seats))
    return _advanced(seats, button)


def next_positions(now: Positions, players: Iterable[int], rule: ButtonRule) -> Positions:
    """The hand after ``now``, played by ``players``: who is no longer among them is out.

    Raises:
        ValueError: Fewer than two players.
    """
    seats = _players(players)
    if len(seats) == 2:
        return _heads_up(seats, left_of(now.big_blind_turn, seats))
    return _ROTATIONS[rule.rotation](now, seats, rule)


def _players(players: Iterable[int]) -> tuple[int, ...]:
    seats = tuple(sorted(set(players)))
    if len(seats) < 2:
        raise ValueError(f"a hand needs two players; there are {len(seats)}")
    return seats


def _heads_up(seats: tuple[int, ...], big_blind: int) -> Positions:
    """Two players: the button pays the small blind."""
    button = left_of(big_blind, seats)
    return _positions(seats, button, (button,), (big_blind,))


def _positions(
    seats: tuple[int, ...], button: int, small: tuple[int, ...], big: tuple[int, ...]
) -> Positions:
    """Positions of a hand whose button lies with a player."""
    return Positions(
        seats=seats,
        button=button,
        small_blind=small[-1],
        big_blind=big[-1],
        dealer=button,
        posts=_posts(small, big),
        big_blind_turn=big[-1],
    )


def _posts(small: tuple[int, ...], big: tuple[int, ...]) -> tuple[Post, ...]:
    return (*(Post(s, Blind.SMALL) for s in small), *(Post(s, Blind.BIG) for s in big))


def _advance(now: Positions, seats: tuple[int, ...], rule: ButtonRule) -> Positions:
    """Button and blinds to the next players, whoever is out."""
    return _advanced(seats, left_of(now.button, seats))


def _advanced(seats: tuple[int, ...], button: int) -> Positions:
    first, second, *_ = from_left_of(button, seats)
    return _positions(seats, button, (first,), (second,))


def _moving(now: Positions, seats: tuple[int, ...], rule: ButtonRule) -> Positions:
    """The button moves on whoever is out; the blinds catch up.

    Who paid the big blind pays the small blind (faq.button.move-4). When none of
    them is left the button pays it (faq.button.move-2). The big blind is paid by
    those of the two players left of the button who did not pay it in the hand
    before: both after an elimination (faq.button.move-3), otherwise the second
    (faq.button.move-5). One rule gives all three hands of the text.
    """
    button = left_of(now.button, seats)
    paid = now.pays(Blind.BIG)
    small = tuple(s for s in paid if s in seats) or (button,)
    big = tuple(s for s in from_left_of(button, seats)[:2] if s not in paid)
    next_due = left_of(now.big_blind_turn, seats)  # a newcomer can be left with the button
    return _positions(seats, button, small, big or (next_due,))


def _dead(now: Positions, seats: tuple[int, ...], rule: ButtonRule) -> Positions:
    """Every place in the turn moves on by one, the empty ones included.

    An empty seat keeps its place while it is due for the button or the small
    blind, and, where the big blind may be missing, also when it is due for that;
    every other empty seat is skipped (fr1.button.exAE).
    """
    turn = (*now.seats, *now.ghosts)
    small_turn = now.big_blind_turn
    button_turn = right_of(small_turn, turn)
    due = {button_turn, small_turn}
    if rule.big_blind_may_be_missing:
        due |= _kept_big_blind(now, seats, rule)
    ghosts = tuple(sorted(s for s in turn if s in due and s not in seats))
    big_turn = left_of(small_turn, (*seats, *ghosts))
    if big_turn == button_turn:
        return _begun_anew(seats, left_of(small_turn, seats))
    return _with_ghosts(seats, ghosts, (button_turn, small_turn, big_turn), rule)


def _begun_anew(seats: tuple[int, ...], big_blind: int) -> Positions:
    """Places for a turn of which only two seats are left, which newcomers make up to a table."""
    small_blind = right_of(big_blind, seats)
    return _positions(seats, right_of(small_blind, seats), (small_blind,), (big_blind,))


def _kept_big_blind(now: Positions, seats: tuple[int, ...], rule: ButtonRule) -> set[int]:
    """The seat due for the big blind, when its turn is kept though nobody sits there."""
    due = left_of(now.big_blind_turn, (*now.seats, *now.ghosts))
    no_small_blind = now.big_blind_turn not in seats
    if no_small_blind and rule.no_blinds is NoBlinds.NEXT_PLAYER_PAYS:
        return set()
    return {due}


def _with_ghosts(
    seats: tuple[int, ...],
    ghosts: tuple[int, ...],
    turns: tuple[int, int, int],
    rule: ButtonRule,
) -> Positions:
    """Positions from the turns of button, small blind and big blind, empty seats among them."""
    button, small, big = turns
    dealer = button if button in seats else right_of(button, seats)
    stays = rule.empty_seat is EmptySeat.PREVIOUS_PLAYER
    paid = [tuple(s for s in (turn,) if s in seats) for turn in (small, big)]
    return Positions(
        seats=seats,
        button=dealer if stays else button,
        small_blind=small if paid[0] else 0,
        big_blind=big if paid[1] else 0,
        dealer=dealer,
        ghosts=ghosts,
        posts=_posts(*paid),
        big_blind_turn=big,
    )


_ROTATIONS: Final[dict[Rotation, Callable[[Positions, tuple[int, ...], ButtonRule], Positions]]] = {
    Rotation.DEAD: _dead,
    Rotation.MOVING: _moving,
    Rotation.ADVANCE: _advance,
}
