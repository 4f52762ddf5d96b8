"""`catinthebox serve`: where it is found, how it stops, and what it says when it cannot begin."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from server_process import OPEN, RUN, Someone, environment, hosting, started
from waiting import ended, line_of, until

from catinthebox.cli import listen, main
from catinthebox.server.ops import config
from catinthebox.store import open_store

pytestmark = pytest.mark.timing

SECRET = "swordfish"
UNREACHABLE = f"postgresql://ada:{SECRET}@127.0.0.1:1/games"


# ── Where it is ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_opens_and_stops(number: int, tmp_path: Path) -> None:
    """Two lines say where it is and where the games are; a signal ends it, and that is no error."""
    with hosting(tmp_path) as host:
        assert host.process is not None
        assert "games.db. Ctrl-C stops" in line_of(host.process, host.log)
        Someone(host).open("gentle", players=2)
        host.process.send_signal(number)
        assert ended(host.process) == (0, "Stopped. All games are saved.\n")
        assert [len(host.events(name)) for name in ("started", "table_opened", "stopped")] == [
            1
        ] * 3


def test_the_default_port_is_the_same_everywhere() -> None:
    """Anyone who starts a server in another way finds it in the same place."""
    assert config.PORT == listen.PORT


def test_a_taken_port_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And another one is suggested, which is free."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        words = ["serve", "--db", str(tmp_path / "games.db"), "--host", "127.0.0.1"]
        assert main([*words, "--port", str(port)]) == 2
    said = capsys.readouterr().err
    found = re.fullmatch(
        rf"catinthebox: port {port} is taken by another program; port (\d+) is free\n", said
    )
    assert found
    with socket.create_server(("127.0.0.1", int(found[1]))):
        pass
    assert not (tmp_path / "games.db").exists()


def test_by_default_the_next_free_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual port is taken: somebody who does not care gets another one."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(listen, "PORT", port)
        with listen.listening("127.0.0.1", None) as found:
            assert found.getsockname()[1] != port


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--host", "192.0.2.1"], "--host 192.0.2.1: this machine has no such address"),
        (["--host", "no such host"], "--host no such host: no such address"),
        (["--workers", "2"], "--workers: a file is written by one process; several need Postgre"),
        (["--db", "mysql://x/y"], "--db: mysql://x/y is neither a file nor an address postgresql"),
    ],
)
def test_options_that_cannot_be(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and status 2."""
    begin = ["serve", "--db", str(tmp_path / "games.db"), "--host", "127.0.0.1", "--port", "0"]
    assert main([*begin, *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        *(["--port", "70000"], ["--port", "x"], ["--workers", "0"], ["--bot-pace", "-1"]),
        *(["--origin", "club.example"], ["--host-name", "a b"]),
        *(["--proxy", "my proxy"], ["--metrics", "everybody"]),
    ],
)
def test_options_that_make_no_sense(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The option is named, and what was wrong with it."""
    with pytest.raises(SystemExit) as end:
        main(["serve", *words])
    assert end.value.code == 2
    assert f"argument {words[0]}: " in capsys.readouterr().err


def test_addresses_of_this_machine() -> None:
    """None of them is the loopback; each can be listened on."""
    for address in listen.lan_addresses():
        assert not address.startswith("127.")
        with socket.create_server((address, 0)):
            pass


@pytest.mark.skipif(not socket.has_ipv6, reason="needs a Python with IPv6")
def test_both_kinds_of_addresses() -> None:
    """`--host ::` listens to the old ones, too."""
    try:
        found = listen.listening("::", 0)
    except Exception:  # a machine without IPv6 that does not know it
        pytest.skip("needs IPv6: `make test` on a machine that has it")
    with found, socket.create_connection(("127.0.0.1", found.getsockname()[1])):
        pass


# ── The store ────────────────────────────────────────────────────────────────────────────────


def served(capsys: pytest.CaptureFixture[str], db: str, *words: str) -> str:
    """What it says about a store that it cannot use."""
    assert main(["serve", "--db", db, "--host", "127.0.0.1", "--port", "0", *words]) == 2
    output, complaints = capsys.readouterr()
    assert output == ""
    assert complaints.startswith("catinthebox: --db: ")
    assert complaints.count("\n") == 1
    return complaints


def test_stores_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a newer version, no data base, another program's, in use, in no folder."""
    newer, other, text = tmp_path / "newer.db", tmp_path / "other.db", tmp_path / "notes.txt"
    open_store(newer).close()
    with closing(sqlite3.connect(newer)) as line:
        line.execute("PRAGMA user_version = 99")
    with closing(sqlite3.connect(other)) as line:
        line.execute("CREATE TABLE recipes (cake)")
    text.write_text("Not a data base, whatever you do with it. " * 50)
    assert "version" in served(capsys, str(newer))
    assert "another program" in served(capsys, str(other))
    assert "not a database" in served(capsys, str(text))
    assert "notes.txt" in served(capsys, str(text / "games.db"))
    with open_store(tmp_path / "games.db"):
        assert "written by another process" in served(capsys, str(tmp_path / "games.db"))


@pytest.mark.skipif(os.name == "nt", reason="a folder that cannot be written needs Linux or macOS")
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence names the file."""
    tmp_path.chmod(0o500)
    root = os.geteuid() == 0 and Path("/proc").exists()  # who may write anywhere else
    folder = Path("/proc") if root else tmp_path
    assert "games.db" in served(capsys, str(folder / "games.db"))


@pytest.mark.process
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_data_base_that_is_not_there(workers: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence says what is wrong, and not the password."""
    pytest.importorskip("psycopg")
    said = served(capsys, UNREACHABLE, "--workers", workers)
    assert "127.0.0.1" in said
    assert SECRET not in said


# ── What it needs ────────────────────────────────────────────────────────────────────────────


BOT = ["bot", "localhost/t/x", "--player", "follow"]


@pytest.mark.process
@pytest.mark.parametrize(
    ("package", "words"),
    [("starlette", ["serve"]), ("uvicorn", ["serve"]), ("msgspec", ["serve"]), ("msgspec", BOT)],
)
def test_what_is_missing_is_named(package: str, words: list[str]) -> None:
    """And how to get it."""
    program = f"""
import sys
sys.modules[{package!r}] = None
from catinthebox.cli import main
sys.exit(main({words!r}))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        check=False,
    )
    sentence = f"catinthebox: this needs {package}: pip install 'catinthebox[serve]'\n"
    assert (done.returncode, done.stderr) == (2, sentence)


@pytest.mark.process
def test_numba_stays_outside(tmp_path: Path) -> None:
    """Bots think elsewhere: the server's own process is small, and starts at once."""
    words = (*RUN[:1], "-X", "importtime", *RUN[1:], "serve", "--db", str(tmp_path / "games.db"))
    options = ("--port", "0", "--host", "127.0.0.1", "--no-open", "--bot-processes", "0")
    with started(*words, *options) as process:
        said = [line_of(process)]
        while not said[-1].startswith(OPEN):
            said.append(line_of(process))
        process.send_signal(signal.SIGTERM)
        said.append(ended(process)[1])
    imported = re.findall(r"\|\s+([\w.]+)$", "".join(said), flags=re.M)
    assert "catinthebox.server.live.hub" in imported
    assert not {name.partition(".")[0] for name in imported} & {"numba", "numpy", "llvmlite"}


# ── The browser ──────────────────────────────────────────────────────────────────────────────


def test_the_browser_is_no_trouble() -> None:
    """It is opened beside everything else; one that fails is not noticed."""
    opened: list[str] = []

    def broken(url: str) -> None:
        opened.append(url)
        raise OSError("no browser")

    listen.show("http://localhost:8123/", broken)
    until(lambda: opened == ["http://localhost:8123/"])


def test_no_browser_without_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Anyone who runs it in the background does not want a window."""
    shown: list[str] = []
    monkeypatch.setattr("catinthebox.cli.serve.show", shown.append)
    monkeypatch.setattr("catinthebox.cli.serve.has_desktop", lambda _: True)
    monkeypatch.setattr(
        "catinthebox.server.ops.workers.serve_in_process", lambda config, door, ready: ready()
    )
    words = ["serve", "--db", str(tmp_path / "games.db"), "--port", "0"]
    assert main(words) == 0
    assert shown == []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main([*words, "--no-open"]) == 0
    assert shown == []
    assert main(words) == 0
    assert capsys.readouterr().out.count(OPEN) == 3
    assert [url[:17] for url in shown] == ["http://localhost:"]
