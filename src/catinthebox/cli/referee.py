"""`catinthebox referee`: one JSON object per line in, one answer per line out (docs/referee.md).

>>> referee = Referee()
>>> referee.answer('{"id": 7, "op": "legal", "seat": 0}')[:44]
'{"id": 7, "ok": false, "error": {"code": "tu'
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from math import isfinite
from typing import BinaryIO, Final, TextIO, cast

from .. import CatInTheBoxError, Face, NotLegal, NotUnderstood, Refusal, Round, standing
from ..game.errors import shortened
from ..game.record.json_form import Json, JsonObject

MAX_LINE: Final = 65_536
MAX_POINTS: Final = 1_000_000
MAX_ROUNDS: Final = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no options: every request is a line of standard input."""
    parser.epilog = 'Try: echo \'{"op":"result","rounds":[[3,5],[4,2]]}\' | catinthebox referee'


def run(arguments: argparse.Namespace) -> int:
    """Answer every line of standard input until it ends."""
    serve(sys.stdin.buffer, sys.stdout)
    return 0


def serve(lines: BinaryIO, answers: TextIO) -> None:
    """Answer line by line; an invalid line gets an error, and the next one is read."""
    referee = Referee()
    while line := lines.readline(MAX_LINE + 1):
        answer = referee.answer(line)
        while len(line) > MAX_LINE and not line.endswith(b"\n"):  # drop the rest of a long line
            line = lines.readline(MAX_LINE + 1)
        answers.write(answer + "\n")
        answers.flush()


class Referee:
    """Holds one round and answers questions about it."""

    def __init__(self) -> None:
        self._round: Round | None = None

    def answer(self, line: str | bytes) -> str:
        """Answer one line; never raises, since errors are answers too."""
        echo: JsonObject = {}
        try:
            request = _parse(line)
            if "id" in request:
                echo["id"] = _id(request.pop("id"))
            answer = {**echo, "ok": True, **self._respond(request)}
        except CatInTheBoxError as error:
            answer = {**echo, "ok": False, "error": _error(error)}
        return json.dumps(answer, allow_nan=False)

    def _respond(self, request: JsonObject) -> JsonObject:
        op = request.pop("op", None)
        if not isinstance(op, str) or op not in OPERATIONS:
            known = ", ".join(OPERATIONS)
            raise NotUnderstood("input.op", f"op {shortened(op)} is unknown; there are {known}")
        operation, required, optional = OPERATIONS[op]
        _check_fields(op, request, required, optional)
        return operation(self, request)

    @property
    def round(self) -> Round:
        """The round in play."""
        if self._round is None:
            raise NotLegal(Refusal("turn.no_round", "R5", "no round yet; send op 'deal' first"))
        return self._round

    def _deal(self, request: JsonObject) -> JsonObject:
        players = _integer(request, "players")
        hands = [_ranks(hand, "hands") for hand in _items(request["hands"], "hands")]
        if len(hands) != players:
            raise NotUnderstood("input.hands", f"{len(hands)} hands for {players} players")
        face = request.get("face", "white")
        if not isinstance(face, str):
            raise NotUnderstood("input.face", f"face is the name of a face, not {shortened(face)}")
        self._round = Round.deal(
            hands,
            starter=_integer(request, "starter", 0),
            face=Face.named(face),
            aside=_ranks(request.get("aside", []), "aside"),
        )
        return self._where()

    def _legal(self, request: JsonObject) -> JsonObject:
        legal = self.round.legal_for(_integer(request, "seat"))
        return {"actions": [*sorted(map(str, legal))]}

    def _act(self, request: JsonObject) -> JsonObject:
        action = request["action"]
        if not isinstance(action, str):
            raise NotUnderstood(
                "input.action", f"action is a text like 5b, not {shortened(action)}"
            )
        before = self.round
        self._round = now = before.play(action, _integer(request, "seat"))
        answer = self._where()
        if sum(now.won) > sum(before.won):
            answer["trick_winner"] = now.leader
        if now.paradox is not None:
            answer["paradox"] = now.paradox
        return answer

    def _state(self, request: JsonObject) -> JsonObject:
        now = self.round
        return {
            "phase": str(now.phase),
            "board": {f"{color.letter}{rank}": seat for (color, rank), seat in now.board.items()},
            "tokens": ["".join(color.letter for color in tokens) for tokens in now.tokens],
            "hands": [[*hand] for hand in now.hands],
            "discards": [*now.discards],
            "bids": [*now.bids],
            "won": [*now.won],
            "trick": [{"seat": seat, "action": str(action)} for seat, action in now.trick],
            "leader": now.leader,
            "red_open": now.red_open,
            "paradox": now.paradox,
        }

    def _score(self, request: JsonObject) -> JsonObject:
        scores = self.round.scores
        if scores is None:
            raise NotLegal(Refusal("turn.not_over", "R23", "the round is not over yet"))
        return {"scores": [*scores], "groups": [*self.round.groups]}

    def _result(self, request: JsonObject) -> JsonObject:
        rounds = [
            tuple(_number(points, "rounds") for points in _items(scores, "rounds"))
            for scores in _items(request["rounds"], "rounds")
        ]
        seats = {len(scores) for scores in rounds}
        if len(seats) != 1 or not seats <= {2, 3, 4, 5} or len(rounds) > MAX_ROUNDS:
            sentence = "rounds is a list of rounds, each with one score for each of 2 to 5 seats"
            raise NotUnderstood("input.rounds", sentence)
        totals, winners = standing(tuple(rounds))
        return {"totals": [*totals], "winners": [*winners]}

    def _where(self) -> JsonObject:
        return {"phase": str(self.round.phase), "to_act": [*self.round.to_act]}


