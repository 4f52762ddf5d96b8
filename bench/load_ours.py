"""Our server for the load bench: as it is run, but for the limits on what one visitor may do.

    python -m bench.load_ours 8000                            # a SQLite file of its own
    python -m bench.load_ours 8000 --db postgresql://…/scratch

All players come from one address, so that address may do anything. Sizes, queues and time-outs are
the usual ones. It ends when its standard input does, so that nobody has to remember it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from bench.load_bare import end_with_input
from catinthebox.server.config import Config
from catinthebox.server.limits import Limits
from catinthebox.server.run import run


def main() -> None:
    """Serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--db", help="the address of a PostgreSQL; a new SQLite file if not given")
    options = parser.parse_args()
    Thread(target=end_with_input, daemon=True).start()
    sys.stderr = open("/dev/null", "w")
    with TemporaryDirectory() as folder:
        db = options.db or Path(folder) / "games.db"
        run(Config(db=db, port=options.port, limits=Limits.unlimited(), processes=0, logs="json"))


if __name__ == "__main__":
    main()
