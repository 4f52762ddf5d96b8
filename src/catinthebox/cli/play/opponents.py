"""Who sits at the other seats of `play`, and the wait until they can think at full speed.

>>> seated(["gentle", "sharp"], me=1, players=3)
{2: 'gentle', 0: 'sharp'}
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from ...fast.warm import Warmup
from ...game import Action, NotUnderstood
from ...game.round import Seat
from ...players import LEVELS, Budget, Player, engine, player, steps
from ...players.external import alone
from ...players.levels import DEFAULT
from ...players.search import Search
from ...views import View
from ..terminal import Terminal, clip, pad
from .screen import Screen

STEPS: Final = steps.__name__
SIMPLE: Final = "careful"  # plays for those that cannot be compiled: no search, so no wait
UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # what a search may cost when it is interpreted
GRACE, BLINK = 0.3, 0.1  # seconds: before a wait is worth a word, and between two looks


def seated(words: Sequence[str], me: Seat, players: int) -> dict[Seat, str]:
    """Seat opponents clockwise after the person: one for all, or one for each."""
    others = [(me + step) % players for step in range(1, players)]
    if len(words) not in (1, len(others)):
        sentence = f"{len(words)} levels for {len(others)} opponents; name one, or one for each"
        raise NotUnderstood("input.option", sentence)
    return dict(zip(others, list(words) * len(others), strict=False))


class Opponents:
    """The opponents of a person, by seat, and the one that gives hints."""

    def __init__(self, words: Sequence[str], me: Seat, players: int) -> None:
        self.words = list(words)
        self.names = seated(words, me, players)
        self.adviser = "fierce" if "fierce" in words else DEFAULT
        made = {name: player(name) for name in [*self.names.values(), self.adviser]}
        self.players: Mapping[str, Player] = made
        self.apart = {seat: player(name) for seat, name in self.names.items() if alone(made[name])}
        self.warmup = Warmup(STEPS, steps.needed(*made.values()))

    def close(self) -> None:
        """Leave nothing running in the background."""
        self.warmup.close()

    # ── Decisions ────────────────────────────────────────────────────────────────────────────

    def choose(self, seat: Seat, view: View, rng: Random, look: Terminal) -> Action:
        """Let the opponent at a seat decide."""
        return self._think(self.names[seat], view, rng, look, self.apart.get(seat))

    def advise(self, view: View, rng: Random, look: Terminal) -> tuple[str, Action]:
        """Say who gives the hint, and what it would do with the person's cards."""
        action = self._think(self.adviser, view, rng, look)
        return self.adviser, action

    def _think(
        self, name: str, view: View, rng: Random, look: Terminal, own: Player | None = None
    ) -> Action:
        if steps.needed(self.players[name]) and engine.compiled():
            self._wait(look)
        budget = Budget() if engine.compiled() else UNCOMPILED
        return (own or self.players[name]).choose(view, budget, rng)

    # ── Waiting ──────────────────────────────────────────────────────────────────────────────

    def _wait(self, look: Terminal) -> None:
        """Wait for the compiler; on a terminal, say so, and let Ctrl-C end it."""
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        try:
            wait(self.warmup, look if terminal else None)
        except KeyboardInterrupt:
            if not terminal:
                raise
            self.warmup.close()  # whatever it was just loading is loaded before all is interpreted
            self._simplify("Stopped compiling")
        else:
            if not self.warmup.ready:
                self._simplify(f"Could not compile ({self.warmup.trouble})")

    def _simplify(self, why: str) -> None:
        """Replace those that need a compiler, for this session."""
        engine.interpret()
        simple = player(SIMPLE)
        self.players = {
            name: simple if steps.needed(made) else made for name, made in self.players.items()
        }
        self.adviser = SIMPLE
        self.players[SIMPLE] = simple
        print(f"{why}: {SIMPLE} plays and hints in this game for whoever needs that.")

    # ── Words ────────────────────────────────────────────────────────────────────────────────

    def introduce(self, screen: Screen) -> list[str]:
        """Say who plays against the person, and what that means."""
        lines = []
        for word in dict.fromkeys(self.names.values()):
            people = [screen.names[seat] for seat in sorted(self.names) if self.names[seat] == word]
            *first, last = people
            who = f"{', '.join(first)} and {last} play" if first else f"{last} plays"
            level = LEVELS.get(word)
            how = f"at level {word}. {level.sentence}" if level else f"as {word}."
            lines.append(screen.wrap(f"{who} {how}", ""))
        playing = [self.players[name] for name in self.names.values()]
        if not engine.compiled() and any(isinstance(one, Search) for one in playing):
            note = "They search less without numba; catinthebox[fast] has their full strength."
            lines.append(screen.wrap(note, ""))
        return lines


def wait(warmup: Warmup, look: Terminal | None = None) -> None:
    """Wait for a warm-up; with a look, show on standard output how far it is."""
    if look is None or warmup.wait(GRACE):
        warmup.wait()
        return
    if look.plain:
        print(waiting(warmup))
        warmup.wait()
        return
    width = look.width - 1
    try:
        while not warmup.wait(BLINK):
            line = pad(clip(waiting(warmup), width, "~"), width)
            print(f"\r{line}", end="", flush=True)
    finally:
        print(f"\r{' ' * width}\r", end="", flush=True)


def waiting(warmup: Warmup) -> str:
    """Say what is going on."""
    done, total, name = warmup.progress
    if done == total:
        return "One moment: loading what was compiled."
    return f"Compiling, once: {done} of {total}, {name}. Ctrl-C: do without it."
