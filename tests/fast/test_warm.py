"""Compiling in the background: once, with progress, and it can be stopped at any time."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from waiting import HANG, completed

from catinthebox.fast import cpu, sources, warm
from catinthebox.fast.cache import cache_folder
from catinthebox.fast.warm import Warmup, WarmupProgress, stamp
from catinthebox.game import Round
from catinthebox.players import Budget, engine, player, steps
from catinthebox.views import View

pytestmark = pytest.mark.timing

FAKE = """
    import os, time
    from pathlib import Path

    def note(name):
        with open(Path(__file__).with_name("log"), "a") as log:
            log.write(f"{os.getpid()} {name}\\n")

    def broken():
        raise ValueError("broken")

    STEPS = {
        "one": lambda: note("one"),
        "two": lambda: note("two"),
        "slow": lambda: (note("slow"), time.sleep(600)),
        "broken": broken,
    }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and a module of steps that only say that they were done."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{sources.RULES.parents[1]}")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "fake_steps.py").write_text(dedent(FAKE))
    yield tmp_path
    sys.modules.pop("fake_steps", None)


def log(folder: Path) -> list[tuple[bool, str]]:
    """What was done: whether here, and which step."""
    lines = (folder / "log").read_text().splitlines()
    return [(line.split()[0] == str(os.getpid()), line.split()[1]) for line in lines]


@pytest.mark.process
def test_steps_are_done_elsewhere_once_and_then_loaded_here(folder: Path) -> None:
    """The second time nothing is left but loading."""
    with Warmup("fake_steps", ["one", "two"]) as warmup:
        assert warmup.wait(HANG)
        assert warmup.ready
        assert warmup.compiling
        assert warmup.progress == WarmupProgress(2, 2, "loading")
    assert log(folder) == [(False, "one"), (False, "two"), (True, "one"), (True, "two")]
    with Warmup("fake_steps", ["one", "two"]) as warmup:
        assert warmup.wait(HANG)
        assert not warmup.compiling
    assert log(folder)[4:] == [(True, "one"), (True, "two")]


@pytest.mark.process
def test_what_was_cancelled_goes_on_next_time(folder: Path) -> None:
    """The other process ends at once; what it had finished is kept."""
    with Warmup("fake_steps", ["one", "slow"]) as warmup:
        while warmup.progress.name != "slow":
            assert not warmup.wait(0.02)
        assert warmup.progress == WarmupProgress(1, 2, "slow")
        assert not warmup.ready
        warmup.cancel()
        assert warmup.wait(HANG)
        assert not warmup.ready
        assert warmup._child is not None
        assert warmup._child.poll() is not None
    assert stamp("one").exists()
    assert not stamp("slow").exists()
    with Warmup("fake_steps", ["one", "two"]) as warmup:
        assert warmup.wait(HANG)
        assert warmup.ready
    assert log(folder)[2:] == [(False, "two"), (True, "one"), (True, "two")]


@pytest.mark.process
def test_a_step_that_fails_is_reported(folder: Path) -> None:
    """Nobody waits for ever, and nothing is stamped."""
    with Warmup("fake_steps", ["broken"]) as warmup:
        assert warmup.wait(HANG)
        assert not warmup.ready
        assert warmup.trouble == "the compiler ended with status 1"
    with Warmup("fake_steps", ["one"], program=["/nowhere/python"]) as warmup:
        assert warmup.wait(HANG)
        assert "FileNotFoundError" in warmup.trouble


