"""The inputs of a neural network: the numbers of a view, and others that are computed from them.

The first `encode.WIDTH` numbers are those of `rules.encode`; the others say outright what a small
network would have to work out: which actions are legal, which cards win, how large a group becomes.
All of it is computed from the view of one seat. While cards are set aside, some numbers depend on
whether the seats do so in turn or at once (whose turn it is, who has done so, hand sizes), which
differs between programs and says nothing about the cards; they are 0.

>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import shuffled_deal
>>> from catinthebox.rules.sight import observe
>>> s, v, numbers = [0] * SIZE, [0] * SIZE, [0] * INPUTS
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> observe(s, 0, v)
>>> write_inputs(v, 0, touching(white()), numbers)
>>> sum(numbers[AT_COPIES:AT_TRICKS_WON])  # ten cards
10
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import ACTIONS, action_of_cell, legal_actions
from ..rules.counts import MODEST
from ..rules.encode import (
    AT_CARDS,
    AT_LEADER,
    AT_TURN,
    AT_WINNING,
    CELLS,
    WIDTH,
    encode,
    relative,
)
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.score import largest_group

MOST_TRICKS: Final = 8  # a round has no more
LEAST_NEED: Final = -1  # tricks above the bid all count as one
MOST_NEED: Final = 4
NEEDS: Final = MOST_NEED - LEAST_NEED + 1

COMPUTED: Final = (
    ("legal", ACTIONS),  # what the seat may do, by action id
    ("copies", MAX_RANK * COPIES),  # at least 1, 2, 3, 4, 5 cards of each rank in the own hand
    ("tricks_won", MAX_SEATS * (MOST_TRICKS + 1)),  # one-hot for each seat
    ("need", MAX_SEATS * NEEDS),  # one-hot for each seat: tricks still wanted for the bonus
    ("tricks_left", MOST_TRICKS + 1),  # one-hot
    ("unseen", MAX_RANK),  # cards of each rank that the seat has not seen
    ("slack", MAX_RANK),  # open cells less own copies, for each rank in the hand
    ("joined", CELLS),  # the largest own group once this legal cell is taken
    ("groups", MAX_SEATS),  # the largest group of each seat
    ("takes", CELLS),  # whether this legal card would be winning the trick
    ("straight", 1),  # whether red 1 touches blue 1: not so on the purple face
    ("zeros", 3),  # to a multiple of eight
)

AT_LEGAL: Final = 379
AT_COPIES: Final = 428
AT_TRICKS_WON: Final = 473
AT_NEED: Final = 518
AT_TRICKS_LEFT: Final = 548
AT_UNSEEN: Final = 557
AT_SLACK: Final = 566
AT_JOINED: Final = 575
AT_GROUPS: Final = 611
AT_TAKES: Final = 616
AT_STRAIGHT: Final = 652
AT_ZEROS: Final = 653
INPUTS: Final = 656


@rule
def write_inputs(v: State, seat: int, touch: Sequence[int], numbers: list[int]) -> None:
    """Write the inputs of a network for the seat that looks at its view."""
    encode(v, seat, numbers)
    for at in range(WIDTH, INPUTS):
        numbers[at] = 0
    if v[PHASE] == DISCARDING:
        hide_the_order(numbers)
    legal = legal_actions(v, seat)
    while legal != 0:
        numbers[AT_LEGAL + popcount((legal & -legal) - 1)] = 1
        legal &= legal - 1
    write_ranks(v, seat, numbers)
    write_seats(v, seat, touch, numbers)
    numbers[AT_TRICKS_LEFT + min(v[LEFT], MOST_TRICKS)] = 1
    numbers[AT_STRAIGHT] = touch[0] >> LANE & 1
    if v[PHASE] == PLAYING:
        write_plays(v, seat, touch, numbers)


@rule
def hide_the_order(numbers: list[int]) -> None:
    """Clear what depends on the order in which the seats set a card aside."""
    for at in range(AT_CARDS, AT_LEADER):
        numbers[at] = 0
    for at in range(AT_TURN, AT_WINNING):
        numbers[at] = 0


@rule
def write_ranks(v: State, seat: int, numbers: list[int]) -> None:
    """Write about every rank: own copies, unseen cards, room for the own copies."""
    mine = v[FREE] & v[MAY + seat]
    for place in range(MAX_RANK):
        copies = v[HAND + seat] >> COUNT_BITS * place & COUNT
        for copy in range(COPIES):
            numbers[AT_COPIES + COPIES * place + copy] = 1 if copies > copy else 0
        aside = 1 if v[DISCARD + seat] == place + 1 else 0
        open_cells = popcount(v[FREE] >> place & COLUMN)
        numbers[AT_UNSEEN + place] = 1 + open_cells - copies - aside  # one card more than cells
        if copies != 0:
            numbers[AT_SLACK + place] = popcount(mine >> place & COLUMN) - copies


@rule
def write_seats(v: State, seat: int, touch: Sequence[int], numbers: list[int]) -> None:
    """Write about every seat, clockwise from the one that looks: tricks, need, largest group."""
    players = v[PLAYERS]
    for step in range(players):
        other = relative(seat + step, players)
        won = v[WON + other]
        need = (MODEST if players == 2 else v[BID + other]) - won  # R25, R26
        numbers[AT_TRICKS_WON + (MOST_TRICKS + 1) * step + min(won, MOST_TRICKS)] = 1
        numbers[AT_NEED + NEEDS * step + min(max(need, LEAST_NEED), MOST_NEED) - LEAST_NEED] = 1
        numbers[AT_GROUPS + step] = largest_group(v[OWN + other], touch)


@rule
def write_plays(v: State, seat: int, touch: Sequence[int], numbers: list[int]) -> None:
    """Write about every legal declaration: the group it makes, and whether it is winning."""
    cells = v[LEGAL]
    while cells != 0:
        bit = cells & -cells
        cells ^= bit
        cell = popcount(bit - 1)
        action = action_of_cell(cell)
        numbers[AT_JOINED + action] = largest_group(v[OWN + seat] | bit, touch)
        card = (TRUMP if cell < LANE else 0) | (cell & IN_LANE) << 3 | seat
        follows = cell < LANE or v[TRICK] == 0 or v[LED] & bit != 0  # R17, R18
        if follows and card > v[BEST]:
            numbers[AT_TAKES + action] = 1
