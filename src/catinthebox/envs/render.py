"""Draws a view as a picture: the board as its face lays it out, the trick, every seat.

The picture is drawn from a view, so it shows only what that seat or spectator may know
(R32, R33).
"""

from __future__ import annotations

from typing import Final

from ..game import NEUTRAL, Color
from ..game.text import MARKS
from ..optional import needs
from ..views import View
from .raster import Sheet, Tint, box, disc, polygon, suit

with needs("numpy", extra="envs"):
    import numpy as np
    from numpy.typing import NDArray

WIDTH: Final = 760
CELL: Final = 58
LINE: Final = 46  # the height of a seat's line
TOP: Final = 50
TRICK: Final = 66

NIGHT: Final = (24, 32, 44)
PAPER: Final = (245, 240, 228)
INK: Final = (38, 44, 54)
FAINT: Final = (126, 138, 154)
LIGHT: Final = (226, 232, 240)
SUITS: Final = ((193, 39, 45), (11, 60, 140), (242, 194, 48), (47, 168, 138))
SEATS: Final = ((122, 79, 191), (206, 112, 38), (208, 84, 150), (84, 98, 116), (52, 160, 196))
NEUTRAL_TINT: Final = (150, 146, 138)
WHITE: Final = (255, 255, 255)


def draw(view: View) -> NDArray[np.uint8]:
    """Draw a view; the size depends only on the face and the number of players."""
    rows = 1 + max(row for row, _ in view.face.places)
    board = rows * CELL + 28
    sheet = Sheet(WIDTH, TOP + board + TRICK + view.players * LINE + 16, NIGHT)
    _headline(sheet, view)
    _board(sheet, view, board)
    _trick(sheet, view, TOP + board + TRICK / 2)
    for seat in range(view.players):
        _seat(sheet, view, seat, TOP + board + TRICK + LINE * (seat + 0.5))
    return sheet.pixels()


def _headline(sheet: Sheet, view: View) -> None:
    words = "PARADOX" if view.paradox is not None else str(view.phase).upper()
    sheet.write(words, 30, TOP / 2 + 2, 17, LIGHT)
    sheet.put(suit(Color.RED, 9), WIDTH - 130, TOP / 2 + 2, SUITS[Color.RED])
    sheet.write("OPEN" if view.red_open else "CLOSED", WIDTH - 114, TOP / 2 + 2, 14, LIGHT)


# ── The board ────────────────────────────────────────────────────────────────────────────────


def _board(sheet: Sheet, view: View, height: int) -> None:
    sheet.put(box(WIDTH - 40, height, corner=14), WIDTH / 2, TOP + height / 2, PAPER)
    ranks = [(color, rank) for color in Color for rank in range(1, view.ranks + 1)]
    columns = 1 + max(view.face.place(*cell)[1] for cell in ranks)
    cell = min(CELL, (WIDTH - 64) / columns)
    left = (WIDTH - columns * cell) / 2
    board = view.board
    for color, rank in ranks:
        row, column = view.face.place(color, rank)
        x, y = left + (column + 0.5) * cell, TOP + 14 + (row + 0.5) * CELL
        _space(sheet, x, y, color, rank, board.get((color, rank)))


def _space(sheet: Sheet, x: float, y: float, color: Color, rank: int, owner: int | None) -> None:
    tint = SUITS[color]
    pale = _mixed(tint, PAPER, 0.80 if owner is None else 0.45)
    sheet.put(box(52, 52, corner=9), x, y, pale)
    sheet.put(box(52, 52, corner=9, line=2.5), x, y, _mixed(tint, INK, 0.15))
    if owner is None:
        sheet.write(str(rank), x - 8, y + 2, 24, _mixed(tint, INK, 0.35))
        sheet.put(suit(color, 5), x + 16, y - 16, tint)
    else:
        _token(sheet, x, y + 6, owner, 15)
        sheet.write(str(rank), x - 21, y - 16, 12, INK)
        sheet.put(suit(color, 5), x + 16, y - 16, _mixed(tint, INK, 0.15))


def _token(sheet: Sheet, x: float, y: float, owner: int, radius: float) -> None:
    """Draw a seat's token, or a neutral one (R6)."""
    tint = NEUTRAL_TINT if owner == NEUTRAL else SEATS[owner]
    sheet.put(disc(radius + 1.5), x, y, WHITE)
    sheet.put(disc(radius), x, y, tint)
    if owner == NEUTRAL:
        sheet.put(box(radius * 0.9, radius * 0.9, corner=2), x, y, PAPER)
    else:
        sheet.write(MARKS[owner], x - radius * 0.36, y, radius, WHITE)


# ── The trick and the seats ──────────────────────────────────────────────────────────────────


def _trick(sheet: Sheet, view: View, y: float) -> None:
    sheet.write("TRICK", 30, y, 14, FAINT)
    for index, (seat, action) in enumerate(view.trick):
        assert action.color is not None, "a trick holds plays only"
        x = 150 + 110 * index
        _card(sheet, x, y, str(action.rank), SUITS[action.color])
        sheet.put(suit(action.color, 5), x + 9, y - 13, _mixed(SUITS[action.color], WHITE, 0.75))
        _token(sheet, x + 36, y, seat, 14)
        if seat == view.winning:
            sheet.put(suit(Color.YELLOW, 8), x + 60, y, SUITS[Color.YELLOW])


def _card(sheet: Sheet, x: float, y: float, rank: str, ground: Tint = PAPER) -> None:
    sheet.put(box(30, 40, corner=5), x, y, ground)
    sheet.put(box(30, 40, corner=5, line=1.5), x, y, _mixed(ground, INK, 0.35))
    ink = INK if ground in (PAPER, SUITS[Color.YELLOW]) else WHITE
    sheet.write(rank, x - 6, y + 1, 17, ink)


def _seat(sheet: Sheet, view: View, seat: int, y: float) -> None:
    if seat in view.to_act:
        sheet.put(polygon(((-0.5, -0.8), (0.7, 0.0), (-0.5, 0.8)), 9), 18, y, LIGHT)
    _token(sheet, 46, y, seat, 15)
    for color in Color:
        held = color in view.tokens[seat]
        tint = SUITS[color] if held else _mixed(NIGHT, FAINT, 0.25)
        if color is Color.BLUE and held:
            tint = (60, 112, 204)  # the board's blue is too dark on the background
        sheet.put(suit(color, 8), 80 + 22 * color, y, tint)
    _numbers(sheet, view, seat, y)
    _hand(sheet, view, seat, y)


def _numbers(sheet: Sheet, view: View, seat: int, y: float) -> None:
    if view.bids[seat]:
        sheet.write(f"BID {view.bids[seat]}", 176, y, 13, LIGHT)
    sheet.write(f"WON {view.won[seat]}", 246, y, 13, LIGHT)
    if view.scores is not None:
        sheet.write(f"SCORE {view.scores[seat]}", 318, y, 13, SUITS[Color.YELLOW])


def _hand(sheet: Sheet, view: View, seat: int, y: float) -> None:
    """Draw known cards face up, the others face down."""
    known = view.hand if seat == view.seat else view.revealed if seat == view.paradox else None
    for index in range(view.hand_sizes[seat]):
        x = 424 + 32 * index
        if known is not None:
            _card(sheet, x, y, str(known[index]))
        else:
            sheet.put(box(30, 40, corner=5), x, y, _mixed(NIGHT, FAINT, 0.45))
            sheet.put(box(20, 30, corner=3, line=1.5), x, y, FAINT)


def _mixed(tint: Tint, other: Tint, share: float) -> Tint:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(tint, other, strict=True))
    return red, green, blue
