"""Rounds that a network plays on, many side by side: worlds, their past, and what may follow.

A row of a table is a round. The network is computed for all rows at once in between, by a caller in
another language than the rules (`players.net_search`); everything else is here. Other seats may be
played by `careful` instead: those rows need the network only when the deciding seat is to act.

Random choices of a row come from a generator of its own. Rows of the same world begin with the same
one, so that all actions meet the same luck.

>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import shuffled_deal
>>> from catinthebox.tactics.inputs import INPUTS
>>> world = [0] * SIZE
>>> g = shuffled_deal(world, 3, 0, seeded(7, 1))
>>> table = [[0] * SIZE for _ in range(2)]
>>> branch([world], [0], 1, table, 0, [36, 37], 2)
>>> [row[DISCARD] for row in table]
[1, 2]
>>> rows, numbers = [7, 7], [[0] * INPUTS for _ in range(2)]
>>> list_rows(table, 2, rows), rows
(2, [0, 1])
>>> look(table, rows, 2, [0] * SIZE, touching(white()), numbers)
>>> certain = [float(action == 36) for action in range(ACTIONS)] * 2
>>> draw_and_act(table, rows, 2, certain, [5, 5])
>>> [row[DISCARD + 1] for row in table]
[1, 1]
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import ACTIONS, FIRST_DISCARD, act
from ..rules.chance import LOW, below, seeded, step
from ..rules.layout import *
from ..rules.marker import rule
from ..rules.score import bonus_earned, seat_score
from ..rules.sight import observe
from .beliefs import draw, rewind
from .careful import careful_action
from .inputs import write_inputs
from .rollout import CAREFUL, act_once
from .weights import Weights

Table = list[State]

# Who plays the other seats of a row.
BY_NETWORK: Final = 0
BY_CAREFUL: Final = 1

TRIALS: Final = 3  # of a careful seat, which adds some chance to its ratings


# ── The past of a world ──────────────────────────────────────────────────────────────────────


@rule
def before_discards(w: State, u: State) -> None:
    """Write into `u` how the round of a world began: every card in its hand."""
    rewind(w, u)
    for seat in range(u[PLAYERS]):
        place = u[DISCARD + seat] - 1
        u[HAND + seat] += 1 << COUNT_BITS * place
        u[HELD + seat] |= COLUMN << place
        u[DISCARD + seat] = 0
    u[PHASE] = DISCARDING
    u[TURN] = 0
    u[LEGAL] = 0


@rule
def rewind_rows(worlds: Table, first: int, count: int, table: Table, rows: list[int]) -> None:
    """Write into the first `count` rows how the rounds of some worlds began, and list them."""
    for row in range(count):
        before_discards(worlds[first + row], table[row])
        rows[row] = row


@rule
def past_actions(worlds: Table, first: int, count: int, action: int, actions: list[int]) -> None:
    """Write what the seat to act did in every world: its own discard there, or what was seen.

    An `action` below 0 stands for the discard of the seat -1 - action.
    """
    for row in range(count):
        if action < 0:
            actions[row] = FIRST_DISCARD + worlds[first + row][DISCARD - 1 - action] - 1
        else:
            actions[row] = action


@rule
def act_rows(table: Table, rows: Sequence[int], count: int, actions: Sequence[int]) -> None:
    """Act for the seats to act in the first `count` of `rows`."""
    for place in range(count):
        s = table[rows[place]]
        act(s, s[TURN] & SEAT, actions[place])


@rule
def count_careful(
    table: Table,
    count: int,
    actions: Sequence[int],
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    seed: int,
    hits: list[float],
) -> None:
    """Write how often a careful seat to act would do the action, in each of the first rows."""
    for row in range(count):
        s = table[row]
        g = seeded(seed, row)
        same = 0
        for _ in range(TRIALS):
            g = step(g)
            found = careful_action(s, s[TURN] & SEAT, weights, touch, ratings, g)
            same += 1 if found == actions[row] else 0
        hits[row] = same / TRIALS


@rule
def draw_pairs(
    weights: Sequence[float], count: int, pairs: list[int], number: int, seed: int
) -> None:
    """Draw `number` of the first `count` places in proportion to their weights, in random order."""
    g = seeded(seed, 0)
    draw(weights, count, pairs, number, g)
    g = step(g)
    for last in range(1, number):
        g = step(g)
        other = below(g, last + 1)
        kept = pairs[last]
        pairs[last] = pairs[other]
        pairs[other] = kept


# ── What may follow ──────────────────────────────────────────────────────────────────────────


@rule
def branch(
    worlds: Table,
    chosen: Sequence[int],
    count: int,
    table: Table,
    seat: int,
    actions: Sequence[int],
    options: int,
) -> None:
    """Let a seat do each of the first `options` actions in each of the first `count` chosen worlds.

    The rows of a world follow one another.
    """
    for number in range(count):
        w = worlds[chosen[number]]
        for place in range(options):
            u = table[number * options + place]
            for slot in range(SIZE):
                u[slot] = w[slot]
            act(u, seat, actions[place])


@rule
def open_luck(luck: list[int], first: int, count: int, options: int, seed: int) -> None:
    """Set the same generator in all rows of a world, by the number of the world."""
    for number in range(count):
        g = seeded(seed, first + number)
        for place in range(options):
            luck[number * options + place] = g


@rule
def careful_rows(
    table: Table,
    count: int,
    seat: int,
    others: Sequence[int],
    luck: list[int],
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
) -> None:
    """Let careful seats act, in rows whose others are, until it is the turn of one seat."""
    for row in range(count):
        s = table[row]
        if others[row] == BY_CAREFUL:
            while s[PHASE] != OVER and s[TURN] != seat:
                luck[row] = act_once(s, CAREFUL, weights, touch, ratings, luck[row])


@rule
def list_rows(table: Table, count: int, rows: list[int]) -> int:
    """List the rows whose round is not over; return how many there are."""
    found = 0
    for row in range(count):
        if table[row][PHASE] != OVER:
            rows[found] = row
            found += 1
    return found


@rule
def look(
    table: Table,
    rows: Sequence[int],
    count: int,
    v: State,
    touch: Sequence[int],
    numbers: Table,
) -> None:
    """Write the inputs of the seats to act in the first `count` of `rows`; `v` is scratch."""
    for place in range(count):
        s = table[rows[place]]
        observe(s, s[TURN], v)
        write_inputs(v, s[TURN], touch, numbers[place])


@rule
def draw_and_act(
    table: Table, rows: Sequence[int], count: int, shares: Sequence[float], luck: list[int]
) -> None:
    """Act in the first `count` of `rows`: draw each action in proportion to its share.

    `shares` has a number for every action id, row by row; what is not legal has no share.
    """
    for place in range(count):
        s = table[rows[place]]
        g = step(luck[rows[place]])
        luck[rows[place]] = g
        first = ACTIONS * place
        total = 0.0
        for action in range(ACTIONS):
            total += shares[first + action]
        mark = (g & LOW) / (LOW + 1.0) * total
        drawn = NOBODY
        reached = 0.0
        for action in range(ACTIONS):
            share = shares[first + action]
            if share > 0 and (drawn == NOBODY or reached <= mark):
                drawn = action
            reached += share
        act(s, s[TURN] & SEAT, drawn)


@rule
def end_rows(table: Table, count: int, seat: int, touch: Sequence[int], ends: Table) -> None:
    """Write how the rounds of the first `count` rows, which are over, ended.

    First the scores of all seats, then for one seat whether it earned the bonus, and whether it
    caused a paradox, as 1 or 0.
    """
    for row in range(count):
        s = table[row]
        players = s[PLAYERS]
        for other in range(players):
            ends[row][other] = seat_score(s, other, touch)
        ends[row][players] = 1 if bonus_earned(s, seat) else 0
        ends[row][players + 1] = 1 if s[PARADOX] == seat else 0
