"""Opponents by level: who they are, what they advise, and the wait until they are compiled."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Thread

import pytest

from catinthebox import Game, NotUnderstood
from catinthebox.cli import main
from catinthebox.cli.files import read_game
from catinthebox.cli.play.opponents import Opponents, seated, wait, waiting
from catinthebox.cli.play.save_file import SaveFile
from catinthebox.cli.play.session import PlaySession
from catinthebox.cli.terminal import Terminal
from catinthebox.fast.warm import Warmup, WarmupProgress
from catinthebox.players import LEVELS, engine, player


class FakeTerminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Pretend."""
        return True


class Fake(Warmup):
    """A warm-up that does nothing: over after so many looks, or never."""

    looks = 0
    end: BaseException | str | None = None

    def __init__(self, module: str, steps: list[str]) -> None:
        super().__init__(module, [])
        self._over.clear()
        self.steps = []
        self.wanted = steps
        self.progress = WarmupProgress(1, 9, "whole rounds")
        self.left = self.looks
        self.cancelled = False

    def wait(self, timeout: float | None = None) -> bool:
        """Look once."""
        if self.over:
            return True
        if isinstance(self.end, BaseException) and self.left == 0:
            raise self.end
        self.left -= 1
        if self.left < 0 or timeout is None:
            self.trouble = self.end if isinstance(self.end, str) else ""
            self._over.set()
        return self.over

    def cancel(self) -> None:
        """Note it."""
        self.cancelled = True
        super().cancel()


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing is compiled here, records are temporary, and the compiler is back afterwards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("catinthebox.cli.play.opponents.Warmup", Fake)
    yield
    engine.INTERPRETED.clear()
    for kept in (engine.tactics, engine.touch, engine.weights):
        kept.cache_clear()


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> FakeTerminal:
    """Let a person be there."""
    out = FakeTerminal()
    monkeypatch.setattr(sys, "stdin", FakeTerminal())
    monkeypatch.setattr(sys, "stdout", out)
    return out


def table(
    *words: str, terminal: Terminal | None = None, path: Path = Path("/dev/null/x.cat")
) -> PlaySession:
    """A game of four that has just been dealt."""
    opponents = Opponents(words or ["sharp"], 0, 4)
    session = PlaySession(
        Game.new(4), 0, "7", terminal or Terminal(), SaveFile(path), opponents, slow=False
    )
    session.deal()
    return session


def play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *options: str
) -> str:
    """Play with this input; return what was printed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["play", "--seed", "7", *options]) == 0
    return capsys.readouterr().out


# ── Who they are ─────────────────────────────────────────────────────────────────────────────


def test_opponents_sit_clockwise_after_the_person() -> None:
    """One stands for all; several are for one seat each."""
    assert seated(["steady"], 2, 4) == {3: "steady", 0: "steady", 1: "steady"}
    assert seated(["gentle", "sharp", "fierce"], 2, 4) == {3: "gentle", 0: "sharp", 1: "fierce"}
    with pytest.raises(NotUnderstood, match="2 levels for 3 opponents"):
        seated(["gentle", "sharp"], 0, 4)


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
def test_a_game_by_level(
    level: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The welcome says who they are; they act; the way back names the level."""
    path = tmp_path / "game.cat"
    text = play(monkeypatch, capsys, "7\n2\n", "--level", level, "--record", str(path))
    words = " ".join(text.split())
    assert f"Bohr, Curie and Dirac play at level {level}. {LEVELS[level].sentence}" in words
    assert f"--seed 7 --level {level}" in text
    assert None not in read_game(path).current.bids


def test_levels_may_differ_and_any_player_will_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sentence for each; a player without a level has only its name."""
    options = ("--level", "gentle", "search:rollouts=9,beliefs=no", "gentle")
    text = play(monkeypatch, capsys, "7\n2\n", *options)
    assert "Bohr and Dirac play at level gentle." in text
    assert "Curie plays as search:rollouts=9,beliefs=no." in text
    assert "--level gentle search:rollouts=9,beliefs=no gentle" in text


def test_the_default_level_is_sharp(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one that is meant for most people."""
    text = play(monkeypatch, capsys, "7\n2\n")
    assert "play at level sharp" in text


def test_the_first_screen_fits_a_small_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Welcome, hand and question together have 24 lines."""
    for level in LEVELS:
        session = table(level)
        capsys.readouterr()
        from catinthebox.cli.play import help_text, narration

        company = session.opponents.introduce(session.screen)
        lines = help_text.welcome(session.screen, session.game, "123456", company)
        lines += narration.beginning(session.screen, session.game)
        lines += narration.turn(session.screen, session.game, 0)
        assert len("\n".join(lines).splitlines()) + 1 <= 24, level


def test_a_game_goes_on_at_its_level(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Level and seed as they were: the same game as if nobody had left."""
    through, broken = tmp_path / "through.cat", tmp_path / "broken.cat"
    play(monkeypatch, capsys, "7\n2\n2b\n", "--level", "sharp", "--record", str(through))
    play(monkeypatch, capsys, "7\n", "--level", "sharp", "--record", str(broken))
    play(monkeypatch, capsys, "2\n2b\n", "--level", "sharp", "--resume", str(broken))
    assert broken.read_text() == through.read_text()


