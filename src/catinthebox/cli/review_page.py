"""A review as one HTML page that needs nothing else: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from ..coach.reasons import sentence
from ..coach.review import JudgedDecision, Review, RoundReview
from . import advice

STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --good: #1b7f4d; --bad: #b3261e }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.slip, .mistake { color: var(--bad); font-weight: 600 }
.best { color: var(--good); font-weight: 600 }
details { margin: .25rem 0 } summary { cursor: pointer }
ul { margin: .25rem 0 .75rem }
@media (prefers-color-scheme: dark) { :root { --good: #6fd3a0; --bad: #ff8a80 } }
"""


def page(review: Review) -> str:
    """Return the page."""
    names = ", ".join(review.game.names)
    body = "\n".join(_body(review))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Review: {escape(names)}</title>\n<style>{STYLE}</style>\n"
        f"<main>\n<h1>Review</h1>\n<p>{escape(names)}. Every decision is judged by what its seat "
        f"could know.</p>\n{body}\n</main>\n</html>\n"
    )


def _body(review: Review) -> Iterator[str]:
    yield "<h2>Turning points</h2>"
    for one in review.turning_points:
        yield f"<h3>{_title(review, one)}</h3>"
        yield from _reasons(one)
    if not review.turning_points:
        yield "<p>None: no decision was clearly wrong.</p>"
    for round in review.rounds:
        yield from _round(review, round)


def _title(review: Review, one: JudgedDecision) -> str:
    who = escape(review.game.names[one.seat])
    verdict = f'<span class="{one.verdict}">{advice.WORDS[one.verdict]}</span>'
    cost = f", −{one.loss:.1f} points" if one.loss else ""
    return f"Round {one.round}, {who}: {escape(one.action.words)}, {verdict}{cost}"


def _reasons(one: JudgedDecision) -> Iterator[str]:
    if one.reasons:
        yield f"<p>Better: {escape(one.best.action.words)}.</p><ul>"
        for reason in one.reasons:
            sign = "For it" if reason.favours else "Against it"
            yield f"<li>{sign}: {escape(sentence(reason))}.</li>"
        yield "</ul>"


def _round(review: Review, round: RoundReview) -> Iterator[str]:
    yield f"<h2>Round {round.number}</h2><table><tr><th>Seat"
    for head in ("points", "ahead", "deal", "decisions", "rest"):
        yield f'<th class="n">{head}'
    for seat in round.seats:
        yield f"<tr><td>{escape(review.game.names[seat.seat])}"
        numbers = (seat.ahead, seat.deal, seat.decisions, seat.rest)
        yield f'<td class="n">{seat.points}'
        yield from (f'<td class="n">{number:+.1f}' for number in numbers)
    yield "</table>"
    for one in round.decisions:
        yield f"<details><summary>{_title(review, one)}</summary>"
        yield from _reasons(one)
        yield '<table><tr><th>Action<th class="n">points<th class="n">loss<th class="n">bonus'
        yield '<th class="n">paradox<th>verdict'
        for judged in one.first.actions:
            what = one.first.expected(judged)
            low, high = what.points - what.within, what.points + what.within
            yield f"<tr><td>{escape(judged.action.words)}"
            yield f'<td class="n">{what.points:.1f} ({low:.1f} to {high:.1f})'
            yield f'<td class="n">{judged.loss:.1f}<td class="n">{advice.percent(what.bid)}'
            yield f'<td class="n">{advice.percent(what.paradox)}'
            yield f'<td class="{judged.verdict}">{advice.WORDS[judged.verdict]}'
        yield "</table></details>"
