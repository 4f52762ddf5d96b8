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

from secrecy.scenario_run import Moment, Story
from secrecy.scenarios import Plot
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


def lived(plot: Plot, world: int) -> Story:
    """Live through one world of a plot; one of them has canaries."""
    with SimLoop(plot.seed, jitter=plot.seed % 4 == 0) as loop:
        story = Story(loop, plot, world, watched=world == plot.seed % plot.worlds)
        with overheard(lambda words: story.house.hear(LOG, words)):
            loop.run(story.run())
    return story


def compared(plot: Plot, met: Counter[str] | None = None) -> int:
    """Live through all worlds of a plot and compare them; give how many pairs there were.

    A pair is the first world and another one at a moment at which what is hidden differs, and at
    which something has happened at the table.
    """
    stories = [lived(plot, world) for world in range(plot.worlds)]
    pairs, version = 0, 0
    found: Counter[str] = Counter()
    for moments in zip(*(story.moments for story in stories), strict=False):
        same(plot, moments)
        if moments[0].version > version:
            pairs += different(moments)
        version = moments[0].version
        found.update(kinds(said.text for said in shown(moments[0])))
    if failed := FAILED & found.keys():
        raise AssertionError(f"{plot}: {sorted(failed)}")  # an error hides what it should not
    if met is not None:
        log = stories[0].house.disk.logs[stories[0].table_id]
        met += found + Counter(f"stored {STORED.findall(line)[-1].decode()}" for line in log)
    if len({len(story.moments) for story in stories}) > 1:
        raise ToldApart(f"{plot}: one of the worlds goes on")
    return pairs


def shown(moment: Moment) -> list[Said]:
    """Give everything that was said; of what was said to others, only to whom and when."""
    others = moment.others
    return [Said(said.at, said.to, b"") if said.to in others else said for said in moment.said]


def same(plot: Plot, moments: Sequence[Moment]) -> None:
    """Insist that a moment is the same in all worlds."""
    first = shown(moments[0])
    for world, moment in enumerate(moments[1:], 1):
        found = shown(moment)
        if found != first:
            raise ToldApart(f"{plot}, world {world}: {_difference(first, found)}")


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
