"""`catinthebox review`: every decision of a recorded game, judged by what its seat could know."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from ..coach import CAREFUL, NETWORK
from ..coach.analysis import FAULTS
from ..coach.data import of_review
from ..coach.review import WORLDS, JudgedDecision, Review, RoundReview, review
from ..game import Game, NotUnderstood
from . import advice
from .files import read_game, write_text
from .review_page import page
from .review_words import accuracy_words, expected, hindsight, moment, moments

MOST = 1024  # worlds of the first look
SHORT = {"discard": "-", "bid": "="}  # as in notation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("file", type=Path, help="a record, such as `play` leaves behind")
    parser.add_argument(
        "--seat", type=int, nargs="+", help="review these seats only (default: all)", metavar="N"
    )
    parser.add_argument(
        "--worlds",
        type=int,
        default=WORLDS,
        help=f"try every action in so many worlds (default {WORLDS}); four times as many "
        "where it does not look best",
        metavar="N",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the worlds", metavar="N")
    parser.add_argument(
        "--deep", action="store_true", help="let the network play on in the second look; slow"
    )
    parser.add_argument("--json", action="store_true", help="print the review as JSON")
    parser.add_argument("--html", type=Path, help="write the review as a page", metavar="FILE")


def run(arguments: argparse.Namespace) -> int:
    """Review a game; return the exit status."""
    game = read_game(arguments.file)
    checked(game, arguments)
    found = review(
        game,
        seats=arguments.seat,
        worlds=arguments.worlds,
        seed=arguments.seed,
        method=NETWORK if arguments.deep else CAREFUL,
        progress=progress if sys.stderr.isatty() else _silent,
    )
    if arguments.html is not None:
        write_text(arguments.html, page(found))
    if arguments.json:
        print(json.dumps(of_review(found), indent=1))
    elif arguments.html is not None:
        print(f"Written: {arguments.html}")
    else:
        print("\n".join(report(found)))
    return 0


def checked(game: Game, arguments: argparse.Namespace) -> None:
    """Refuse what cannot be reviewed."""
    if not game.over:
        sentence = f"{arguments.file}: this game is not over; a review shows what is still hidden"
        raise NotUnderstood("input.file", sentence)
    for seat in arguments.seat or ():
        if not 0 <= seat < game.players:
            raise NotUnderstood("input.seat", f"no seat {seat}; 0 to {game.players - 1}")
    if not 2 <= arguments.worlds <= MOST:
        raise NotUnderstood("input.option", f"--worlds {arguments.worlds}; 2 to {MOST}")
    if not 0 <= arguments.seed < 1 << 32:
        raise NotUnderstood("input.option", f"--seed {arguments.seed}; 0 to {(1 << 32) - 1}")


def progress(done: int, total: int) -> None:
    """Show how far the review is, in one line that changes."""
    end = "\r" + " " * 40 + "\r" if done == total else ""
    print(f"\rDecision {done} of {total}{end}", end="", file=sys.stderr, flush=True)


def _silent(done: int, total: int) -> None:
    del done, total


# ── Text ─────────────────────────────────────────────────────────────────────────────────────


def report(found: Review) -> Iterator[str]:
    """Return the lines of a review."""
    for round in found.rounds:
        yield from of_round(found, round)
    yield "Turning points"
    for number, one in enumerate(found.turning_points, start=1):
        yield f"{number}. Round {one.round}, {line(found, one)}"
        yield from advice.explained(one.reasons)
    if not found.turning_points:
        yield "  None: no decision was clearly wrong."
    yield ""
    heads = f"{'best':>6}{'fine':>6}{'slips':>7}{'mistakes':>10}{'too close':>11}{'accuracy':>10}"
    yield f"{'':<12}{heads}"
    for seat in sorted({one.seat for one in found.decisions}):
        counts = {verdict: found.count(seat, verdict) for verdict in advice.WORDS}
        yield (
            f"{found.game.names[seat]:<12}{counts['best']:>6}{counts['fine']:>6}"
            f"{counts['slip']:>7}{counts['mistake']:>10}{counts['close']:>11}"
            f"{accuracy_words(found.accuracy(seat)):>10}"
        )


def of_round(found: Review, round: RoundReview) -> Iterator[str]:
    """Return the lines of a round: its faults, its paradox, its accounts."""
    names = found.game.names
    yield f"Round {round.number}"
    for one in round.decisions:
        if one.verdict in FAULTS:
            yield f"  {line(found, one)}"
    if round.unavoidable is not None:
        yield f"  With hindsight: {hindsight(found, round)}"
    yield f"  {'':<24}{'ahead':>8}{'deal':>8}{'decisions':>11}{'rest':>8}{'bid worth':>11}"
    for seat in round.seats:
        bid = "" if seat.bid is None else f"{seat.bid:.1f}"
        yield (
            f"  {names[seat.seat]:<24}{seat.ahead:>+8.1f}{seat.deal:>+8.1f}"
            f"{seat.decisions:>+11.1f}{seat.rest:>+8.1f}{bid:>11}".rstrip()
        )
    yield from curve(found, round)
    yield ""


def curve(found: Review, round: RoundReview) -> Iterator[str]:
    """Return the points that every seat had to expect after its decisions, and what came."""
    columns = moments(round)
    heads = [SHORT.get(when, when.removeprefix("trick ")) for when in columns]
    yield f"  {'points expected':<16}{''.join(f'{head:>5}' for head in heads)}{'end':>6}"
    for seat in round.seats:
        after = expected(round, seat.seat)
        shown = (f"{after[when]:>5.1f}" if when in after else " " * 5 for when in columns)
        yield f"  {found.game.names[seat.seat]:<16}{''.join(shown)}{seat.points:>6}"


def line(found: Review, one: JudgedDecision) -> str:
    """Describe a decision that was not the best."""
    noise = f"{one.loss_within:.1f}"
    return (
        f"{moment(one)}, {found.game.names[one.seat]}: {one.verdict}, "
        f"-{one.loss:.1f} points (plus or minus {noise}): {one.action.words}; "
        f"better: {one.best.action.words}"
    )
