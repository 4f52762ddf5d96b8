"""What a round is worth, and who wins the game.

`touch` is a face of the research board as the rules need it: for every cell the set of cells
that touch it (R28). `faces.touching` makes it from the places on a face.
"""

from collections.abc import Sequence

from .counts import MODEST
from .layout import BID, OWN, PARADOX, PLAYERS, WON, State, after
from .marker import popcount, rule


@rule
def largest_group(tokens: int, touch: Sequence[int]) -> int:
    """Size of the largest set of tokens connected by touching cells (R27)."""
    largest = 0
    while tokens != 0:
        fresh = tokens & -tokens
        tokens ^= fresh
        size = 0
        while fresh != 0:
            token = fresh & -fresh
            near = touch[popcount(token - 1)] & tokens
            fresh ^= token | near
            tokens ^= near
            size += 1
        largest = max(largest, size)
    return largest


@rule
def bid_kept(s: State, seat: int) -> bool:
    """Whether a seat won as many tricks as the bonus asks for; a paradox costs it all the same."""
    if s[PLAYERS] == 2:
        return s[WON + seat] <= MODEST  # R26
    return s[BID + seat] == s[WON + seat] > 0  # R25; a bid of 0 is none


@rule
def bonus_earned(s: State, seat: int) -> bool:
    """Whether a seat's tricks earn the bonus at this moment."""
    return s[PARADOX] != seat and bid_kept(s, seat)  # R24


@rule
def seat_score(s: State, seat: int, touch: Sequence[int]) -> int:
    """Points of a seat in a round that is over."""
    if s[PARADOX] == seat:
        return -s[WON + seat]  # R24
    points = s[WON + seat]  # R23
    if bonus_earned(s, seat):
        points += largest_group(s[OWN + seat], touch)  # R27
    return points


@rule
def next_starter(starter: int, players: int) -> int:
    """Return the next starter, clockwise (R2)."""
    return after(starter, players)


@rule
def winners(totals: Sequence[int], final: Sequence[int], players: int) -> int:
    """Seats that win the game, as bits: highest total, then the final round, then shared (R3)."""
    best = 0
    champions = 1
    for seat in range(1, players):
        ahead = totals[seat] - totals[best]
        if ahead == 0:
            ahead = final[seat] - final[best]
        if ahead > 0:
            best = seat
            champions = 1 << seat
        elif ahead == 0:
            champions |= 1 << seat
    return champions
