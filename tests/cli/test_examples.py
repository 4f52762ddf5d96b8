"""The examples, as a newcomer would run them: a real server, whole games, a proof at the end."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from server_process import ROOT, RUN, Host, Someone, curls, hosting, started
from waiting import line_of

from catinthebox.cli import main
from catinthebox.game import record

pytestmark = [pytest.mark.process, pytest.mark.timing]

EXAMPLE = [sys.executable, str(ROOT / "examples" / "bot.py")]
CURL = ROOT / "examples" / "curl.md"
PROOF = ("deal", "secret", "commitment", "nonces", "table")  # the lines that are proven


def proven(path: Path, capsys: pytest.CaptureFixture[str]) -> bool:
    """Whether `catinthebox verify` accepts a record."""
    status = main(["verify", str(path)])
    said = capsys.readouterr().out
    assert (status == 0) == (f"{path}: proven" in said)
    return status == 0


def tampered(text: str, every: int) -> list[str]:
    """A record with one byte changed, again and again: every so many bytes of what is proven."""
    places = [
        line.start() + offset
        for line in re.finditer(rf"^(?:{'|'.join(PROOF)}) .*$", text, re.M)
        for offset in range(line[0].index(" ") + 1, len(line[0]))
        if text[line.start() + offset].isalnum()
    ]
    other = {"1": "2", "9": "8", "f": "e", "z": "y"}
    changed = [other.get(text[place], chr(ord(text[place]) + 1)) for place in places]
    return [
        text[:place] + new + text[place + 1 :]
        for place, new in list(zip(places, changed, strict=True))[::every]
    ]


def test_a_game_of_two_programs_and_two_bots_is_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Our bot, the example bot and two of the server finish a game; a changed byte is noticed."""
    with hosting(tmp_path) as host:
        link = (ada := Someone(host)).open("gentle", "steady")
        with (
            started(*RUN, "bot", link, "--player", "follow", "--name", "Robo") as ours,
            started(*EXAMPLE, link, "Simple") as simple,
        ):
            ada.start(ours, simple)
            assert host.outlived(ours)[0] == 0
            status, said = host.outlived(simple)
        assert (status, said.count("over: {'gentle'")) == (0, 1)
        text = ada.record().decode()
        assert host.stop() == 0
    game = record.read(text)
    assert {*game.names} == {"gentle", "steady", "Robo", "Simple"}
    path = tmp_path / "game.cat"
    path.write_text(text)
    assert proven(path, capsys)
    for lie in tampered(text, every=40):
        path.write_text(lie)
        assert not proven(path, capsys), lie


def test_curl_and_the_example_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of the page, pasted into a shell, play a whole game against the example bot.

    With the machine's curl where there is one; test_ndjson.py holds ours against it.
    """
    programs = tmp_path / "bin"
    if "system" in curls(programs):
        (programs / "curl").unlink()
    shim = programs / "catinthebox"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m catinthebox "$@"\n')
    shim.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```sh\n(.*?)^```", CURL.read_text(encoding="utf-8"), re.M | re.S)
    with (
        hosting(tmp_path) as host,
        started("sh", "-c", "".join(blocks), SERVER=host.url, PATH=path) as hand,
    ):
        link = line_of(hand).strip()
        with started(*EXAMPLE, link) as simple:
            assert host.outlived(simple)[0] == 0
            status, said = host.outlived(hand)
    assert status == 0, said
    assert "Refused" not in said
    assert "game.cat: proven\n" in said


def test_a_killed_server_is_started_again_and_the_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SIGKILL in the middle of a game, twice; nobody has to do anything, and all is proven."""
    with hosting(tmp_path) as host:
        link = (ada := Someone(host)).open("gentle")
        ada.do("sit", type="Sit", name="Ada")
        with (
            started(*RUN, "bot", link, "--player", "follow") as ours,
            started(*EXAMPLE, link) as simple,
        ):
            ada.start(ours, simple)
            for moves in (20, 60):
                before = killed_after(moves, ada, ours, simple)
                host.start()
                assert ada.look()["version"] >= before
            ada.play(simple)
            printed = host.outlived(ours)
            assert printed[0] == 0, printed
            assert "connecting again" in printed[1]
            assert host.outlived(simple)[0] == 0
        path = tmp_path / "game.cat"
        path.write_bytes(ada.record())
    assert proven(path, capsys)


def backed_up(host: Host, copy: Path) -> None:
    """As `sqlite3 games.db ".backup copy.db"` does it."""
    with closing(sqlite3.connect(host.db)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def exported(host: Host, copy: Path) -> None:
    """By way of a file of JSON lines."""
    lines = str(copy.with_suffix(".jsonl"))
    assert main(["export", "--db", host.db, lines]) == 0
    assert main(["import", "--db", str(copy), lines]) == 0


@pytest.mark.parametrize("saved", [backed_up, exported])
def test_a_backup_of_a_running_game_is_a_game_that_goes_on(
    saved: Callable[[Host, Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server has gone and its file with it; players come back to an earlier moment."""
    with hosting(tmp_path) as host:
        link = (ada := Someone(host)).open("gentle")
        ada.do("sit", type="Sit", name="Ada")
        with (
            started(*RUN, "bot", link, "--player", "follow") as ours,
            started(*EXAMPLE, link) as simple,
        ):
            ada.start(ours, simple)
            ada.play(ours, simple, version=15)
            saved(host, tmp_path / "copy.db")
            killed_after(40, ada, ours, simple)
            host.db = str(tmp_path / "copy.db")
            host.start()
            ada.play()
            assert [host.outlived(ours)[0], host.outlived(simple)[0]] == [0, 0]
        path = tmp_path / "game.cat"
        path.write_bytes(ada.record())
    assert proven(path, capsys)


def killed_after(version: int, ada: Someone, *players: subprocess.Popen[str]) -> int:
    """Let a game go on for so long, and kill its server; return what Ada was told last."""
    seen = ada.play(*players, version=version)
    assert ada.host.stop(signal.SIGKILL) == -signal.SIGKILL
    assert seen["room"]["stage"] != "over"  # it cannot be: everybody waits for her
    return int(seen["version"])
