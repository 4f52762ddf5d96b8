"""The JSON form of a record: the same lines under the same names.

>>> from catinthebox import Game
>>> sorted(as_object(Game.new(2)))
['catinthebox', 'edition', 'face', 'names', 'players', 'rounds', 'starter']
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..errors import shortened
from ..game import Game
from .check import check
from .evidence import PROMISE
from .lines import Line, RecordError, Where, Word
from .serialize import PlainLine, record_lines

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]

HEADER = (
    *("catinthebox", "players", "names", "edition", "face", "rows", "house"),
    *(*PROMISE, "starter"),
)
ROUND = ("deal", "aside", "discards", "bids", "tricks", "paradox", "scores")
RESULT = ("totals", "winners")
TOP = Where(0, 0, "record")


def write_json(game: Game) -> str:
    """Write a game as JSON on one line."""
    return json.dumps(as_object(game), ensure_ascii=False) + "\n"


def read_json(text: str) -> Game:
    """Read a JSON record; raise `RecordError` with the path if a claim is wrong."""
    try:
        record: Json = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise RecordError(TOP, f"not JSON: {error}") from None
    return check(list(_lines(_object(record, "record"))), cut=False)


def _once(pairs: list[tuple[str, Json]]) -> JsonObject:
    """Raise an error if a key appears twice, since only one of them would be checked."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"a key appears twice among {', '.join(keys)[:60]}")
    return dict(pairs)


# ── Writing ──────────────────────────────────────────────────────────────────────────────────


def as_object(game: Game) -> JsonObject:
    """Return a record as plain JSON values."""
    record: JsonObject = {}
    rounds: list[Json] = []
    place = record
    for kind, words in record_lines(game):
        if kind == "round":
            rounds.append(place := {})
        elif kind in ("result", "winners"):
            result = record.setdefault("result", {})
            assert isinstance(result, dict)
            result["totals" if kind == "result" else kind] = [int(word) for word in words]
        else:
            _put(record if kind == "secret" else place, (kind, words))
        if kind == "starter":
            record["rounds"] = rounds
    return record


def _put(place: JsonObject, plain: PlainLine) -> None:
    kind, words = plain
    if kind in ("row", "trick"):
        many = place.setdefault(f"{kind}s", [])
        assert isinstance(many, list)
        many.append(_trick(words) if kind == "trick" else list(words))
    elif kind == "paradox":
        place[kind] = {"seat": int(words[0][:-1]), "hand": words[1]}
    elif kind in ("catinthebox", "players", "fair", "starter"):
        place[kind] = int(words[0])
    elif kind in ("edition", "face", "house", "table", "commitment", "aside", "secret"):
        place[kind] = words[0]
    else:
        place[kind] = [int(word) for word in words] if kind == "scores" else list(words)


def _trick(words: list[str]) -> JsonObject:
    won = words[-1].startswith(">")
    trick: JsonObject = {"leader": int(words[0][:-1]), "plays": list(words[1 : len(words) - won])}
    return {**trick, "winner": int(words[-1][1:])} if won else trick


# ── Reading ──────────────────────────────────────────────────────────────────────────────────


def _lines(record: JsonObject) -> Iterator[Line]:
    _only(record, (*HEADER, "rounds", "result", "secret"), "record")
    for key in HEADER:
        if key == "rows":
            rows = _list(record.get("rows", []), "rows")
            yield from (_texts("row", row, f"rows[{i}]") for i, row in enumerate(rows))
        elif key in record:
            yield _texts(key, record[key], key)
    for index, round in enumerate(_list(record.get("rounds", []), "rounds")):
        path = f"rounds[{index}]"
        yield _texts("round", index + 1, path)
        yield from _round(_object(round, path), path)
    if "result" in record:
        yield from _result(_object(record["result"], "result"))
    if "secret" in record:
        yield _texts("secret", record["secret"], "secret")


def _round(round: JsonObject, path: str) -> Iterator[Line]:
    _only(round, ROUND, path)
    for key in ROUND:
        if key not in round:
            continue
        here = f"{path}.{key}"
        if key == "tricks":
            for i, trick in enumerate(_list(round[key], here)):
                yield _trick_line(_object(trick, f"{here}[{i}]"), f"{here}[{i}]")
        elif key == "paradox":
            paradox = _object(round[key], here)
            _only(paradox, ("seat", "hand"), here)
            yield _texts(key, [f"{paradox.get('seat')}:", paradox.get("hand")], here)
        elif round[key] != []:
            yield _texts(key, round[key], here)


def _trick_line(trick: JsonObject, path: str) -> Line:
    _only(trick, ("leader", "plays", "winner"), path)
    leader = _texts("trick", f"{trick.get('leader')}:", f"{path}.leader")
    cards = _list(trick.get("plays", []), f"{path}.plays")
    if any(isinstance(card, str) and card.startswith(">") for card in cards):
        raise RecordError(Where(0, 0, f"{path}.plays"), "the winner stands under 'winner'")
    plays = _texts("trick", cards, f"{path}.plays")
    won = [f">{trick['winner']}"] if trick.get("winner") is not None else []
    winner = [Word(text, Where(0, 0, f"{path}.winner")) for text in won]
    return Line("trick", Where(0, 0, path), (*leader.words, *plays.words, *winner))


def _result(result: JsonObject) -> Iterator[Line]:
    _only(result, RESULT, "result")
    for key, kind in zip(RESULT, ("result", "winners"), strict=True):
        if key in result:
            yield _texts(kind, result[key], f"result.{key}")


def _texts(kind: str, value: Json, path: str) -> Line:
    """Return a value, or a list of values, as a line whose words know their paths."""
    values = value if isinstance(value, list) else [value]
    words: list[Word] = []
    for index, item in enumerate(values):
        where = Where(0, 0, f"{path}[{index}]" if isinstance(value, list) else path)
        if isinstance(item, bool) or not isinstance(item, int | str):
            raise RecordError(
                where, f"a text or a whole number belongs here, not {shortened(item)}"
            )
        words.append(Word(str(item), where))
    return Line(kind, Where(0, 0, path), tuple(words))


def _object(value: Json, path: str) -> JsonObject:
    if not isinstance(value, dict):
        raise RecordError(Where(0, 0, path), f"an object belongs here, not {shortened(value)}")
    return value


def _list(value: Json, path: str) -> list[Json]:
    if not isinstance(value, list):
        raise RecordError(Where(0, 0, path), f"a list belongs here, not {shortened(value)}")
    return value


def _only(value: JsonObject, keys: tuple[str, ...], path: str) -> None:
    unknown = [key for key in value if key not in keys]
    if unknown:
        sentence = f"unknown: {', '.join(unknown)[:60]}; known are {', '.join(keys)}"
        raise RecordError(Where(0, 0, path), sentence)
