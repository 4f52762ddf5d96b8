"""The secrecy law on the bytes of a whole server (R32, R33), at least 10,000 pairs of worlds.

Every frame, snapshot, answer, body, header, error, line of JSON, refused record, log line, metric
and close reason that an audience gets is the same in worlds that it cannot tell apart; in length,
in order and in time. `CATINTHEBOX_SOAK=1` looks at a hundred times as many, others each time; a
larger number at so many times more. What fails says its seed: `compared(drawn(seed, players,
face))`.
"""

from __future__ import annotations

import os
from collections import Counter
from secrets import randbelow
from typing import Final

import pytest
from policies import TABLES
from secrecy.law import compared
from secrecy.scenarios import drawn

PAIRS: Final = 10_000
CHUNKS: Final = 1  # of every table
SOAK: Final = 100 * int(os.environ.get("CATINTHEBOX_SOAK") or 0)
FAR: Final = 10_000  # seeds between two chunks

OFTEN: Final = {  # what is compared at every table
    "type": "Snapshot Frame Done Refused Why Pong Beat Bye GameBegan RoundDealt CardDiscarded "
    "CardPlayed TrickWon RoundOver ParadoxShown Spoken Seats Room GameShown RoundShown Turn",
    "code": "turn.not_yours illegal.not_in_hand illegal.discard_first table.not_over table.unknown "
    "table.not_begun table.not_seated table.watch_only table.stale table.not_your_seat input.token "
    "input.json input.query http.address http.method",
    "status": "200 201 400 401 403 404 405 409",
    "event": "line_opened line_closed table_opened turned_away",
    "close": "4401",
}
SELDOM: Final = {  # and what takes some luck
    "type": "BidMade BotMoved GameOver SecretShown SeatLeft TakenBack UndoEnded TimeOut",
    "code": "illegal.cell_taken illegal.red_closed illegal.bid_first illegal.play_now "
    "illegal.round_over turn.already_discarded table.paused table.no_spectators table.undo_late "
    "table.undo_none table.host_only table.begun table.seated input.field input.value setup.face "
    "limit.socket http.unknown server.closing server.unavailable",
    "status": "204",
    "event": "limited store_failed",
    "close": "1001",
    "stored": "Left Came Went Covered ClockRanOut Revealed Rematched Readied Paused Resumed "
    "UndoAsked UndoAgreed UndoRefused Undone Said",
}


def named(words: dict[str, str]) -> set[str]:
    """Return what `compared` calls the things of such a list."""
    return {f"{kind} {word}" for kind, found in words.items() for word in found.split()}


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_nothing_that_leaves_a_server_depends_on_what_is_hidden(
    players: int, face: str, chunk: int
) -> None:
    """Anyone who may not know a card cannot tell it from anything that they are sent."""
    met: Counter[str] = Counter()
    seed = randbelow(2**40) if SOAK else FAR * chunk
    pairs, wanted = 0, max(1, SOAK) * PAIRS / len(TABLES) / CHUNKS
    while pairs < wanted:
        pairs += compared(drawn(seed, players, face), met)
        seed += 1
    assert not named(OFTEN) - set(met)


@pytest.mark.long
@pytest.mark.clause("R33")
def test_all_sorts_of_things_are_compared() -> None:
    """Every kind of message, refusal, status and log line that a table knows is among them."""
    met: Counter[str] = Counter()
    wanted = named(OFTEN) | named(SELDOM)
    for seed in range(240):
        players, face = TABLES[seed % len(TABLES)]
        compared(drawn(seed + FAR * CHUNKS, players, face, worlds=2), met)
        if not wanted - set(met):
            break
    assert not wanted - set(met)
