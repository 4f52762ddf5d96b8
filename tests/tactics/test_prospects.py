"""What is noted about rounds that are played on, and whether a paradox could be avoided."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from policies import TABLES, cooperative, moments, random_round
from sample_rounds import finish

from catinthebox import ACTIONS, Phase, Round
from catinthebox.players import engine
from catinthebox.rules.chance import seeded
from catinthebox.rules.layout import (
    COLUMN,
    COUNT,
    COUNT_BITS,
    FREE,
    HAND,
    LEFT,
    MAY,
    OVER,
    PHASE,
    PLAYING,
    SIZE,
    TURN,
    WON,
    State,
)
from catinthebox.tactics import escape, prospects
from catinthebox.tactics.careful import RATINGS
from catinthebox.tactics.prospects import COLUMNS, SCORE
from catinthebox.tactics.rollout import CAREFUL, act_once
from catinthebox.tactics.weights import WEIGHTS


def replayed(round: Round, action: int, seed: int) -> list[State]:
    """The states of a round after an action, played on by careful seats."""
    model = WEIGHTS[round.players], round.face.touch, [0] * RATINGS
    after = round.play(ACTIONS[action], round.to_act[0])
    s, g, found = after.vector.copy(), seeded(seed, 0), [after.vector.copy()]
    while s[PHASE] != OVER:
        g = act_once(s, CAREFUL, *model, g)
        found.append(s.copy())
    return found


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_the_notes_are_what_happened(players: int, face: str) -> None:
    """Points, tricks, groups and bonuses of the end; dead cards and the trick on the way."""
    rng = Random(f"notes {players} {face}")
    for round, _, _ in list(moments(random_round(players, face, rng), rng))[::4]:
        seat = round.to_act[0]
        legal = sorted(action.id for action in round.legal_for(seat))[:3]
        ends = [[0] * COLUMNS for _ in legal]
        given = (WEIGHTS[players], round.face.touch, [0] * RATINGS, 9, [0] * SIZE, ends)
        where = ([round.vector], [0], 1, 0, 1, seat, legal, len(legal))
        prospects.try_all(*where, *given)
        for action, e in zip(legal, ends, strict=True):
            states = replayed(round, action, 9)
            compare(round, seat, states, e)


def compare(round: Round, seat: int, states: list[State], e: State) -> None:
    """Everything in a row of notes, by a plain reading of the states."""
    end = states[-1]
    done = next(s for s in [*states, end] if s[LEFT] < round.vector[LEFT] or s is end)
    assert e[prospects.WINS] == (done[WON + seat] > round.vector[WON + seat])
    mine = [s for s in states if s[PHASE] == PLAYING and s[TURN] == seat]
    if mine:
        assert e[prospects.DEAD] == dead(mine[0], seat)
    assert e[prospects.TRICKS] == end[WON + seat]
    total = sum(e[SCORE : SCORE + round.players])
    assert e[prospects.POINTS] == e[SCORE + seat]
    assert e[prospects.AHEAD] == round.players * e[prospects.POINTS] - total
    assert e[prospects.CAUSED] <= e[prospects.PARADOX_SEEN]


def dead(s: State, seat: int) -> int:
    """Cards that no cell is left for, counted rank by rank."""
    cells = s[FREE] & s[MAY + seat]
    return sum(
        max(
            0,
            (s[HAND + seat] >> COUNT_BITS * place & COUNT) - (cells >> place & COLUMN).bit_count(),
        )
        for place in range(9)
    )


@cache
def late(players: int, face: str, plays: int) -> tuple[Round, ...]:
    """Moments a few plays before the end of a round."""
    rng = Random(f"late {players} {face}")
    found = []
    for _ in range(4):
        end = finish(random_round(players, face, rng), rng, cooperative)
        last = Round(end.setup)
        for played in end.actions[:-plays]:
            last = last.play(played.action, played.seat)
        found += [last] if last.phase is Phase.PLAY else []
    return tuple(found)


def ends_well(round: Round) -> bool:
    """Whether some plays end a round without a paradox: all of them are tried."""
    if round.over:
        return round.paradox is None
    return any(ends_well(round.play(action)) for action in round.legal)


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_escapes_are_those_of_trying_everything(players: int, face: str) -> None:
    """Late in a round, where everything can be tried."""
    stack, untried = engine.zeros(escape.PLAYS, SIZE), engine.zeros(escape.PLAYS)
    for plays in (1, 3, 5):
        for round in late(players, face, plays):
            given = engine.row(round.vector), stack, untried
            rule = engine.tactics().escape.escape
            assert rule(*given, 10**6) == (escape.FOUND if ends_well(round) else escape.NONE)
            assert rule(*given, 0) in (escape.UNKNOWN, escape.NONE)
