"""A round as plain text: the research board as it lies on the table, and every seat's line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .color import Color

if TYPE_CHECKING:
    from .round import Round, Seat

MARKS = "ABCDE"
FREE, NEUTRAL_MARK = ".", "#"


class Space(NamedTuple):
    """A cell as it is drawn: its color and rank, and the token on it."""

    color: Color
    rank: int
    owner: Seat | None  # -1: a neutral token; None: empty

    @property
    def mark(self) -> str:
        """The token as one character."""
        if self.owner is None:
            return FREE
        return NEUTRAL_MARK if self.owner < 0 else MARKS[self.owner]


def spaces(round: Round) -> list[list[Space | None]]:
    """Return the board row by row as its face lays it out; None where no cell in play lies."""
    board, ranks = round.board, round.setup.cards.ranks
    return [
        [
            Space(*cell, board.get(cell)) if cell is not None and cell[1] <= ranks else None
            for cell in row
        ]
        for row in round.face.grid()
    ]


def draw_board(round: Round) -> str:
    """Draw the board: every cell has its color's letter, its rank and its token."""
    lines = []
    for row in spaces(round):
        cells = [f"{s.color.letter}{s.rank}{s.mark}" if s else "   " for s in row]
        lines.append(" ".join(cells).rstrip())
    return "\n".join(lines)


def describe(round: Round) -> str:
    """Describe the whole round, hidden cards included."""
    return "\n".join([_headline(round), draw_board(round), *_seats(round), *_trick(round)])


def _headline(round: Round) -> str:
    if round.paradox is not None:
        return f"over, paradox of seat {round.paradox}"
    if round.over:
        return "over"
    seats = " ".join(map(str, round.to_act))
    red = "open" if round.red_open else "closed"
    return f"{round.phase}, seat {seats} to act, red {red}"


def _seats(round: Round) -> list[str]:
    scores = round.scores or (None,) * round.players
    lines = []
    for seat in range(round.players):
        tokens = "".join(color.letter for color in round.tokens[seat])
        bid = f" bid {round.bids[seat]}" if round.bids[seat] else ""
        score = "" if scores[seat] is None else f" score {scores[seat]}"
        hand = " ".join(map(str, round.hands[seat]))
        name = f"seat {seat} {MARKS[seat]}"
        lines.append(f"{name} colors {tokens}{bid} won {round.won[seat]} hand {hand}{score}")
    return lines


def _trick(round: Round) -> list[str]:
    plays = " ".join(f"{seat}:{action}" for seat, action in round.trick)
    return [f"trick {plays}"] if plays else []
