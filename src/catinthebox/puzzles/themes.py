"""What a puzzle is about, from what the coach measured: against the action that tempts most.

| theme | the best action … |
|---|---|
| `exact` | can be counted out: no action's points depend on anything hidden |
| `paradox` | avoids a paradox |
| `let_go` | does not win a trick that would cost the bonus |
| `bid` | earns the bonus more often in another way, such as by a trick that is needed |
| `count` | keeps cards playable |
| `group` | makes a larger group |
| `deny` | takes a cell that would have made somebody's group larger, and so costs bonus points |
| `break` | costs others bonus points in another way |
| `red` | opens red |
| `give_up` | gives up a color that could be followed |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..coach import Analysis, Judged, Reason
from ..coach.analysis import gives
from ..game import Color
from ..rules.actions import cell_of_action
from ..rules.counts import MODEST
from ..rules.layout import OWN
from ..rules.score import largest_group
from ..views import View

SHARE: Final = 0.2  # the least difference of a chance that makes a theme …
GROUP: Final = 0.5  # … of tokens
DEAD: Final = 0.4  # … of cards
DENIED: Final = 0.4  # … of points
WORTH_IT: Final = 0.3  # the chance of the bonus below which a group is worth little
CERTAIN: Final = 0.005  # points; an interval that is narrower is none
SHORT: Final = 3  # cards in hand, at most, where an end can be counted out


def themes(
    analysis: Analysis, best: Judged, tempting: Judged, reasons: Sequence[Reason]
) -> tuple[str, ...]:
    """Return the themes, the main one first; none if there is nothing to be said.

    What was measured comes in the order of the reasons, so the main theme is what weighs most; but
    `count` before `paradox`, which it avoids. What the action looks like comes last, since it says
    much of the answer.
    """
    view = analysis.view
    ends = ["exact"] if exact(analysis) else []
    measured = [theme for reason in reasons for theme in of_reason(view, best, tempting, reason)]
    if not measured:
        return ()
    if {"count", "paradox"} <= set(measured):
        measured.remove("count")
        measured.insert(measured.index("paradox"), "count")
    return tuple(dict.fromkeys([*ends, *measured, *looks(view, best, tempting)]))


def of_reason(view: View, best: Judged, tempting: Judged, reason: Reason) -> Iterator[str]:
    """Return the theme of a reason, if it is large enough."""
    one, other = best.prospect, tempting.prospect
    if not reason.favours:
        return
    if reason.code == "paradox" and other.paradox - one.paradox >= SHARE:
        yield "paradox"
    if reason.code == "dead" and other.dead - one.dead >= DEAD:
        yield "count"
    if reason.code == "group" and one.group - other.group >= GROUP and one.bid >= WORTH_IT:
        yield "group"
    if reason.code in ("bonus", "needed", "unwanted") and one.bid - other.bid >= SHARE:
        yield "let_go" if reason.code == "unwanted" else "bid"
    if reason.code == "denied" and other.denied - one.denied >= DENIED:
        yield "deny" if blocks(view, best) and not blocks(view, tempting) else "break"


def looks(view: View, best: Judged, tempting: Judged) -> Iterator[str]:
    """Return the themes that can be seen in the action."""
    if opens_red(view, best) and not opens_red(view, tempting):
        yield "red"
    followed = any(gives(view, action) is None for action in view.legal)
    if best.gives and followed and not tempting.gives:
        yield "give_up"


def exact(analysis: Analysis) -> bool:
    """Whether every action came to the same points in all worlds, near the end."""
    view = analysis.view
    short = view.hand_sizes[view.turn or 0] <= SHORT
    return short and all(
        max(one.prospect.within, one.prospect.loss_within) < CERTAIN for one in analysis.actions
    )


def opens_red(view: View, judged: Judged) -> bool:
    """Whether an action is the first red card of a player."""
    return not view.red_open and judged.action.color is Color.RED


def blocks(view: View, judged: Judged) -> bool:
    """Whether an action takes a cell that would have made the group of another seat larger."""
    s, touch, cell = view.vector, view.face.touch, 1 << cell_of_action(judged.action.id)
    return any(
        largest_group(s[OWN + seat] | cell, touch) > max(1, largest_group(s[OWN + seat], touch))
        for seat in range(view.players)
        if seat != view.seat and may_earn(view, seat)
    )


def may_earn(view: View, seat: int) -> bool:
    """Whether a seat has not won too many tricks for its bonus."""
    bid = view.bids[seat]
    return view.won[seat] <= (MODEST if bid is None else bid)
