"""Ways to play a round in tests.

Uniform play almost never ends a round normally (F3), so rounds mix policies; the cooperative one
looks at all hands to reach long rounds and normal ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from catinthebox import Action, Face, Phase, Round

Policy = Callable[[Round, int, Random], Action]

TABLES = ((2, "white"), (3, "white"), (3, "purple"), (4, "white"), (4, "purple"), (5, "purple"))
"""Every player count on every face it is printed with."""


def uniform(round: Round, seat: int, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(sorted(round.legal_for(seat)))


def follow(round: Round, seat: int, rng: Random) -> Action:
    """Discard a card held most often; follow the led color when possible."""
    legal = sorted(round.legal_for(seat))
    if round.phase is Phase.DISCARD:
        legal = _most_held(round, seat, legal)
    return rng.choice(_following(round, legal))


def cooperative(round: Round, seat: int, rng: Random) -> Action:
    """Never discard what another seat discarded; follow, and play what must not be kept (F2)."""
    legal = sorted(round.legal_for(seat))
    if round.phase is Phase.DISCARD:
        fresh = [action for action in legal if action.rank not in round.discards] or legal
        return rng.choice(_most_held(round, seat, fresh))
    if round.phase is not Phase.PLAY:
        return rng.choice(legal)
    room = _room(round)
    legal = _following(round, legal)
    most = max(room[action.rank] for action in legal)
    return rng.choice([action for action in legal if room[action.rank] == most])


def _most_held(round: Round, seat: int, discards: list[Action]) -> list[Action]:
    copies = Counter(round.hands[seat])
    most = max(copies[action.rank] for action in discards)
    return [action for action in discards if copies[action.rank] == most]


def _following(round: Round, legal: list[Action]) -> list[Action]:
    if not round.trick:
        return legal
    led = round.trick[0].action.color
    return [action for action in legal if action.color is led] or legal


def _room(round: Round) -> dict[int, int]:
    """Empty cells of each rank, less the cards of that rank still in hands."""
    in_hands = Counter(rank for hand in round.hands for rank in hand)
    taken = Counter(rank for _, rank in round.board)
    return {rank: 4 - taken[rank] - in_hands[rank] for rank in range(1, 10)}


MIX: tuple[Policy, ...] = (uniform, follow, follow, cooperative, cooperative, cooperative)


def random_round(players: int, face: str, rng: Random) -> Round:
    """A shuffled round with any starter."""
    return Round.shuffled(players, rng, starter=rng.randrange(players), face=Face.named(face))


def moments(round: Round, rng: Random) -> Iterator[tuple[Round, int, Action]]:
    """Play a round to its end under one policy of the mix; yield every moment and its action.

    Now and then a seat strays from the policy. Discards come in any seat order (R7).
    """
    policy = rng.choice(MIX)
    while not round.over:
        seat = rng.choice(round.to_act)
        action = (uniform if rng.random() < 0.01 else policy)(round, seat, rng)
        yield round, seat, action
        round = round.play(action, seat)
