"""Make the positions of the tutorial: every one of them is played at a table, none drawn by hand.

    .venv/bin/python web/src/pages/learn/make.py

A step is a position, the actions it waits for, and what follows each of them, position by
position. The client knows no rules, so everything that a learner can do is worked out here. The
words are in the client (texts.ts), by the id of the step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catinthebox.game import Round
from catinthebox.table import (
    Act,
    AddBot,
    Broadcaster,
    Command,
    DealtHands,
    Settings,
    Sit,
    Start,
    Table,
    create,
    decide,
    follow,
    replay,
    token_hash,
)
from catinthebox.table.seats import WORKER

ME = 0
LEARNER = token_hash("a learner")
SHOWN = ("seat", "seats", "game", "round", "turn", "own")
Json = dict[str, Any]


@dataclass(frozen=True)
class Prepared:
    """A dealer whose cards are known beforehand; the learner starts."""

    cards: DealtHands

    def commitment(self, table: str, game: int) -> str:
        """Promise nothing."""
        return "0" * 64

    def lot(self, asked: object) -> int:
        """Let the learner start."""
        return ME

    def deal(self, asked: object) -> DealtHands:
        """Deal what was prepared."""
        return self.cards

    def reveal(self, table: str, game: int) -> str:
        """Tell nothing."""
        return "0" * 64


@dataclass
class Lesson:
    """A table that goes on from step to step."""

    dealer: Prepared
    table: Table = field(init=False)
    steps: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        players = len(self.dealer.cards.hands)
        self.table = replay([create("learn", Settings(players), LEARNER, "0" * 64, now=0)])
        self._do(Sit("You", ME))
        for seat in range(1, players):
            self._do(AddBot(seat, "gentle"))
        self._do(Start())

    def _do(self, command: Command, who: str = LEARNER) -> None:
        self.table = follow(self.table, decide(self.table, command, who, 1, self.dealer))

    @property
    def round(self) -> Round:
        """The round in play."""
        assert self.table.round is not None
        return self.table.round

    @property
    def position(self) -> Json:
        """The moment as the server shows it to the learner."""
        whole = json.loads(Broadcaster(self.table).snapshot(ME))
        return {name: whole[name] for name in SHOWN}

    def play(self, moves: str) -> list[Json]:
        """Let some moves happen; `2:-4` names the seat. Give the position after each."""
        seen = []
        for move in moves.split():
            named, _, action = move.rpartition(":")
            seat = int(named) if named else self.round.turn
            if seat == ME:
                self._do(Act(action))
            else:
                self._do(Act(action, seat), WORKER)
            seen.append(self.position)
        return seen

    def say(self, id: str, **more: str | int) -> None:
        """Words, and a button to go on; perhaps with a sheet over the table, or a card chosen."""
        self.steps.append({"id": id, "scene": self.position, **more})

    def choose(self, id: str, rank: int) -> None:
        """Wait until a card is chosen."""
        self.steps.append({"id": id, "scene": self.position, "choose": rank})

    def do(self, id: str, action: str, after: str = "") -> None:
        """Wait for one action; then others follow."""
        scene = self.position
        self.steps.append(
            {"id": id, "scene": scene, "then": {action: self.play(f"{ME}:{action} {after}")}}
        )

    def do_any(self, id: str, after: Callable[[Round], str]) -> None:
        """Wait for any legal action; the lesson goes on from the first of them."""
        before, scene, then = self.table, self.position, {}
        actions = [str(action) for action in self.round.legal_for(ME)]
        for action in reversed(actions):
            self.table = before
            seen = self.play(f"{ME}:{action}")
            then[action] = seen + self.play(after(self.round))
        self.steps.append({"id": id, "scene": scene, "then": then})


# ── One round for the first three lessons ────────────────────────────────────────────────────


def colors() -> list[Json]:
    """What a color is, following and giving up, red."""
    lesson = Lesson(Prepared(DealtHands(("1233455566", "1122344566", "1122334456"))))
    lesson.play("0:-3 1:-1 2:-4 =4 =3 =1")
    lesson.choose("color-tap", 5)
    lesson.do("color-choose", "5b", "4b 3b")
    lesson.choose("color-taken", 5)
    lesson.do("color-again", "5g", "6g 2g")
    lesson.say("color-trick")
    lesson.play("4y 1y")  # Muon leads, so the learner is the last to play
    lesson.do("follow-yes", "2y")
    lesson.play("2b 1b")
    lesson.do("follow-no", "1g")
    lesson.play("5y 6y")
    lesson.choose("follow-cost", 6)
    lesson.say("follow-why", chosen=6)
    lesson.do("red-trump", "3r")
    lesson.do("red-lead", "6r", "2r 4r")
    lesson.say("red-over")
    return lesson.steps


# ── Written rounds ───────────────────────────────────────────────────────────────────────────

# A round in which the learner's last card makes the group larger, and so the bid count for more.
GROUP_DEAL = DealtHands(("1122445666", "1122233555", "1333444566"))
GROUP_BEFORE = (
    "0:6g 1:5g 2:4g 0:6y 1:5y 2:4y 0:5b 1:2b 2:6b 2:4b 0:1b 1:5r 1:3y 2:6r 0:1y 2:1r 0:4r 1:3r "
    "0:2g 1:1g 2:3g 2:3b"
)


def groups() -> list[Json]:
    """Setting aside, bidding, and what a group is worth."""
    lesson = Lesson(Prepared(GROUP_DEAL))
    lesson.do("bid-aside", "-6", "1:-2 2:-3")
    lesson.do("bid-number", "=3", "1:=1 2:=4")
    lesson.play(GROUP_BEFORE)
    lesson.say("bid-last")
    lesson.do("bid-group", "2y", "1:2r")
    lesson.say("bid-result", sheet="result")
    return lesson.steps


# A round in which the learner causes a paradox soon after a harmless-looking card.
PARADOX_DEAL = DealtHands(("3344455666", "1122235566", "1112233445"))
PARADOX_BEFORE = (
    "0:-4 1:-2 2:-1 0:=4 1:=3 2:=1 0:5b 1:2b 2:1b 0:3g 1:2g 2:5g 2:1g 0:6g 1:3r 1:5r 2:4r 0:6r "
    "0:4y 1:6y 2:2y 1:6b 2:3b"
)
PARADOX_CARD, PARADOX_AFTER = "4b", "1:5y 2:3y"


def paradox() -> list[Json]:
    """A harmless-looking card, and the paradox after it."""
    lesson = Lesson(Prepared(PARADOX_DEAL))
    lesson.play(PARADOX_BEFORE)
    lesson.do("paradox-play", PARADOX_CARD, PARADOX_AFTER)
    lesson.say("paradox-seen", sheet="paradox")
    return lesson.steps


# Two players: what the other seat sets aside, and its answer to each lead of the learner.
TWO_DEAL = DealtHands(("1112233455", "1122233445"), "45543")
TWO_ASIDE, TWO_REPLY = "-1", "1:-2"
TWO_ANSWERS = {
    "1b": "4b", "2b": "4b", "3b": "4b", "4b": "5b", "5b": "4b",
    "1y": "3y", "2y": "3y", "3y": "2y", "4y": "3y",
    "1g": "2g", "2g": "3g", "3g": "2g",
}  # fmt: skip


def two() -> list[Json]:
    """Two players: neutral tokens, no bids."""
    lesson = Lesson(Prepared(TWO_DEAL))
    lesson.say("two-neutral")
    lesson.do("two-aside", TWO_ASIDE, TWO_REPLY)
    lesson.say("two-bonus")
    lesson.do_any("two-play", lambda round: TWO_ANSWERS[str(round.trick[0].action)])
    return lesson.steps


def steps() -> list[Json]:
    """Return the whole tutorial."""
    return [*colors(), *groups(), *paradox(), *two()]


if __name__ == "__main__":
    text = json.dumps(steps(), ensure_ascii=False, separators=(",", ":"))
    Path(__file__).with_name("steps.json").write_text(text, "utf-8")