Operation = Callable[[Referee, JsonObject], JsonObject]
OPERATIONS: Final[dict[str, tuple[Operation, set[str], set[str]]]] = {
    "deal": (Referee._deal, {"players", "hands"}, {"starter", "face", "aside"}),
    "legal": (Referee._legal, {"seat"}, set()),
    "act": (Referee._act, {"seat", "action"}, set()),
    "state": (Referee._state, set(), set()),
    "score": (Referee._score, set(), set()),
    "result": (Referee._result, {"rounds"}, set()),
}
"""Operation → what it does, the fields it needs, the fields it takes."""


def _parse(line: str | bytes) -> JsonObject:
    if len(line) > MAX_LINE:
        raise NotUnderstood("input.line", f"a line has at most {MAX_LINE} bytes")
    try:
        text = line if isinstance(line, str) else line.decode("utf-8")
        request = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise NotUnderstood("input.json", f"not a JSON object: {error}") from None
    if not isinstance(request, dict):
        raise NotUnderstood("input.json", f"a JSON object is needed, not {shortened(request)}")
    return cast(JsonObject, request)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _id(value: Json) -> Json:
    finite = not isinstance(value, float) or isfinite(value)
    if isinstance(value, int | float | str | None) and not isinstance(value, bool) and finite:
        return value
    raise NotUnderstood("input.id", f"id is a number, a text or null, not {shortened(value)}")


def _check_fields(op: str, request: JsonObject, required: set[str], optional: set[str]) -> None:
    missing, unknown = required - request.keys(), request.keys() - required - optional
    if missing:
        raise NotUnderstood("input.field", f"op {op!r} needs {', '.join(sorted(missing))}")
    if unknown:
        names = ", ".join(sorted(unknown))[:80]
        raise NotUnderstood("input.field", f"op {op!r} does not know {names}")


def _integer(request: JsonObject, field: str, default: int | None = None) -> int:
    return _number(request.get(field, default), field)


def _number(value: Json, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MAX_POINTS:
        raise NotUnderstood(
            f"input.{field}", f"{field}: a whole number belongs here, not {shortened(value)}"
        )
    return value


def _items(value: Json, field: str) -> list[Json]:
    if not isinstance(value, list):
        raise NotUnderstood(
            f"input.{field}", f"{field}: a list belongs here, not {shortened(value)}"
        )
    return value


def _ranks(value: Json, field: str) -> str:
    ranks = [_number(rank, field) for rank in _items(value, field)]
    wrong = [rank for rank in ranks if not 1 <= rank <= 9]
    if wrong:
        raise NotUnderstood(f"input.{field}", f"{field}: {wrong[0]} is not a rank from 1 to 9")
    return "".join(map(str, ranks))


def _error(error: CatInTheBoxError) -> JsonObject:
    return {"code": error.code, "clause": error.clause or None, "message": error.message}
