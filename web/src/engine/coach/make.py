"""Record what Python finds in some positions and games, for the tests beside; run it after changes.

python web/src/engine/coach/make.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from catinthebox import FACES, Game, Phase, Round
from catinthebox.coach import CAREFUL, MIXED, NETWORK, Analysis, Judged, analyse, why
from catinthebox.coach.data import of_review
from catinthebox.coach.review import review
from catinthebox.game import record
from catinthebox.players import Budget, player
from catinthebox.views import View

FILE: Final = Path(__file__).with_name("recorded.json")
REVIEWS: Final = Path(__file__).with_name("reviews.json")
TABLES: Final = tuple((n, face) for n in (2, 3, 4, 5) for face in ("white", "purple"))
METHODS: Final = {"careful": (CAREFUL, 24), "mixed": (MIXED, 6), "network": (NETWORK, 4)}
MOMENTS: Final = (0.0, 0.3, 0.5, 0.75)  # of the decisions of a round
SEED: Final = 7
REVIEWED: Final = ((2, 48), (3, 32))  # players, and worlds of the first look
WHOLE: Final = 11  # all actions are recorded of every so many decisions


def views(players: int, face: str) -> Iterator[View]:
    """Some moments of a round of careful players and networks."""
    rng = Random(players)
    round = Round.shuffled(players, rng, face=FACES[face])
    seats = [player(rng.choice(["careful", "net", "follow"])) for _ in range(players)]
    found = []
    while round.to_act:
        seat = round.to_act[-1]
        view = View.of(round, seat)
        if len(view.legal) > 1:
            found.append(view)
        round = round.play(seats[seat].choose(view, Budget(), rng), seat)
    for moment in MOMENTS:
        yield found[int(moment * len(found))]


def recorded(view: View, method: str) -> dict[str, Any]:
    """What Python finds."""
    how, worlds = METHODS[method]
    found = analyse(view, worlds=worlds, seed=SEED, method=how)
    return {
        "method": method,
        "worlds": worlds,
        "actions": {
            str(judged.action): [
                judged.verdict,
                judged.gives,
                *(round(number, 9) for number in numbers(found, judged)),
            ]
            for judged in found.actions
        },
        "why": {str(other.action): reasons(found, other) for other in found.actions},
    }


def numbers(found: Analysis, judged: Judged) -> Iterator[float]:
    """What is expected of an action, as it is shown."""
    expected = found.expected(judged)
    for name in NUMBERS:
        yield getattr(expected if name in CORRECTED else judged.prospect, name)


def reasons(found: Analysis, other: Judged) -> list[list[Any]]:
    """What speaks for the best action and against it, compared with another one."""
    return [
        [reason.code, reason.favours, {key: round(n, 9) for key, n in reason.numbers.items()}]
        for reason in why(found, found.best, other)
    ]


CORRECTED: Final = ("points", "within", "paradox", "bid")
NUMBERS: Final = (
    *("points", "within", "loss", "loss_within", "margin", "paradox", "any_paradox", "bid"),
    *("tricks", "group", "wins", "dead", "chance"),
)


def reviewed(players: int, worlds: int) -> dict[str, Any]:
    """The review of a game of seats that play as badly as people do, as `review --json` has it."""
    rng = Random(f"review {players} 9")
    game = Game.new(players)
    seats = [player(kind) for kind in ("modest", "random", "careful")[:players]]
    while not game.over:
        game = game.shuffle(rng)
        while not game.current.over:
            seat = game.current.to_act[-1]
            view = View.of(game.current, seat)
            game = game.play(seats[seat].choose(view, Budget(), rng), seat)
    found = of_review(review(game, worlds=worlds, seed=SEED))
    decisions = [one for round in found["rounds"] for one in round["decisions"]]
    for number, one in enumerate(decisions):
        one["reasons"] = [{**reason, "english": ""} for reason in one["reasons"]]
        if number % WHOLE:
            del one["actions"]
    return {"text": record.write(game), "worlds": worlds, "seed": SEED, "review": found}


def main() -> None:
    """Write the files."""
    games = ",\n".join(
        json.dumps(reviewed(*one), separators=(",", ":"), ensure_ascii=False) for one in REVIEWED
    )
    REVIEWS.write_text(f"[\n{games}\n]\n", "utf-8")
    rows = [
        {
            "players": view.players,
            "face": view.face.name,
            "seat": view.seat,
            "view": [str(number) for number in view.vector],
            "proved": str(view.proved),
            "seen": [p.action.id for p in view.actions if p.action.phase is not Phase.DISCARD],
            "found": [recorded(view, method) for method in METHODS],
        }
        for table in TABLES
        for view in views(*table)
    ]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    FILE.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
