"""Our server for the load bench: as it is run, but for the limits on what one visitor may do.

    python -m bench.load_ours 8000                            # a SQLite file of its own
    python -m bench.load_ours 8000 --db postgresql://…/scratch

All players come from one address, so that address may do anything. Sizes, queues and time-outs are
the usual ones. No bots play, so none are kept. It ends when its standard input does, so that it
cannot be left running.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import uvloop

from bench.load_bare import end_with_input
from catinthebox.game import Action
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.server.ops.run import serve
from catinthebox.table import BotTurn
from catinthebox.views import View


class Nobody:
    """Bots that are never asked."""

    async def start(self) -> None:
        """Start nothing."""

    async def close(self) -> None:
        """Stop nothing."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Refuse."""
        raise NotImplementedError("no bot sits at these tables")

    async def decide(self, level: str, view: View, seed: int, place: Place) -> Action | None:
        """Refuse."""
        raise NotImplementedError("nobody plays the daily deal")


class Unread(io.StringIO):
    """A log that discards its lines."""

    def write(self, line: str) -> int:
        """Discard a line."""
        return len(line)


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--db", help="the address of a PostgreSQL; a new SQLite file if not given")
    options = parser.parse_args()
    Thread(target=end_with_input, daemon=True).start()
    logs = Logs.on(Unread(), time.time, bytes(32))
    with TemporaryDirectory() as folder, asyncio.Runner(loop_factory=uvloop.new_event_loop) as loop:
        db = options.db or Path(folder) / "games.db"
        config = Config(db=db, port=options.port, limits=Limits.unlimited())
        loop.run(serve(config, logs=logs, bots=Nobody()))


if __name__ == "__main__":
    main()
