"""A review as one HTML page that needs nothing else: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Final

from ..coach.reasons import sentence
from ..coach.review import JudgedDecision, Review, RoundReview, SeatRound
from . import advice
from .review_words import accuracy_words, expected, hindsight, moments

WIDE: Final = 640  # the curve of a round
HIGH: Final = 200
MARGIN: Final = 28

STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --good: #1b7f4d; --bad: #b3261e }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line) }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
.slip, .mistake { color: var(--bad); font-weight: 600 }
.best { color: var(--good); font-weight: 600 }
figure { margin: .5rem 0 1rem } svg { max-width: 100%; font: 12px system-ui, sans-serif }
svg text { fill: currentColor } .axis { stroke: var(--line) }
.curve { fill: none; stroke-width: 2; stroke-linejoin: round }
.s0 { --seat: #2f6fd0 } .s1 { --seat: #c2410c } .s2 { --seat: #15803d } .s3 { --seat: #9333ea }
.s4 { --seat: #a16207 } .curve { stroke: var(--seat) } .end { fill: var(--seat) }
.s1 { stroke-dasharray: 7 3 } .s2 { stroke-dasharray: 2 3 } .s3 { stroke-dasharray: 9 3 2 3 }
.s4 { stroke-dasharray: 12 5 }
details { margin: .25rem 0 } summary { cursor: pointer }
ul { margin: .25rem 0 .75rem }
@media (prefers-color-scheme: dark) {
  :root { --good: #6fd3a0; --bad: #ff8a80 }
  .s0 { --seat: #7db0ff } .s1 { --seat: #ff9d66 } .s2 { --seat: #6fd38a } .s3 { --seat: #c99aff }
  .s4 { --seat: #e0b84a }
}
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
    yield "<h2>Accuracy</h2>"
    yield from _accuracy(review)
    yield "<h2>Turning points</h2>"
    for one in review.turning_points:
        yield f"<h3>{_title(review, one)}</h3>"
        yield from _reasons(one)
    if not review.turning_points:
        yield "<p>None: no decision was clearly wrong.</p>"
    for round in review.rounds:
        yield from _round(review, round)


def _accuracy(review: Review) -> Iterator[str]:
    yield '<table><tr><th>Seat<th class="n">accuracy'
    yield from (f'<th class="n">{words}' for words in advice.WORDS.values())
    for seat in sorted({one.seat for one in review.decisions}):
        yield f"<tr><td>{escape(review.game.names[seat])}"
        yield f'<td class="n">{accuracy_words(review.accuracy(seat))}'
        yield from (f'<td class="n">{review.count(seat, verdict)}' for verdict in advice.WORDS)
    yield "</table>"


def _title(review: Review, one: JudgedDecision) -> str:
    who = escape(review.game.names[one.seat])
    verdict = f'<span class="{one.verdict}">{advice.WORDS[one.verdict]}</span>'
    cost = f", −{one.loss:.1f} points (±{one.loss_within:.1f})" if one.loss else ""
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
    for head in ("points", "ahead", "deal", "decisions", "rest", "bid worth"):
        yield f'<th class="n">{head}'
    for seat in round.seats:
        yield f"<tr><td>{escape(review.game.names[seat.seat])}"
        numbers = (seat.ahead, seat.deal, seat.decisions, seat.rest)
        yield f'<td class="n">{seat.points}'
        yield from (f'<td class="n">{number:+.1f}' for number in numbers)
        yield f'<td class="n">{"" if seat.bid is None else f"{seat.bid:.1f}"}'
    yield "</table>"
    if round.unavoidable is not None:
        yield f"<p>With hindsight: {escape(hindsight(review, round))}</p>"
    yield from _curve(review, round)
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


# ── The curve of expected points ─────────────────────────────────────────────────────────────


def _curve(review: Review, round: RoundReview) -> Iterator[str]:
    """Draw what every seat had to expect after its decisions, and as a dot, what came."""
    columns = moments(round)
    rows = [(seat, expected(round, seat.seat)) for seat in round.seats]
    every = [0.0, *(float(seat.points) for seat, _ in rows)]
    every += [points for _, after in rows for points in after.values()]
    low, high = min(every), max(every)

    def x(place: int) -> float:
        return MARGIN + place * (WIDE - 2 * MARGIN) / len(columns)

    def y(points: float) -> float:
        return MARGIN + (high - points) * (HIGH - 2 * MARGIN) / (high - low or 1)

    yield f'<figure><svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="Points expected">'
    yield from _axes(low, high, y)
    for seat, after in rows:
        steps = [(x(columns.index(when)), y(points)) for when, points in after.items()]
        steps.append((x(len(columns)), y(seat.points)))
        line = " ".join(f"{across:.1f},{down:.1f}" for across, down in steps)
        yield f'<polyline class="curve s{seat.seat}" points="{line}"/>'
        across, down = steps[-1]
        yield f'<circle class="end s{seat.seat}" cx="{across:.1f}" cy="{down:.1f}" r="4"/>'
    for place, when in enumerate((*columns, "end")):
        label = when.removeprefix("trick ")
        yield f'<text x="{x(place):.1f}" y="{HIGH - 6}" text-anchor="middle">{label}</text>'
    yield "</svg>"
    yield f"<figcaption>Points expected after each decision: {_legend(review, round.seats)}"
    yield "</figcaption></figure>"


def _axes(low: float, high: float, y: Callable[[float], float]) -> Iterator[str]:
    for points in sorted({0, round(low), round(high)}):
        down = f"{y(points):.1f}"
        yield f'<line class="axis" x1="{MARGIN}" x2="{WIDE - MARGIN}" y1="{down}" y2="{down}"/>'
        yield f'<text x="{MARGIN - 6}" y="{down}" dy="4" text-anchor="end">{points}</text>'


def _legend(review: Review, seats: tuple[SeatRound, ...]) -> str:
    """Name the lines of the seats."""
    line = (
        '<svg width="32" height="8" aria-hidden="true">'
        '<line class="curve s{}" x2="32" y1="4" y2="4"/></svg>'
    )
    return ", ".join(
        f"{line.format(seat.seat)} {escape(review.game.names[seat.seat])}" for seat in seats
    )
