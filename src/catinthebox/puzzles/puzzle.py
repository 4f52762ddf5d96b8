"""A puzzle, and the file of puzzles (docs/puzzles.md).

>>> row = ["5r", 140, 5, 244, 44, 51, 21, 11, 35, 71, "paradox dead -denied"]
>>> valued = Valued.of_row(row)
>>> valued.points, valued.paradox, valued.row == row
(1.4, 0.44, True)
"""

from __future__ import annotations

import json
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from ..coach import Judged, Reason
from ..game import FACES, Action, CatInTheBoxError, NotUnderstood, Round
from ..views import View

VERSION: Final = 1
COLUMNS: Final = (
    *("action", "points", "within", "loss", "paradox", "bid"),
    *("group", "dead", "denied", "wins", "reasons"),
)
SCALES: Final = (100, 100, 100, 100, 100, 10, 10, 10, 100)  # of the numbers between them
THEMES: Final = (
    *("exact", "paradox", "let_go", "bid", "count", "group", "deny", "break", "red", "give_up"),
)
EASIEST: Final = 800
HARDEST: Final = 2200
ID_LENGTH: Final = 8
MEASURED: Final = {  # the column that a reason's numbers come from
    "paradox": "paradox",
    "bonus": "bid",
    "group": "group",
    "dead": "dead",
    "denied": "denied",
    "needed": "wins",
    "unwanted": "wins",
}


@dataclass(frozen=True)
class Valued:
    """An action of a puzzle, and what is expected of it, as `coach.Prospect` has it."""

    action: Action
    points: float
    within: float
    loss: float
    paradox: float
    bid: float
    group: float
    dead: float
    denied: float
    wins: float
    codes: tuple[str, ...] = ()  # why the best action is better, or not: reasons in short

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Valued:
        """Read a row of the file."""
        action, *written, codes = row
        columns = zip(COLUMNS[1:-1], written, SCALES, strict=True)
        numbers = {name: number / scale for name, number, scale in columns}
        return cls(Action(action), codes=tuple(codes.split()), **numbers)

    @classmethod
    def of(cls, judged: Judged, reasons: Iterable[Reason]) -> Valued:
        """Take what the coach found, rounded as the file has it."""
        one = judged.prospect
        numbers = (getattr(one, name) for name in COLUMNS[1:-1])
        rounded = [round(number * scale) for number, scale in zip(numbers, SCALES, strict=True)]
        return cls.of_row([one.action.notation, *rounded, " ".join(map(code_of, reasons))])

    @property
    def row(self) -> list[Any]:
        """The row of the file."""
        numbers = (getattr(self, name) for name in COLUMNS[1:-1])
        rounded = [round(number * scale) for number, scale in zip(numbers, SCALES, strict=True)]
        return [self.action.notation, *rounded, " ".join(self.codes)]


def code_of(reason: Reason) -> str:
    """Write a reason in short; its other numbers are in the columns.

    >>> code_of(Reason("room", True, {"color": 1, "cards": 3}))
    'room:1:3'
    >>> code_of(Reason("group", False, {"here": 2.0, "there": 3.1}))
    '-group'
    """
    words = [] if reason.code in MEASURED else [f"{int(n)}" for n in reason.numbers.values()]
    return ("" if reason.favours else "-") + ":".join([reason.code, *words])


