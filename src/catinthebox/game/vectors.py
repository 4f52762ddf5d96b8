"""Published test vectors: positions with known counts (vectors/README.md says what the words mean).

>>> vector, = parse('''
... vector two seats, one trick
... players 2
... ranks 2
... hands 12 12
... depth 1 nodes 6
... ''')
>>> check(vector)
[]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..rules import perft
from .errors import CatInTheBoxError, NotUnderstood, shortened
from .face import Face
from .round import Round
from .setup import Deck, Setup

COLUMNS = {
    "nodes": perft.NODES,
    "leads": perft.LEADS,
    "follows": perft.FOLLOWS,
    "off": perft.OFF,
    "red": perft.RED_PLAYS,
    "red-led": perft.RED_LEADS,
    "tricks": perft.TRICKS,
    "paradoxes": perft.PARADOXES,
    "ended": perft.ENDED,
}
"""The plain columns in the order they are printed; `won`, `scores` and `check` follow."""


WORDS = {  # key → what the words after it look like
    "about": r".*",
    "clauses": r"[RF]\d+[ab]?( [RF]\d+[ab]?)*",
    "players": r"[2-5]",
    "face": r"\S+",
    "starter": r"\d",
    "ranks": r"[1-9]",
    "deal": r"[1-9]+( [1-9]+){1,4}",
    "hands": r"[1-9]+( [1-9]+){1,4}",
    "aside": r"[1-9]*",
    "turned": r"[1-9]*",
    "bids": r"\d( \d)*",
    "moves": r".*",
    "refuse": r"\S+ R\d+",
    "depth": r"([1-9]|[1-5]\d|60)( \S+ \S+)+",
    "over": r"\S+ \S+( \S+ \S+)*",
}


@dataclass
class Vector:
    """A position and what must be true of it."""

    name: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)  # action, clause
    depths: list[dict[str, str]] = field(default_factory=list)

    def round(self) -> Round:
        """Lay out the position and play its moves."""
        hands = self.fields.get("hands") or self.fields.get("deal") or []
        players = int(self._word("players", str(len(hands))))
        if len(hands) != players or not hands:
            raise NotUnderstood("input.vector", f"{len(hands)} hands for {players} players")
        setup = Setup(
            tuple(hands),
            starter=int(self._word("starter", "0")),
            face=Face.named(self._word("face", "white")),
            aside=self._word("turned", "") or self._word("aside", ""),
            deck=self._deck(len(hands[0])),
            discarded="hands" in self.fields,
            bids=tuple(map(int, self.fields.get("bids", []))),
        )
        return Round(setup).replay(" ".join(self.fields.get("moves", [])))

    def _deck(self, hand: int) -> Deck | None:
        if "ranks" not in self.fields:
            return None
        return Deck(int(self._word("ranks", "")), hand + ("hands" in self.fields))

    def _word(self, name: str, default: str) -> str:
        return "".join(self.fields.get(name, [default]))

    def add(self, key: str, words: list[str]) -> None:
        """Add a line of the block."""
        if key == "refuse":
            self.refused.append((words[0], words[1]))
        elif key == "depth":
            self.depths.append(dict(zip(["depth", *words[1::2]], words[::2], strict=True)))
        else:
            self.fields[key] = words


def parse(text: str) -> list[Vector]:
    """Read the vectors of a file; raise an error at the first invalid line."""
    vectors: list[Vector] = []
    for number, line in enumerate(text.splitlines(), start=1):
        key, *words = line.split() or ["#"]
        if key.startswith("#"):
            continue
        if key == "vector":
            vectors.append(Vector(" ".join(words)))
        elif not vectors:
            raise NotUnderstood("input.vector", f"line {number}: a block begins with 'vector NAME'")
        elif not re.fullmatch(WORDS.get(key, r"(?!)"), " ".join(words)):
            raise NotUnderstood(
                "input.vector", f"line {number}: {shortened(line.strip(), 60)} makes no sense"
            )
        else:
            vectors[-1].add(key, words)
    return vectors


def count(round: Round, depth: int) -> list[dict[str, str]]:
    """Count all sequences of up to `depth` actions; a row of words per depth."""
    return in_words(perft.count(round.vector, depth, round.face.touch), round.players)


def in_words(rows: list[list[int]], players: int) -> list[dict[str, str]]:
    """Return counted rows as words, by column."""
    return [_row(number, row, players) for number, row in enumerate(rows, start=1)]


def _row(depth: int, row: list[int], players: int) -> dict[str, str]:
    plain = {name: str(row[column]) for name, column in COLUMNS.items()}
    won = ",".join(map(str, row[perft.TRICKS_WON :][:players]))
    scores = ",".join(map(str, row[perft.SCORES :][:players]))
    return {
        "depth": str(depth),
        **plain,
        "won": won,
        "scores": scores,
        "check": str(row[perft.CHECK]),
    }


def check(vector: Vector) -> list[str]:
    """Compare a vector with our rules; return a sentence per difference."""
    try:
        return list(_differences(vector, vector.round()))
    except CatInTheBoxError as error:
        return [f"{vector.name}: {error}"]


def _differences(vector: Vector, round: Round) -> Iterator[str]:
    for action, clause in vector.refused:
        broken = _broken_clause(round, action)
        if broken != clause:
            yield f"{vector.name}: {action} should be refused by {clause}, not by {broken}"
    depth = max((int(row["depth"]) for row in vector.depths), default=0)
    counted = count(round, depth)
    for expected in vector.depths:
        found = counted[int(expected["depth"]) - 1]
        for name, value in expected.items():
            if found.get(name) != value:
                where = f"{vector.name}: depth {expected['depth']} {name}"
                yield f"{where} should be {value}, not {found.get(name)}"
    yield from _end_differences(vector, round)


def _broken_clause(round: Round, action: str) -> str | None:
    try:
        reason = round.why(action)
    except NotUnderstood as error:  # a bid of zero is outside the notation
        return error.clause
    return reason.clause if reason else None


def _end_differences(vector: Vector, round: Round) -> Iterator[str]:
    words = vector.fields.get("over", [])
    truth = {
        "paradox": "-" if round.paradox is None else str(round.paradox),
        "scores": ",".join(map(str, round.scores or ["-"])),
        "groups": ",".join(map(str, round.groups)),
    }
    for name, value in zip(words[::2], words[1::2], strict=True):
        if truth.get(name) != value:
            yield f"{vector.name}: {name} should be {value}, not {truth.get(name)}"
