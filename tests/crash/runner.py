"""A server whose time passes as a test wants it: `python runner.py JSON`.

The JSON has `db`, `port`, `pace` (the fields of `Pace` that are to be different), and `open`, what
it says once it can be called.
"""

from __future__ import annotations

import json
import socket
import sys

from catinthebox.server.live.scheduler import Pace
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.workers import serve_in_process


def main(request: str) -> None:
    """Serve until a signal comes."""
    wanted = json.loads(request)
    config = Config(
        db=wanted["db"],
        port=wanted["port"],
        pace=Pace(**{"bot_ms": 0, **wanted["pace"]}),
        limits=Limits.unlimited(),
        processes=0,
        logs="json",
    )
    door = socket.create_server(("127.0.0.1", config.port))
    serve_in_process(config, door, lambda: print(wanted["open"], flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
