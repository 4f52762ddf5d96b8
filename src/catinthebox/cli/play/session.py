"""A person at the table: the loop of a game, the questions and the answers.

>>> from pathlib import Path
>>> keeper, rivals = SaveFile(Path("game.cat")), Opponents(["gentle"], me=0, players=3)
>>> session = PlaySession(Game.new(3), 0, "7", Terminal(), keeper, rivals, slow=False)
>>> session.refuse("it is Curie's turn")
  ! It is Curie's turn
>>> rivals.close()
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Final

from ...game import Action, CatInTheBoxError, Game, Phase, Round
from ...game.round import Seat
from ...views import View
from ..terminal import Terminal, program
from . import input_parser, narration, score_sheet
from .help_text import HELP, clause, welcome
from .opponents import Opponents
from .save_file import SaveFile
from .screen import Screen

MOVE, TRICK = 0.5, 1.0  # seconds to look at a play, at a trick
PROMPTS: Final = {Phase.DISCARD: "Set aside: ", Phase.BID: "Your bid: ", Phase.PLAY: "Your play: "}


class PlayerLeft(Exception):
    """The person has left the table."""


class PlaySession:
    """A person at the table: the game, the screen, and the loop that joins them."""

    def __init__(
        self,
        game: Game,
        me: Seat,
        seed: str,
        look: Terminal,
        keeper: SaveFile,
        rivals: Opponents,
        slow: bool,
    ) -> None:
        self.game = game
        self.me = me
        self.seed = seed
        self.keeper = keeper
        self.rivals = rivals
        self.slow = slow
        self.screen = Screen.of(game, me, look)
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
        """The board, with what the person could play now."""
        return self.screen.board(self.round, self.round.legal_for(self.me))

    @property
    def round(self) -> Round:
        """The round in play."""
        return self.game.current

    # ── The game ─────────────────────────────────────────────────────────────────────────────

    def run(self) -> int:
        """Play until the game is over or the person leaves."""
        company = self.rivals.introduce(self.screen)
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
        """Begin the next round."""
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
        """Say once that everybody has set a card aside."""
        if self.round.phase is not Phase.DISCARD:
            self.say(f"You set your {self.round.discards[self.me]} aside; so did the others.")

    def bot(self, seat: Seat) -> Action:
        """Ask an opponent, which sees what its seat may know and no more."""
        return self.rivals.choose(seat, self.view(seat), self.chance(seat), self.screen.look)

    def view(self, seat: Seat) -> View:
        """What a seat may know, of the round and of how the game stands."""
        left = self.game.players - self.game.number
        return View.of(self.round, seat, self.game.totals, left)

    def chance(self, seat: Seat) -> Random:
        """Chance for one decision: the same seed, the same game."""
        return Random(f"{self.seed}:{self.game.number}:{seat}:{len(self.round.actions)}")

    def hint(self, _: str = "") -> None:
        """Say what a good player would do in the person's place."""
        me = self.me
        who, action = self.rivals.advise(self.view(me), self.chance(me), self.screen.look)
        verb = "play " if action.color is not None else ""
        self.answer(f"A {who} player would {verb}{action.words}.")

    def end_round(self) -> None:
        """Show how the round ended and what it was worth."""
        self.say(*narration.paradox(self.screen, self.round))
        if not self.screen.look.plain:
            self.say("", self.screen.board(self.round), "")
        self.say(*score_sheet.of_round(self.screen, self.game))
        if self.slow and not self.game.over:
            self.read("\nPress Enter to go on: ")

    def keep(self, game: Game) -> None:
        """Take over the next state of the game, once it is saved."""
        troubled = bool(self.keeper.trouble)
        self.keeper.save(game)
        self.game = game
        if self.keeper.trouble and not troubled:
            self.say(f"  ! {self.keeper.trouble}; the game goes on, unsaved.")

    def where(self) -> list[str]:
        """Say where the record is, and how to go on with it."""
        if self.keeper.trouble:
            return []
        path = shlex.quote(str(self.keeper.path))
        if self.game.over:
            return [f"Saved: {path}", f"See it again: {program()} replay {path}"]
        again = f"{program()} play --resume {path} --seat {self.me} --seed {shlex.quote(self.seed)}"
        again += f" --level {shlex.join(self.rivals.words)}"
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
        """Say why something cannot be."""
        mark = "" if self.screen.look.plain else "! "
        self.answer(f"{mark}{sentence[0].upper()}{sentence[1:]}")

    def answer(self, sentence: str) -> None:
        """Answer in as many lines as it takes."""
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
        """Read a line; at the end of the input the person has left."""
        try:
            line = input(prompt)
        except EOFError:
            raise PlayerLeft from None
        if not sys.stdin.isatty():
            print(line)  # a transcript shows what was typed
        return line

    def say(self, *lines: str) -> None:
        """Print."""
        for line in lines:
            print(line)

    def pause(self, seconds: float) -> None:
        """Give a person the time to look; a pipe needs none."""
        sys.stdout.flush()
        if self.slow:
            time.sleep(seconds)
