"""What the coach found, as lines of text: for `hint` in `play`, and for `review`.

>>> from catinthebox.coach import analyse
>>> from catinthebox.views import Dealt, View
>>> view = View(Dealt(4, seat=1, hand="1345566788")).replay("0:-? -5 2:-? 3:-? =2 =3 =1 =1 8b")
>>> analysis = analyse(view, worlds=32, seed=1)
>>> advice(analysis)[0].startswith("The coach would play ")
True
>>> len(table(analysis)) == len(view.legal) + 1
True
"""

from __future__ import annotations

from typing import Final

from ..coach import Analysis, Judged, Reason, sentence, why
from ..game import Action, Phase

WORDS: Final = {
    "best": "best",
    "fine": "fine",
    "slip": "slip",
    "mistake": "mistake",
    "close": "too close to call",
}
MARKS: Final = {True: "+", False: "-"}


def phrase(action: Action) -> str:
    """Write an action after "would"."""
    return f"play {action.words}" if action.phase is Phase.PLAY else action.words


def percent(share: float) -> str:
    """Write a share.

    >>> percent(0.126)
    '13 %'
    """
    return f"{100 * share:.0f} %"


def expectation(analysis: Analysis, judged: Judged) -> str:
    """Say what is expected of an action."""
    one = analysis.expected(judged)
    low, high = one.points - one.within, one.points + one.within
    return (
        f"{one.points:.1f} points expected ({low:.1f} to {high:.1f}), "
        f"the bonus in {percent(one.bid)}, a paradox in {percent(one.paradox)}"
    )


def compared(analysis: Analysis) -> Judged | None:
    """Return the next best action that is clearly worse."""
    clear = [one for one in analysis.actions if one.verdict not in ("best", "close")]
    return clear[0] if clear else None


def advice(analysis: Analysis) -> list[str]:
    """Return the best action first, then what speaks for it."""
    best, other = analysis.best, compared(analysis)
    lines = [f"The coach would {phrase(best.action)}: {expectation(analysis, best)}."]
    close = [one.action.words for one in analysis.actions if one.verdict == "close"]
    if close:
        lines.append(f"Too close to call against it: {', '.join(close)}.")
    if other is not None:
        loss = f"{other.loss:.1f} points" if other.loss >= 0.05 else "little"
        lines.append(f"To {phrase(other.action)} costs {loss}. Against that, {best.action.words}")
        given = why(analysis, best, other)
        lines += explained(given) if given else ["  is better by many small effects."]
    return lines


def explained(reasons: tuple[Reason, ...]) -> list[str]:
    """Return a line for every reason; a plus speaks for the better action."""
    return [f"  {MARKS[reason.favours]} {sentence(reason)}" for reason in reasons]


def table(analysis: Analysis) -> list[str]:
    """Return a line for every action, the best first."""
    lines = [
        f"{'':<10}{'loss':>6}{'bonus':>7}{'paradox':>9}{'tricks':>8}"
        f"{'group':>7}{'dead':>6}  verdict"
    ]
    for judged in analysis.actions:
        one, expected = judged.prospect, analysis.expected(judged)
        lines.append(
            f"{judged.action.words:<10}{one.loss:>6.1f}{percent(expected.bid):>7}"
            f"{percent(expected.paradox):>9}{one.tricks:>8.1f}{one.group:>7.1f}{one.dead:>6.1f}"
            f"  {WORDS[judged.verdict]}"
        )
    return lines
