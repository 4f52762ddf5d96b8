"""Draws the table: board, seats, trick, hand. Every method returns text, none prints.

>>> from random import Random
>>> from catinthebox.game import Game
>>> game = Game.new(3).shuffle(Random(1))
>>> print(Screen.of(game, me=0).board(game.rounds[0]))
  1r    2r    3r    4r    5r    6r
  1b    2b    3b    4b    5b    6b
  1y    2y    3y    4y    5y    6y
  1g    2g    3g    4g    5g    6g
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from ...game import Action, Color, Edition, Game, Phase, Round
from ...game.round import Seat
from ...game.text import MARKS, Space, spaces
from ..terminal import Terminal, clip, flow, pad, wide

NAME_WIDTH: Final = 12
SEAT_WIDTH: Final = 19  # a name, " (you)" and a space
WIDE_CELL, SLIM_CELL = 6, 4


@dataclass(frozen=True)
class Screen:
    """Draws a table for one person, or for a spectator, as the terminal allows."""

    names: tuple[str, ...]
    edition: Edition
    me: Seat | None  # the person's seat; None for a spectator
    terminal: Terminal = field(default_factory=Terminal)

    @classmethod
    def of(cls, game: Game, me: Seat | None = None, terminal: Terminal | None = None) -> Screen:
        """Create the screen for a table: drawn, or in sentences."""
        from .plain_screen import PlainScreen  # noqa: PLC0415 (it is a kind of Screen)

        terminal = terminal or Terminal()
        if terminal.plain:
            return PlainScreen(game.names, game.edition, me, terminal)
        names = tuple(clip(name, NAME_WIDTH, terminal.pick("…", "~")) for name in game.names)
        return Screen(names, game.edition, me, terminal)

    # ── Texts ────────────────────────────────────────────────────────────────────────────────

    def symbol(self, seat: Seat) -> str:
        """The symbol on the tokens of a seat."""
        if seat < 0:
            return self.terminal.pick("■", "#")
        return self.edition.symbols[seat] if self.terminal.unicode else MARKS[seat]

    def name(self, seat: Seat) -> str:
        """What a seat is called in the middle of a sentence."""
        return "you" if seat == self.me else self.names[seat]

    def does(self, seat: Seat, verb: str) -> str:
        """Begin a sentence about a seat: 'You play', 'Bohr plays'."""
        who = f"You {verb}" if seat == self.me else f"{self.names[seat]} {verb}s"
        return f"{self.symbol(seat)} {who}"

    @property
    def people(self) -> list[str]:
        """What every seat is called in the middle of a sentence."""
        return [self.name(seat) for seat in range(len(self.names))]

    def card(self, action: Action) -> str:
        """A declared card on its color."""
        assert action.color is not None
        text = f" {action.words} " if self.terminal.colors else action.words
        return self.terminal.tint(text, action.color)

    def wrap(self, text: str, indent: str = "  ") -> str:
        """Break a long line at the width of the screen."""
        return flow(text.split(" "), self.terminal.width - 1, " ", indent)

    def headline(self, text: str) -> str:
        """A line across the screen with a title in it."""
        line = self.terminal.pick("─", "-")
        start = f"{line * 2} {text} "
        return self.terminal.bold(start + line * (self.terminal.width - 1 - wide(start)))

    # ── The board ────────────────────────────────────────────────────────────────────────────

    def board(self, round: Round, playable: Collection[Action] = ()) -> str:
        """Draw the board as its face lays it out; playable cells are marked."""
        rows = spaces(round)
        slim = max(map(len, rows)) * WIDE_CELL > self.terminal.width - 1
        width = SLIM_CELL if slim else WIDE_CELL
        lines = []
        for row in rows:
            cells = [self._cell(space, width - 1, playable) for space in row]
            lines.append((" " + " ".join(cells)).rstrip())
        return "\n".join(lines)

    def _cell(self, space: Space | None, width: int, playable: Collection[Action]) -> str:
        if space is None:
            return " " * width
        action = Action.play(space.rank, space.color)
        taken = space.owner is not None
        token = self.symbol(space.owner) if space.owner is not None else " "
        text = f"{action}{token}"
        if width > len(text):
            edges = (
                "[]" if taken and not self.terminal.colors else "()" if action in playable else "  "
            )
            text = f"{edges[0]}{text.strip() if not taken else text}{edges[1]}"
        text = pad(text, width)
        mine = taken and space.owner == self.me
        return self.terminal.tint(text, space.color, pale=not taken, line=mine)

    # ── The seats ────────────────────────────────────────────────────────────────────────────

    def seats(self, game: Game, shown: Collection[Seat] = ()) -> str:
        """Draw a line for every seat, with the hands of the seats in `shown`."""
        round = game.current
        bids = any(round.bids) or round.players > 2
        counted = f"{'bid  ' if bids else ''}won  group  cards  total{'  hand' if shown else ''}"
        lines = [self.terminal.dim(f"    {'seat':<{SEAT_WIDTH + 2}}colors   {counted}")]
        for seat in range(game.players):
            bid = f"{round.bids[seat] or '-':^3}  " if bids else ""
            held = len(round.hands[seat])
            counts = f"{bid}{round.won[seat]:^3}  {round.groups[seat]:^5}  {held:^5}  "
            hand = "".join(map(str, round.hands[seat])) if seat in shown else ""
            line = f"{self._marks(round, seat)} {self.who(seat)}{self.tokens(round, seat)}  "
            lines.append(f"{line}{counts}{game.totals[seat]:^5}  {hand}".rstrip())
        return "\n".join(lines)

    def _marks(self, round: Round, seat: Seat) -> str:
        turn = self.terminal.pick("▸", ">") if seat in round.to_act else " "
        return turn + (self.terminal.pick("★", "*") if seat == round.starter else " ")

    def who(self, seat: Seat) -> str:
        """The token and name at the beginning of a seat's line."""
        you = " (you)" if seat == self.me else ""
        text = pad(self.names[seat] + you, SEAT_WIDTH)
        return f" {self.symbol(seat)} " + (self.terminal.bold(text) if you else text)

    def tokens(self, round: Round, seat: Seat) -> str:
        """The color tokens of a seat; a lost one leaves a gap, or a cover in the first edition."""
        lost = "x" if self.edition.covers_lost_colors else "-"
        held = round.tokens[seat]
        return " ".join(
            self.terminal.tint(color.letter, color) if color in held else lost for color in Color
        )

    # ── The trick ────────────────────────────────────────────────────────────────────────────

    def trick(self, round: Round) -> str:
        """The cards on the table, and who is winning with what."""
        plays = round.trick
        if not plays:
            return ""
        cards = [f"{self.symbol(seat)} {self.card(action)}" for seat, action in plays]
        ahead = self.winning(round)
        return flow(["On the table:", *cards, f"({ahead})"], self.terminal.width - 1)

    # ── The hand ─────────────────────────────────────────────────────────────────────────────

    def winning(self, round: Round) -> str:
        """Who is winning the trick; nobody wins one that a paradox interrupted (R21)."""
        if round.winning is None:
            return "nobody wins it"
        return f"{self.name(round.winning)} {'are' if round.winning == self.me else 'is'} winning"

    def hand(self, round: Round, seat: Seat) -> str:
        """The hand in superposition: every card with the colors it can still have."""
        terminal = self.terminal
        edge = terminal.pick("│", "|")
        top, bottom = ("╭────╮", "╰────╯") if terminal.unicode else ("+----+", "+----+")
        cards = round.hands[seat]
        faces = [self._superposition(round, seat, rank) for rank in cards]
        rows = [
            [top] * len(cards),
            [f"{edge} {terminal.bold(str(rank))}  {edge}" for rank in cards],
            [f"{edge}{letters}{edge}" for letters in faces],
            [bottom] * len(cards),
        ]
        return "\n".join(" " + " ".join(row) for row in rows)

    def _superposition(self, round: Round, seat: Seat, rank: int) -> str:
        able = round.could_be(seat, rank)
        gone = self.terminal.pick("·", ".")
        return "".join(self.terminal.tint(c.letter, c) if c in able else gone for c in Color)

    def legal(self, round: Round, seat: Seat) -> str:
        """What a seat may do now, card by card."""
        actions = round.legal_for(seat)
        if round.phase is not Phase.PLAY:
            return self.wrap(f"You can: {', '.join(action.words for action in actions)}")
        lines = []
        for rank in sorted({action.rank for action in actions}):
            plays = [action for action in actions if action.rank == rank]
            lines.append(f"  {rank}: " + "  ".join(f"{a} {self.card(a)}" for a in plays))
        return "\n".join(lines)
