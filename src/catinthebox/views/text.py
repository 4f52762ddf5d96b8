"""Describes a view as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import text

if TYPE_CHECKING:
    from .view import View


def describe(view: View) -> str:
    """Describe the table as the seat sees it."""
    lines = [_headline(view), text.draw_board(view.known_round), *_seats(view)]
    if view.trick:
        lines.append("trick " + " ".join(f"{seat}:{action}" for seat, action in view.trick))
    if view.legal:
        lines.append(f"you may {view.legal}")
    return "\n".join(lines)


def _headline(view: View) -> str:
    place = "spectator" if view.seat is None else f"seat {view.seat}"
    if view.paradox is not None:
        return f"{place}: over, paradox of seat {view.paradox}"
    if view.over:
        return f"{place}: over"
    seats = " ".join(map(str, view.to_act))
    red = "open" if view.red_open else "closed"
    return f"{place}: {view.phase}, seat {seats} to act, red {red}"


def _seats(view: View) -> list[str]:
    return [_seat(view, seat) for seat in range(view.players)]


def _seat(view: View, seat: int) -> str:
    colors = "".join(color.letter for color in view.tokens[seat])
    words = [f"seat {seat} {text.MARKS[seat]} colors {colors}"]
    if view.bids[seat]:
        words.append(f"bid {view.bids[seat]}")
    words.append(f"won {view.won[seat]}")
    shown = view.hand if seat == view.seat else view.revealed if seat == view.paradox else None
    words.append(_size(view.hand_sizes[seat]) if shown is None else f"hand {_ranks(shown)}")
    if seat == view.seat and view.discard:
        words.append(f"discarded {view.discard}")
    if view.cannot_hold[seat] and shown is None:
        words.append(f"without {_ranks(view.cannot_hold[seat])}")
    if view.scores is not None:
        words.append(f"score {view.scores[seat]}")
    return " ".join(words)


def _size(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _ranks(ranks: tuple[int, ...]) -> str:
    return " ".join(map(str, ranks))
