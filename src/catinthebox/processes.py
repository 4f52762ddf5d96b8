"""What child processes have in common: how they are started, when again, and when they end.

>>> python_module("catinthebox.fast.warm")[1:]
('-P', '-m', 'catinthebox.fast.warm')
>>> [backoff(failures) for failures in (0, 1, 2, 3, 99)]
[0.0, 0.25, 0.5, 1.0, 30.0]
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from threading import Thread
from typing import Final

FIRST_REST_S: Final = 0.25
LONGEST_REST_S: Final = 30.0


def python_module(name: str) -> tuple[str, ...]:
    """Return the command that runs a module of this package in another process.

    `-P`: modules of the working directory, such as somebody's numpy.py, are not imported.
    """
    return sys.executable, "-P", "-m", name


def backoff(failures: int) -> float:
    """Return the seconds to wait before the next attempt, after some failures in a row."""
    if failures < 1:
        return 0.0
    return min(LONGEST_REST_S, FIRST_REST_S * 2.0 ** min(failures - 1, 20))


def exit_with_parent(parent_ended: Callable[[], object]) -> None:
    """End this process, as upon SIGTERM, as soon as `parent_ended` returns.

    That waits, in a thread, for the process that started this one: nobody else would ever end a
    child whose parent was killed.
    """

    def watch() -> None:
        parent_ended()
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=watch, daemon=True).start()
