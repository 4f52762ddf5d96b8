"""The table in whole sentences, for screen readers: no drawing, no color, no symbols.

>>> from random import Random
>>> from catinthebox.game import Game
>>> from catinthebox.cli.terminal import Terminal
>>> game = Game.new(3).shuffle(Random(1))
>>> screen = Screen.of(game, me=0, terminal=Terminal(plain=True))
>>> print(screen.board(game.rounds[0]).splitlines()[0])
red: 1 free, 2 free, 3 free, 4 free, 5 free, 6 free.
"""

from __future__ import annotations

from collections.abc import Collection

from ...game import Action, Color, Game, Phase, Round
from ...game.color import color_words
from ...game.round import Seat
from ...game.text import spaces
from .screen import Screen


class PlainScreen(Screen):
    """A screen in sentences instead of drawings."""

    def does(self, seat: Seat, verb: str) -> str:
        """Begin a sentence about a seat."""
        return f"You {verb}" if seat == self.me else f"{self.names[seat]} {verb}s"

    def card(self, action: Action) -> str:
        """Name a declared card."""
        return action.words

    def wrap(self, text: str, indent: str = "") -> str:
        """Return the sentence unchanged: a screen reader needs no line breaks."""
        return text

    def headline(self, text: str) -> str:
        """Write a title as a sentence."""
        return f"{text}."

    def board(self, round: Round, playable: Collection[Action] = ()) -> str:
        """Describe every cell, one line for each color: free, or whose it is."""
        board = round.board
        lines = []
        for color in Color:
            cells = []
            for rank in range(1, round.setup.cards.ranks + 1):
                owner = board.get((color, rank))
                who = "free" if owner is None else self.name(owner) if owner >= 0 else "neutral"
                cells.append(f"{rank} {who}")
            lines.append(f"{color}: {', '.join(cells)}.")
        if round.face.name == "purple":
            lines.append("Each row lies one column further right than the row above it.")
        elif round.face.name not in ("white", "black"):
            lines += ["On this face the cells lie in these rows; what stands side by side touches."]
            lines += [
                " ".join(str(Action.play(s.rank, s.color)) if s else "gap" for s in row) + "."
                for row in spaces(round)
            ]
        return "\n".join(lines)

    def seats(self, game: Game, shown: Collection[Seat] = ()) -> str:
        """Describe every seat in one sentence."""
        round = game.current
        lines = []
        for seat in range(game.players):
            have, are = ("have", "are") if seat == self.me else ("has", "is")
            parts = [f"won {round.won[seat]}", f"group {round.groups[seat]}"]
            held = len(round.hands[seat])
            parts.append(f"{held} card{'' if held == 1 else 's'}")
            if round.bids[seat]:
                parts.insert(0, f"bid {round.bids[seat]}")
            parts.append(f"total {game.totals[seat]}")
            name = "You" if seat == self.me else self.names[seat]
            text = f"{name} {have} {self.tokens(round, seat)}; {', '.join(parts)}"
            if seat in shown:
                text += f"; hand {' '.join(map(str, round.hands[seat]))}"
            text += f"; {are} the starter" if seat == round.starter else ""
            text += f"; {are} on turn" if seat in round.to_act else ""
            lines.append(f"{text}.")
        return "\n".join(lines)

    def tokens(self, round: Round, seat: Seat) -> str:
        """Describe the color tokens that a seat holds."""
        held = list(round.tokens[seat])
        return "all four colors" if len(held) == len(Color) else color_words(held, "and")

    def trick(self, round: Round) -> str:
        """Describe the current trick."""
        plays = round.trick
        if not plays:
            return ""
        cards = [f"{self.name(seat)} {action.words}" for seat, action in plays]
        ahead = self.winning(round)
        return f"On the table: {', '.join(cards)}. {ahead[0].upper()}{ahead[1:]}."

    def hand(self, round: Round, seat: Seat) -> str:
        """Describe a hand and the colors that each card can still have."""
        hand = round.hands[seat]
        said = []
        for rank in sorted(set(hand)):
            copies = f"{hand.count(rank)} times " if hand.count(rank) > 1 else ""
            able = round.could_be(seat, rank)
            colors = "any color" if len(able) == len(Color) else color_words(able) or "nothing"
            said.append(f"{copies}{rank}, {colors}")
        return f"Your hand, {len(hand)} cards, and what they could be: {'; '.join(said)}."

    def legal(self, round: Round, seat: Seat) -> str:
        """List what a seat may do now."""
        actions = round.legal_for(seat)
        if round.phase is not Phase.PLAY:
            return f"You can {', '.join(action.words for action in actions)}."
        said = []
        for rank in sorted({action.rank for action in actions}):
            colors = [a.color for a in actions if a.rank == rank and a.color is not None]
            said.append(f"{rank} as {color_words(colors)}")
        return f"You can play {'; '.join(said)}."
