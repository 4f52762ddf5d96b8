"""The game that boardgame.io plays in the load bench is ours: the same legal moves and scores."""

from __future__ import annotations

import json
import subprocess
from random import Random
from typing import Any

import pytest
from policies import moments, random_round
from web.tools import NODE, ROOT

REPLAY = ROOT / "bench" / "boardgame" / "replay.mjs"
ROUNDS = 60

Json = dict[str, Any]


def played(rng: Random) -> tuple[Json, Json]:
    """Play a round; return it, and what must be said of it."""
    round = random_round(4, "white", rng)
    order = {"hands": [list(hand) for hand in round.hands], "starter": round.starter}
    actions: list[tuple[int, str]] = []
    legal: list[list[list[str]]] = []
    for round, seat, action in moments(round, rng):  # noqa: B020 (the round goes on)
        legal.append([sorted(map(str, round.legal_for(one))) for one in range(4)])
        actions.append((seat, str(action)))
    end = round.play(action, seat)
    said = {"paradox": end.paradox, "won": list(end.won), "scores": list(end.scores or ())}
    return {**order, "actions": actions}, {"legal": legal, "phase": "over", **said}


@pytest.mark.process
def test_it_has_the_same_legal_moves_and_scores() -> None:
    """Rounds of our engine are replayed by theirs, compared before every action and at the end."""
    rng = Random(13)
    rounds = [played(rng) for _ in range(ROUNDS)]
    text = "\n".join(json.dumps(order) for order, _ in rounds)
    run = subprocess.run([NODE, REPLAY], input=text, capture_output=True, text=True, check=True)
    for line, (_, wanted) in zip(run.stdout.splitlines(), rounds, strict=True):
        found = json.loads(line)
        found["legal"] = [[sorted(seat) for seat in seats] for seats in found["legal"]]
        assert found == wanted
    assert {wanted["paradox"] is None for _, wanted in rounds} == {True, False}
