"""The process that chooses bots' moves: `python -m catinthebox.server.bots.process compiled`.

It reads questions from its standard input and writes answers to its standard output, one move at a
time. A question holds all that a bot gets: its level, the view of its seat, a seed, and the
milliseconds that it may think. `pool.py` asks.

>>> from catinthebox.views import Dealt
>>> view = View(Dealt(3, seat=0, hand="1223345566")).replay("-2 1:-? 2:-?")
>>> answer(question("gentle", view, seed=1))
'action =4'
>>> answer(b"something else")
'error UnpicklingError'
"""

from __future__ import annotations

import os
import pickle
import sys
from functools import lru_cache
from queue import SimpleQueue
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import IO, Final

from ...players import LEVELS, Budget, Player, engine, player
from ...players.player import GivenSeed
from ...players.steps import STEPS, needed
from ...views import View
from .offered import OFFERED

LENGTH_SIZE: Final = 4  # bytes before each text, which hold its length
UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # for a search that is interpreted
EXIT_S: Final = 0.5  # to end in, once the standard input is closed
COMPILED_S: Final = 5.0  # a start that takes longer has compiled, and not only loaded

COMPILED, LOADED, INTERPRETED = "compiled", "loaded", "interpreted"  # the modes of a process
READY, RESTART = "ready", "restart"  # its first report
ACTION, ERROR = "action", "error"  # the first word of an answer


# ── Questions and answers ────────────────────────────────────────────────────────────────────


def framed(text: bytes) -> bytes:
    """Return a text with its length before it, as it goes through the pipes.

    >>> list(framed(b"me"))
    [0, 0, 0, 2, 109, 101]
    """
    return len(text).to_bytes(LENGTH_SIZE) + text


def question(
    level: str, view: View, seed: int, ms: float | None = None, *, exact: bool = False
) -> bytes:
    """Return a question. It contains nothing that the seat may not know (R33).

    An exact one asks for what the level decides with this seed, with its whole budget and nothing
    else that is random: the same in every process, compiled or not.

    It is a pickle: the process that reads it was started by the one that writes it, and nobody
    else can write to the pipe. Answers are plain text, so the server unpickles nothing.
    """
    return pickle.dumps((level, view, seed, ms, exact))


def answer(question: bytes) -> str:
    """Choose an action. An error is returned by its type only: its message could name cards."""
    try:
        level, view, seed, ms, exact = pickle.loads(question)
        if exact:
            return f"{ACTION} {cached_player(level).choose(view, Budget(), GivenSeed(seed))}"
        limit = Budget(ms=ms)
        limit = limit if engine.compiled() else limit.within(UNCOMPILED)
        return f"{ACTION} {cached_player(level).choose(view, limit, Random(seed))}"
    except Exception as error:  # whatever it is, the next question may work
        return f"{ERROR} {type(error).__name__}"


@lru_cache(maxsize=64)
def cached_player(level: str) -> Player:
    """Return the player of a level."""
    return player(level)


# ── The process ──────────────────────────────────────────────────────────────────────────────


def main(mode: str = COMPILED) -> int:
    """Answer questions until the standard input ends, as it does when the server has ended."""
    if mode == INTERPRETED:
        engine.interpret()
    questions: SimpleQueue[bytes | None] = SimpleQueue()
    with _answer_pipe() as pipe:
        Thread(target=_read_questions, args=(questions,), daemon=True).start()
        try:
            _write(pipe, warm_up(mode))
            while (question := questions.get()) is not None:
                _write(pipe, answer(question))
        except BrokenPipeError:  # the server has ended just now
            os._exit(0)
    return 0


def warm_up(mode: str) -> str:
    """Compile or load everything that the bots on offer need; return the first report.

    After compiling, a process has twice the memory that it has after loading: `RESTART` asks for a
    new one. Without a compiler that works, bots are interpreted.
    """
    if not engine.compiled():
        return READY
    begin = monotonic()
    try:
        for step in needed(*map(player, (*LEVELS, *OFFERED))):
            STEPS[step]()
    except Exception as error:  # the compiler does not work
        engine.interpret()
        return f"{READY} {type(error).__name__}"
    return RESTART if mode == COMPILED and monotonic() - begin > COMPILED_S else READY


def _answer_pipe() -> IO[bytes]:
    """Reserve the standard output for answers: whatever is printed goes to standard error."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _write(pipe: IO[bytes], text: str) -> None:
    pipe.write(framed(text.encode()))
    pipe.flush()


def _read_questions(questions: SimpleQueue[bytes | None]) -> None:
    """Read questions in a thread, which notices the end even while the main one compiles."""
    with open(0, "rb", closefd=False) as pipe:
        while length := pipe.read(LENGTH_SIZE):
            questions.put(pipe.read(int.from_bytes(length)))
    questions.put(None)
    sleep(EXIT_S)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
