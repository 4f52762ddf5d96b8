"""The process in which bots think: `python -m catinthebox.server.bots.process compiled`.

It is asked over its standard input and answers over its standard output, one move at a time. A
question is everything a bot is told: its level, the view of its seat, chance, and how many
milliseconds it has. `server.bots` asks.

>>> from catinthebox.views import Dealt
>>> view = View(Dealt(3, seat=0, hand="1223345566")).replay("-2 1:-? 2:-?")
>>> answer(question("gentle", view, seed=1))
'action =4'
>>> answer(b"something else")
'trouble UnpicklingError'
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

from ...players import Budget, Player, engine, player
from ...players.steps import STEPS
from ...views import View

HEAD: Final = 4  # bytes before each text, which say how long it is
UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # what a search may cost when it is interpreted
GRACE: Final = 0.5  # seconds to come to an end in, once nobody asks any more
LONG: Final = 5.0  # seconds: then something was compiled, and not only loaded

COMPILED, LOADED, INTERPRETED = "compiled", "loaded", "interpreted"  # how a process is to think
READY, AGAIN = "ready", "again"  # what it says first
ACTION, TROUBLE = "action", "trouble"  # the words that an answer begins with


# ── What goes through the pipes ──────────────────────────────────────────────────────────────


def framed(text: bytes) -> bytes:
    """Write a text so that the other side knows where it ends.

    >>> list(framed(b"me"))
    [0, 0, 0, 2, 109, 101]
    """
    return len(text).to_bytes(HEAD) + text


def question(level: str, view: View, seed: int, ms: float | None = None) -> bytes:
    """Write a question. There is nothing in it that the seat may not know (R33).

    It is a pickle: the process that reads it was started by the one that writes it, and nobody
    else has a hold of the pipe. Answers are plain words, so that nothing comes back but words.
    """
    return pickle.dumps((level, view, seed, ms))


def answer(asked: bytes) -> str:
    """Decide. Trouble is told by its name only: a sentence about it could name cards."""
    try:
        level, view, seed, ms = pickle.loads(asked)
        limit = Budget(ms=ms)
        limit = limit if engine.compiled() else limit.within(UNCOMPILED)
        return f"{ACTION} {seated(level).choose(view, limit, Random(seed))}"
    except Exception as error:  # whatever it is, the next question may be easier
        return f"{TROUBLE} {type(error).__name__}"


@lru_cache(maxsize=64)
def seated(level: str) -> Player:
    """Return the player of a level."""
    return player(level)


# ── The process ──────────────────────────────────────────────────────────────────────────────


def main(how: str = COMPILED) -> int:
    """Answer until the standard input ends: then nobody is there any more who could ask."""
    if how == INTERPRETED:
        engine.interpret()
    questions: SimpleQueue[bytes | None] = SimpleQueue()
    with _answers() as pipe:
        Thread(target=_listen, args=(questions,), daemon=True).start()
        try:
            _say(pipe, warmed_up(how))
            while (asked := questions.get()) is not None:
                _say(pipe, answer(asked))
        except BrokenPipeError:  # the other side ended in this moment
            os._exit(0)
    return 0


def warmed_up(how: str) -> str:
    """Compile everything that any bot needs, or load it; without a compiler, do without.

    Compiling leaves twice the memory behind that loading does: it is better to begin again.
    """
    if not engine.compiled():
        return READY
    begin = monotonic()
    try:
        for step in STEPS.values():
            step()
    except Exception as error:  # a compiler that does not work is as good as none
        engine.interpret()
        return f"{READY} {type(error).__name__}"
    return AGAIN if how == COMPILED and monotonic() - begin > LONG else READY


def _answers() -> IO[bytes]:
    """Take the standard output for answers alone: whatever is printed goes to standard error."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _say(pipe: IO[bytes], text: str) -> None:
    pipe.write(framed(text.encode()))
    pipe.flush()


def _listen(questions: SimpleQueue[bytes | None]) -> None:
    """Carry questions in, in a thread: the end is noticed also while something is compiled."""
    with open(0, "rb", closefd=False) as pipe:
        while head := pipe.read(HEAD):
            questions.put(pipe.read(int.from_bytes(head)))
    questions.put(None)
    sleep(GRACE)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
