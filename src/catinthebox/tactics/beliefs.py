"""The likelihood of a world, given the observed actions of the others.

In a world every hand is known, so the round can be played again from its discards on, and at each
step a model gives the probability of the seat's action: the `careful` policy with a temperature,
mixed with noise, since other players may think differently.
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import FIRST_BID, act, cell_of_action
from ..rules.chance import LOW, step
from ..rules.counts import BIDS, RANKS
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.round import give_hand, open_round, open_tricks
from .careful import UNIT, expected_tricks, rate_cells, rate_discard
from .elementary import STEPS, exponential, square_root_of_share
from .weights import Weights

WARMTH: Final = STEPS / UNIT  # half a point: smaller differences hardly matter
NOISE: Final = 0.1  # the share of actions that the model does not explain


# ── The round from its beginning ─────────────────────────────────────────────────────────────


@rule
def played_cards(cells: int) -> int:
    """Return the cards under a set of tokens, as counts per rank."""
    hand = 0
    for place in range(MAX_RANK):
        hand |= popcount(cells >> place & COLUMN) << COUNT_BITS * place
    return hand


@rule
def rewind(w: State, u: State) -> None:
    """Write into `u` how the round of a world stood after the discards."""
    players = w[PLAYERS]
    tricks = w[LEFT]
    free = w[FREE]
    for seat in range(players):
        tricks += w[WON + seat]
        free |= w[OWN + seat]
    open_round(u, players, RANKS[players], tricks, w[STARTER])
    u[FREE] = free  # R6: neutral tokens lie there from the start
    for seat in range(players):
        give_hand(u, seat, w[HAND + seat] + played_cards(w[OWN + seat]))
        u[DISCARD + seat] = w[DISCARD + seat]
    u[PHASE] = BIDDING
    u[TURN] = w[STARTER]
    if BIDS[players] == 0:
        open_tricks(u)


# ── The model ────────────────────────────────────────────────────────────────────────────────


@rule
def mixed(chosen: float, total: float, options: int) -> float:
    """Return the probability of a choice, with noise: any option may be taken at random."""
    return (1 - NOISE) * chosen / total + NOISE / options


@rule
def chance_of_discard(u: State, seat: int, weights: Weights) -> float:
    """How likely a seat was to set aside what it did, with the hand it had."""
    hand = u[HAND + seat] + (1 << COUNT_BITS * (u[DISCARD + seat] - 1))
    chosen = 0.0
    total = 0.0
    options = 0
    for place in range(MAX_RANK):
        copies = hand >> COUNT_BITS * place & COUNT
        if copies != 0:
            lure = exponential(rate_discard(u[PLAYERS], place, copies, weights))
            options += 1
            total += lure
            if place + 1 == u[DISCARD + seat]:
                chosen = lure
    return mixed(chosen, total, options)


@rule
def chance_of_bid(u: State, seat: int, bid: int, weights: Weights) -> float:
    """How likely a seat was to bid as it did."""
    expected = expected_tricks(u, seat, weights)
    chosen = 0.0
    total = 0.0
    options = 0
    for number in range(1, 5):
        if BIDS[u[PLAYERS]] >> number & 1:
            lure = exponential(-abs(number * UNIT - expected))
            options += 1
            total += lure
            if number == bid:
                chosen = lure
    return mixed(chosen, total, options)


@rule
def chance_of_play(
    u: State, seat: int, cell: int, weights: Weights, touch: Sequence[int], ratings: list[int]
) -> float:
    """How likely a seat was to declare what it did."""
    rate_cells(u, seat, weights, touch, ratings)
    total = 0.0
    cells = u[LEGAL]
    while cells != 0:
        bit = cells & -cells
        cells ^= bit
        total += exponential(ratings[popcount(bit - 1)] - ratings[cell])
    return mixed(1.0, total, popcount(u[LEGAL]))


@rule
def likelihood(
    w: State,
    u: State,
    seat: int,
    actions: Sequence[int],
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
) -> float:
    """How likely the others were to do what they did if this were the world.

    `u` and `ratings` are scratch; `actions` are the ids of all bids and plays so far, in order.
    The result is the square root of their likelihood.
    """
    rewind(w, u)
    chance = 1.0
    for other in range(u[PLAYERS]):
        if other != seat and u[DISCARD + other] != 0:
            chance *= chance_of_discard(u, other, weights)
    for action in actions:
        actor = u[TURN]
        if actor != seat:
            if action < FIRST_BID:
                chance *= chance_of_play(u, actor, cell_of_action(action), weights, touch, ratings)
            else:
                chance *= chance_of_bid(u, actor, action - FIRST_BID + 1, weights)
        act(u, actor, action)
    # The product claims too much: one wrong idea of a player is wrong at each of its actions.
    return square_root_of_share(chance)


# ── Choosing among worlds ────────────────────────────────────────────────────────────────────


@rule
def draw(likelihoods: Sequence[float], worlds: int, chosen: list[int], number: int, g: int) -> None:
    """Choose `number` of `worlds` in proportion to their likelihoods, by systematic sampling."""
    total = 0.0
    for world in range(worlds):
        total += likelihoods[world]
    offset = (step(g) & LOW) / (LOW + 1.0)
    world = 0
    reached = likelihoods[0]
    for draw_number in range(number):
        mark = (draw_number + offset) * total / number
        while reached < mark and world + 1 < worlds:
            world += 1
            reached += likelihoods[world]
        chosen[draw_number] = world
