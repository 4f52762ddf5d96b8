"""How many worlds agree with a view, exactly.

A hidden pile (a hand, a discard, the cards left aside) is a size and the ranks it cannot hold.
Rank by rank its unseen copies are split among the piles. Piles of the same kind are alike, so
few situations remain to be counted, and each is counted once.

>>> count((2, 1), [Pile(1), Pile(2)])         # cards 1 1 2: the single card is a 1 or a 2
2
>>> count((2, 1), [Pile(1), Pile(2)], physical=True)
3
>>> count((2, 1), [Pile(1, cannot=0b01), Pile(2)])
1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import comb, factorial, prod
from typing import NamedTuple

from ..game.hands import copies
from ..rules.layout import (
    COUNT_BITS,
    DISCARD,
    FREE,
    LANE,
    MAX_RANK,
    MAY,
    NOBODY,
    PLAYERS,
    ROW,
    SEAT,
    State,
)
from ..rules.sight import FACE_DOWN
from ..rules.worlds import BARRED, cards, missing, uncertain, unseen


class Pile(NamedTuple):
    """A hidden pile: its size, and the ranks it cannot hold as bits rank - 1."""

    size: int
    cannot: int = 0


Groups = tuple[tuple[Pile, int], ...]  # every kind of pile and how many there are


def counted(v: State, barred: int, *, physical: bool) -> int:
    """Count what agrees with a view: worlds, or arrangements of physical cards."""
    hidden = unseen(v)
    of_each_rank = copies(hidden)
    hands = _hands(v, barred)
    aside = [Pile(1) for seat in range(v[PLAYERS]) if v[DISCARD + seat] == FACE_DOWN]
    aside.append(Pile(cards(hidden) - len(aside) - sum(pile.size for pile in hands.values())))
    total = count(of_each_rank, [*hands.values(), *aside], physical=physical)
    turn = uncertain(v, hidden)
    if turn == NOBODY:
        return total
    lively = _ranks(v[FREE] & v[MAY + turn])  # R20: without any of these it could not play
    hands[turn] = Pile(hands[turn].size, hands[turn].cannot | lively)
    return total - count(of_each_rank, [*hands.values(), *aside], physical=physical)


def _hands(v: State, barred: int) -> dict[int, Pile]:
    hands = {seat: Pile(missing(v, seat)) for seat in range(v[PLAYERS]) if missing(v, seat)}
    seat = barred & SEAT
    if seat in hands:
        hands[seat] = Pile(hands[seat].size, barred_ranks(barred))  # R14b
    return hands


def barred_ranks(barred: int) -> int:
    """The ranks that a red lead has excluded, as bits rank - 1."""
    lanes = barred >> BARRED
    return sum((lanes >> COUNT_BITS * place & 1) << place for place in range(MAX_RANK))


def _ranks(cells: int) -> int:
    return (cells | cells >> LANE | cells >> 2 * LANE | cells >> 3 * LANE) & ROW


def count(copies: Sequence[int], piles: Iterable[Pile], *, physical: bool = False) -> int:
    """Count the ways to fill piles with `copies` of each rank; the piles take all of them."""

    @cache
    def ways(place: int, groups: Groups) -> int:
        if place == len(copies):
            return 1
        return sum(
            number * ways(place + 1, after)
            for number, after in _dealt_out(groups, copies[place], place, physical)
        )

    return ways(0, _grouped(Counter(pile for pile in piles if pile.size)))


def _dealt_out(
    groups: Groups, copies: int, place: int, physical: bool
) -> Iterator[tuple[int, Groups]]:
    """Deal the copies of one rank out to the piles: how many ways, and what is then to fill."""
    for parts in _shares(groups, copies, place):
        after: Counter[Pile] = Counter()
        number = 1
        for (pile, _), split in zip(groups, parts, strict=True):
            number *= _orders(split)
            for part in split:
                if part < pile.size:
                    after[Pile(pile.size - part, pile.cannot)] += 1
        if physical:
            number *= _multinomial(tuple(part for split in parts for part in split if part))
        yield number, _grouped(after)


def _shares(groups: Groups, copies: int, place: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to share copies among groups: for each group the parts, in falling order."""
    if not groups:
        if copies == 0:
            yield ()
        return
    (pile, number), *others = groups
    most = 0 if pile.cannot >> place & 1 else pile.size
    for split in _splits(number, min(most, copies), copies):
        for rest in _shares(tuple(others), copies - sum(split), place):
            yield split, *rest


@cache
def _splits(piles: int, largest: int, copies: int) -> tuple[tuple[int, ...], ...]:
    """Yield falling sequences, one part for each pile, of at most `copies` in total."""
    if piles == 0:
        return ((),)
    return tuple(
        (part, *rest)
        for part in range(min(largest, copies) + 1)
        for rest in _splits(piles - 1, part, copies - part)
    )


@cache
def _orders(split: tuple[int, ...]) -> int:
    """How many ways there are to give the parts to piles that are alike."""
    return factorial(len(split)) // prod(map(factorial, Counter(split).values()))


@cache
def _multinomial(parts: tuple[int, ...]) -> int:
    """How many ways there are to choose physical cards for the parts."""
    return prod(comb(sum(parts[: i + 1]), part) for i, part in enumerate(parts))


def _grouped(piles: Counter[Pile]) -> Groups:
    return tuple(sorted(piles.items()))
