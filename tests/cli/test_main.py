"""The command itself: help, version, mistakes, a reader that goes away, and a quick start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import catinthebox
from catinthebox.cli import COMMANDS, main

SRC = Path(catinthebox.__file__).resolve().parents[1]
RUN = [sys.executable, "-m", "catinthebox"]


def environment(**changes: str) -> dict[str, str]:
    """The environment of a command: our sources, buffered output as people have it."""
    kept = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": str(SRC), **changes}


def ended(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    """The status of a command that ends while its arguments are read, and what it printed."""
    with pytest.raises(SystemExit) as end:
        main(words)
    return end.value.code, *capsys.readouterr()


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The help lists every command with its summary."""
    status, output, complaints = ended([flag], capsys)
    assert (status, complaints) == (0, "")
    text = " ".join(output.split())
    assert all(f"{name} {summary}" in text for name, summary in COMMANDS.items())
    assert "unofficial" in output


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_each_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every command has help that says what it does."""
    status, output, complaints = ended([command, "--help"], capsys)
    assert (status, complaints) == (0, "")
    assert output.startswith(f"usage: catinthebox {command} ")
    assert COMMANDS[command][1:].lower() in " ".join(output.split()).lower()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is that of the package."""
    status, output, _ = ended(["--version"], capsys)
    assert (status, output) == (0, f"catinthebox {catinthebox.__version__}\n")


@pytest.mark.parametrize("words", [["shuffle"], ["pla"], ["--nonsense"], ["referee", "x"]])
def test_mistakes_show_the_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What is not a command, and an argument that nobody knows, end with status 2."""
    status, output, complaints = ended(words, capsys)
    assert (status, output) == (2, "")
    assert complaints.startswith("usage: catinthebox")


def test_unknown_command_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """A typing mistake is answered with what there is."""
    _, _, complaints = ended(["shuffle"], capsys)
    assert all(name in complaints for name in COMMANDS)


def test_argument_with_the_name_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    """A file may be called like a command."""
    assert main(["check", "perft"]) == 1
    assert "perft: No such file" in capsys.readouterr().err


def test_refusal_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """A refusal of the engine is one line on standard error, with status 2."""
    assert main(["perft", "--hands", "1", "1"]) == 2
    output, complaints = capsys.readouterr()
    assert output == ""
    assert complaints.startswith("catinthebox: ")
    assert complaints.count("\n") == 1


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with status 130 and without a traceback."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("catinthebox.cli.perft.table", interrupted)
    assert main(["perft", "--hands", "12", "12", "--ranks", "2"]) == 130


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_broken_pipe(unbuffered: str) -> None:
    """When the reader goes away, the command stops silently."""
    with subprocess.Popen(
        [*RUN, "referee"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED=unbuffered),
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, complaints = process.communicate(b'{"op": "state"}\n' * 10)
    assert complaints == b""
    assert process.returncode == 141


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
def test_broken_pipe_of_a_result() -> None:
    """The same for a command that prints once, when it ends."""
    with subprocess.Popen(
        [*RUN, "perft", "--hands", "12", "12", "--ranks", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaints = process.stderr.read()
    assert complaints == b""
    assert process.returncode == 141


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="pipes break differently there")
def test_broken_pipe_of_help() -> None:
    """The same for help, which argparse prints."""
    with subprocess.Popen(
        [*RUN, "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        complaints = process.stderr.read()
    assert complaints == b""


@pytest.mark.process
@pytest.mark.parametrize(
    "statement",
    [
        "import catinthebox",
        "import catinthebox.cli",
        "from catinthebox.cli import main; main(['--help'])",
        "from catinthebox.cli import main; main(['perft', '--hands', '12', '12', '--ranks', '2'])",
        "from catinthebox.cli import main; main(['referee'])",
    ],
)
def test_imports_nothing_heavy(statement: str) -> None:
    """Nothing outside the standard library is imported, and nothing slow in it."""
    program = f"""
import atexit, json, sys
before = set(sys.modules)
atexit.register(lambda: print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr))
{statement}
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(),
        check=True,
    )
    tops = {name.partition(".")[0] for name in json.loads(done.stderr)}
    assert "catinthebox" in tops
    assert tops - {"catinthebox"} <= sys.stdlib_module_names
    assert not tops & {"numba", "numpy", "asyncio", "socket", "ssl", "unittest", "multiprocessing"}


@pytest.mark.process
def test_help_does_not_load_the_commands() -> None:
    """Only the command that is asked for is imported."""
    program = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from catinthebox.cli import main
main(["--help"])
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", program], capture_output=True, env=environment(), check=True
    )
    assert not set(done.stderr.decode().split()) & {f"catinthebox.cli.{name}" for name in COMMANDS}


@pytest.mark.process
def test_python_dash_m() -> None:
    """`python -m catinthebox` is the command."""
    done = subprocess.run(
        [*RUN, "--version"], capture_output=True, env=environment(), encoding="utf-8", check=True
    )
    assert done.stdout == f"catinthebox {catinthebox.__version__}\n"


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """A first look is no mistake."""
    status, output, complaints = ended([], capsys)
    assert (status, complaints) == (0, "")
    assert "play a game in the terminal" in output
