"""Attack a server of your own, and see what an honest player notices meanwhile.

    python -m bench.abuse                               # a server of its own, on this machine
    python -m bench.abuse replays chat --seconds 5      # some scenarios, shorter
    python -m bench.abuse --source ../old/src           # another version, for comparison
    python -m bench.abuse --url http://127.0.0.1:8123   # a server that runs already

Every scenario is a way in which somebody once slowed down or shut out others (docs/security.md).
Honest players, in a process of their own, make moves for some seconds alone and as long again under
attack; both are printed. It ends by itself. The attackers' addresses are claimed by
`X-Forwarded-For`: a server that runs already believes them if it was started with
`--proxy 127.0.0.1`; if not, all of them are one address, which its limits stop much earlier.

Attack nobody else's server: `--url` takes addresses of this machine only, unless `--mine` says that
the server is yours.
"""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import json
import os
import shlex
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

from bench.abuse_attacks import ATTACKS, Attack, Sizes
from bench.abuse_player import Report
from bench.abuse_visitor import PATIENCE, Visitor, address

ROOT: Final = Path(__file__).parents[1]
HERE: Final = "127.0.0.1"
SETTLED: Final = 1.0  # seconds for an attack to take effect before honest players are measured
SERVE: Final = f"{sys.executable} -m catinthebox serve --no-open --log json"


# ── Processes ────────────────────────────────────────────────────────────────────────────────


@asynccontextmanager
async def process(*words: str, source: Path | None = None) -> AsyncIterator[Process]:
    """Run a program for the block; its standard output is read here."""
    environment = {**os.environ, **({"PYTHONPATH": str(source)} if source else {})}
    started = await asyncio.create_subprocess_exec(
        *words, cwd=ROOT, env=environment, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.terminate()
        try:
            await asyncio.wait_for(started.communicate(), PATIENCE)
        except TimeoutError:
            started.kill()
            await started.communicate()


@asynccontextmanager
async def server(command: str, source: Path | None) -> AsyncIterator[str]:
    """Run a server with an empty store on a free port, and return its address."""
    with TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind((HERE, 0))
        port = probe.getsockname()[1]
        probe.close()
        options = f"--host {HERE} --port {port} --proxy {HERE} --db {shlex.quote(folder)}/games.db"
        words = shlex.split(f"{command} {options}")
        async with process(*words, source=source) as started:
            url = f"http://{HERE}:{port}"
            await _answering(started, url)
            yield url


async def _answering(started: Process, url: str) -> None:
    """Wait until a server answers; one that has ended never will."""
    visitor = Visitor(url, address(0))
    async with asyncio.timeout(PATIENCE):
        while (await visitor.get("/healthz")).status != 200:
            if started.returncode is not None:
                raise SystemExit(f"the server has ended with {started.returncode}")
            await asyncio.sleep(0.1)


class Players:
    """The process of the honest players."""

    def __init__(self, started: Process) -> None:
        self._process = started

    async def next_report(self) -> dict[str, object]:
        """Wait for the next line that they print."""
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise SystemExit("the honest players were shut out: their process has ended")
        found: dict[str, object] = json.loads(line)
        return found

    async def measure(self, seconds: float) -> Report:
        """Let them play for a while."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n".encode())
        return Report(**await self.next_report())  # type: ignore[arg-type]


# ── Scenarios ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Row:
    """One scenario: what was tried, its outcome, what honest players saw."""

    attack: type[Attack]
    tried: str
    outcome: str
    alone: Report
    meanwhile: Report


async def scenario(attack: type[Attack], url: str, sizes: Sizes, seconds: float) -> Row:
    """Measure honest players alone, then under attack."""
    words = (sys.executable, "-m", "bench.abuse_player", attack.kind, url)
    async with process(*words) as started, AsyncExitStack() as stack:
        players = Players(started)
        made = attack(url, str((await players.next_report())["table"]), sizes)
        await made.prepare(stack)
        alone = await players.measure(seconds)
        settling = min(SETTLED, seconds)
        attacking = asyncio.create_task(made.go_on(settling + seconds))
        await asyncio.sleep(settling)
        meanwhile = await players.measure(seconds)
        await attacking
        return Row(attack, made.tried, await made.outcome(), alone, meanwhile)


async def run(options: argparse.Namespace) -> list[Row]:
    """Do one scenario after the other, each against a fresh server unless one was given."""
    rows = []
    for attack in chosen(options.scenarios):
        async with AsyncExitStack() as stack:
            url: str = options.url or await stack.enter_async_context(
                server(options.server_command, options.source)
            )
            sizes = Sizes().tiny() if options.tiny else Sizes()
            rows.append(await scenario(attack, url, sizes, options.seconds))
            print_row(rows[-1])
    return rows


def chosen(names: Sequence[str]) -> list[type[Attack]]:
    """Return the attacks that were named; without names, all."""
    return [attack for attack in ATTACKS if not names or attack.name in names]


# ── The printed table ────────────────────────────────────────────────────────────────────────


def print_head() -> None:
    """Print what the columns are."""
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; times in ms\n")
    columns = f"{'p50':>8} {'p99':>8} {'max':>8}  moves of tries"
    print(f"{'scenario':14} {'measured':14} {'honest player':14} {columns}")


def print_row(row: Row) -> None:
    """Print a scenario: two lines of figures, what was tried, and its outcome."""
    measured = "a bot's move" if row.attack.kind == "bot" else "an own move"
    head = f"{row.attack.finding} {row.attack.name}"
    print(f"{head:14} {measured:14} {'alone':14} {figures(row.alone)}")
    print(f"{'':14} {'':14} {'meanwhile':14} {figures(row.meanwhile)}")
    print(f"  tried: {row.tried}\n  outcome: {row.outcome}\n", flush=True)


def figures(report: Report) -> str:
    """Write what honest players saw.

    >>> figures(Report(moves=9, tries=12, p50=2.04, p99=7.0, most=30.0))
    '     2.0      7.0     30.0      9 of 12'
    """
    times = " ".join(f"{one:8.1f}" for one in (report.p50, report.p99, report.most))
    return f"{times} {report.moves:6} of {report.tries}"


# ── Options ──────────────────────────────────────────────────────────────────────────────────


def is_loopback(url: str) -> bool:
    """Whether a server is on this machine, as far as its address says.

    >>> [is_loopback(f"http://{name}:8123") for name in ("127.0.0.1", "localhost", "a.example")]
    [True, True, False]
    """
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    names = [attack.name for attack in ATTACKS]
    add("scenarios", nargs="*", metavar="SCENARIO", help=f"of {', '.join(names)} (all)")
    add("--seconds", type=float, default=10.0, help="of each measurement (10)")
    add("--url", help="of a server that runs, instead of starting one")
    add(
        "--mine",
        action="store_true",
        help="the server at --url is mine, though not on this machine",
    )
    add("--source", type=Path, help="the src folder of another version to start")
    add("--server-command", default=SERVE, help=f"that starts a server ({SERVE})")
    add("--tiny", action="store_true", help="very small attacks, to try the bench itself")
    options = parser.parse_args(words)
    unknown = sorted({*options.scenarios} - {*names})
    if unknown:
        parser.error(f"no scenario {', '.join(unknown)}; there are {', '.join(names)}")
    if options.url and not (options.mine or is_loopback(options.url)):
        parser.error("--url: not on this machine; add --mine if the server is yours")
    return options


def main() -> None:
    """Attack and print."""
    options = parsed()
    print_head()
    asyncio.run(run(options))


if __name__ == "__main__":
    main()
