"""Positions for tests, written the way people write them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from policies import TABLES, Policy, cooperative, moments, random_round

from catinthebox import Action, Deck, Face, Game, NotLegal, Refusal, Round, Setup
from catinthebox.rules.layout import LANE

THREE = ("1223345566", "1123344556", "1122344566")  # a whole deal for three seats
TWO = ("1111222333", "2344444555")  # and for two, with these five left aside:
ASIDE = "12553"


def first_lead(
    hands: str,
    *,
    bids: tuple[int, ...] = (),
    starter: int = 0,
    turned: str = "",
    face: str = "white",
    ranks: int = 9,
) -> Round:
    """The moment before the first lead: hands after the discard, of a deck made to measure."""
    each = tuple(hands.split())
    deck = Deck(ranks, len(each[0]) + 1)
    return Round(Setup(each, starter, Face.named(face), turned, deck, discarded=True, bids=bids))


def cells(actions: str) -> int:
    """A set of cells as the rules hold it: '1r 5b'."""
    return sum(1 << cell(word) for word in actions.split())


def cell(word: str) -> int:
    """One cell as the rules number it."""
    action = Action(word)
    assert action.color is not None
    return LANE * action.color + action.rank - 1


def refused(round: Round, action: str, seat: int | None = None) -> Refusal:
    """The refusal of an illegal action: asking and trying agree, and nothing changes."""
    before = round.vector.copy()
    with pytest.raises(NotLegal) as caught:
        round.play(action, seat)
    assert round.vector == before
    assert round.why(action, seat) == caught.value.refusal
    return caught.value.refusal


def finish(round: Round, rng: Random, policy: Policy = cooperative) -> Round:
    """Play a round to its end under one policy."""
    while not round.over:
        seat = round.to_act[0]
        round = round.play(policy(round, seat, rng), seat)
    return round


def whole(round: Round, rng: Random) -> Iterator[Round]:
    """Every moment of a round, its end included."""
    for moment, seat, action in moments(round, rng):
        yield moment
        round = moment.play(action, seat)
    yield round


@cache
def positions(rounds: int = 2) -> tuple[Round, ...]:
    """Every moment of some random rounds at every table."""
    rng = Random(rounds)
    return tuple(
        moment
        for players, face in TABLES
        for _ in range(rounds)
        for moment in whole(random_round(players, face, rng), rng)
    )


@cache
def normal_ends(players: int, number: int = 12) -> tuple[Round, ...]:
    """Rounds that ended without a paradox."""
    rng = Random(players)
    found: list[Round] = []
    while len(found) < number:
        end = finish(random_round(players, "white", rng), rng)
        found += [end] if end.paradox is None else []
    return tuple(found)


def game_moments(game: Game, rng: Random) -> Iterator[Game]:
    """Every moment of a game, from before the first deal to its end."""
    yield game
    while not game.over:
        game = game.shuffle(rng)
        yield game
        assert game.round is not None
        for _, seat, action in moments(game.round, rng):
            game = game.play(action, seat)
            yield game


STORY = (  # hands, then everything that was done
    (
        ("1222333556", "1123455666", "1123444456"),
        "-2 -6 -4 =4 =1 =1 2g 6g 3g 2b 6b 4b 2y 6y 4y 1b 5b 3b 4g 1g 3r 6r 4r 2r 5r 1r 5g 1y 3y 5y",
    ),
    (
        ("1122245556", "1223344566", "1133344566"),
        "-2 -4 -3 =1 =1 =1 1y 4y 3y 2b 3b 4b 5b 6b 1b 2g 5g 3g 6g 4g 1g 6y 1r 5y 3r 5r 2r",
    ),
    (
        ("1223555666", "1223344556", "1112334446"),
        "-5 -5 -1 =3 =1 =3 1g 4g 3g 3y 6y 2y 4y 5y 1y 5g 2g 2r 3r 6r 4r 6b 5b 1b 2b 3b 4b 1r 6g",
    ),
)


@cache
def story() -> Game:
    """A finished game for three: a normal round, then a paradox of a leader and of a follower."""
    game = Game.new(3, starter=1)
    for hands, moves in STORY:
        game = game.deal(hands)
        for move in moves.split():
            game = game.play(move)
    return game
