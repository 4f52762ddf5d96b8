"""Why one action is better than another: effects that were measured, and are clear of noise.

A reason is a code with numbers, from which every language makes its own sentence; the English ones
are here. Effects that were measured too weakly to tell from chance are not named.

| code | numbers |
|---|---|
| `dead` | `here`, `there`: own cards that cannot be played any more, at the own next turn |
| `paradox` | `here`, `there`: the chance to cause one |
| `bonus` | `here`, `there`: the chance of the bonus |
| `group` | `here`, `there`: the size of the largest group |
| `denied` | `here`, `there`: the bonus points of all others |
| `needed`, `unwanted` | `here`, `there`: the chance to win the trick; `bonus_here`, `bonus_there` |
| `spare` | `color`: given up, where nothing was left to play |
| `room` | `color`: not given up, where `cards` ranks of the hand could still be played |

`here` is the better action and `there` the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ..game import Action, Color
from ..tactics import prospects
from .analysis import Analysis, Judged, quantile

SHOWN: Final = 4  # reasons, at most
CARD: Final = 0.25  # the least difference that is worth a word: of cards, tokens, points
SHARE: Final = 0.05  # … of a chance
TRICK: Final = 0.2  # … of the chance to win a trick
BONUS_POINTS: Final = 3.0  # what a bonus is worth, about; only orders the reasons
PARADOX_POINTS: Final = 5.0


@dataclass(frozen=True)
class Reason:
    """An effect of an action, against another one."""

    code: str
    favours: bool  # the better action
    numbers: Mapping[str, float]


@dataclass(frozen=True)
class Effect:
    """What can be measured about two actions."""

    code: str
    column: int
    sign: int  # 1 if more of it is better
    least: float  # difference
    worth: float  # points


EFFECTS: Final = (
    Effect("dead", prospects.DEAD, -1, CARD, 1.0),
    Effect("paradox", prospects.CAUSED, -1, SHARE, PARADOX_POINTS),
    Effect("bonus", prospects.KEPT, 1, SHARE, BONUS_POINTS),
    Effect("group", prospects.GROUP, 1, CARD, 0.5),
    Effect("denied", prospects.DENIED, -1, CARD, 0.5),
)


def why(analysis: Analysis, better: Judged, other: Judged) -> tuple[Reason, ...]:
    """Return what speaks for the better of two actions, and what against it; the weightiest first.

    Nothing if the better one is not clearly better.
    """
    if better.action == other.action or other.verdict == "close":
        return ()
    found: list[tuple[float, Reason]] = []
    for effect in EFFECTS:
        here, there, clear = _measured(analysis, better, other, effect.column)
        if clear and abs(here - there) >= effect.least:
            good = (here - there) * effect.sign > 0
            weight = abs(here - there) * effect.worth
            numbers = _expected(analysis, effect.column, here=here, there=there)
            found.append((weight, Reason(effect.code, good, numbers)))
    trick = _about_the_trick(analysis, better, other)
    if trick:  # it names the chances of the bonus, too
        found = [one for one in found if one[1].code != "bonus"]
    found += trick
    found += _about_colors(analysis, better, other)
    found.sort(key=lambda one: (-one[0], one[1].code))
    return tuple(reason for _, reason in found[:SHOWN])


def _measured(
    analysis: Analysis, better: Judged, other: Judged, column: int
) -> tuple[float, float, bool]:
    """Return the means of a column, and whether they differ beyond chance."""
    here = analysis.table.mean(better.action.id, column)
    there = analysis.table.mean(other.action.id, column)
    _, error = analysis.table.difference(better.action.id, other.action.id, column)
    return here, there, abs(here - there) > quantile(len(EFFECTS) + 1) * error


def _expected(analysis: Analysis, column: int, **found: float) -> dict[str, float]:
    """Return what to expect, where rollouts are too sure of themselves."""
    return {name: analysis.chance(column, value) for name, value in found.items()}


def _about_the_trick(
    analysis: Analysis, better: Judged, other: Judged
) -> list[tuple[float, Reason]]:
    """Name a trick that is won or lost, if that decides about the bonus."""
    if better.action.color is None:
        return []
    here, there, clear = _measured(analysis, better, other, prospects.WINS)
    kept, lost, decides = _measured(analysis, better, other, prospects.KEPT)
    if not (clear and decides and abs(here - there) >= TRICK and abs(kept - lost) >= SHARE):
        return []
    needed = (here - there) * (kept - lost) > 0
    bonus = _expected(analysis, prospects.KEPT, bonus_here=kept, bonus_there=lost)
    numbers = {"here": here, "there": there, **bonus}
    weight = abs(kept - lost) * BONUS_POINTS
    return [(weight, Reason("needed" if needed else "unwanted", kept > lost, numbers))]


def _about_colors(analysis: Analysis, better: Judged, other: Judged) -> list[tuple[float, Reason]]:
    """Name a color that one of the actions gives up, and the other does not."""
    found: list[tuple[float, Reason]] = []
    if better.gives and not other.gives:
        color = Color.of(better.gives)
        if playable(analysis, color, better.action) == 0:
            found.append((0.0, Reason("spare", True, {"color": int(color)})))
    if other.gives and not better.gives:
        color = Color.of(other.gives)
        cards = playable(analysis, color, other.action)
        if cards:
            found.append((0.1 * cards, Reason("room", True, {"color": int(color), "cards": cards})))
    return found


def playable(analysis: Analysis, color: Color, action: Action) -> int:
    """Return how many ranks of the hand, after an action, could still be played in a color."""
    view = analysis.view
    hand = list(view.hand)
    hand.remove(action.rank)
    row = view.board_rows[int(color)]
    return sum(row[rank - 1] == "." for rank in set(hand))


# ── Sentences ────────────────────────────────────────────────────────────────────────────────


def number(value: float) -> str:
    """Write a number of cards, tokens or points."""
    return f"{value:.1f}"


def share(value: float) -> str:
    """Write a chance.

    >>> share(0.0), share(0.004), share(0.126), share(0.999), share(1.0)
    ('never', 'in less than 1 %', 'in 13 %', 'in more than 99 %', 'always')
    """
    if value in (0.0, 1.0):
        return "always" if value else "never"
    if value < 0.01:
        return "in less than 1 %"
    return "in more than 99 %" if value > 0.99 else f"in {100 * value:.0f} %"


SENTENCES: Final[dict[str, tuple[Callable[[float], str], str, str]]] = {
    "dead": (
        number,
        "keeps more cards playable: {here} dead cards instead of {there}",
        "leaves more cards without a cell: {here} dead cards instead of {there}",
    ),
    "paradox": (
        share,
        "avoids a paradox: you cause one {here} instead of {there}",
        "risks a paradox: you cause one {here} instead of {there}",
    ),
    "bonus": (
        share,
        "earns the bonus more often: {here} instead of {there}",
        "earns the bonus less often: {here} instead of {there}",
    ),
    "group": (
        number,
        "grows a larger group: {here} tokens instead of {there}",
        "leaves a smaller group: {here} tokens instead of {there}",
    ),
    "denied": (
        number,
        "takes bonuses from the others: {here} points instead of {there}",
        "leaves the others more: {here} bonus points instead of {there}",
    ),
    "needed": (
        share,
        "wins the trick {here} instead of {there}, and that earns the bonus "
        "{bonus_here} instead of {bonus_there}",
        "wins the trick {here} instead of {there}, and so earns the bonus "
        "{bonus_here} instead of {bonus_there}",
    ),
    "unwanted": (
        share,
        "wins the trick {here} instead of {there}, which you do not want: the bonus comes "
        "{bonus_here} instead of {bonus_there}",
        "wins the trick {here} instead of {there}, which you do not want: the bonus comes "
        "{bonus_here} instead of {bonus_there}",
    ),
}


def sentence(reason: Reason) -> str:
    """Write a reason in English, without its first capital and its full stop.

    >>> sentence(Reason("paradox", True, {"here": 0.12, "there": 0.47}))
    'avoids a paradox: you cause one in 12 % instead of in 47 %'
    >>> sentence(Reason("spare", True, {"color": 2}))
    'gives up yellow, where you had nothing left to play'
    """
    if reason.code in ("spare", "room"):
        color = Color(int(reason.numbers["color"]))
        if reason.code == "spare":
            return f"gives up {color}, where you had nothing left to play"
        cards = int(reason.numbers["cards"])
        what = "a card of yours" if cards == 1 else f"{cards} ranks of your hand"
        return f"keeps {color}, where {what} can still go"
    write, good, bad = SENTENCES[reason.code]
    words = {key: write(value) for key, value in reason.numbers.items()}
    return (good if reason.favours else bad).format(**words)
