"""Worlds by brute force: try every deal of a tiny deck and keep those that look the same.

Nothing of `views` is used here, only `Round`: a deal is consistent if every action of the history
is legal in it and everything a seat may see (R32) is the same after each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import factorial, prod
from random import Random

from catinthebox import Action, Color, Deck, NotLegal, Phase, Round, Setup
from catinthebox.rules.layout import COPIES

World = tuple[tuple[tuple[int, ...], ...], tuple[int | None, ...]]  # hands, discards
Cards = Counter[int]


def world(round: Round) -> World:
    """What is hidden in a round."""
    return round.hands, round.discards


def brute(round: Round, seat: int | None) -> dict[World, int]:
    """Every world a seat thinks possible, and how many arrangements of physical cards it has."""
    found = {}
    for setup, discards in deals(round, seat):
        again = replayed(round, setup, discards, seat)
        if again is not None:
            found[world(again)] = arrangements(again, seat)
    return found


def deals(round: Round, seat: int | None) -> Iterator[tuple[Setup, list[int]]]:
    """Every deal with the same own cards, and every choice of discards made so far."""
    setup = round.setup
    done = [action.rank for _, action in round.actions if action.phase is Phase.DISCARD]
    seats = [who for who, action in round.actions if action.phase is Phase.DISCARD]
    own = {} if seat is None else {seat: setup.hands[seat]}
    for hands in share(pool(round, own), own, setup):
        if not could_play(round, hands):
            continue
        full = Setup(
            hands,
            setup.starter,
            setup.face,
            setup.turned_up,
            setup.deck,
            setup.discarded,
            setup.bids,
        )
        options = [
            [rank] if who == seat else sorted(set(map(int, hands[who])))
            for who, rank in zip(seats, done, strict=True)
        ]
        for discards in product(*options):
            yield full, list(discards)


def could_play(round: Round, hands: tuple[str, ...]) -> bool:
    """Whether every seat was dealt what it played; the replay would refuse it, but later."""
    dealt = [Counter(map(int, hand)) for hand in hands]
    for seat, action in round.actions:
        if action.phase is Phase.PLAY:
            dealt[seat][action.rank] -= 1
    return all(number >= 0 for cards in dealt for number in cards.values())


def pool(round: Round, own: dict[int, str]) -> Cards:
    """The cards that were dealt unseen, or not dealt at all."""
    cards = Counter(dict.fromkeys(range(1, round.setup.cards.ranks + 1), COPIES))
    return cards - Counter(map(int, "".join([*own.values(), round.setup.turned_up])))


def share(
    cards: Cards, own: dict[int, str], setup: Setup, seat: int = 0
) -> Iterator[tuple[str, ...]]:
    """Deal the other hands in every way."""
    if seat == setup.players:
        yield ()
        return
    options = [own[seat]] if seat in own else subsets(cards, len(setup.hands[seat]))
    for hand in options:
        left = cards if seat in own else cards - Counter(map(int, hand))
        for rest in share(left, own, setup, seat + 1):
            yield hand, *rest


def subsets(cards: Cards, size: int) -> list[str]:
    """Every hand of a size, as digits."""
    ranks = sorted(cards)
    return [
        "".join(str(rank) * number for rank, number in zip(ranks, numbers, strict=True))
        for numbers in product(*(range(cards[rank] + 1) for rank in ranks))
        if sum(numbers) == size
    ]


def replayed(round: Round, setup: Setup, discards: list[int], seat: int | None) -> Round | None:
    """The same visible history on another deal; None if somebody could tell the difference."""
    truth, other = Round(round.setup), Round(setup)
    hidden = iter(discards)
    if face_of(truth) != face_of(other):
        return None
    for played in round.actions:
        action = played.action
        if action.phase is Phase.DISCARD:
            action = Action.discard(next(hidden))
        try:
            other = other.play(action, played.seat)
        except NotLegal:
            return None
        truth = truth.play(played.action, played.seat)
        if face_of(truth) != face_of(other):
            return None
    return other


def face_of(round: Round) -> tuple[object, ...]:
    """What everybody sees apart from the actions themselves; the causer's hand included (R22)."""
    shown = None if round.paradox is None else (round.paradox, round.hands[round.paradox])
    return round.phase, round.turn, round.won, round.tokens, round.scores, shown


def arrangements(round: Round, seat: int | None) -> int:
    """How many ways there are to choose the physical cards of this world's hidden piles."""
    known = {seat, round.paradox}
    piles = [hand for who, hand in enumerate(round.hands) if who not in known]
    piles += [(rank,) for who, rank in enumerate(round.discards) if rank and who != seat]
    seen = [rank for who, hand in enumerate(round.hands) for rank in hand if who in known]
    seen += [action.rank for who, action in round.actions if seen_card(who, action, seat)]
    seen += map(int, round.setup.turned_up)
    ways = 1
    for rank in range(1, round.setup.cards.ranks + 1):
        parts = [pile.count(rank) for pile in piles]
        copies = COPIES - seen.count(rank)
        parts.append(copies - sum(parts))
        ways *= factorial(copies) // prod(map(factorial, parts))
    return ways


def seen_card(who: int, action: Action, seat: int | None) -> bool:
    """Whether a seat knows the card of an action."""
    return action.phase is Phase.PLAY or (action.phase is Phase.DISCARD and who == seat)


# ── Tiny rounds ──────────────────────────────────────────────────────────────────────────────

TINY = (
    (2, 2, 3, 3),
    (2, 3, 4, 4),
    (3, 2, 3, 0),
    (3, 3, 4, 0),
    (4, 3, 3, 0),
    (2, 3, 6, 3),
    (3, 3, 5, 0),
)
"""Players, ranks, cards dealt to each seat, cards left aside."""


def tiny(rng: Random) -> Round:
    """Some moment of a round with a tiny deck; red is declared late, so that R14b happens."""
    players, ranks, dealt, aside = rng.choice(TINY)
    deck = [str(rank) for rank in range(1, ranks + 1)] * COPIES
    rng.shuffle(deck)
    late = rng.random() < 0.3  # begin after the discards
    each = dealt - late
    hands = ["".join(deck[each * seat : each * seat + each]) for seat in range(players)]
    left = "".join(deck[each * players :][:aside])
    starter = rng.randrange(players)
    setup = Setup(tuple(hands), starter, aside=left, deck=Deck(ranks, dealt), discarded=late)
    path = list(shy_moments(Round(setup), rng))
    return rng.choice(path if rng.random() < 0.1 else path[:-1] or path)  # most ends are alike


def shy_moments(round: Round, rng: Random) -> Iterator[Round]:
    """Every moment of a round in which red is declared only if nothing else is possible."""
    shy = rng.random() < 0.8
    yield round
    while not round.over:
        seat = rng.choice(round.to_act)
        legal = sorted(round.legal_for(seat))
        pale = [action for action in legal if action.color is not Color.RED]
        round = round.play(rng.choice(pale if pale and shy else legal), seat)
        yield round
