"""The opponents in `play`, and the wait until they are compiled.

>>> seated(["gentle", "sharp"], me=1, players=3)
{2: 'gentle', 0: 'sharp'}
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from ...coach import Analysis, analyse
from ...fast.warm import Warmup
from ...game import Action, NotUnderstood
from ...game.round import Seat
from ...players import LEVELS, Budget, Player, engine, player, steps
from ...players.external import alone
from ...players.net import Net
from ...players.search import Search
from ...views import View
from ..terminal import Terminal, clip, pad
from .screen import Screen

STEPS: Final = steps.__name__
SIMPLE: Final = "careful"  # replaces players that cannot be compiled: it does not search
UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # for a search that is interpreted
WORLDS, FEW_WORLDS = 512, 16  # of a hint: compiled, and interpreted
GRACE, BLINK = 0.3, 0.1  # seconds: before a wait is reported, and between two updates


def seated(words: Sequence[str], me: Seat, players: int) -> dict[Seat, str]:
    """Assign levels to seats, clockwise after the person: one for all, or one for each."""
    others = [(me + step) % players for step in range(1, players)]
    if len(words) not in (1, len(others)):
        sentence = f"{len(words)} levels for {len(others)} opponents; name one, or one for each"
        raise NotUnderstood("input.option", sentence)
    return dict(zip(others, list(words) * len(others), strict=False))


class Opponents:
    """The opponents by seat, and the coach, who gives hints."""

    def __init__(self, words: Sequence[str], me: Seat, players: int) -> None:
        self.words = list(words)
        self.names = seated(words, me, players)
        made = {name: player(name) for name in self.names.values()}
        self.players: Mapping[str, Player] = made
        self.apart = {seat: player(name) for seat, name in self.names.items() if alone(made[name])}
        self.warmup = Warmup(STEPS, steps.needed(*made.values(), hints=True))

    def close(self) -> None:
        """Stop the compilation in the background."""
        self.warmup.close()

    # ── Decisions ────────────────────────────────────────────────────────────────────────────

    def choose(self, seat: Seat, view: View, rng: Random, terminal: Terminal) -> Action:
        """Return the action of the opponent at a seat."""
        return self._think(self.names[seat], view, rng, terminal, self.apart.get(seat))

    def advise(self, view: View, rng: Random, terminal: Terminal) -> Analysis:
        """Return what the coach says in the person's place."""
        if engine.compiled():
            self._wait(terminal)
        worlds = WORLDS if engine.compiled() else FEW_WORLDS
        return analyse(view, worlds, seed=rng.getrandbits(62))

    def _think(
        self, name: str, view: View, rng: Random, terminal: Terminal, own: Player | None = None
    ) -> Action:
        if steps.needed(self.players[name]) and engine.compiled():
            self._wait(terminal)
        budget = Budget() if engine.compiled() else UNCOMPILED
        return (own or self.players[name]).choose(view, budget, rng)

    # ── Waiting ──────────────────────────────────────────────────────────────────────────────

    def _wait(self, terminal: Terminal) -> None:
        """Wait for the compiler; in a terminal, show progress and let Ctrl-C cancel it."""
        interactive = sys.stdin.isatty() and sys.stdout.isatty()
        try:
            wait(self.warmup, terminal if interactive else None)
        except KeyboardInterrupt:
            if not interactive:
                raise
            self.warmup.close()  # finishes the current load before the rules are interpreted
            self._simplify("Stopped compiling")
        else:
            if not self.warmup.ready:
                self._simplify(f"Could not compile ({self.warmup.trouble})")

    def _simplify(self, why: str) -> None:
        """Replace the players that need the compiler, for this session."""
        engine.interpret()
        simple = player(SIMPLE)
        self.players = {
            name: simple if _slow(made) else made for name, made in self.players.items()
        }
        self.players[SIMPLE] = simple
        print(f"{why}: {SIMPLE} replaces the levels that need it in this game.")

    # ── Texts ────────────────────────────────────────────────────────────────────────────────

    def introduce(self, screen: Screen) -> list[str]:
        """Describe the opponents and their levels."""
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


def _slow(one: Player) -> bool:
    """Whether a player is too slow without the compiler; a network hardly needs it."""
    return bool(steps.needed(one)) and not isinstance(one, Net)


def wait(warmup: Warmup, terminal: Terminal | None = None) -> None:
    """Wait for a warm-up; with a terminal, show its progress on standard output."""
    if terminal is None or warmup.wait(GRACE):
        warmup.wait()
        return
    if terminal.plain:
        print(waiting(warmup))
        warmup.wait()
        return
    width = terminal.width - 1
    try:
        while not warmup.wait(BLINK):
            line = pad(clip(waiting(warmup), width, "~"), width)
            print(f"\r{line}", end="", flush=True)
    finally:
        print(f"\r{' ' * width}\r", end="", flush=True)


def waiting(warmup: Warmup) -> str:
    """Describe the progress of a warm-up."""
    done, total, name = warmup.progress
    if done == total:
        return "One moment: loading what was compiled."
    return f"Compiling, once: {done} of {total}, {name}. Ctrl-C cancels."
