"""Writes a game as record lines, each a keyword and its words."""

from __future__ import annotations

from collections.abc import Iterator

from ..action import Phase
from ..fairness import Fairness
from ..game import Game
from ..round import Round, Trick

VERSION = "1"
HOUSE_FACE = "face"
NOTHING = "-"  # of a seat that gave no nonce
UNKNOWN = "?"  # a seat that has not discarded yet, while a later one has

PlainLine = tuple[str, list[str]]  # a line without places


def record_lines(game: Game) -> Iterator[PlainLine]:
    """Yield the lines of a game."""
    yield "catinthebox", [VERSION]
    yield "players", [str(game.players)]
    yield "names", list(game.names)
    yield "edition", [game.edition.name]
    yield "face", [game.face.name]
    if not game.face.standard:
        for row in str(game.face).splitlines()[1:]:
            yield "row", row.split()
    if game.house_rules:
        yield "house", [HOUSE_FACE]
    if game.fairness is not None:
        yield from promise_lines(game.fairness)
    yield "starter", [str(game.starter_of_game)]
    for number, round in enumerate(game.rounds, start=1):
        yield "round", [str(number)]
        yield from round_lines(round)
    if game.over:
        yield "result", list(map(str, game.totals))
        yield "winners", list(map(str, game.winners))
    if game.fairness is not None and game.fairness.secret is not None:
        yield "secret", [game.fairness.secret.hex()]


def promise_lines(fairness: Fairness) -> Iterator[PlainLine]:
    """Yield the lines about what was public before the first deal."""
    yield "fair", [str(fairness.version)]
    yield "table", [fairness.table]
    yield "commitment", [fairness.commitment]
    yield "nonces", [nonce.hex() or NOTHING for nonce in fairness.nonces]


def round_lines(round: Round) -> Iterator[PlainLine]:
    """Yield the lines of a round: deal, discards, bids, tricks, how it ended."""
    yield "deal", list(round.setup.hands)
    if round.setup.aside:
        yield "aside", [round.setup.aside]
    discards = {seat: str(a) for seat, a in round.actions if a.phase is Phase.DISCARD}
    if discards:
        yield "discards", [discards.get(seat, UNKNOWN) for seat in range(max(discards) + 1)]
    bids = [str(action) for _, action in round.actions if action.phase is Phase.BID]
    if bids:
        yield "bids", bids
    for trick in round.tricks:
        yield "trick", trick_words(trick)
    yield from end_lines(round)


def trick_words(trick: Trick) -> list[str]:
    """Return the words of a trick: '0: 5b 3b 4y >0' has a leader, plays and a winner."""
    won = [] if trick.winner is None else [f">{trick.winner}"]
    return [f"{trick.plays[0].seat}:", *(str(action) for _, action in trick.plays), *won]


def end_lines(round: Round) -> Iterator[PlainLine]:
    """Yield the lines about the end of a round: the causer's hand (R22), the scores."""
    if round.paradox is not None:
        yield "paradox", [f"{round.paradox}:", "".join(map(str, round.hands[round.paradox]))]
    if round.scores is not None:
        yield "scores", list(map(str, round.scores))