@dataclass(frozen=True)
class Puzzle:
    """A moment of a round in which one action is clearly best. It contains all hands."""

    deal: int
    players: int
    face: str
    starter: int
    seat: int
    hands: tuple[str, ...]
    aside: str
    moves: str
    themes: tuple[str, ...]
    rating: int
    answers: tuple[Action, ...]  # of the levels
    actions: tuple[Valued, ...]  # the best first, then by their loss

    @cached_property
    def round(self) -> Round:
        """The round up to the decision, with all hands."""
        face = FACES[self.face]
        begun = Round.deal(self.hands, starter=self.starter, face=face, aside=self.aside)
        return begun.replay(self.moves)

    @cached_property
    def view(self) -> View:
        """What the seat knows: all that may be used before the answer is given."""
        return View.of(self.round, self.seat)

    @cached_property
    def id(self) -> str:
        """A name that stays the same as long as the position does."""
        own = self.view
        turned_up = "".join(map(str, own.turned_up))
        held = self.hands[self.seat]
        words = (self.players, self.face, self.starter, self.seat, held, turned_up, own.moves)
        digest = sha256(" ".join(map(str, words)).encode()).digest()
        return b32encode(digest).decode().lower()[:ID_LENGTH]

    @property
    def best(self) -> Valued:
        """The best action."""
        return self.actions[0]

    @property
    def lead(self) -> float:
        """What the next best action costs."""
        return self.actions[1].loss

    @property
    def tempting(self) -> Valued:
        """The wrong action that the most levels take; of several, the least wrong one."""
        return max(self.actions[1:], key=lambda one: (self.answers.count(one.action), -one.loss))

    def reasons(self, other: Valued) -> tuple[Reason, ...]:
        """Why the best action is better than another one, and what speaks against it."""
        return tuple(self._reason(code, other) for code in other.codes)

    def _reason(self, written: str, other: Valued) -> Reason:
        code, *words = written.removeprefix("-").split(":")
        favours, best = not written.startswith("-"), self.best
        if code not in MEASURED:
            return Reason(
                code, favours, dict(zip(("color", "cards"), map(int, words), strict=False))
            )
        column = MEASURED[code]
        numbers = {"here": getattr(best, column), "there": getattr(other, column)}
        if column == "wins":
            numbers |= {"bonus_here": best.bid, "bonus_there": other.bid}
        return Reason(code, favours, numbers)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what follows from the rest."""
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    # ── JSON ─────────────────────────────────────────────────────────────────────────────────

    @property
    def data(self) -> dict[str, Any]:
        """The puzzle as JSON."""
        aside = {"aside": self.aside} if self.aside else {}
        return {
            "id": self.id,
            "deal": self.deal,
            "players": self.players,
            "face": self.face,
            "starter": self.starter,
            "seat": self.seat,
            "hands": list(self.hands),
            **aside,
            "moves": self.moves,
            "themes": list(self.themes),
            "rating": self.rating,
            "answers": [action.notation for action in self.answers],
            "actions": [valued.row for valued in self.actions],
        }

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Puzzle:
        """Read a puzzle; `problems` in `check` says what is wrong with it."""
        return cls(
            deal=data["deal"],
            players=data["players"],
            face=data["face"],
            starter=data["starter"],
            seat=data["seat"],
            hands=tuple(data["hands"]),
            aside=data.get("aside", ""),
            moves=data["moves"],
            themes=tuple(data["themes"]),
            rating=data["rating"],
            answers=tuple(map(Action, data["answers"])),
            actions=tuple(map(Valued.of_row, data["actions"])),
        )


@dataclass(frozen=True)
class PuzzleFile:
    """The puzzles of a file, and how they were made."""

    seed: str
    worlds: int  # in which every action was tried when a puzzle was found …
    again: int  # … and then once more, with another seed
    levels: tuple[str, ...]
    puzzles: tuple[Puzzle, ...] = ()
    ids: tuple[str, ...] = ()  # as they are written in the file

    def holding(self, puzzles: Iterable[Puzzle]) -> PuzzleFile:
        """Return the same with other puzzles."""
        puzzles = tuple(puzzles)
        return replace(self, puzzles=puzzles, ids=tuple(puzzle.id for puzzle in puzzles))

    @property
    def head(self) -> dict[str, Any]:
        """How the puzzles were made, as JSON."""
        return {
            "catinthebox_puzzles": VERSION,
            "seed": self.seed,
            "worlds": self.worlds,
            "again": self.again,
            "levels": list(self.levels),
            "columns": list(COLUMNS),
        }

    @property
    def text(self) -> str:
        """The file: JSON with a puzzle on each line."""
        head = compact(self.head).removesuffix("}")
        lines = ",\n".join(compact(puzzle.data) for puzzle in self.puzzles)
        return f'{head},\n"puzzles":[\n{lines}\n]}}\n'

    @classmethod
    def of_text(cls, text: str) -> PuzzleFile:
        """Read a file; one that is not understood raises `NotUnderstood`."""
        try:
            data = json.loads(text)
        except ValueError:
            raise NotUnderstood("input.file", "this is not JSON") from None
        version = data.get("catinthebox_puzzles") if isinstance(data, dict) else None
        if version != VERSION:
            sentence = "this is not a file of puzzles: it has no catinthebox_puzzles"
            if version is not None:
                sentence = f"the version of this file is {version}; this program reads {VERSION}"
            raise NotUnderstood("input.file", sentence)
        try:
            found = cls(data["seed"], data["worlds"], data["again"], tuple(data["levels"]))
            rows = data["puzzles"]
            return replace(
                found,
                puzzles=tuple(_read(number, row) for number, row in enumerate(rows, start=1)),
                ids=tuple(str(row["id"]) for row in rows),
            )
        except (KeyError, TypeError) as error:
            raise NotUnderstood("input.file", f"a field is missing or wrong: {error}") from None


def _read(number: int, row: Mapping[str, Any]) -> Puzzle:
    try:
        return Puzzle.of_data(row)
    except (KeyError, TypeError, ValueError, AttributeError, CatInTheBoxError) as error:
        raise NotUnderstood("input.file", f"puzzle {number}: {error}") from None


def compact(data: object) -> str:
    """Write JSON without spaces."""
    return json.dumps(data, separators=(",", ":"))
