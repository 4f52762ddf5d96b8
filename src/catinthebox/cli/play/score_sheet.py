"""Score sheets: of a round, of the game so far, and the final standing.

>>> verdict(("Ada", "Bob", "Cyd"), ((5, 2, 0), (1, 4, 0), (0, 0, 0)))
'Ada and Bob tie at 6, in the final round too: they share the victory (R3).'
"""

from __future__ import annotations

from collections.abc import Sequence

from ...game import Game, Round, standing
from ...game.round import Seat
from .screen import SEAT_WIDTH, Screen


def reason(round: Round, seat: Seat) -> str:
    """Explain in a few words how a seat scored its points (R23 to R27)."""
    if round.paradox == seat:
        return "paradox, no bonus"
    hit, miss = ("four or fewer", "over four") if round.players == 2 else ("bid met", "bid missed")
    if round.bonus_earned(seat):
        return f"{round.won[seat]} + group {round.groups[seat]}: {hit}"
    return f"{miss}, no bonus"


def of_round(screen: Screen, game: Game) -> list[str]:
    """The result of the round that has just ended."""
    round = game.current
    assert round.scores is not None
    lines = [screen.headline(f"Round {game.number} of {game.players} is over")]
    if screen.terminal.plain:
        return lines + [_said(screen, game, round, seat) for seat in range(game.players)]
    bids = round.players > 2
    head = f"    {'seat':<{SEAT_WIDTH + 2}}{'bid  ' if bids else ''}won  group  points  total"
    lines.append(screen.terminal.dim(head))
    for seat in range(game.players):
        bid = f"{round.bids[seat] or '-':^3}  " if bids else ""
        group = f"{round.groups[seat]:^5}"
        counts = f"{bid}{round.won[seat]:^3}  {group}  {round.scores[seat]:^6}  "
        lines.append(
            f"   {screen.who(seat)}{counts}{game.totals[seat]:^5}  {reason(round, seat)}".rstrip()
        )
    return lines


def _said(screen: Screen, game: Game, round: Round, seat: Seat) -> str:
    assert round.scores is not None
    bid = f"bid {round.bids[seat]}, " if round.bids[seat] else ""
    points = f"{round.scores[seat]} points ({reason(round, seat)})"
    who = "You" if seat == screen.me else screen.names[seat]
    return f"{who}: {bid}won {round.won[seat]}. {points}, total {game.totals[seat]}."


def so_far(screen: Screen, game: Game) -> list[str]:
    """The points of every finished round, and the totals."""
    if not game.scores:
        return [screen.wrap("No round is over yet; everybody has 0 points.")]
    ordered = sorted(range(game.players), key=lambda seat: _order(game, seat))
    if screen.terminal.plain:
        return [_points_said(screen, game, seat) for seat in ordered]
    heads = "".join(f"{f'R{number}':>5}" for number in range(1, len(game.scores) + 1))
    lines = [screen.terminal.dim(f"    {'seat':<{SEAT_WIDTH + 2}}{heads}  total")]
    for seat in ordered:
        points = "".join(f"{scores[seat]:>5}" for scores in game.scores)
        lines.append(f"   {screen.who(seat)}{points}  {game.totals[seat]:>5}")
    return lines


def _points_said(screen: Screen, game: Game, seat: Seat) -> str:
    rounds = ", ".join(str(scores[seat]) for scores in game.scores)
    who = "You" if seat == screen.me else screen.names[seat]
    return f"{who}: {rounds}; total {game.totals[seat]}."


def _order(game: Game, seat: Seat) -> tuple[int, int, int]:
    return -game.totals[seat], -game.scores[-1][seat], seat  # R3


def final(screen: Screen, game: Game) -> list[str]:
    """The final standing, and what decided it."""
    lines = ["", screen.headline("The game is over"), *so_far(screen, game)]
    sentence = verdict(screen.people, game.scores, screen.me)
    return [*lines, "", screen.wrap(screen.terminal.bold(sentence[0].upper() + sentence[1:]))]


def verdict(
    names: Sequence[str], scores: tuple[tuple[int, ...], ...], me: Seat | None = None
) -> str:
    """Name the winner and how a tie was broken (R3); `me` is the seat called 'you'."""
    totals, winners = standing(scores)
    best = max(totals)
    tied = [seat for seat, total in enumerate(totals) if total == best]
    if len(tied) == 1:
        return f"{_wins(names, tied[0], me)} with {best} points."
    tie = f"{_joined([names[seat] for seat in tied])} tie at {best}"
    if len(winners) == 1:
        final = scores[-1][winners[0]]
        return (
            f"{tie}; {_wins(names, winners[0], me)} by the final round ({final} points there, R3)."
        )
    if len(winners) < len(tied):
        sharing = _joined([names[seat] for seat in winners])
        return f"{tie}; {sharing} share the victory by the final round (R3)."
    return f"{tie}, in the final round too: they share the victory (R3)."


def _wins(names: Sequence[str], seat: Seat, me: Seat | None) -> str:
    return f"{names[seat]} {'win' if seat == me else 'wins'}"


def _joined(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
