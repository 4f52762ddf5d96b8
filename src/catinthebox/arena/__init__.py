"""The arena: players against each other, measured (docs/arena.md).

>>> match = Match(2, ("follow", "random"))
>>> found = compare(match, contest([match], Terms(seed="7"), deals=40))
>>> found.difference.low > 0
True
"""

from .contest import contest
from .match import Match, Terms, directions
from .results import Results, SeatResult, complete, read, write
from .statistics import Comparison, Interval, Side, Standing, compare, overall, standings
from .summary import summary, verdict
from .table import play_game, play_round

__all__ = [
    "Comparison",
    "Interval",
    "Match",
    "Results",
    "SeatResult",
    "Side",
    "Standing",
    "Terms",
    "compare",
    "complete",
    "contest",
    "directions",
    "overall",
    "play_game",
    "play_round",
    "read",
    "standings",
    "summary",
    "verdict",
    "write",
]
