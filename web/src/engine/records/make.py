"""Make what the browser's reader of records is told by Python, and what it is tested with.

    .venv/bin/python web/src/engine/records/make.py

`printed.json` has the editions and the codes of refusals. `samples.json` has games of all
tables with a digest of every position, and damaged records with what Python says about them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from catinthebox.fair import deal, promise
from catinthebox.game import ACTIONS, Game, record
from catinthebox.game.edition import EDITIONS
from catinthebox.game.face import Face
from catinthebox.game.why import CODES
from catinthebox.players import Budget, player
from catinthebox.table.positions import positions
from catinthebox.views import View

TABLES = ((2, "white"), (3, "white"), (3, "purple"), (4, "white"), (4, "purple"), (5, "purple"))
NAMES = ("Ada", "Mira Ω", "日本", "J. O'Hara", "Noether 🐈")
TWINS = "face twins\n" + "".join(
    " ".join(f"{color}{rank}" + (" ." if rank == 4 else "") for rank in range(1, 10)) + "\n"
    for color in "rbyg"
)
DIGITS = 8  # of the digest of a position
SECRET = bytes(range(32))


def printed() -> dict[str, Any]:
    """What is printed, and how the rules' reasons are called."""
    return {
        "editions": {
            name: {str(players): list(faces) for players, faces in edition.faces.items()}
            for name, edition in EDITIONS.items()
        },
        "refusals": {str(reason): list(code) for reason, code in CODES.items()},
    }


# ── Games ────────────────────────────────────────────────────────────────────────────────────


def played(game: Game, policy: str, seed: int, stop: int = 10_000) -> Game:
    """Play a game on, to its end or for some actions."""
    rng, bot = Random(seed), player(policy)
    for _ in range(stop):
        if game.over:
            break
        if game.between_rounds:
            game = dealt(game, rng)
        round = game.current
        seat = rng.choice(round.to_act)
        game = game.play(bot.choose(View.of(round, seat), Budget(), rng), seat)
    return game


def dealt(game: Game, rng: Random) -> Game:
    """Deal as promised, or at random."""
    if game.fairness is None:
        return game.shuffle(rng)
    return game.deal(*deal(SECRET, game.fairness.table, game.fairness.nonces, game.number + 1))


def fair(players: int) -> Game:
    """A game with a promise of fair deals; the last seat is a bot."""
    nonces = (*(bytes([seat]) * 32 for seat in range(players - 1)), b"")
    promised = promise(SECRET, "lab-7", nonces)
    return Game.new(players, names=NAMES[:players], starter=1, fairness=promised)


def games() -> Iterator[tuple[str, Game]]:
    """Games of all tables by random and careful players, house rules, fair deals, other ends."""
    for seed, (players, face) in enumerate(TABLES):
        start = Game.new(players, names=NAMES[:players], face=face, starter=seed % players)
        for policy in ("careful", "random"):
            yield f"{players} {face} {policy}", played(start, policy, seed)
    twins = Game.new(3, names=NAMES[:3], face=Face.parse(TWINS), house_rules=True)
    yield "a face of one's own", played(twins, "careful", 7)
    house = Game.new(2, names=NAMES[:2], face="purple", house_rules=True)
    yield "a house rule", played(house, "careful", 8)
    first = Game.new(4, names=NAMES[:4], edition=EDITIONS["first"], starter=2)
    yield "the first edition", played(first, "careful", 9)
    yield "fair deals", played(fair(3), "careful", 10).reveal(SECRET)
    yield "fair deals, not revealed", played(fair(2), "careful", 11)
    yield "cut while discarding", played(Game.new(5, names=NAMES), "careful", 3, stop=2)
    yield "cut in a trick", played(Game.new(4, names=NAMES[:4]), "careful", 4, stop=50)
    yield "nothing dealt", Game.new(3, names=NAMES[:3])


def canonical(value: object) -> str:
    """Return JSON that is the same in every language: keys in order, nothing escaped."""
    plain = json.loads(msgspec.json.encode(value))
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """Return a few digits of a hash."""
    return sha256(canonical(value).encode()).hexdigest()[:DIGITS]


def sample(name: str, game: Game) -> dict[str, Any]:
    """A game: its record in both forms, and a digest of every position."""
    return {
        "name": name,
        "text": record.write(game),
        "json": digest(json.loads(record.write_json(game))),
        "positions": " ".join(map(digest, positions(game))),
    }


