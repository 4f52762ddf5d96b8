"""The simulated store: a store like the others when all is well, and honest when it is not."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import suppress
from random import Random
from threading import RLock
from typing import Any

import pytest
from simulation.disk import Disk
from simulation.loop import SimLoop, WorldFailed
from simulation.store import Faults, SimStore
from store.conformance import Opener, Shared
from store.model import Model

from catinthebox.store import Busy, Conflict, Store, StoreClosed, Stored, StoreFailed, Work
from catinthebox.store.requests import StoreRequest

# ── As good as the others ────────────────────────────────────────────────────────────────────


class Prompt(SimStore):
    """A store whose world goes on by itself, so that threads and real loops can use it."""

    lock = RLock()

    def _put(self, request: StoreRequest) -> Any:
        with self.lock:
            future = super()._put(request)
            self.loop.elsewhere(self.loop.settle)
            return future

    def close(self) -> None:
        """End, and the world with it."""
        super().close()
        self.loop.close()


class TestSimStore(Shared):
    """The suite of all stores."""

    @pytest.fixture
    def disk(self) -> Disk:
        """What the stores of a test share."""
        return Disk()

    @pytest.fixture
    def opener(self, disk: Disk) -> Opener:
        """The store that is tested."""
        return lambda: Prompt(SimLoop(1), disk)

    @pytest.fixture
    def reader(self, disk: Disk) -> Opener:
        """The same, to be read."""
        return lambda: Prompt(SimLoop(2), disk, readonly=True)


EVENTS, KEYS, OWNERS = (b"", b"a", b"bc"), ("bot", "clock"), ("ada", "ben")


def asked(store: Store, chance: Random) -> Future[Any]:
    """Ask for something; the same chance asks the same of every store."""
    game, key, owner = chance.choice("abc"), chance.choice(KEYS), chance.choice(OWNERS)
    now, until, due = (chance.randrange(9) for _ in range(3))
    match chance.randrange(8):
        case 0:
            return store.plan(key, chance.choice((due, None)))
        case 1:
            return store.take(key, owner, until, now)
        case 2:
            return store.claim(owner, until, now, 1 + due % 3)
        case 3:
            again = chance.choice((due, None))
            return (
                store.renew(key, owner, until, now) if now % 2 else store.release(key, owner, again)
            )
        case 4:
            return store.enter(game, key, owner) if now % 3 else store.drop_lists(game)
        case _:
            expected = max(0, store.last(game) + chance.choice((0, 0, 0, 1, -1)))
            return store.append(game, expected, chance.choices(EVENTS, k=2), None, {key: due})


def shown(store: Store) -> list[object]:
    """Everything that a store shows."""
    logs, lists = [store.read(game) for game in "abc"], [store.entries(name) for name in "abc"]
    return [store.games(), logs, [store.due(n) for n in range(10)], lists]


def test_it_does_what_the_model_does() -> None:
    """One request after the other, the answers are those of the oracle."""
    for seed in range(30):
        model, chance = Model(), Random(seed)
        with SimLoop(seed) as loop, SimStore(loop, Disk()) as store:
            for _ in range(40):
                again = Random(chance.random())
                state = again.getstate()
                answer = asked(store, again)
                again.setstate(state)
                right = asked(model, again)
                assert repr(answer.exception()) == repr(right.exception())
                assert right.exception() or answer.result() == right.result()
            assert shown(store) == shown(model)


# ── Time ─────────────────────────────────────────────────────────────────────────────────────


def test_requests_share_a_commit() -> None:
    """What arrives while a commit is under way shares the next one."""
    with SimLoop(5) as loop, SimStore(loop, Disk(), Faults(commit=(10, 10))) as store:
        futures = [store.append("a", n, [b"x"]) for n in range(50)]
        assert [future.result() for future in futures] == list(range(1, 51))
        assert loop.time() < 0.012
        store.append("a", 50, [b"x"]).result()
        assert loop.time() == pytest.approx(0.02, abs=0.004)


def test_a_thread_may_wait_and_the_loop_may_not() -> None:
    """`result()` in a coroutine is a mistake; in a thread, the world goes on meanwhile."""

    async def main(store: SimStore) -> int:
        future = store.append("a", 0, [b"x"])
        with pytest.raises(WorldFailed, match="block the event loop"):
            future.result()
        return await asyncio.to_thread(lambda: store.append("a", 1, [b"y"]).result())

    with SimLoop(5) as loop, SimStore(loop, Disk()) as store:
        assert loop.run(main(store)) == 2


def test_what_nobody_waits_for_may_not_be_written() -> None:
    """A request that is cancelled while it waits has no effect."""
    with SimLoop(5) as loop, SimStore(loop, Disk()) as store:
        future = store.append("a", 0, [b"x"])
        assert future.cancel()
        assert store.append("a", 0, [b"y"]).result() == 1


# ── Being told ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("late", [0.0, 0.3])
def test_every_store_is_notified_of_every_append(late: float) -> None:
    """Numbers of a game only grow, are never ahead of the disk, and come to the last one."""
    for seed in range(40):
        with SimLoop(seed) as loop:
            disk = Disk()
            stores = [SimStore(loop, disk, Faults(lanes=2, late=late)) for _ in range(3)]
            listeners = [Listener(store) for store in stores]
            for n in range(30):
                loop.chance(f"{n}").choice(stores).append("ab"[n % 2], n // 2, [b"x"]).result()
            loop.settle()
            for listener in listeners:
                assert listener.early == 0
                assert all(seqs == sorted(set(seqs)) for seqs in listener.received.values())
                assert [listener.received[game][-1] for game in "ab"] == [15, 15]


class Listener:
    """A subscriber of a store, called from one of its threads."""

    def __init__(self, store: SimStore) -> None:
        self._disk = store.disk
        self.received: dict[str, list[int]] = defaultdict(list)
        self.early = 0
        store.subscribe(self.receive)

    def receive(self, game: str, seq: int) -> None:
        """Take note of it, and of what should not be."""
        self.received[game].append(seq)
        self.early += self._disk.last(game) < seq or asyncio._get_running_loop() is not None


# ── Faults ───────────────────────────────────────────────────────────────────────────────────


class Player:
    """Somebody who appends to a game, and remembers what the store said."""

    def __init__(self, store: SimStore, game: str) -> None:
        self._store = store
        self.game = game
        self.acknowledged: dict[int, bytes] = {}
        self.refused: list[bytes] = []  # certainly not there
        self.unknown: list[bytes] = []

    async def play(self, name: str) -> None:
        """Append one event after the other, for ever, several of them at once."""
        n = 0
        while True:
            events = [f"{name}/{n + k}".encode() for k in range(3)]
            n += 3
            await asyncio.gather(*(self._append(k, event) for k, event in enumerate(events)))

    async def _append(self, ahead: int, event: bytes) -> None:
        self.unknown.append(event)
        try:
            last = self._store.last(self.game)
            seq = await asyncio.wrap_future(self._store.append(self.game, last + ahead, [event]))
            self.acknowledged[seq] = event
        except StoreFailed as error:
            if not error.settled:
                return
            self.refused.append(event)
        except (Busy, Conflict):
            self.refused.append(event)
        finally:
            await asyncio.sleep(0.005)
        self.unknown.remove(event)


def check(disk: Disk, players: Iterable[Player]) -> None:
    """What was acknowledged is there under its number, what was refused is not, none is twice."""
    for player in players:
        log = disk.logs.get(player.game, [])
        assert len(set(log)) == len(log)
        for seq, event in player.acknowledged.items():
            assert log[seq - 1] == event
        assert not set(log) & set(player.refused)


def crashing(seed: int) -> tuple[int, int, int]:
    """Let two workers play on one disk through crashes; count what became of the events."""
    with SimLoop(seed) as loop:
        disk, chance, players = Disk(), loop.chance("world"), list[Player]()
        faults = Faults.drawn(chance)

        async def main() -> None:
            for life in range(2):
                processes = [loop.process(name) for name in "xy"]
                for process in processes:
                    store = process.call(SimStore, loop, disk, faults)
                    for game in "ab":
                        players.append(Player(store, game))
                        process.start(players[-1].play(f"{process.name}{life}"))
                for process in processes:
                    await asyncio.sleep(chance.uniform(0.0, 0.03))
                    process.kill()
                    check(disk, players)

        loop.run(main())
        there = {event for log in disk.logs.values() for event in log}
        unknown = [event for player in players for event in player.unknown]
        torn = sum(event in there for event in unknown)
        return sum(len(player.acknowledged) for player in players), torn, len(unknown) - torn


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_what_is_acknowledged_survives_every_crash(part: int) -> None:
    """800 worlds: acknowledged is there, refused is not, and of the rest some is, some is not."""
    sums = [crashing(seed) for seed in range(part * 200, part * 200 + 200)]
    kept, torn, lost = (sum(column) for column in zip(*sums, strict=True))
    assert kept > 400
    assert torn > 200
    assert lost > 200


@pytest.mark.parametrize(("keep", "there"), [(0.0, 0), (1.0, 9)])
def test_a_crash_keeps_all_or_nothing_if_configured(keep: float, there: int) -> None:
    """The worst and the luckiest crash; nobody gets an answer, and a new store opens."""
    with SimLoop(1) as loop:
        disk = Disk()
        store = SimStore(loop, disk)
        futures = [store.append("a", n, [b"x"]) for n in range(9)]
        store.crash(keep)
        loop.settle()
        assert not any(future.done() for future in futures)
        for act in (lambda: store.last("a"), lambda: store.plan("k", 1)):
            with pytest.raises(StoreClosed):
                act()
        assert SimStore(loop, disk).last("a") == there
        with pytest.raises(WorldFailed, match="somebody still waits"):
            futures[0].result()


def test_a_torn_crash_leaves_no_gaps() -> None:
    """Of a chain of appends, a beginning is there."""
    ends = set()
    for seed in range(300):
        with SimLoop(seed) as loop:
            store = SimStore(loop, Disk())
            for n in range(5):
                store.append("a", n, [b"%d" % n])
            store.crash(0.8)
            log = store.disk.read("a")
            assert log == [Stored(n + 1, b"%d" % n) for n in range(len(log))]
            ends.add(len(log))
    assert ends == set(range(6))


def test_each_fault_can_be_had_alone() -> None:
    """Busy, settled, unsettled (there or not), unread."""
    with SimLoop(1) as loop:
        with pytest.raises(Busy):
            SimStore(loop, Disk(), Faults(busy=1.0)).plan("k", 1)
        full = SimStore(loop, Disk(), Faults(room=2))
        with pytest.raises(Busy, match="2 requests wait"):
            [full.plan("k", 1) for _ in range(3)]
        with pytest.raises(StoreFailed):
            SimStore(loop, Disk(), Faults(unread=1.0)).last("a")
        settled = SimStore(loop, Disk(), Faults(settled=1.0))
        error = settled.append("a", 0, [b"x"], None, {"k": 1}).exception()
        assert isinstance(error, StoreFailed)
        assert error.settled
        assert (settled.last("a"), settled.due()) == (0, [])


def unsettled(seed: int, faults: Faults) -> tuple[int, int]:
    """How long a log is when an append has failed so, and how long it is in the end."""
    with SimLoop(seed) as loop:
        store = SimStore(loop, Disk(), faults)
        error = store.append("a", 0, [b"x", b"y"], None, {"k": 1}).exception()
        assert isinstance(error, StoreFailed)
        assert not error.settled
        before = store.last("a")
        loop.settle()
        assert store.due() == ([Work("k", 1)] if store.last("a") else [])
        return before, store.last("a")


def test_an_unsettled_append_is_there_or_not_or_will_be() -> None:
    """Whole or not at all, with its plans; a ghost comes late, as another writer's would."""
    plain, ghosts = Faults(unsettled=1.0), Faults(unsettled=1.0, ghosts=1.0)
    assert {unsettled(seed, plain) for seed in range(50)} == {(0, 0), (2, 2)}
    assert {unsettled(seed, ghosts) for seed in range(50)} == {(0, 2), (2, 2)}


def test_a_later_commit_drives_a_ghost_away() -> None:
    """What was not written when its writer wrote something else never will be."""
    for seed in range(50):
        with SimLoop(seed) as loop:
            store = SimStore(loop, Disk(), Faults(unsettled=0.5, ghosts=1.0))
            with suppress(StoreFailed):
                store.append("a", 0, [b"x"]).result()
                continue
            before = store.last("a")
            while store.plan("k", 1).exception():
                pass
            loop.settle()
            store.crash(1.0)
            assert store.disk.last("a") == before
