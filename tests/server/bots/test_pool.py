"""Bots think in processes of their own, and whatever happens to those, tables go on."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import cast

import pytest
from simulation.loop import SimLoop
from waiting import HANG, completed, line_of
from waiting import soon as until

from catinthebox import Action, NotUnderstood, Round
from catinthebox.players import LEVELS, Budget, engine, player
from catinthebox.players.modest import Modest
from catinthebox.players.player import GivenSeed
from catinthebox.server.bots import child, process
from catinthebox.server.bots.child import Child, ChildSlot, PendingMove
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.bots.offered import ACCEPTED, checked_bot
from catinthebox.server.bots.pool import (
    BUSY_MS,
    MIN_S,
    BotPool,
    _budget_ms,
    _earliest_answer,
    epoch_ms,
)
from catinthebox.table import BotTurn
from catinthebox.views import View

pytestmark = pytest.mark.timing

# ── Moves to be made, and children that misbehave ────────────────────────────────────────────


def seat_to_act(round: Round) -> int:
    """The lowest seat that may do something."""
    return next(seat for seat in range(round.players) if round.legal_for(seat))


def turns(
    players: int = 4, level: str = "gentle", seed: int = 3, *, forced: bool = False
) -> Iterator[BotTurn]:
    """The decisions of a round among modest players in which there is something to choose.

    `forced`: the others, too.
    """
    round, rng = Round.shuffled(players, Random(seed)), Random(seed)
    while not round.over:
        seat = seat_to_act(round)
        view = View.of(round, seat)
        if forced or len(view.legal) > 1:
            yield BotTurn(seat, level, view, len(round.actions), None)
        round = round.play(Modest().choose(view, Budget(), rng), seat)


def one(level: str = "gentle", deadline: int | None = None) -> BotTurn:
    """A decision in the middle of a round."""
    view = [turn.view for turn in turns()][12]
    assert view.seat is not None
    return BotTurn(view.seat, level, view, 12, deadline)


def modest(turn: BotTurn, seed: int) -> Action:
    """What the server itself answers if no child does."""
    return Modest().choose(turn.view, Budget(), Random(seed))


def unlike_modest(turn: BotTurn, seed: int) -> Action:
    """A legal action that the server itself would not take."""
    return next(action for action in sorted(turn.view.legal) if action != modest(turn, seed))


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled yet on this machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


FAKE = """
import sys, time
from catinthebox.server.bots.process import LENGTH_SIZE, framed

how, log = sys.argv[2], open(sys.argv[1], "a")
print(how, file=log, flush=True)

def say(text):
    sys.stdout.buffer.write(framed(text.encode()))
    sys.stdout.flush()

def asked():
    return sys.stdin.buffer.read(int.from_bytes(sys.stdin.buffer.read(LENGTH_SIZE)))
"""


@pytest.fixture
def children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Let all children run a script instead; the file that is given says how each was started."""

    def behave(script: str) -> Path:
        log = tmp_path / "log"
        program = (sys.executable, "-c", FAKE + dedent(script), str(log))
        monkeypatch.setattr(child, "PROGRAM", program)
        monkeypatch.setattr(child, "EXIT_S", 0.1)  # none of them notices the end by itself
        return log

    return behave


def with_bots(
    meet: Callable[[BotPool], Awaitable[None]],
    processes: int = 1,
    timeout_ms: int = 10_000,
    max_waiting: int = 1_000,
) -> None:
    """Start bots, do something with them, and see to it that nobody is left behind."""

    async def whole() -> None:
        crew = BotPool(processes, max_waiting=max_waiting, timeout_ms=timeout_ms)
        await crew.start()
        try:
            await meet(crew)
        finally:
            pids = crew.pids
            await crew.close()
        assert not crew.pids
        assert not any(map(alive, pids))

    asyncio.run(whole())


