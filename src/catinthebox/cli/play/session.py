"""The game loop of `play`: asks the person and the bots for actions, and shows the results.

>>> from pathlib import Path
>>> save_file, opponents = SaveFile(Path("game.cat")), Opponents(["gentle"], me=0, players=3)
>>> session = PlaySession(Game.new(3), 0, "7", Terminal(), save_file, opponents, slow=False)
>>> session.refuse("it is Curie's turn")
  ! It is Curie's turn
>>> opponents.close()
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Final

from ...game import Action, CatInTheBoxError, Game, NotUnderstood, Phase, Round
from ...game.round import Seat
from ...views import View
from .. import advice
from ..terminal import Terminal, program
from . import input_parser, narration, score_sheet
from .help_text import HELP, clause, welcome
from .opponents import Opponents
from .save_file import SaveFile
from .screen import Screen

MOVE, TRICK = 0.5, 1.0  # seconds of pause after a play, after a trick
PROMPTS: Final = {Phase.DISCARD: "Set aside: ", Phase.BID: "Your bid: ", Phase.PLAY: "Your play: "}


class PlayerLeft(Exception):
    """The person has left the table."""


class PlaySession:
    """One person's game: its state, its screen, and the loop that connects them."""

    def __init__(
        self,
        game: Game,
        me: Seat,
        seed: str,
        terminal: Terminal,
        save_file: SaveFile,
        opponents: Opponents,
        slow: bool,
    ) -> None:
        self.game = game
        self.me = me
        self.seed = seed
        self.save_file = save_file
        self.opponents = opponents
        self.slow = slow
        self.screen = Screen.of(game, me, terminal)
        self.commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self.say(HELP),
            "why": self.why,
            "hint": self.hint,
            "board": lambda _: self.say(self.board(), self.screen.seats(self.game)),
            "last": lambda _: self.say(narration.last_trick(self.screen, self.round)),
            "hand": lambda _: self.say(self.screen.hand(self.round, self.me)),
            "legal": lambda _: self.say(self.screen.legal(self.round, self.me)),
            "scores": lambda _: self.say(*score_sheet.so_far(self.screen, self.game)),
            "rules": lambda about: self.say(*map(self.screen.wrap, clause(about).splitlines())),
            "quit": self.leave,
        }

    def board(self) -> str:
        """Draw the board, with what the person can play now marked."""
        return self.screen.board(self.round, self.round.legal_for(self.me))

    @property
    def round(self) -> Round:
        """The round in play."""
        return self.game.current

    # ── The game ─────────────────────────────────────────────────────────────────────────────

    def run(self) -> int:
        """Play until the game is over or the person leaves; return the exit status."""
        company = self.opponents.introduce(self.screen)
        self.say(*welcome(self.screen, self.game, self.seed, company))
        if not self.game.between_rounds:
            self.say(*narration.beginning(self.screen, self.game))
        try:
            while not self.game.over:
                if self.game.between_rounds:
                    self.deal()
                while not self.round.over:
                    self.step()
                self.end_round()
        except (PlayerLeft, KeyboardInterrupt) as parting:
            self.say("", "The game is not over.", *self.where())
            return 130 if isinstance(parting, KeyboardInterrupt) else 0
        self.say(*score_sheet.final(self.screen, self.game), *self.where())
        return 0

    def deal(self) -> None:
        """Deal the next round."""
        self.keep(self.game.shuffle(Random(f"{self.seed}:deal:{self.game.number + 1}")))
        self.say(*narration.beginning(self.screen, self.game))

    def step(self) -> None:
        """Let the next seat act; the person discards before the others do (R7: unseen anyway)."""
        waiting = self.round.to_act
        seat = self.me if self.me in waiting else waiting[0]
        before = self.round
        self.keep(self.game.play(self.ask() if seat == self.me else self.bot(seat), seat))
        if before.phase is Phase.DISCARD:
            self.tell_discards()
        else:
            self.say(*narration.happened(self.screen, before, self.round))
            self.pause(TRICK if self.round.tricks and not self.round.trick else MOVE)

    def tell_discards(self) -> None:
        """Report once that everybody has set a card aside."""
        if self.round.phase is not Phase.DISCARD:
            self.say(f"You set your {self.round.discards[self.me]} aside; so did the others.")

    def bot(self, seat: Seat) -> Action:
        """Ask an opponent for its action, by the view of its seat alone."""
        return self.opponents.choose(seat, self.view(seat), self.chance(seat), self.screen.terminal)

    def view(self, seat: Seat) -> View:
        """What a seat may know: the round, the totals, and how many rounds are left."""
        left = self.game.players - self.game.number
        return View.of(self.round, seat, self.game.totals, left)

    def chance(self, seat: Seat) -> Random:
        """The random source for one decision: the same seed gives the same game."""
        return Random(f"{self.seed}:{self.game.number}:{seat}:{len(self.round.actions)}")

    def hint(self, about: str = "") -> None:
        """Say what the coach would do, and why; `hint all` lists every action."""
        if about not in ("", "all"):
            raise NotUnderstood("input.action", f"hint {about}? Write: hint, or hint all")
        me = self.me
        found = self.opponents.advise(self.view(me), self.chance(me), self.screen.terminal)
        if about:
            self.say(*(f"  {line}" for line in advice.table(found)))
        else:
            self.say(*map(self.screen.wrap, advice.advice(found)))

    def end_round(self) -> None:
        """Show the end of the round and its scores."""
        self.say(*narration.paradox(self.screen, self.round))
        if not self.screen.terminal.plain:
            self.say("", self.screen.board(self.round), "")
        self.say(*score_sheet.of_round(self.screen, self.game))
        if self.slow and not self.game.over:
            self.read("\nPress Enter to go on: ")

    def keep(self, game: Game) -> None:
        """Save the next state of the game and continue with it."""
        troubled = bool(self.save_file.trouble)
        self.save_file.save(game)
        self.game = game
        if self.save_file.trouble and not troubled:
            self.say(f"  ! {self.save_file.trouble}; the game goes on, unsaved.")

    def where(self) -> list[str]:
        """Say where the record is, and how to continue or replay it."""
        if self.save_file.trouble:
            return []
        path = shlex.quote(str(self.save_file.path))
        if self.game.over:
            return [f"Saved: {path}", f"See it again: {program()} replay {path}"]
        again = f"{program()} play --resume {path} --seat {self.me} --seed {shlex.quote(self.seed)}"
        again += f" --level {shlex.join(self.opponents.words)}"
        return [f"Saved: {path}", f"Go on with it: {again}"]

    # ── The person ───────────────────────────────────────────────────────────────────────────

    def ask(self) -> Action:
        """Ask until an action is legal; commands are answered in between."""
        self.say(*narration.turn(self.screen, self.game, self.me))
        while True:
            try:
                answer = input_parser.read(self.read(PROMPTS[self.round.phase]), self.round.phase)
                if isinstance(answer, Action):
                    refusal = self.round.why(answer, self.me, self.screen.people)
                    if refusal is None:
                        return answer
                    self.refuse(str(refusal))
                else:
                    self.commands[answer.name](answer.about)
            except CatInTheBoxError as error:
                self.refuse(f"{error}; ? shows help")

    def refuse(self, sentence: str) -> None:
        """Print why something is refused."""
        mark = "" if self.screen.terminal.plain else "! "
        self.answer(f"{mark}{sentence[0].upper()}{sentence[1:]}")

    def answer(self, sentence: str) -> None:
        """Print a sentence, wrapped at the width of the screen."""
        self.say(self.screen.wrap(sentence))

    def why(self, about: str) -> None:
        """Explain why an action is possible or not, and what it costs."""
        action = input_parser.action(about, self.round.phase)
        refusal = self.round.why(action, self.me, self.screen.people)
        if refusal is not None:
            self.refuse(str(refusal))
        elif action.color is None:
            self.answer(f"You can {action.words}.")
        else:
            self.answer(narration.cost(self.round, self.me, action))

    def leave(self, _: str = "") -> None:
        """Leave the table."""
        raise PlayerLeft

    def read(self, prompt: str) -> str:
        """Read a line; raise `PlayerLeft` at the end of the input."""
        try:
            line = input(prompt)
        except EOFError:
            raise PlayerLeft from None
        if not sys.stdin.isatty():
            print(line)  # a transcript shows what was typed
        return line

    def say(self, *lines: str) -> None:
        """Print lines."""
        for line in lines:
            print(line)

    def pause(self, seconds: float) -> None:
        """Let a person look at the screen; no pause for a pipe."""
        sys.stdout.flush()
        if self.slow:
            time.sleep(seconds)