@pytest.mark.process
def test_progress_is_a_line_for_each_step(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Programs can read how far it is."""
    assert warm.main("fake_steps", "two", "one") == 0
    assert capsys.readouterr().out == "0 of 2 two\n1 of 2 one\n2 of 2 done\n"


def test_without_a_compiler_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ready at once, and nothing is started."""
    monkeypatch.setattr(warm, "installed", lambda: False)
    with Warmup("no_such_module", ["one"]) as warmup:
        assert warmup.ready
        warmup.cancel()
        assert warmup.ready


@pytest.mark.process
def test_a_changed_source_is_compiled_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler compares times, so stamps do, too."""
    monkeypatch.setattr(sources, "TACTICS", folder)
    source = folder / "thought.py"
    source.write_text("THOUGHT = 1\n")
    before = stamp("one")
    assert stamp("one") == before != stamp("two")
    os.utime(source, (1, 1))
    assert stamp("one") != before
    assert stamp("one").parent == before.parent


@pytest.mark.process
def test_stamps_know_the_processor(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler compares its name and features; how fast it runs just now does not matter."""
    file = folder / "cpuinfo"
    monkeypatch.setattr(warm, "PROCESSOR", file)
    found = []
    for words in ("K7 1000 sse", "K7 2000 sse", "K7 1000 sse avx", "K8 1000 sse"):
        name, speed, features = words.split(maxsplit=2)
        one = f"model name\t: {name}\ncpu MHz\t\t: {speed}\nflags\t\t: {features}\n\n"
        file.write_text(one + one)
        found.append(stamp("one"))
    assert found[0] == found[1]
    assert len(set(found)) == 3
    assert warm.processor() == "model name\t: K8\nflags\t\t: sse\n"
    file.unlink()
    assert warm.processor() == platform.processor()
    before = stamp("one")
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+sse")
    assert stamp("one") != before


@pytest.mark.process
def test_stamps_lie_beside_the_compilations(folder: Path) -> None:
    """Who deletes the one deletes the other."""
    assert stamp("one").parent == cpu.cache_folder(sources.RULES, sources.TACTICS)
    assert cpu.cache_folder is cache_folder


@pytest.mark.process
def test_where_nothing_can_be_kept_all_is_for_one_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both processes use one temporary folder, and one line says so."""
    (folder / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))
    monkeypatch.setattr(sources, "_homes", [])
    for _ in range(2):
        with Warmup("fake_steps", ["one", "two"]) as warmup:
            assert warmup.wait(HANG)
            assert warmup.ready, warmup.trouble
    assert log(folder)[:2] == [(False, "one"), (False, "two")]
    assert log(folder)[2:] == 2 * [(True, "one"), (True, "two")]
    text = capsys.readouterr().err
    assert text.count("\n") == text.count("nothing can be kept in the cache") == 1
    home = sources.temporary_home("")
    assert stamp("one").exists()
    assert stamp("one").parents[2] == home
    shutil.rmtree(home)


@pytest.mark.long
def test_after_the_steps_no_decision_compiles_anything() -> None:
    """Every kernel has all the signatures that players use, at any table and moment."""
    for step in steps.STEPS.values():
        step()
    before = signatures()
    rng = Random(5)
    for players in range(2, 6):
        seats = [player(spec) for spec in ("careful", "search:rollouts=20", "ismcts:iterations=20")]
        round = Round.shuffled(players, rng)
        while not round.over:
            assert round.turn is not None
            view = View.of(round, round.turn, totals=(1,) * players)
            action = seats[len(round.actions) % 3].choose(view, Budget(), rng)
            round = round.play(action, round.turn)
    assert signatures() == before


def signatures() -> dict[str, int]:
    """How many versions of each kernel are compiled."""
    found = {}
    for module in vars(engine.tactics()).values():
        for name, kernel in vars(module).items() if hasattr(module, "__name__") else ():
            if hasattr(kernel, "signatures"):
                found[name] = len(kernel.signatures)
    return found


@pytest.mark.process
def test_the_terminal_does_not_wait_for_the_compiler_to_be_imported() -> None:
    """Importing a command, and asking whether all is compiled, is quick."""
    code = """if True:
        import sys
        import catinthebox.cli.play.command
        from catinthebox.fast.warm import stamp
        stamp("one").exists()
        assert not {"numba", "numpy"} & set(sys.modules)
    """
    completed([sys.executable, "-c", code])