def alive(pid: int) -> bool:
    """Whether a process runs (one that only waits to be noticed does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def warmed_up(crew: BotPool) -> int:
    """Wait until the only child is compiled, and the one that stood in is gone; return its pid."""
    await until(lambda: crew.warm and len(crew.pids) == 1)
    return crew.pids[0]


# ── Who may play ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "level",
    [
        *LEVELS,
        *("random", "follow", "modest", "careful", "careful:slips=0.2", "search", "ismcts"),
        *("search:rollouts=2000", "search:ms=200,beliefs=no", "ismcts:iterations=2000,ms=0.5"),
    ],
)
def test_levels_and_bounded_players_are_accepted(level: str) -> None:
    """A level is given back as it was written."""
    assert checked_bot(level) == level


@pytest.mark.parametrize(
    ("level", "why"),
    [
        ("", "no bot ''"),
        ("genius", "no bot genius"),
        ("external:rm", "no bot external"),
        ("net:file=/etc/passwd", "no bot net"),
        ("external:python3 -c 'while True: pass'", "no bot external"),
        ("sharp:rollouts=9", "sharp is a level and takes no parameters"),
        ("search:rollouts=2001", "rollouts=2001 is too much"),
        ("search:rollouts=9000,ms=1000", "rollouts=9000, ms=1000.0 is too much"),
        ("search:ms=200.5", "ms=200.5 is too much"),
        ("search:ms=inf", "ms=inf"),
        ("search:ms=nan", "ms=nan"),
        ("search:rollouts=0", "rollouts=0"),
        ("search:rollouts=many", "rollouts=many should be a whole number"),
        ("search:depth=3", "search has no parameter depth=3"),
        ("ismcts:iterations=5000", "iterations=5000 is too much"),
        ("careful:slips=2", "slips is a share from 0 to 1"),
        ("search:policy=auto," + "explore=1" * 20, "is not a level: 1 to 64 of"),
    ],
)
def test_anything_else_is_refused_with_a_reason_and_what_is_accepted(level: str, why: str) -> None:
    """No stranger runs programs here, or takes more than a moment of a core."""
    with pytest.raises(NotUnderstood) as caught:
        checked_bot(level)
    assert caught.value.code == "input.level"
    assert why in caught.value.message
    assert caught.value.message.endswith(ACCEPTED)


@pytest.mark.process
def test_an_old_table_cannot_run_programs_either(tmp_path: Path) -> None:
    """Whatever a log says, an accepted level plays."""
    turn = one(f"external:touch {tmp_path}/touched")

    async def meet(crew: BotPool) -> None:
        assert await crew.choose(turn, 5) == player("steady").choose(turn.view, Budget(), Random(5))

    with_bots(meet, processes=0)
    assert not [*tmp_path.iterdir()]


# ── Cold ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
@pytest.mark.usefixtures("cold")
def test_bots_answer_while_everything_is_still_to_be_compiled() -> None:
    """Somebody stands in from the first moment; the search is real, and small."""

    async def meet(crew: BotPool) -> None:
        assert not crew.pids
        for turn in [*turns(level="sharp")][::6]:
            assert await crew.choose(turn, 1) in turn.view.legal
        assert not crew.warm
        assert len(crew.pids) == 2

    with_bots(meet)


@pytest.mark.process
def test_the_server_itself_never_imports_the_compiler() -> None:
    """Neither for its children nor for what it answers without them."""
    code = """
        import asyncio, sys
        from catinthebox.server.bots.pool import BotPool
        from catinthebox.table import BotTurn
        from catinthebox.views import Dealt, View

        async def moves():
            crew = BotPool()
            turn = BotTurn(0, "sharp", View(Dealt(3, 0, "1223345566")), 1, None)
            await crew.choose(turn)
            await crew.start()
            while not crew.warm:
                await crew.choose(turn)
            await crew.choose(turn)
            await crew.close()

        asyncio.run(moves())
        assert not {"numba", "numpy"} & set(sys.modules)
    """
    completed([sys.executable, "-c", dedent(code)])


@pytest.mark.process
def test_a_child_imports_nothing_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody's numpy.py there is not run; what is on PYTHONPATH still is."""
    for name in ("numpy", "numba", "pickle"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(f'{__file__} was imported')")
    monkeypatch.chdir(tmp_path)
    turn = one("sharp")

    async def meet() -> None:
        one_child = await child.start_child(process.INTERPRETED, lambda: None)
        try:
            assert await one_child.read() == process.READY
            asked = process.question("sharp", turn.view, 1)
            assert (await one_child.ask(asked)).startswith(process.ACTION)
        finally:
            await one_child.stop(at_once=False)

    asyncio.run(meet())


# ── Warm ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
def test_a_child_chooses_what_the_player_would_choose_here() -> None:
    """The same view, chance and rollouts: the same action, compiled or not, there or here."""

    async def meet(crew: BotPool) -> None:
        await warmed_up(crew)
        for level in (
            *("gentle", "steady", "sharp", "uncanny"),
            *("ismcts:iterations=50", "search:rollouts=300"),
        ):
            for turn in [*turns(players=3, level=level)][::4]:
                here = player(level).choose(turn.view, Budget(), Random(9))
                assert await crew.choose(turn, seed=9) == here
        assert crew.waiting == 0

    with_bots(meet)


@pytest.mark.process
@pytest.mark.parametrize("processes", [0, 1])
def test_an_exact_decision_is_the_same_everywhere(processes: int) -> None:
    """With the level's whole budget, and the seed itself: compiled or not, under load or not."""
    levels = ("gentle", "steady", *(("sharp",) if processes else ()))
    some = [turn for level in levels for turn in [*turns(players=3, level=level)][::7]]

    async def meet(crew: BotPool) -> None:
        await until(lambda: bool(crew.pids))
        if processes:
            await warmed_up(crew)
        load = [asyncio.create_task(crew.choose(one("sharp"), seed)) for seed in range(20)]
        for turn in some:
            here = player(turn.level).choose(turn.view, Budget(), GivenSeed(2**61 + 5))
            place = Place(watched=False)
            assert await crew.decide(turn.level, turn.view, 2**61 + 5, place) == here
        await asyncio.gather(*load)

    with_bots(meet, processes)


def test_an_exact_decision_is_made_by_nobody_else() -> None:
    """Where no child is there, or too many moves wait, there is no answer."""

    async def meet() -> None:
        turn, place = one("sharp"), Place(watched=False)
        assert await BotPool().decide(turn.level, turn.view, 1, place) is None

    asyncio.run(meet())


FAITHFUL = """
import pickle
say("ready")
while question := asked():
    _, view, seed, *_ = pickle.loads(question)
    print(seed, file=log, flush=True)
    say(f"action {min(view.legal)}")
"""


def dispatched(children: Callable[[str], Path], places: list[Place]) -> list[int]:
    """Ask for a move at each place, all at once; return their numbers as the child got them."""
    log = children(FAITHFUL)

    async def meet(crew: BotPool) -> None:
        await until(lambda: crew._fallback.ready)
        asking = [
            asyncio.create_task(crew.choose(one(), number, place))
            for number, place in enumerate(places)
        ]
        await asyncio.sleep(0)
        assert crew.waiting == len(places)
        await asyncio.gather(*asking)
        assert crew.waiting == 0

    with_bots(meet, processes=0)
    return [int(word) for word in log.read_text().split() if word.isdecimal()]


@pytest.mark.process
def test_moves_are_made_in_the_order_they_were_asked_for(children: Callable[[str], Path]) -> None:
    """First come, first served, if one table asks for all of them."""
    assert dispatched(children, [Place()] * 20) == [*range(20)]


@pytest.mark.process
def test_a_flood_of_tables_does_not_keep_others_waiting(children: Callable[[str], Path]) -> None:
    """Thirty tables of two addresses, with and without people, and then somebody else's table."""
    flood = [Place(f"flood {n % 2}", f"table {n}", watched=n % 3 > 0) for n in range(30)]
    order = dispatched(children, [*flood, Place("honest", "mine")])
    assert order.index(30) == 2
    assert sorted(order) == [*range(31)]


@pytest.mark.process
def test_a_forced_move_takes_the_same_way(children: Callable[[str], Path]) -> None:
    """Anyone who watches the clock does not learn that the hand left no choice."""
    log = children(FAITHFUL)
    forced = next(turn for turn in turns(players=3, forced=True) if len(turn.view.legal) == 1)

    async def meet(crew: BotPool) -> None:
        await until(lambda: crew._fallback.ready)
        assert await crew.choose(forced, 77) == min(forced.view.legal)

    with_bots(meet, processes=0)
    assert log.read_text().split() == ["interpreted", "77"]


class QuickChild:
    """A child that takes its time by the clock of a simulated world."""

    alive = True

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def ask(self, asked: bytes) -> str:
        """Think."""
        await asyncio.sleep(self._seconds)
        return f"action {min(one().view.legal)}"


def answered_after(seconds: float) -> float:
    """When a move is answered, in milliseconds, if a child thinks so long and another one waits."""

    async def story() -> float:
        loop, crew = asyncio.get_running_loop(), BotPool()
        moves = [PendingMove(one(), 7, None, loop.create_future()) for _ in range(2)]
        for move in moves:
            crew._queue.put(move, move.place)
        slot = ChildSlot(fallback=False, child=cast("Child", QuickChild(seconds)), ready=True)
        working = asyncio.create_task(crew._serve(slot))
        assert await moves[0].answer in one().view.legal
        working.cancel()
        return round(loop.time() * 1000)

    with SimLoop(1, jitter=False) as loop:
        return loop.run(story())


@pytest.mark.process
def test_under_load_an_answer_does_not_reveal_how_long_a_bot_has_thought() -> None:
    """It comes when the time that the move had is over."""
    assert [answered_after(seconds) for seconds in (0.0, 0.001, 0.15)] == [200, 200, 200]


@pytest.mark.process
def test_whole_rounds_of_all_sizes_and_levels_at_once() -> None:
    """Every answer is legal, from the first moment on; in the end two children work."""

    async def table(crew: BotPool, players: int) -> None:
        round = Round.shuffled(players, Random(players))
        levels = ["uncanny", "steady", "sharp", "search:ms=5", "ismcts:iterations=50"]
        while not round.over:
            seat = seat_to_act(round)
            turn = BotTurn(seat, levels[seat], View.of(round, seat), 0, epoch_ms() + 5000)
            round = round.play(await crew.choose(turn), seat)

    async def meet(crew: BotPool) -> None:
        await asyncio.gather(*(table(crew, players) for players in range(2, 6)))
        await until(lambda: crew.warm)
        assert len(crew.pids) == 2

    with_bots(meet, processes=2)


@pytest.mark.process
def test_a_child_killed_in_the_middle_of_a_thought_is_replaced(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its move is made by another one; the log says nothing about cards."""
    turn = one("search:ms=200")

    async def meet(crew: BotPool) -> None:
        first = await warmed_up(crew)
        thought = asyncio.create_task(crew.choose(turn))
        await asyncio.sleep(0.05)
        os.kill(first, signal.SIGKILL)
        assert await thought in turn.view.legal
        await until(lambda: first not in crew.pids)
        second = await warmed_up(crew)
        os.kill(second, signal.SIGKILL)  # nobody asks; it is noticed all the same
        await until(lambda: len(said()) == 2)
        assert second not in crew.pids

    def said() -> list[str]:
        notes = [note for note in caplog.records if note.name == "catinthebox.bots"]
        assert {getattr(note, "event", "") for note in notes} <= {"bots_lost"}
        return [note.getMessage() for note in notes]

    with caplog.at_level(logging.DEBUG, logger="catinthebox.bots"):
        with_bots(meet)
    assert said() == 2 * ["a process of the bot pool is replaced: it ended"]


@pytest.mark.process
def test_a_child_that_hangs_is_replaced() -> None:
    """It is waited for, but not for ever."""
    turn = one()

    async def meet(crew: BotPool) -> None:
        first = await warmed_up(crew)
        os.kill(first, signal.SIGSTOP)
        begin = time.monotonic()
        assert await crew.choose(turn, 1) == modest(turn, 1)
        assert time.monotonic() - begin > 0.5
        await until(lambda: first not in crew.pids)

    with_bots(meet, timeout_ms=600)


@pytest.mark.process
@pytest.mark.usefixtures("cold")
def test_children_end_with_the_server_also_while_they_compile() -> None:
    """Even if it is killed and can tell nobody."""
    code = """
        import asyncio
        from catinthebox.server.bots.pool import BotPool

        async def serve():
            crew = BotPool()
            await crew.start()
            while len(crew.pids) < 2 or not crew._fallback.ready:
                await asyncio.sleep(0.01)
            await asyncio.sleep(1)
            print(*crew.pids, flush=True)
            await asyncio.sleep(600)

        asyncio.run(serve())
    """
    command = [sys.executable, "-c", dedent(code)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        pids = [int(word) for word in line_of(server).split()]
        assert len(pids) == 2
        assert all(map(alive, pids))
        server.kill()
    asyncio.run(until(lambda: not any(map(alive, pids))))


# ── Time ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
def test_a_bot_keeps_to_the_clock(children: Callable[[str], Path]) -> None:
    """If no child answers before the deadline, the server does; one that passed gets a moment."""
    children("say('ready'); time.sleep(600)")

    async def meet(crew: BotPool) -> None:
        for left in (600, -5000):
            turn = one(deadline=epoch_ms() + left)
            assert await crew.choose(turn, 1) == modest(turn, 1)
        assert crew.waiting == 0

    with_bots(meet, timeout_ms=int(HANG * 1000))  # so it is the deadline that ends the wait


@pytest.mark.process
def test_a_move_that_nobody_waits_for_is_not_thought_about(
    children: Callable[[str], Path], tmp_path: Path
) -> None:
    """It was answered in another way before a child could look at it."""
    turn = one()
    wanted = unlike_modest(turn, 1)
    gate = tmp_path / "gate"
    log = children(f"""
        import os
        while not os.path.exists({str(gate)!r}):
            time.sleep(0.01)
        say("ready")
        while asked():
            print("asked", file=log, flush=True)
            say("action {wanted}")
    """)

    async def meet(crew: BotPool) -> None:
        late = one(deadline=epoch_ms() - 1000)
        assert await crew.choose(late, 1) == modest(late, 1)
        gate.touch()
        assert await crew.choose(turn, 1) == wanted
        assert log.read_text().split().count("asked") == 1

    with_bots(meet)


def test_how_long_a_bot_may_think() -> None:
    """Half of what is left on the clock; less if others wait; else as its level says."""

    async def meet() -> None:
        loop = asyncio.get_running_loop()
        crew = BotPool(now=lambda: 1_000_000)
        assert crew._seconds_left(one(deadline=1_000_300)) == 0.3
        assert crew._seconds_left(one(deadline=1_900_000)) == 20
        assert crew._seconds_left(one(deadline=999_000)) == 0.25
        assert crew._seconds_left(one()) is None
        hurried = PendingMove(one("sharp"), 7, loop.time() + 0.3, loop.create_future())
        level, view, seed, ms, exact = pickle.loads(crew._question(hurried, 0.0))
        assert (level, view, seed, exact) == ("sharp", one().view, 7, False)
        assert ms == pytest.approx(150)
        calm = PendingMove(one(), 7, None, loop.create_future())
        assert crew._share_ms(calm) == 0
        assert _budget_ms(calm, 0.0) is None
        for waiting, slot in ((4, 50), (1000, 10)):
            while len(crew._queue) < waiting:
                crew._queue.put(calm, Place(f"owner {len(crew._queue)}"))
            assert crew._share_ms(calm) == _budget_ms(calm, slot) == slot
        assert 10 <= (_budget_ms(hurried, 200) or 0) <= 150

    with SimLoop(1, jitter=False) as world:
        world.run(meet())


def test_an_answer_is_never_held_back_beyond_its_deadline() -> None:
    """Nor longer than under load, however many processes there are."""
    with SimLoop(1, jitter=False) as world:
        future = world.create_future()
    for slot in (10.0, 200.0, 400.0, 3200.0):
        late = PendingMove(one(), 7, 100.0 + MIN_S, future)
        calm = PendingMove(one(), 7, None, future)
        assert _earliest_answer(100.0, slot, late) < 100.0 + MIN_S
        assert 100.0 < _earliest_answer(100.0, slot, calm) <= 100.0 + BUSY_MS / 1000


# ── Trouble ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
def test_another_child_makes_the_move_of_one_that_failed(children: Callable[[str], Path]) -> None:
    """The one that stands in is there long before the other one's successor."""
    turn = one()
    wanted = unlike_modest(turn, 1)
    log = children(f"""
        if how == "compiled" and open(sys.argv[1]).read().count("compiled") > 1:
            time.sleep(600)
        say("ready")
        while asked():
            if how == "compiled":
                sys.exit(3)
            say("action {wanted}")
    """)

    async def meet(crew: BotPool) -> None:
        await warmed_up(crew)
        assert await crew.choose(turn, 1) == wanted
        assert sorted(log.read_text().split()).count("interpreted") == 2

    with_bots(meet)


@pytest.mark.process
def test_a_move_is_asked_again_once(children: Callable[[str], Path]) -> None:
    """Then the server answers itself, and those who come later are not harmed."""
    log = children("say('ready'); asked(); sys.exit(3)")
    turn = one()

    async def meet(crew: BotPool) -> None:
        await until(lambda: crew.warm)
        assert await crew.choose(turn, 1) == modest(turn, 1)
        assert len(log.read_text().splitlines()) >= 2
        assert crew.waiting == 0

    with_bots(meet)


@pytest.mark.process
@pytest.mark.parametrize(
    "script",
    [
        "sys.exit(1)",
        "say('moin'); time.sleep(600)",
        "sys.stdout.write('x' * 1000000); sys.stdout.flush(); time.sleep(600)",
    ],
)
def test_without_any_child_the_server_answers_at_once(
    children: Callable[[str], Path], script: str
) -> None:
    """Children that cannot even begin are tried again and again, ever more rarely."""
    log = children(script)
    turn = one()

    async def meet(crew: BotPool) -> None:
        assert await crew.choose(turn, 1) == modest(turn, 1)
        await until(lambda: crew._unavailable)
        assert await crew.choose(turn, 1) == modest(turn, 1)
        assert len(log.read_text().splitlines()) < 20

    with_bots(meet)


@pytest.mark.process
def test_a_program_that_does_not_exist_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full process table looks like this, too."""
    monkeypatch.setattr(child, "PROGRAM", ("/nowhere/python",))
    turn = one()

    async def meet(crew: BotPool) -> None:
        assert await crew.choose(turn, 1) == modest(turn, 1)

    with_bots(meet)


@pytest.mark.process
@pytest.mark.parametrize(
    "said", ["action 9r", "action nonsense", "action -1", "error ValueError", "", "♥ " * 9]
)
def test_only_legal_answers_count(
    children: Callable[[str], Path], said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A bot that errs is not asked again: it would err again."""
    log = children(f"say('ready')\nwhile asked(): say({said!r})")
    turn = one()

    async def meet(crew: BotPool) -> None:
        await warmed_up(crew)
        assert Action("9r") not in turn.view.legal
        assert await crew.choose(turn, 1) == modest(turn, 1)
        assert await crew.choose(turn, 2) == modest(turn, 2)
        assert len(log.read_text().splitlines()) == 2
        notes = [note for note in caplog.records if note.name == "catinthebox.bots"]
        assert [getattr(note, "event", "") for note in notes] == 2 * ["bot_failed"]

    with_bots(meet)


@pytest.mark.process
def test_a_child_that_has_compiled_begins_again(children: Callable[[str], Path]) -> None:
    """The one that only loads what is compiled takes half the memory."""
    turn = one()
    wanted = unlike_modest(turn, 1)
    script = (
        "say('restart' if how == 'compiled' else 'ready Oops')\nwhile asked(): say('action %s')"
    )
    log = children(script % wanted)

    async def meet(crew: BotPool) -> None:
        await warmed_up(crew)
        assert await crew.choose(turn, 1) == wanted
        assert sorted(log.read_text().split()) == ["compiled", "interpreted", "loaded"]

    with_bots(meet)


@pytest.mark.process
def test_there_is_an_end_to_waiting(children: Callable[[str], Path]) -> None:
    """Beyond some moves a modest player answers at once; at the end, it answers all of them."""
    children("time.sleep(600)")
    turn = one()

    async def meet(crew: BotPool) -> None:
        patient = [asyncio.create_task(crew.choose(turn, seed)) for seed in range(3)]
        await asyncio.sleep(0)
        assert crew.waiting == 3
        assert await crew.choose(turn, 7) == modest(turn, 7)
        assert crew.waiting == 3
        patient[0].cancel()
        with suppress(asyncio.CancelledError):
            await patient[0]
        assert crew.waiting == 2
        await crew.close()
        assert await patient[1] == modest(turn, 1)
        assert await patient[2] == modest(turn, 2)
        assert crew.waiting == 0
        assert await crew.choose(turn, 8) == modest(turn, 8)

    with_bots(meet, max_waiting=3)


def test_the_only_legal_action_needs_no_thought() -> None:
    """Not even a child."""
    turn = next(
        BotTurn(seat, "sharp", view, 0, None)
        for seed in range(9)
        for seat, view in last_views(seed)
        if len(view.legal) == 1
    )
    assert asyncio.run(BotPool().choose(turn)) in turn.view.legal


def last_views(seed: int) -> Iterator[tuple[int, View]]:
    """What the seats to act see in a round among modest players."""
    round, rng = Round.shuffled(3, Random(seed)), Random(seed)
    while not round.over:
        seat = seat_to_act(round)
        view = View.of(round, seat)
        yield seat, view
        round = round.play(Modest().choose(view, Budget(), rng), seat)


# ── In the child ─────────────────────────────────────────────────────────────────────────────


def test_a_process_says_whether_it_has_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work was compiling; a compiler that fails is as good as none."""
    interpreted: list[bool] = []
    monkeypatch.setattr(engine, "compiled", lambda: not interpreted)
    monkeypatch.setattr(engine, "interpret", lambda: interpreted.append(True))
    monkeypatch.setattr(process, "needed", lambda *players: ["step"])
    monkeypatch.setattr(process, "STEPS", {"step": lambda: None})
    assert process.warm_up("compiled") == "ready"
    monkeypatch.setattr(process, "COMPILED_S", -1.0)
    assert process.warm_up("compiled") == "restart"
    assert process.warm_up("loaded") == "ready"
    monkeypatch.setattr(process, "STEPS", {"step": lambda: next(iter(()))})
    assert process.warm_up("loaded") == "ready StopIteration"
    assert interpreted
    assert process.warm_up("compiled") == "ready"


def test_a_question_holds_what_the_seat_may_know_and_nothing_else() -> None:
    """Another deal that looks the same to the seat gives the same question."""
    view = [turn.view for turn in turns()][12]
    assert view.seat is not None
    other = View.of(view.sample(5), view.seat)
    asked = [process.question("sharp", pickle.loads(pickle.dumps(v)), 7) for v in (view, other)]
    assert asked[0] == asked[1]
    assert pickle.loads(asked[0]) == ("sharp", view, 7, None, False)
