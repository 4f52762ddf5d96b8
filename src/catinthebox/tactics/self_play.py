"""Rounds that players in training play, many side by side; a round that is over stays over.

A critic judges a position in training only. It may see every hand (`write_hidden`); the players
see the inputs of their own seat.
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import ACTIONS, act, legal_actions
from ..rules.batch import Table, deal_row, legal_row
from ..rules.chance import seeded, step
from ..rules.encode import relative
from ..rules.layout import *
from ..rules.marker import rule
from ..rules.score import seat_score
from ..rules.sight import observe
from .careful import careful_action
from .inputs import write_inputs
from .weights import Weights

HIDDEN_OF_SEAT: Final = 2 * MAX_RANK  # copies of each rank, then the discard's rank as one-hot
HIDDEN: Final = (MAX_SEATS - 1) * HIDDEN_OF_SEAT
REFUSED: Final = -1  # not a set of action ids: the action was not legal


@rule
def write_hidden(s: State, seat: int, numbers: list[int]) -> None:
    """Write what a seat may not know, for a critic: the others' hands and discards."""
    for at in range(HIDDEN):
        numbers[at] = 0
    for offset in range(1, s[PLAYERS]):
        other = relative(seat + offset, s[PLAYERS])
        at = HIDDEN_OF_SEAT * (offset - 1)
        for place in range(MAX_RANK):
            numbers[at + place] = s[HAND + other] >> COUNT_BITS * place & COUNT
        if s[DISCARD + other] != 0:
            numbers[at + MAX_RANK + s[DISCARD + other] - 1] = 1


@rule
def look_row(
    s: State, v: State, touch: Sequence[int], numbers: list[int], hidden: list[int]
) -> None:
    """Write the inputs of the seat to act, and what it may not know; `v` is scratch."""
    if s[PHASE] != OVER:
        observe(s, s[TURN], v)
        write_inputs(v, s[TURN], touch, numbers)
        write_hidden(s, s[TURN], hidden)


@rule
def play_row(s: State, action: int) -> int:
    """Act for the seat to act; return what is legal next, 0 once the round is over."""
    if s[PHASE] == OVER:
        return 0
    if action < 0 or action >= ACTIONS or legal_row(s) >> action & 1 == 0:
        return REFUSED
    act(s, s[TURN], action)
    return 0 if s[PHASE] == OVER else legal_actions(s, s[TURN])


@rule
def careful_row(
    s: State, weights: Weights, touch: Sequence[int], ratings: list[int], seed: int, row: int
) -> int:
    """Return the action of a careful player for the seat to act; 0 if the round is over."""
    if s[PHASE] == OVER:
        return 0
    return careful_action(s, s[TURN], weights, touch, ratings, step(seeded(seed, row)))


@rule
def score_row(s: State, touch: Sequence[int], scores: list[int]) -> None:
    """Write the points of every seat."""
    for seat in range(s[PLAYERS]):
        scores[seat] = seat_score(s, seat, touch)


# ── Loops over rows ──────────────────────────────────────────────────────────────────────────


@rule
def begin_rows(table: Table, masks: list[int], rounds: list[int], seed: int, players: int) -> None:
    """Deal every row its round, and write what the seat to act may do."""
    for row in range(len(rounds)):
        deal_row(table[row], seed, rounds[row], players)
        masks[row] = legal_row(table[row])


@rule
def look_rows(
    table: Table,
    views: Table,
    touch: Table,
    faces: list[int],
    numbers: Table,
    hidden: Table,
) -> None:
    """Write the inputs of every row; `faces` says which row of `touch` is a row's face."""
    for row in range(len(faces)):
        look_row(table[row], views[0], touch[faces[row]], numbers[row], hidden[row])


@rule
def play_rows(table: Table, masks: list[int], actions: list[int]) -> int:
    """Act in every row, and write what is legal next; return how many actions were refused."""
    refused = 0
    for row in range(len(actions)):
        legal = play_row(table[row], actions[row])
        if legal == REFUSED:
            refused += 1
        else:
            masks[row] = legal
    return refused


@rule
def careful_rows(
    table: Table,
    actions: list[int],
    weights: Weights,
    touch: Table,
    faces: list[int],
    ratings: list[int],
    seed: int,
) -> None:
    """Write the action of a careful player for every row."""
    for row in range(len(actions)):
        actions[row] = careful_row(table[row], weights, touch[faces[row]], ratings, seed, row)


@rule
def score_rows(table: Table, touch: Table, faces: list[int], scores: Table) -> None:
    """Write the points of every seat in every row."""
    for row in range(len(faces)):
        score_row(table[row], touch[faces[row]], scores[row])
