"""Verifies that the cards of a finished game were dealt as promised.

>>> from catinthebox import Game
>>> for finding in verify(Game.new(2)):
...     print(finding)
NO   promise: this record says nothing about how its cards were shuffled
>>> proven(verify(Game.new(2)))
False
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..game import Fairness, Game
from . import deals as fair


class Finding(NamedTuple):
    """One thing that was checked, and whether it is correct."""

    subject: str
    good: bool
    sentence: str

    def __str__(self) -> str:
        mark = "yes" if self.good else "NO "
        return f"{mark}  {self.subject}: {self.sentence}"


def proven(findings: Sequence[Finding]) -> bool:
    """Whether everything was checked and is correct."""
    return bool(findings) and all(finding.good for finding in findings)


def verify(
    game: Game, *, commitment: str | None = None, nonce: bytes | None = None
) -> tuple[Finding, ...]:
    """Compute everything again, and compare it with the game and with a player's notes.

    `commitment` and `nonce` are what a player noted before the first deal.
    """
    fairness = game.fairness
    if fairness is None:
        sentence = "this record says nothing about how its cards were shuffled"
        return (Finding("promise", False, sentence),)
    found = [*_kept(fairness, commitment, nonce), _nonces(game, fairness)]
    if fairness.secret is None or not game.over:
        return (*found, _no_secret(game))
    found += [_commitment(fairness, fairness.secret), _starter(game, fairness, fairness.secret)]
    for index in range(len(game.rounds)):
        found += _round(game, fairness, fairness.secret, index)
    return tuple(found)


def _kept(fairness: Fairness, commitment: str | None, nonce: bytes | None) -> Iterator[Finding]:
    if commitment is not None:
        good = commitment == fairness.commitment
        sentence = "it is the one in the record" if good else "the record has another one"
        yield Finding("your commitment", good, sentence)
    if nonce is not None:
        good = nonce in fairness.nonces and bool(nonce)
        sentence = "it is in the record" if good else "it is not in the record"
        yield Finding("your nonce", good, sentence)


def _nonces(game: Game, fairness: Fairness) -> Finding:
    seats = [_seat(game, seat) for seat in fairness.gave]
    if not seats:
        sentence = "no seat gave one, so the maker of the secret could choose the cards"
        return Finding("nonces", False, sentence)
    return Finding("nonces", True, f"given by {' and '.join(seats)}")


def _no_secret(game: Game) -> Finding:
    if not game.over:
        return Finding("secret", False, "the game is not over, so it is not revealed yet")
    return Finding("secret", False, "the game is over, and it was not revealed")


def _commitment(fairness: Fairness, secret: bytes) -> Finding:
    if fair.commit(secret, fairness.table) == fairness.commitment:
        return Finding("commitment", True, "the revealed secret is the one promised")
    sentence = "the revealed secret is another one than promised, or for another table"
    return Finding("commitment", False, sentence)


def _starter(game: Game, fairness: Fairness, secret: bytes) -> Finding:
    drawn = fair.starter_by_lot(secret, fairness.table, fairness.nonces)
    started = game.starter_of_game
    if started == drawn:
        return Finding("starter", True, f"{_seat(game, drawn)} was drawn by lot")
    sentence = f"the lot fell on {_seat(game, drawn)}, but {_seat(game, started)} started"
    return Finding("starter", False, sentence)


def _round(game: Game, fairness: Fairness, secret: bytes, index: int) -> Iterator[Finding]:
    subject = f"round {index + 1}"
    setup = game.rounds[index].setup
    due = fair.deal(secret, fairness.table, fairness.nonces, index + 1)
    wrong = []
    for seat, (hand, true) in enumerate(zip(setup.hands, due.hands, strict=True)):
        if hand != true:
            wrong.append(f"{_seat(game, seat)} was dealt {hand}, should have been {true}")
    if setup.aside != due.aside:
        wrong.append(f"the cards left aside were {setup.aside}, should have been {due.aside}")
    yield from (Finding(subject, False, sentence) for sentence in wrong)
    if not wrong:
        yield Finding(subject, True, "every card is where the secret and the nonces put it")


def _seat(game: Game, seat: int) -> str:
    return f"seat {seat} ({game.names[seat]})"
