"""The secrecy law on the bytes of a whole server (R32, R33), at least 20,000 pairs of worlds.

Every frame, snapshot, answer, body, header, error, line of JSON, refused record, log line, metric
and close reason that an audience gets is the same in worlds that it cannot tell apart; in length, in
order and in time. `CATINTHEBOX_SOAK=1` looks at fifty times as many, others each time; a larger
number at so many times more. What fails says its seed: `compared(drawn(seed, players, face))`.
"""

from __future__ import annotations

import os
from collections import Counter
from secrets import randbelow
from typing import Final

import pytest
from policies import TABLES
from secrecy.law import compared
from secrecy.plots import drawn

PAIRS: Final = 20_000
CHUNKS: Final = 2  # of every table
SOAK: Final = 50 * int(os.environ.get("CATINTHEBOX_SOAK") or 0)
FAR: Final = 10_000  # seeds between two chunks

TYPES: Final = (
    *("Snapshot", "Frame", "Done", "Refused", "Why", "Pong", "Bye"),
    *("GameBegan", "RoundDealt", "CardDiscarded", "CardPlayed", "TrickWon", "RoundOver"),
    *("BotMoved", "Spoken", "TakenBack", "TimeOut", "ParadoxShown", "SeatLeft", "SecretShown"),
)
CODES: Final = (
    *("turn.not_yours", "illegal.not_in_hand", "illegal.cell_taken", "illegal.discard_first"),
    *("table.not_over", "table.not_begun", "table.not_seated", "table.stale", "table.paused"),
    *("table.host_only", "table.unknown", "table.not_your_seat", "table.undo_late"),
    *("input.token", "input.json", "input.field", "input.level", "input.query"),
    *("server.unavailable", "server.closing", "http.address", "http.method"),
)
STATUSES: Final = (200, 201, 204, 400, 401, 403, 404, 405, 409, 503)
EVENTS: Final = ("line_opened", "line_closed", "table_opened", "turned_away", "store_failed")
MET: Final = {  # what is compared at every table
    *(f"type {name}" for name in TYPES),
    *(f"code {code}" for code in CODES),
    *(f"status {status}" for status in STATUSES),
    *(f"event {event}" for event in EVENTS),
    *("close 1001", "close 4401"),
}


@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_nothing_that_leaves_a_server_depends_on_what_is_hidden(
    players: int, face: str, chunk: int
) -> None:
    """Whoever may not know a card cannot tell it from anything that they are sent."""
    met: Counter[str] = Counter()
    seed = randbelow(2**40) if SOAK else FAR * chunk
    pairs, wanted = 0, max(1, SOAK) * PAIRS / len(TABLES) / CHUNKS
    while pairs < wanted:
        pairs += compared(drawn(seed, players, face), met)
        seed += 1
    assert pairs >= wanted
    assert not MET - set(met)
