"""Make the games that the local table is tested with: deals, actions, and what Python's table says.

    .venv/bin/python web/src/engine/table/make.py

Whole messages would be megabytes, so a message is kept as the start of the SHA-256 of its canonical
JSON, without times, ids and what fair deals add. `dump` prints the messages themselves.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

from catinthebox.game import Game
from catinthebox.players import Budget, player
from catinthebox.protocol.commands import Act, AddBot, Command, Ready, Sit, Start
from catinthebox.table import Settings, carry, create, practice, replay, token_hash
from catinthebox.table.broadcaster import Broadcaster
from catinthebox.table.fold import apply
from catinthebox.table.seats import WORKER
from catinthebox.table.state import Table
from catinthebox.views import View

OUT: Final = Path(__file__).with_name("games.json")
TABLES: Final = (
    (2, "white", 1), (3, "white", 2), (3, "purple", 3), (4, "white", 4), (4, "purple", 5),
    (5, "purple", 6),
)  # fmt: skip
POLICIES: Final = ("careful", "follow", "random")  # random play ends in a paradox
DIGITS: Final = 10
OMITTED: Final = {"at", "table", "settings", "commitment", "nonces", "secret", "ack"}
PEOPLE: Final = ("Ada", "Bo")


class Host:
    """A table of Python's, and the messages that its audiences get."""

    def __init__(self, players: int, face: str, seed: int) -> None:
        self.dealer = practice(seed)
        self.tokens = [token_hash(name) for name in PEOPLE[: 1 + (players > 2)]]
        settings = Settings(players, face=face)
        promise = self.dealer.commitment("t", 1)
        self.table: Table = replay([create("t", settings, self.tokens[0], promise, now=0)])
        self.broadcaster = Broadcaster(self.table)
        self.frames: list[list[dict[str, Any]]] = []
        self.logs: list[list[str]] = []  # of each round, in the order of time

    def do(self, command: Command, who: str) -> None:
        """Carry out a command, and keep its frames."""
        draft = carry(self.table, command, who, 0, self.dealer)
        audiences = (*range(self.table.settings.players), None)
        for entry in draft.entries:
            self.table = apply(self.table, entry)
            frames = self.broadcaster.step(entry, self.table)
            self.frames.append([json.loads(frames.frame(one)) for one in audiences])

    def snapshots(self) -> list[dict[str, Any]]:
        """Return the snapshot of every audience."""
        audiences = (*range(self.table.settings.players), None)
        return [json.loads(self.broadcaster.snapshot(one)) for one in audiences]

    @property
    def game(self) -> Game:
        """Return the game in play."""
        assert self.table.game is not None
        return self.table.game


def seated(players: int, face: str, seed: int) -> Host:
    """Open a table; the first seats are people's, the others bots'."""
    host = Host(players, face, seed)
    for seat, token in enumerate(host.tokens):
        host.do(Sit(PEOPLE[seat], seat), token)
    for seat in range(len(host.tokens), players):
        host.do(AddBot(seat, "sharp"), host.tokens[0])
    return host


def played(players: int, face: str, seed: int) -> tuple[Host, list[Any]]:
    """Play a whole game; return the table, and a snapshot of every audience after each round."""
    host, rng = seated(players, face, seed), Random(seed)
    shots: list[Any] = []
    host.frames.clear()
    host.do(Start(), host.tokens[0])
    while host.table.stage != "over":
        policy = player(rng.choice(POLICIES))
        host.logs.append([])
        while host.table.stage == "play":
            act(host, policy, rng)
        shots.append(host.snapshots())
        for token in host.tokens if host.table.stage == "between" else ():
            host.do(Ready(), token)
    return host, shots


def act(host: Host, policy: Any, rng: Random) -> None:
    """Let one of the seats that may act do so."""
    seat = rng.choice(host.table.to_act)
    action = policy.choose(View.of(host.game.current, seat), Budget(), rng)
    host.logs[-1].append(f"{seat}:{action.notation}")
    person = seat < len(host.tokens)
    host.do(Act(action, seat), host.tokens[seat] if person else WORKER)


def comparable(found: Any) -> Any:
    """Return a message without what differs between a server and a page."""
    if isinstance(found, dict):
        if found.get("type") == "SecretShown":
            return None
        return {key: comparable(value) for key, value in found.items() if key not in OMITTED}
    return [comparable(one) for one in found] if isinstance(found, list) else found


def digest(messages: object) -> str:
    """Return the start of the SHA-256 of messages in canonical JSON."""
    text = json.dumps(comparable(messages), sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGITS]


def revealed(frames: list[dict[str, Any]]) -> bool:
    """Whether frames only reveal the secret of a fair deal."""
    return any(news["type"] == "SecretShown" for news in frames[-1]["news"])


def game(players: int, face: str, seed: int) -> dict[str, Any]:
    """Return a game: what was dealt and done, and the digests of what was told."""
    host, shots = played(players, face, seed)
    rounds = [
        {
            "hands": list(round.setup.hands),
            "aside": round.setup.aside,
            "moves": " ".join(log),
        }
        for round, log in zip(host.game.rounds, host.logs, strict=True)
    ]
    return {
        "seats": [*PEOPLE[: len(host.tokens)], *[""] * (players - len(host.tokens))],
        "face": face,
        "starter": host.game.starter_of_game,
        "rounds": rounds,
        "frames": " ".join(digest(frames) for frames in host.frames if not revealed(frames)),
        "snapshots": [
            digest(shot) for shot in shots[:-1]
        ],  # the last is before the secret is shown
    }


def games() -> list[dict[str, Any]]:
    """Return all games."""
    return [game(*wanted) for wanted in TABLES]


if __name__ == "__main__":
    if sys.argv[1:] == ["dump"]:
        for wanted in TABLES:
            print(json.dumps(played(*wanted)[0].frames))
    else:
        OUT.write_text(json.dumps(games(), indent=1) + "\n", encoding="utf-8")
