"""The real thing for tests: a server, and programs that play there, each a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from waiting import HANG, ended, line_of, until

import catinthebox

SRC = Path(catinthebox.__file__).resolve().parents[1]
ROOT = SRC.parent
RUN = [sys.executable, "-m", "catinthebox"]
OPEN = "The box is open: "
PAUSE = 0.05  # seconds between two questions to a server
TOO_MUCH = 429
FAST = ("--bot-processes", "0", "--bot-pace", "0", "--no-open", "--host", "127.0.0.1")


def environment(**changes: str) -> dict[str, str]:
    """The environment of a command: our sources."""
    return {**os.environ, "PYTHONPATH": str(SRC), "PYTHONUTF8": "1", **changes}


def curls(folder: Path) -> dict[str, str]:
    """Every curl there is: ours, written as a command into a folder, and the machine's, if any."""
    shim = folder / "curl"
    folder.mkdir(parents=True, exist_ok=True)
    words = shlex.join([sys.executable, "-IS", str(ROOT / "tests" / "curl.py")])
    shim.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    system = shutil.which("curl")
    return {"ours": str(shim), "system": system} if system else {"ours": str(shim)}


@contextmanager
def started(*words: str, **options: str) -> Iterator[subprocess.Popen[str]]:
    """A process for a while; whatever becomes of the test, it is not left behind."""
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=environment(**options),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


class Host:
    """A server that can be killed, and started again on the same port."""

    def __init__(self, folder: Path, db: str | None = None) -> None:
        self.folder = folder
        self.db = db or str(folder / "games.db")
        self.port = 0
        self.log = folder / "server.log"
        self.process: subprocess.Popen[str] | None = None

    def start(self, *options: str) -> None:
        """Start it, and wait until it is open."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*RUN, "serve", "--db", self.db, "--port", str(self.port), *FAST, *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                env=environment(),
            )
        line = line_of(self.process, self.log)
        assert line.startswith(OPEN), f"{line}{self.log.read_text()}"
        self.port = int(line.rstrip("/\n").rpartition(":")[2])

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send it a signal, and wait for its end."""
        assert self.process is not None
        self.process.send_signal(number)
        return ended(self.process)[0]

    def until(self, so: Callable[[], object], *others: subprocess.Popen[str]) -> None:
        """Wait until something is so, while the server lives, and other processes do."""
        assert self.process is not None
        until(so, self.process, *others, log=self.log, pause=PAUSE)

    def outlived(self, process: subprocess.Popen[str]) -> tuple[int, str]:
        """Wait for the end of a process, while the server lives; its status, and what it said."""
        assert self.process is not None
        return ended(process, self.process, log=self.log)

    def end(self) -> None:
        """Leave nothing behind."""
        if self.process is not None:
            with self.process:  # which closes its pipe, and waits
                self.process.kill()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def events(self, name: str) -> list[dict[str, Any]]:
        """The lines of its log about something."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line["event"] == name]


@contextmanager
def hosting(folder: Path, *options: str, db: str | None = None) -> Iterator[Host]:
    """A server for a while."""
    host = Host(folder, db)
    try:
        host.start(*options)
        yield host
    finally:
        host.end()


class Someone:
    """Somebody who opens a table and looks at it."""

    def __init__(self, host: Host, table: str = "") -> None:
        self.host = host
        self.token = token_urlsafe(32)
        self.table = table

    def ask(self, path: str, body: object = None) -> bytes:
        """Send a request; whatever the answer is, it is the answer, unless it is to wait."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.host.url}/api/v1/tables{path}", data, headers)
        while True:
            try:
                with urlopen(request, timeout=HANG) as answer:
                    return bytes(answer.read())
            except HTTPError as error:
                if error.code != TOO_MUCH:
                    return error.read()
                time.sleep(int(error.headers["Retry-After"]))

    def open(self, *bots: str, players: int = 4, **settings: object) -> str:
        """Open a table with bots of the server; return its link."""
        request = {
            "settings": {"players": players, **settings},
            "bots": [{"level": level} for level in bots],
        }
        self.table = json.loads(self.ask("", request))["table"]
        return self.link

    @property
    def link(self) -> str:
        """The link of the table."""
        return f"{self.host.url}/t/{self.table}"

    def do(self, id: str, **command: object) -> dict[str, object]:
        """Ask the table for something."""
        answer = self.ask(f"/{self.table}/commands", {"id": id, "command": command})
        return dict(json.loads(answer))

    def start(self, *players: subprocess.Popen[str]) -> None:
        """Begin, once everybody sits; the programs that play have to live until then."""
        self.host.until(lambda: self.do("start", type="Start")["type"] == "Done", *players)

    def look(self) -> dict[str, Any]:
        """How the table stands, as this person sees it."""
        return dict(json.loads(self.ask(f"/{self.table}")))

    def play(
        self, *others: subprocess.Popen[str], version: int | None = None, games: int = 1
    ) -> dict[str, Any]:
        """Take part until the last game is over, or until a version; return how the table stands.

        Nobody gets much further then: they wait for this seat.
        """
        seen: dict[str, Any] = {}

        def far() -> bool:
            nonlocal seen
            seen = self.look()
            if version is not None and seen["version"] >= version:
                return True
            over = seen["room"]["stage"] == "over" and seen["game"]["number"] >= games
            if not over:
                self._take_part(seen)
            return bool(over)

        self.host.until(far, *others)
        return seen

    def _take_part(self, seen: dict[str, Any]) -> None:
        """Do what is to be done by this seat, if anything is."""
        stage, turn, game = seen["room"]["stage"], seen["turn"], seen["game"]
        if stage == "play" and seen["seat"] in turn["to_act"]:
            action = seen["own"]["legal"][0]
            self.do(f"act-{turn['turn']}", type="Act", action=action, turn=turn["turn"])
        elif stage == "between" and seen["round"]:
            self.do(f"ready-{game['number']}-{game['round']}", type="Ready")
        elif stage == "over":
            self.do(f"rematch-{game['number']}", type="Rematch")

    def record(self, game: int = 1) -> bytes:
        """The record of a game that is over."""
        return self.ask(f"/{self.table}/games/{game}/record.cat")
