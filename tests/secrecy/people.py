"""People at the doors of a house: what they send is a part of the script, and the same everywhere.

Each of them has a name, under which everything that they are sent is kept. `EVERYBODY` is all who
has no seat at the table: spectators, strangers, readers of the lobby.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, Final

from secrecy.simulated_server import SimulatedServer, Wire

from catinthebox.table import token_hash

API: Final = "/api/v1"
EVERYBODY: Final = "everybody"


def token_of(name: str) -> str:
    """Return the secret token of somebody."""
    return urlsafe_b64encode(sha256(f"token of {name}".encode()).digest()).rstrip(b"=").decode()


def nonce_of(name: str, game: int) -> str:
    """Return somebody's part of the chance in a game."""
    return sha256(f"nonce of {name} {game}".encode()).hexdigest()


class Person:
    """Somebody with a token, or a spectator without one."""

    line: Wire | None = None

    def __init__(
        self,
        server: SimulatedServer,
        name: str,
        *,
        to: str = "",
        table: str = "",
        streams: bool = False,
    ) -> None:
        self.name = name
        self.to = to or name
        self.token = token_of(name) if name else ""
        self.who = token_hash(self.token) if name else ""
        self._server = server
        self._streams = streams  # reads lines of JSON and sends requests, as a bot does
        self._wishes = 0
        self._table = table

    @property
    def key(self) -> str:
        """The key by which they came to the table."""
        return self._table

    @property
    def path(self) -> str:
        """Where the table is."""
        return f"{API}/tables/{self._table}"

    @property
    def connected(self) -> bool:
        """Whether there is a connection that hears what happens."""
        return self.line is not None and not self.line.over

    # ── Coming and going ─────────────────────────────────────────────────────────────────────

    def come(self, table: str, version: int | None = None) -> Wire:
        """Come to a table, with what was seen of it before."""
        self._table = table
        self.line = self.streamed(version) if self._streams else self.socket(version)
        return self.line

    def socket(self, version: int | None = None) -> Wire:
        """Open one more WebSocket."""
        wire = self._server.connect(self.to, f"{self.path}/socket")
        self.say(wire, "Hello", token=self.token, version=version)
        return wire

    def streamed(self, version: int | None = None) -> Wire:
        """Open one more stream of lines."""
        query = "" if version is None else f"?version={version}"
        return self.get(f"{self.path}/events{query}")

    def go(self) -> None:
        """Close the connection."""
        if self.line is not None:
            self.close(self.line)
            self.line = None

    def close(self, line: Wire) -> None:
        """Close a connection that `come` has given."""
        line.hang_up("http" if self._streams else "websocket")

    # ── Saying something ─────────────────────────────────────────────────────────────────────

    @staticmethod
    def say(wire: Wire, type: str, **fields: Any) -> None:
        """Send a message over a WebSocket."""
        wire.say(json.dumps({"type": type, **fields}))

    def talk(self, type: str, **fields: Any) -> None:
        """Send a message over the own connection, if it is one to talk over."""
        if self.line is not None and not self._streams and not self.line.over:
            self.say(self.line, type, **fields)

    def do(self, type: str, *, id: str = "", post: bool = False, **fields: Any) -> str:
        """Ask for something, over the connection or by POST; return the id."""
        self._wishes += 1
        id = id or f"{self.name}.{self._wishes}"
        command = {"id": id, "command": {"type": type, **fields}}
        if post or self._streams or not self.connected:
            self.post(f"{self.path}/commands", command)
        else:
            self.talk("Do", **command)
        return id

    def get(self, path: str, **how: Any) -> Wire:
        """Send a request in one's own name."""
        return self._server.ask(self.to, path, self.token, **how)

    def post(self, path: str, body: object) -> Wire:
        """Send a request that changes something."""
        return self.get(path, method="POST", body=json.dumps(body).encode())
