"""A real server on a loopback port, in a thread of its own, and visitors that talk to it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import httpx
from waiting import HANG, until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from catinthebox import Action
from catinthebox.players import Budget, player
from catinthebox.players.modest import Modest
from catinthebox.players.player import GivenSeed
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.composition import ServerParts
from catinthebox.server.live.scheduler import Pace
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.server.ops.run import Server, serve
from catinthebox.table import BotTurn
from catinthebox.views import View

Json = dict[str, Any]
LoopFactory = Callable[[], asyncio.AbstractEventLoop]

PATIENT = HANG  # seconds
eventually = until
QUICK = Pace(  # nobody is away because a test is slow
    bot_ms=0, busy_ms=0, unwatched_ms=0, gone_ms=60_000, poll_ms=100
)


class QuickBots:
    """Bots that answer at once, in this process."""

    async def start(self) -> None:
        """Begin."""

    async def close(self) -> None:
        """End."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Make a modest move."""
        return Modest().choose(turn.view, Budget(), Random(seed))

    async def decide(self, level: str, view: View, seed: int, place: Place) -> Action | None:
        """Decide as the level does."""
        return player(level).choose(view, Budget(), GivenSeed(seed))


def token(name: str) -> str:
    """Return a token that only tests would call one."""
    return urlsafe_b64encode(sha256(name.encode()).digest()).rstrip(b"=").decode()


def bearer(name: str) -> dict[str, str]:
    """Return the header of somebody."""
    return {"Authorization": f"Bearer {token(name)}"}


def public_id(key: str) -> str:
    """Return the table that a key is for, as the store and records call it."""
    return key.rpartition("-")[0]


# ── A server ─────────────────────────────────────────────────────────────────────────────────


class RunningServer:
    """A server that runs."""

    def __init__(self, server: Server, lines: list[str], thread: threading.Thread) -> None:
        self.uvicorn = server
        self.lines = lines  # of its log
        self.port = server.port
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENT)
        self._thread = thread

    @property
    def parts(self) -> ServerParts:
        """All parts of the server."""
        return self.uvicorn.parts

    def stop(self) -> None:
        """Stop as a signal does, and wait."""
        self.uvicorn.should_exit = True
        self._thread.join(PATIENT)
        assert not self._thread.is_alive()

    # ── Talking to it ────────────────────────────────────────────────────────────────────────

    def get(self, path: str, who: str = "", **options: Any) -> httpx.Response:
        """Ask; `who` is somebody's name, or nobody's."""
        return self.http.get(path, headers=bearer(who) if who else {}, **options)

    def post(self, path: str, body: object, who: str = "") -> httpx.Response:
        """Send something."""
        return self.http.post(path, json=body, headers=bearer(who) if who else {})

    def open(self, who: str = "Ada", players: int = 3, **options: Any) -> str:
        """Open a table at which somebody sits."""
        settings = {"players": players, **options.pop("settings", {})}
        answer = self.post("/api/v1/tables", {"settings": settings, "name": who, **options}, who)
        assert answer.status_code == 201, answer.text
        table: str = answer.json()["table"]
        return table

    def game(self, who: str = "Ada", **settings: Any) -> str:
        """Begin a game of somebody against two bots, which have set their cards aside."""
        bots = [{"level": "gentle"}] * 2
        table = self.open(who, bots=bots, start=True, settings=settings)
        eventually(lambda: self.snapshot(table, who)["turn"]["to_act"] == [0])
        return table

    def do(self, table: str, who: str, id: str, **command: Any) -> httpx.Response:
        """Ask for something at a table."""
        body = {"id": id, "command": command}
        return self.post(f"/api/v1/tables/{table}/commands", body, who)

    def snapshot(self, table: str, who: str = "") -> Json:
        """Look at a table."""
        answer = self.get(f"/api/v1/tables/{table}", who)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    @contextmanager
    def client(
        self, table: str, who: str = "", version: int | None = None
    ) -> Iterator[SocketClient]:
        """Connect a WebSocket and say hello."""
        with self.socket(table) as socket:
            client = SocketClient(socket)
            client.send("Hello", token=token(who) if who else "", version=version)
            yield client

    @contextmanager
    def socket(self, table: str, **options: Any) -> Iterator[ClientConnection]:
        """Connect a WebSocket that says nothing yet."""
        address = f"ws://127.0.0.1:{self.port}/api/v1/tables/{table}/socket"
        with connect(address, compression=None, **options) as socket:
            yield socket


class SocketClient:
    """A WebSocket as a client uses it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, type: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"type": type, **fields}))

    def do(self, id: str, **command: Any) -> None:
        """Send a command."""
        self.send("Do", id=id, command=command)

    def receive(self, *types: str) -> Json:
        """Wait for a message of one of some types; others are skipped."""
        while True:
            message: Json = json.loads(self.socket.recv(timeout=PATIENT))
            if not types or message["type"] in types:
                return message

    def rest(self) -> tuple[list[Json], int]:
        """Return everything until the connection ends, and the close code."""
        messages: list[Json] = []
        try:
            while True:
                messages.append(json.loads(self.socket.recv(timeout=PATIENT)))
        except ConnectionClosed as closed:
            return messages, closed.rcvd.code if closed.rcvd else 1006


def refused(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of an answer, which has the form that all refusals have."""
    body = answer.json()
    assert list(body) == ["type", "id", "code", "clause", "message", "retry_ms"]
    assert body["type"] == "Refused"
    assert body["message"]
    return answer.status_code, body["code"]


def ended(client: SocketClient) -> tuple[str, int]:
    """Why a connection ended: the code of its last message, and the close code."""
    messages, close = client.rest()
    assert messages[-1]["type"] == "Bye"
    assert messages[-1]["message"]
    return messages[-1]["code"], close


@contextmanager
def running_server(
    tmp_path: Path, loop: LoopFactory | None = None, **options: Any
) -> Iterator[RunningServer]:
    """Run a server for a while, in asyncio's own loop or another; options are those of `Config`."""
    options = {"pace": QUICK, "limits": Limits.unlimited(), **options}
    config = Config(db=tmp_path / "games.db", port=0, **options)
    lines: list[str] = []
    servers: list[Server] = []
    logs = Logs(lines.append, time.time, bytes(32), strict=True)
    troubles: list[BaseException] = []

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=loop) as runner:
                runner.run(serve(config, logs=logs, bots=QuickBots(), on_start=servers.append))
        except BaseException as error:
            troubles.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        eventually(lambda: troubles or (servers and servers[0].started))
        assert not troubles, troubles
        running = RunningServer(servers[0], lines, thread)
        try:
            yield running
        finally:
            running.http.close()
    finally:
        if servers:
            servers[0].should_exit = True
        thread.join(PATIENT)
    assert not thread.is_alive()
    assert not troubles, troubles
    assert not [line for line in lines if '"failure"' in line], lines
