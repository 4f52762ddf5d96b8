"""`catinthebox replay`: step through a record, forward and back.

>>> from catinthebox.game import Game
>>> game = Game.new(3).deal(("1223345566", "1123344556", "1122344566")).play("-2").play("-3")
>>> [len(frame.round.actions) for frame in frames(game)]
[0, 1, 2]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ..game import Game, NotUnderstood, Round
from ..game.round import Seat
from .files import read_game
from .play import narration, score_sheet
from .play.screen import Screen
from .terminal import Terminal

KEYS = "Enter next, p previous, t next trick, r next round, a number to jump, q quit"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("file", type=Path, help="a record, such as `play` leaves behind")
    parser.add_argument("--step", type=int, default=0, help="begin at this step", metavar="N")
    parser.add_argument("--open", action="store_true", help="show all hands, even before the end")
    parser.add_argument("--seat", type=int, help="show the hand of one seat only", metavar="N")
    parser.add_argument("--plain", action="store_true", help="write sentences, for screen readers")
    parser.add_argument("--no-color", action="store_true", help="use no colors")


def run(arguments: argparse.Namespace) -> int:
    """Show a record; return the exit status."""
    game = read_game(arguments.file)
    steps = frames(game)
    if not 0 <= arguments.step < len(steps):
        raise NotUnderstood("input.step", f"no step {arguments.step}; 0 to {len(steps) - 1}")
    if arguments.seat is not None and not 0 <= arguments.seat < game.players:
        raise NotUnderstood("input.seat", f"no seat {arguments.seat}; 0 to {game.players - 1}")
    terminal = Terminal.of(
        sys.stdout, os.environ, plain=arguments.plain, no_color=arguments.no_color
    )
    viewer = Viewer(steps, Screen.of(game, None, terminal), open_seats(game, arguments))
    viewer.open_discards = arguments.open
    for rule in game.house_rules:
        print(f"House rule: {rule}.")
    if sys.stdin.isatty():
        viewer.walk(arguments.step)
    else:
        viewer.unroll(arguments.step)
    return 0


def open_seats(game: Game, arguments: argparse.Namespace) -> tuple[Seat, ...]:
    """Return the seats whose cards are shown; none of an unfinished game unless asked for."""
    if arguments.seat is not None:
        return (arguments.seat,)
    return tuple(range(game.players)) if game.over or arguments.open else ()


@dataclass(frozen=True)
class ReplayStep:
    """The game after a step: a deal, or an action in a round."""

    game: Game
    before: Round | None  # None: a deal

    @property
    def round(self) -> Round:
        """The round in play."""
        return self.game.current

    @property
    def trick_begins(self) -> bool:
        """Whether the next card would lead."""
        return bool(self.round.tricks) and not self.round.trick


def frames(game: Game) -> list[ReplayStep]:
    """Split a game into steps: one for every deal and every action."""
    found = []
    for number, whole in enumerate(game.rounds):
        round, before = Round(whole.setup), None
        found.append(ReplayStep(replace(game, rounds=(*game.rounds[:number], round)), before))
        for seat, action in whole.actions:
            before, round = round, round.play(action, seat)
            found.append(ReplayStep(replace(game, rounds=(*game.rounds[:number], round)), before))
    if not found:
        raise NotUnderstood("input.file", "this game has not begun: no round is dealt")
    return found


class Viewer:
    """Shows the steps of a game, one at a time or all in a row."""

    def __init__(self, steps: list[ReplayStep], screen: Screen, shown: tuple[Seat, ...]) -> None:
        self.steps = steps
        self.screen = screen
        self.shown = shown
        self.open_discards = False  # R33: hidden unless asked for after the game

    def walk(self, at: int) -> None:
        """Step through the game interactively."""
        print(f"{len(self.steps) - 1} steps. {KEYS}.")
        print("\n".join(self.frame(at)))
        while True:
            try:
                word = input(f"\nStep {at} of {len(self.steps) - 1}: ").strip().lower()
            except EOFError:
                return
            if word in ("q", "quit", "exit"):
                return
            to = self.target(word, at)
            if to is None:
                print(f"{KEYS}.")
            elif to == at:
                print("This is the end of the record." if at else "This is the beginning.")
            else:
                at = to
                print("\n".join(self.frame(at)))

    def unroll(self, at: int) -> None:
        """Show all steps in a row: every event, and the table after each trick."""
        for number in range(at, len(self.steps)):
            frame = self.steps[number]
            whole = number == at or frame.trick_begins or frame.round.over
            print("\n".join(self.frame(number) if whole else self.event(frame)))

    def target(self, word: str, at: int) -> int | None:
        """Return the step that an input leads to; None if it is not understood."""
        last = len(self.steps) - 1
        if word in ("", "n", "next"):
            return min(at + 1, last)
        if word in ("p", "previous", "b"):
            return max(at - 1, 0)
        if word in ("t", "trick"):
            return self.next_of(at, lambda frame: frame.trick_begins or frame.round.over)
        if word in ("r", "round"):
            return self.next_of(at, lambda frame: frame.before is None)
        if word.isascii() and word.isdigit():
            return min(int(word[:9]), last)
        return None

    def next_of(self, at: int, wanted: Callable[[ReplayStep], bool]) -> int:
        """Find the next step of a kind, or else the last step."""
        after = range(at + 1, len(self.steps))
        return next((n for n in after if wanted(self.steps[n])), len(self.steps) - 1)

    def frame(self, at: int) -> list[str]:
        """Show the table after a step."""
        frame, screen = self.steps[at], self.screen
        lines = self.event(frame)
        if frame.before is not None:
            title = f"Step {at}, round {frame.game.number} of {frame.game.players}"
            lines[:0] = ["", screen.headline(title)]
        lines += [screen.board(frame.round), screen.seats(frame.game, self.shown)]
        lines += [text for text in [screen.trick(frame.round)] if text]
        if frame.round.over:
            lines += narration.paradox(screen, frame.round) + score_sheet.of_round(
                screen, frame.game
            )
        return lines + (score_sheet.final(screen, frame.game) if frame.game.over else [])

    def event(self, frame: ReplayStep) -> list[str]:
        """Describe what happened in a step."""
        if frame.before is None:
            return narration.beginning(self.screen, frame.game, board=False)
        seat = narration.newest(frame.before, frame.round).seat
        mine = self.shown == (seat,)  # the view of one seat, which knows its own discard
        return narration.happened(
            self.screen, frame.before, frame.round, self.open_discards or mine
        )