def test_opponents_know_how_the_game_stands() -> None:
    """Totals before this round, and how many rounds are left: the last one is played to win."""
    session = table()
    view = session.view(1)
    assert (view.totals, view.rounds_left, view.seat) == ((0, 0, 0, 0), 3, 1)


# ── Hints ────────────────────────────────────────────────────────────────────────────────────


def test_a_hint_is_the_coachs_best_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the opponents are: the best action, what to expect; then all actions."""
    session = table("gentle")
    found = session.opponents.advise(session.view(0), session.chance(0), session.screen.terminal)
    capsys.readouterr()
    session.hint()
    text = " ".join(capsys.readouterr().out.split())
    assert text.startswith(f"The coach would {found.best.action.words}: ")
    assert "points expected" in text
    session.hint("all")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(session.view(0).legal) + 1


# ── Waiting ──────────────────────────────────────────────────────────────────────────────────


def test_who_needs_no_compiler_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only hints are compiled for, then."""
    monkeypatch.setattr(Fake, "end", KeyboardInterrupt())
    assert table("gentle").bot(1).rank > 0
    with pytest.raises(KeyboardInterrupt):
        table("steady").bot(1)


def test_a_person_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that changes in place and is gone afterwards."""
    terminal = at_terminal(monkeypatch)
    monkeypatch.setattr(Fake, "looks", 3)
    wait(Fake("", []), Terminal())
    text = terminal.getvalue()
    assert "\rCompiling, once: 1 of 9, whole rounds. Ctrl-C" in text
    assert "\n" not in text
    assert text.endswith("\r" + " " * 79 + "\r")
    assert max(map(len, text.split("\r"))) == 79


def test_a_short_wait_is_not_worth_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading takes less than a moment, mostly."""
    terminal = at_terminal(monkeypatch)
    wait(Fake("", []), Terminal())
    assert terminal.getvalue() == ""


def test_a_screen_reader_hears_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves."""
    terminal = at_terminal(monkeypatch)
    monkeypatch.setattr(Fake, "looks", 3)
    wait(Fake("", []), Terminal(plain=True))
    assert terminal.getvalue().count("Compiling") == 1
    assert "\r" not in terminal.getvalue()


def test_a_pipe_just_waits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Transcripts have no animation in them."""
    monkeypatch.setattr(Fake, "looks", 50)
    text = play(monkeypatch, capsys, "7\n2\n", "--level", "steady")
    assert "Compiling" not in text
    assert "\r" not in text
    assert "Dirac bids" in text


def test_what_is_compiled_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words change when the steps are done."""
    warmup = Fake("", [])
    warmup.progress = WarmupProgress(9, 9, "loading")
    assert waiting(warmup) == "One moment: loading what was compiled."


def test_ctrl_c_plays_on_with_simpler_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler is stopped, one line says so, and nobody waits again."""
    terminal = at_terminal(monkeypatch)
    monkeypatch.setattr(Fake, "looks", 2)
    monkeypatch.setattr(Fake, "end", KeyboardInterrupt())
    session = table("fierce", "gentle", "sharp")
    assert session.bot(1) in session.view(1).legal
    assert session.bot(3) in session.view(3).legal
    session.hint()
    opponents = session.opponents
    assert isinstance(opponents.warmup, Fake)
    assert opponents.warmup.cancelled
    assert opponents.players["fierce"] == opponents.players["sharp"] == player("careful")
    assert opponents.players["gentle"] == player("gentle")
    assert not engine.compiled()
    text = terminal.getvalue()
    assert (
        text.count("Stopped compiling: careful replaces the levels that need it in this game") == 1
    )
    assert "The coach would discard" in text


class Loading(Fake):
    """A warm-up whose thread goes on for a moment after it was told to stop."""

    def __init__(self, module: str, steps: list[str]) -> None:
        super().__init__(module, steps)
        self.steps = steps
        self._thread = Thread(target=self._load_on, daemon=True)
        self._thread.start()

    def _load_on(self) -> None:
        self._cancelled.wait()
        time.sleep(0.2)
        engine.tactics()  # compiled: had `interpret` been called before, it would be there again


def test_what_is_being_loaded_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the last thing it loads could come back into a process that is to interpret."""
    at_terminal(monkeypatch)
    monkeypatch.setattr("catinthebox.cli.play.opponents.Warmup", Loading)
    monkeypatch.setattr(Fake, "end", KeyboardInterrupt())
    session = table("sharp")
    warmup = session.opponents.warmup
    alive: list[bool] = []
    interpret = engine.interpret

    def look_and_interpret() -> None:
        alive.append(warmup._thread.is_alive())
        interpret()

    monkeypatch.setattr(engine, "interpret", look_and_interpret)
    assert session.bot(1) in session.view(1).legal
    assert alive == [False]
    assert engine.tactics() is import_module("catinthebox.tactics")


def test_a_compiler_that_fails_is_reported_and_the_game_continues(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A full disk is no reason not to play."""
    monkeypatch.setattr(Fake, "end", "the compiler ended with status 1")
    text = play(monkeypatch, capsys, "7\n2\n", "--level", "steady")
    assert text.count("Could not compile (the compiler ended with status 1)") == 1
    assert "Dirac bids" in text


def test_without_a_compiler_searches_are_shorter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything works, and a note says what is missing."""
    engine.interpret()
    text = play(monkeypatch, capsys, "7\n2\n", "--level", "fierce")
    assert "catinthebox[fast] has their full strength" in text
    assert "Dirac bids" in text