# ── Damaged records ──────────────────────────────────────────────────────────────────────────

Edit = tuple[int, int, list[str]]  # take away lines from a place on, and put others there
WORDS = ("", "x", ">0", "0:", "7", "12345", "'\"", "é\u200b", "=99", "🐈", "purple")
HEADERS = {  # what stands in the header instead of a line, by its number
    0: ("catinthebox 2", "catinthebox", "Catinthebox 1", "catinthebox 1 1", ""),
    1: ("players 1", "players 6", "players two", "players 0", "players 3 3", "players 1234"),
    2: (
        *("names", "names A | B", "names A | B | C | D", "names A |  | C", "names | A | B"),
        *("names A\u200bB | B | C", f"names {'A' * 41} | B | C", f"names {'A' * 1000} | B | C"),
    ),
    3: ("edition", "edition second", "edition first"),
    4: (
        *("face", "face green", "face purple", "face black", "face white\nhouse face"),
        *(
            "face white\nhouse rules",
            "face purple\nhouse face\nhouse face",
            "face own\nrow r1 x r1",
        ),
        *("face white\nrow r1", f"face {'a' * 40}\n" + TWINS.partition("\n")[2]),
        TWINS.removeprefix("face ").replace("twins", "face white", 1).replace("\n", "\nrow "),
        *("face white\nfair 2", "face white\nfair 1\nfair 1", "face white\nfair 1\ntable !"),
    ),
    5: ("starter 3", "starter", "starter -1", "starter 0\n# a comment\n\n", "starter x"),
}


def edits(text: str, rng: Random, number: int) -> Iterator[Edit]:
    """Some small damages: a line is missing, there twice, or out of place; a word is wrong."""
    lines = text.splitlines()
    for _ in range(number):
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        place = rng.randrange(len(words))
        other = rng.choice((rng.choice(WORDS), rng.choice(words), rng.choice(ACTIONS).notation))
        changed = [*words[:place], other, *words[place + 1 :]]
        kinds: list[Edit] = [
            (at, 1, []),
            (at, 0, [lines[at]]),
            (at, 2, lines[at : at + 2][::-1]),
            *[(at, 1, [" ".join(changed)])] * 6,
            (at, 1, [" ".join(words[:place])]),
            (at, 1, [" ".join([*words, words[-1]])]),
            (at, len(lines), [" ".join(words[: place + 1])]),
        ]
        yield rng.choice(kinds)


def damaged(game: int, text: str, edit: Edit, end: str = "\n") -> dict[str, Any]:
    """A damage to a game, and what Python says about it."""
    at, gone, new = edit
    lines = text.splitlines()
    spoiled = "\n".join([*lines[:at], *new, *lines[at + gone :]]) + end
    return {"game": game, "edit": [at, gone, *new], "end": end, "told": told(spoiled)}


def told(text: str) -> list[Any]:
    """Return line, column, code, clause and sentence of an error; nothing if there is none."""
    try:
        record.read(text)
    except record.RecordError as error:
        sentence = str(error).removeprefix(f"{error.where}: ")
        return [error.where.line, error.where.column, error.code, error.clause, sentence]
    return []


def damages(texts: list[str]) -> Iterator[dict[str, Any]]:
    """Damages to the headers and to all lines."""
    for number, text in enumerate(texts):
        rng = Random(number)
        for edit in edits(text, rng, 22):
            yield damaged(number, text, edit, rng.choice(("\n", "\n", "\n", "")))
    three = next(n for n, text in enumerate(texts) if "players 3\n" in text)
    for at, replaced in HEADERS.items():
        for line in replaced:
            yield damaged(three, texts[three], (at, 1, line.split("\n")))


def samples() -> dict[str, Any]:
    """Games, and damages to them."""
    found = [sample(name, game) for name, game in games()]
    return {"games": found, "damages": list(damages([one["text"] for one in found]))}


MADE: dict[str, Callable[[], dict[str, Any]]] = {"printed.json": printed, "samples.json": samples}

if __name__ == "__main__":
    for name, make in MADE.items():
        text = json.dumps(make(), ensure_ascii=False, separators=(",", ":"))
        Path(__file__).with_name(name).write_text(text + "\n", encoding="utf-8")
