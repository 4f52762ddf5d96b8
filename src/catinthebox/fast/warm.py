"""Compiles what decisions need, once per machine, in the background, with progress.

A module of steps has `STEPS`: names, and functions that call what should be compiled. `Warmup` asks
another process to do the steps (`python -m catinthebox.fast.warm MODULE STEP …`), so that this one
stays free for a person; then it loads the result in a thread. Each step that is done leaves a stamp
in the cache folder: what was cancelled goes on there next time, and what is complete starts no
process at all. Where nothing can be kept, all of this is for one run. Without numba there is
nothing to do.

    with Warmup("catinthebox.players.steps", ["careful play"]) as warmup:
        ...                                # greet, deal, let people think
        while not warmup.wait(0.1):
            print(warmup.progress)
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from itertools import takewhile
from pathlib import Path
from threading import Event, Thread
from typing import Final, NamedTuple

from ..processes import python_module
from . import sources
from .cache import cache_folder, installed

PROGRAM: Final = python_module("catinthebox.fast.warm")
PROCESSOR: Final = Path("/proc/cpuinfo")
IDENTITY: Final = (  # lines of it, on Intel and AMD, and on ARM
    *("vendor_id", "cpu family", "model", "model name", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"),
)
SETTINGS: Final = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")


class WarmupProgress(NamedTuple):
    """The progress of a warm-up: steps done, and the current one."""

    done: int
    total: int
    name: str


def steps_in(module: str) -> dict[str, Callable[[], None]]:
    """Return the steps of a module."""
    steps: dict[str, Callable[[], None]] = import_module(module).STEPS
    return steps


# ── Stamps ───────────────────────────────────────────────────────────────────────────────────


def stamp(step: str) -> Path:
    """Return the file that marks a step as done on this machine."""
    folder = sources.writable(cache_folder(sources.RULES, sources.TACTICS))
    return folder / f"warm-{_machine()}-{step.replace(' ', '-')}"


def _machine() -> str:
    """Hash what the compiler compares before it uses its cache, and a little more."""
    words = [metadata.version("numba"), sys.implementation.cache_tag or "", *platform.uname()]
    words += [processor(), *(os.environ.get(name, "") for name in SETTINGS)]
    own = Path(__file__).with_name("cpu_marker.py")
    for path in [*sources.RULES.glob("*.py"), *sources.TACTICS.glob("*.py"), own]:
        status = path.stat()
        words.append(f"{path} {status.st_mtime_ns} {status.st_size}")
    return hashlib.sha256("\0".join(sorted(words)).encode()).hexdigest()[:16]


def processor() -> str:
    """Return the name and the features of the processor, as the system lists them.

    Only Linux lists features. Elsewhere a stamp may outlive them: then loading takes longer, once.
    """
    try:
        with PROCESSOR.open(errors="replace") as lines:
            first = list(takewhile(str.strip, lines))
    except OSError:
        return platform.processor()
    return "".join(line for line in first if line.partition(":")[0].strip() in IDENTITY)


# ── The other process ────────────────────────────────────────────────────────────────────────


def main(module: str, *names: str) -> int:
    """Run the steps; print `3 of 9 whole rounds` before each of them, and stamp it after.

    Compilations and stamps are written atomically: this may be killed at any time.
    """
    steps = steps_in(module)
    for number, name in enumerate(names):
        print(f"{number} of {len(names)} {name}", flush=True)
        steps[name]()
        stamp(name).touch()
    print(f"{len(names)} of {len(names)} done", flush=True)
    return 0


# ── This process ─────────────────────────────────────────────────────────────────────────────


class Warmup:
    """Compiles and loads what some players need, in the background."""

    def __init__(self, module: str, steps: Sequence[str], program: Sequence[str] = PROGRAM) -> None:
        self.module = module
        self.steps = list(steps) if installed() else []
        self.trouble = ""  # why it failed
        self.progress = WarmupProgress(0, len(self.steps), "starting")
        self._program = program
        self._over = Event()
        self._cancelled = Event()
        self._child: subprocess.Popen[str] | None = None
        self._thread = Thread(target=self._run, daemon=True)
        if self.steps:
            atexit.register(self.close)
            self._thread.start()
        else:
            self._over.set()

    def __enter__(self) -> Warmup:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def over(self) -> bool:
        """Whether it has ended: ready, cancelled or failed."""
        return self._over.is_set()

    @property
    def ready(self) -> bool:
        """Whether everything is compiled and loaded here."""
        return self.over and not self.trouble and not self._cancelled.is_set()

    @property
    def compiling(self) -> bool:
        """Whether something had to be compiled; otherwise it is only loaded."""
        return self._child is not None

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over, at most for a time-out; return whether it is over."""
        return self._over.wait(timeout)

    def cancel(self) -> None:
        """Stop; what is finished is kept."""
        if not self.over:
            self._cancelled.set()
            if self._child is not None:
                self._child.terminate()

    def close(self) -> None:
        """Stop, and leave nothing running."""
        self.cancel()
        if self.steps:
            self._thread.join()
            atexit.unregister(self.close)

    # ── In the thread ────────────────────────────────────────────────────────────────────────

    def _run(self) -> None:
        try:
            missing = [step for step in self.steps if not stamp(step).exists()]
            if missing:
                self._compile(missing)
            if not self.trouble:
                self._load()
        except Exception as error:  # any error: people can play without compiled code
            self.trouble = f"{type(error).__name__}: {error}"
        finally:
            self._over.set()

    def _compile(self, missing: Sequence[str]) -> None:
        """Run the other process, and follow its progress."""
        environ = _finding(stamp(missing[0]).parent)
        atexit.unregister(self.close)
        atexit.register(self.close)  # before the removal of a temporary cache
        self._child = subprocess.Popen(
            [*self._program, self.module, *missing],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environ,
            start_new_session=True,  # Ctrl-C is meant for the person's own process
        )
        if self._cancelled.is_set():  # just now
            self._child.terminate()
        assert self._child.stdout is not None
        before, total = len(self.steps) - len(missing), len(self.steps)
        with self._child.stdout as said:
            for line in said:
                done, _, rest = line.strip().partition(" of ")
                self.progress = WarmupProgress(before + int(done), total, rest.partition(" ")[2])
        if status := self._child.wait():
            self.trouble = f"the compiler ended with status {status}"

    def _load(self) -> None:
        """Run every step in this process, too, which only loads what is compiled."""
        total = len(self.steps)
        self.progress = WarmupProgress(total, total, "loading")
        for name in self.steps:
            if self._cancelled.is_set():
                return
            steps_in(self.module)[name]()


def _finding(folder: Path) -> dict[str, str]:
    """Return an environment in which another process uses the same cache folder."""
    if folder == cache_folder(sources.RULES, sources.TACTICS):
        return {**os.environ}
    return {**os.environ, "XDG_CACHE_HOME": str(folder.parents[1])}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
