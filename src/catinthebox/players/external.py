"""`external`: a program in any language plays, by lines of JSON (docs/external-players.md).

The program receives its seat's `View`, by its public properties, and nothing else.

>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566")).replay("-2 -3 -4 =1 =3 =4 5b")
>>> asked = question(View.of(round, seat=1), Budget(ms=50), seed=7)
>>> asked["hand"], asked["discard"], asked["tokens"], asked["board"]
([1, 1, 2, 3, 4, 4, 5, 5, 6], 3, ['rbyg', 'rbyg', 'rbyg'], {'b5': 0})
>>> External("python3 bot.py --level=3")
External(command='python3 bot.py --level=3', timeout_ms=10000.0)
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar, Final, cast

from ..game import Action, NotUnderstood, Play
from ..game.record.json_form import Json, JsonObject
from ..views import View
from .player import Budget, Player
from .program import ExternalError, Program, shown

PROTOCOL: Final = 1
MAX_TIMEOUT_MS: Final = 3_600_000


@dataclass(frozen=True)
class External:
    """A program as a player: one process, started with its first decision. It plays one seat.

    `command` is split into words as a shell does it, but no shell runs it. `timeout_ms` is how long
    a decision may take before it is an error.
    """

    REST: ClassVar = "command"  # extends to the end of the spec, so it may hold commas
    ALONE: ClassVar = True  # R33: a process that played two seats could pool their hands

    command: str
    timeout_ms: float = 10_000.0

    def __post_init__(self) -> None:
        if not 0 < self.timeout_ms <= MAX_TIMEOUT_MS:
            raise ValueError(f"timeout_ms is more than 0 and at most {MAX_TIMEOUT_MS}")
        if not shlex.split(self.command):  # raises ValueError if a quote is not closed
            raise ValueError("a command is needed, as in external:python3 bot.py")

    @cached_property
    def program(self) -> Program:
        """The program's process."""
        return Program(shlex.split(self.command), self.timeout_ms / 1000)

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Ask the program; raise `ExternalError` if its answer is not valid."""
        if not self.program.started:
            self._greet()
        budget = budget.within(Budget(ms=self.timeout_ms))
        said = self.program.ask(line(question(view, budget, rng.getrandbits(32))))
        return self._action(view, said)

    def close(self) -> None:
        """End the process; it also ends with this object and with Python."""
        self.program.end()

    def __reduce__(self) -> tuple[Callable[..., External], tuple[str, float]]:
        """A copy, here or in another process, starts a program of its own."""
        return External, (self.command, self.timeout_ms)

    def _greet(self) -> None:
        hello: JsonObject = {"type": "hello", "protocol": PROTOCOL, "game": "catinthebox"}
        said = self.program.ask(line({**hello, "timeout_ms": self.timeout_ms}))
        self._message(said, "hello", "name")

    def _action(self, view: View, said: str) -> Action:
        text = self._message(said, "action", "action")
        legal = f"legal: {view.legal}"
        try:
            action = Action(text)
        except NotUnderstood as error:
            raise self._wrong("external.action", said, f"{error.message}; {legal}") from None
        if action not in view.legal:
            reason = f"{view.why(action)}; {legal}"
            raise self._wrong("external.illegal", said, reason)
        return action

    def _message(self, said: str, kind: str, field: str) -> str:
        """Read a line `{"type": kind, field: "…"}`; return the field's text."""
        wanted = f'a line {{"type": "{kind}", "{field}": "…"}} belongs here'
        try:
            message = cast(Json, json.loads(said))
        except (ValueError, RecursionError):
            raise self._wrong("external.json", said, f"that is not JSON; {wanted}") from None
        text = message.get(field) if isinstance(message, dict) else None
        if not isinstance(message, dict) or message.get("type") != kind:
            raise self._wrong("external.answer", said, wanted)
        if not isinstance(text, str):
            raise self._wrong("external.answer", said, f"{field} is a text; {wanted}")
        return text

    def _wrong(self, code: str, said: str, sentence: str) -> ExternalError:
        return self.program.failed(code, f"sent {shown(said)}: {sentence}")


def alone(one: Player) -> bool:
    """Whether a player may keep what it has seen, so that every seat needs its own.

    >>> alone(External("bot"))
    True
    """
    return bool(getattr(one, "ALONE", False))


def line(message: JsonObject) -> str:
    """Write a message as one line of plain ASCII."""
    return json.dumps(message, allow_nan=False)


def question(view: View, budget: Budget, seed: int) -> JsonObject:
    """Describe what the seat may know (R32, R33), and no more."""
    return {"type": "choose", **_table(view), **_own(view), **_limits(budget), "seed": seed}


def _table(view: View) -> JsonObject:
    """What everybody sees (R32)."""
    return {
        "players": view.players,
        "seat": view.seat,
        "starter": view.starter,
        "face": view.face.name,
        "rows": [*str(view.face).splitlines()[1:]],
        "ranks": view.ranks,
        "turned_up": [*view.turned_up],
        "phase": str(view.phase),
        "discarders": [*view.discarders],
        "bids": [*view.bids],
        "won": [*view.won],
        "hand_sizes": [*view.hand_sizes],
        "tokens": ["".join(color.letter for color in tokens) for tokens in view.tokens],
        "board": {f"{color.letter}{rank}": seat for (color, rank), seat in view.board.items()},
        "groups": [*view.groups],
        "red_open": view.red_open,
        "leader": view.leader,
        "trick": _plays(view.trick),
        "winning": view.winning,
        "tricks": [
            {"plays": _plays(trick.plays), "winner": trick.winner}
            for trick in view.tricks
            if trick.winner is not None
        ],
        "actions": _plays(view.actions),
        "totals": [*view.totals],
        "rounds_left": view.rounds_left,
    }


def _own(view: View) -> JsonObject:
    """What only this seat sees, and what follows from it (R33)."""
    unseen = view.unseen
    return {
        "hand": [*view.hand],
        "discard": view.discard,
        "unseen": {str(rank): unseen.get(rank, 0) for rank in range(1, view.ranks + 1)},
        "cannot_hold": [[*ranks] for ranks in view.cannot_hold],
        "moves": view.moves,
        "legal": [*sorted(map(str, view.legal))],
    }


def _limits(budget: Budget) -> JsonObject:
    return {"budget_ms": budget.ms, "budget_rollouts": budget.rollouts}


def _plays(plays: Iterable[Play]) -> list[Json]:
    return [{"seat": seat, "action": str(action)} for seat, action in plays]
