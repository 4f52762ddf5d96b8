"""`catinthebox solve`: the exact value of a moment of a recorded game, with open hands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import ModuleType

from .. import ACTIONS, Game, NotUnderstood, Phase, Round
from ..optional import load
from .files import read_game

LIMIT = 20_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("file", type=Path, help="a record, such as `play` leaves behind")
    parser.add_argument(
        "--round", type=int, help="the number of the round (default: the last one)", metavar="N"
    )
    parser.add_argument(
        "--after",
        type=int,
        help="solve the position after this many actions of the round",
        metavar="K",
    )
    parser.add_argument(
        "--nodes",
        type=int,
        default=LIMIT,
        help=f"give up after this many positions (default {LIMIT})",
    )
    parser.add_argument(
        "--aim",
        choices=("points", "ahead"),
        default="points",
        help="what each seat wants at a table of 3 to 5 (default: points)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Solve a position and print its value; return 1 if the limit was reached."""
    game = read_game(arguments.file)
    number = len(game.rounds) if arguments.round is None else arguments.round
    round = moment(chosen(game, number), arguments.after)
    solution = _fast().solve(
        round.vector, round.face.touch, aim=arguments.aim, nodes=max(arguments.nodes, 0)
    )
    print(f"Round {number}, after {len(round.actions)} actions\n{round}")
    if not solution.solved:
        sentence = f"not solved within {solution.nodes} positions; allow more, or begin later"
        print(f"catinthebox: {sentence}", file=sys.stderr)
        return 1
    actions = [str(ACTIONS[action]) for action in solution.line]
    print(f"\nsolved, {solution.nodes} positions")
    for seat, name in enumerate(game.names):
        print(f"{name} {solution.scores[seat]}")
    print(f"best {actions[0]}" if actions else "the round is over")
    if actions:
        print(best_play(round, actions))
    return 0


def chosen(game: Game, number: int) -> Round:
    """Return a round of a game by its number."""
    if not game.rounds:
        raise NotUnderstood("input.file", "this game has not begun: no round is dealt")
    if not 1 <= number <= len(game.rounds):
        sentence = f"no round {number}; the record has rounds 1 to {len(game.rounds)}"
        raise NotUnderstood("input.option", sentence)
    return game.rounds[number - 1]


def moment(whole: Round, after: int | None) -> Round:
    """Return a round after some actions; by default as it stands, or before its first card."""
    ready = sum(action.phase is not Phase.PLAY for _, action in whole.actions)
    last = len(whole.actions)
    if after is None:
        after = ready if whole.over else last
    if not 0 <= after <= last:
        raise NotUnderstood("input.step", f"no action {after}; the round has {last}")
    round = Round(whole.setup)
    for seat, action in whole.actions[:after]:
        round = round.play(action, seat)
    if round.phase in (Phase.DISCARD, Phase.BID):
        sentence = f"after {after} actions no card is played yet"
        if whole.phase in (Phase.PLAY, Phase.OVER):
            sentence += f"; begin after {ready} or later"
        raise NotUnderstood("input.step", sentence)
    return round


def best_play(round: Round, actions: list[str]) -> str:
    """Write the best play as a record would, one trick per row."""
    rows = []
    before = len(round.tricks) - bool(round.trick)
    end = round.replay(" ".join(actions))
    for trick in end.tricks[before:]:
        plays = " ".join(str(action) for _, action in trick.plays)
        winner = "" if trick.winner is None else f" >{trick.winner}"
        rows.append(f"trick {trick.plays[0].seat}: {plays}{winner}")
    if end.paradox is not None:
        rows.append(f"paradox {end.paradox}")
    return "\n".join(rows)


def _fast() -> ModuleType:
    return load("catinthebox.fast.endgame", extra="fast")
