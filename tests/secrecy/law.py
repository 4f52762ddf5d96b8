"""The secrecy law on bytes: what an audience cannot know changes nothing that leaves the server.

Several worlds of a plot are lived through. At every moment, everything that was said since the last
one to the audience, and to everybody without a seat, must be the same in all of them: the very
bytes, their order, and when. What other seats are told may differ, but not that they are told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from secrecy.scenario_run import Moment, ScenarioRun
from secrecy.scenarios import Scenario
from secrecy.simulated_server import LOG, Said, overheard
from simulation.loop import SimLoop

WORDS: Final = re.compile(
    rb'"type":"(?P<type>\w+)"|"code":"(?P<code>[\w.]+)"|"event":"(?P<event>\w+)"'
    rb"|^http\.response\.start (?P<status>\d+)|^close (?P<close>\d+)",
    re.MULTILINE,
)
STORED: Final = re.compile(rb'"type":"(\w+)"')
FAILED: Final = {"status 500", "close 1011", "code server.failure", "event failure"}


class ToldApart(AssertionError):
    """An audience can tell two worlds apart."""


def lived(scenario: Scenario, world: int) -> ScenarioRun:
    """Live through one world of a plot; one of them has canaries."""
    with SimLoop(scenario.seed, jitter=scenario.seed % 4 == 0) as loop:
        run = ScenarioRun(loop, scenario, world, watched=world == scenario.seed % scenario.worlds)
        with overheard(lambda words: run.server.record(LOG, words)):
            loop.run(run.run())
    return run


def compared(scenario: Scenario, met: Counter[str] | None = None) -> int:
    """Live through all worlds of a plot and compare them; return how many pairs there were.

    A pair is the first world and another one at a moment at which what is hidden differs, and at
    which something has happened at the table.
    """
    runs = [lived(scenario, world) for world in range(scenario.worlds)]
    pairs, version = 0, 0
    found: Counter[str] = Counter()
    for moments in zip(*(run.moments for run in runs), strict=False):
        same(scenario, moments)
        if moments[0].version > version:
            pairs += different(moments)
        version = moments[0].version
        found.update(kinds(said.text for said in shown(moments[0])))
    if failed := FAILED & found.keys():
        raise AssertionError(f"{scenario}: {sorted(failed)}")  # an error hides what it should not
    if met is not None:
        log = runs[0].server.disk.logs[runs[0].table_id]
        met += found + Counter(f"stored {STORED.findall(line)[-1].decode()}" for line in log)
    if len({len(run.moments) for run in runs}) > 1:
        raise ToldApart(f"{scenario}: one of the worlds goes on")
    return pairs


def shown(moment: Moment) -> list[Said]:
    """Return everything that was said; of what was said to others, only to whom and when."""
    others = moment.others
    return [Said(said.at, said.to, b"") if said.to in others else said for said in moment.said]


def same(scenario: Scenario, moments: Sequence[Moment]) -> None:
    """Insist that a moment is the same in all worlds."""
    first = shown(moments[0])
    for world, moment in enumerate(moments[1:], 1):
        found = shown(moment)
        if found != first:
            raise ToldApart(f"{scenario}, world {world}: {_difference(first, found)}")


def _difference(first: list[Said], found: list[Said]) -> str:
    for one, other in zip(first, found, strict=False):
        if one != other:
            return f"{one!r:.3000} is not {other!r:.3000}"
    return f"{len(first)} messages are not {len(found)}"


def different(moments: Sequence[Moment]) -> int:
    """Count the worlds that differ from the first one, and from each other, in what is hidden."""
    found: list[object] = []
    for moment in moments:
        if moment.hidden is not None and moment.hidden not in found:
            found.append(moment.hidden)
    return max(0, len(found) - 1)


def kinds(texts: Iterable[bytes]) -> Iterator[str]:
    """Name what was compared: types of messages, codes of refusals, statuses, events of the log."""
    for found in WORDS.finditer(b"\n".join(texts)):
        for kind, word in found.groupdict().items():
            if word is not None:
                yield f"{kind} {word.decode()}"
