"""Any sequence of requests, one by one or many at once, comes out as the model says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)
from store.model import Model
from waiting import HANG

from catinthebox.store import About, Conflict, NotStorable, Store, Stored, StoreError, open_store
from catinthebox.store.protocol import FAR

GAMES, KEYS, OWNERS = ("a", "b"), ("bot", "clock", "hint"), ("ada", "ben")
games, keys, owners = st.sampled_from(GAMES), st.sampled_from(KEYS), st.sampled_from(OWNERS)
times = st.integers(0, 6) | st.integers(FAR + 2, FAR + 5)  # a clock that is ahead, too
events = st.lists(st.binary(max_size=4), min_size=1, max_size=3)
abouts = st.none() | st.builds(
    About,
    st.sampled_from(["open", "over"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=3),
)
plans = st.dictionaries(keys, st.none() | times, max_size=2)
QUICK = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)


def notified(future: Future[int] | Future[bool] | Future[None] | Future[list[str]]) -> object:
    """The answer of a future, or its error in a form that can be compared."""
    try:
        return future.result(HANG)
    except Conflict as error:
        return repr(error)
    except StoreError as error:
        return type(error)


Ask = Callable[[Store], Future[int] | Future[bool] | Future[None] | Future[list[str]]]


def _answered(ask: Ask, store: Store) -> object:
    """The answer of a store, also if it refuses at once."""
    try:
        return notified(ask(store))
    except NotStorable as error:
        return str(error)


class Comparison(RuleBasedStateMachine):
    """A store beside the model. Each run has games of its own in the same store."""

    runs = 0

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.model = Model()
        Comparison.runs += 1
        self.prefix = f"run{Comparison.runs:06}-"

    def teardown(self) -> None:
        """Leave no work behind for the next run."""
        for key in KEYS:
            self.store.plan(key, None).result()

    def both(self, ask: Ask) -> None:
        """Ask the store and the model the same."""
        assert _answered(ask, self.store) == _answered(ask, self.model)

    # ── One by one ───────────────────────────────────────────────────────────────────────────

    @rule(game=games, late=st.integers(-1, 1), events=events, about=abouts, plans=plans)
    def append(
        self,
        game: str,
        late: int,
        events: list[bytes],
        about: About | None,
        plans: dict[str, int | None],
    ) -> None:
        """Mostly with the right number, sometimes not."""
        name = self.prefix + game
        expected = max(0, self.model.last(name) + late)
        self.both(lambda store: store.append(name, expected, events, about, plans))

    @rule(key=keys, due=st.none() | times)
    def plan(self, key: str, due: int | None) -> None:
        """Work is planned or forgotten."""
        self.both(lambda store: store.plan(key, due))

    @rule(key=keys, owner=owners, until=times, now=times)
    def take(self, key: str, owner: str, until: int, now: int) -> None:
        """A lease is taken."""
        self.both(lambda store: store.take(key, owner, until, now))

    @rule(owner=owners, until=times, now=times, limit=st.integers(1, 3))
    def claim(self, owner: str, until: int, now: int, limit: int) -> None:
        """Whatever is due is taken."""
        self.both(lambda store: store.claim(owner, until, now, limit))

    @rule(key=keys, owner=owners, until=times, now=times)
    def renew(self, key: str, owner: str, until: int, now: int) -> None:
        """A lease is held longer."""
        self.both(lambda store: store.renew(key, owner, until, now))

    @rule(key=keys, owner=owners, due=st.none() | times)
    def release(self, key: str, owner: str, due: int | None) -> None:
        """A lease is given back."""
        self.both(lambda store: store.release(key, owner, due))

    @rule(name=st.sampled_from("abc"), key=keys, entry=st.text("xy", max_size=2))
    def enter(self, name: str, key: str, entry: str) -> None:
        """Something is added to a list, once."""
        self.both(lambda store: store.enter(self.prefix + name, key, entry))

    @rule(before=st.sampled_from("abc"))
    def drop(self, before: str) -> None:
        """The lists of this run and of those before are deleted, up to one."""
        self.both(lambda store: store.drop_lists(self.prefix + before))

    # ── Many at once ─────────────────────────────────────────────────────────────────────────

    @rule(moves=st.lists(st.tuples(games, st.integers(0, 3), events), min_size=2, max_size=12))
    def compete(self, moves: list[tuple[str, int, list[bytes]]]) -> None:
        """Threads append at once, and it comes out as if one by one.

        The successes, in the order of their numbers, are a history that the model takes; each
        refusal names a number that the game had at some moment.
        """
        asked = [
            (self.prefix + game, self.model.last(self.prefix + game) + ahead, events)
            for game, ahead, events in moves
        ]
        before = {game: self.model.last(game) for game, _, _ in asked}
        with ThreadPoolExecutor(4) as threads:
            answers = list(threads.map(lambda move: notified(self.store.append(*move)), asked))
        lengths: dict[str, set[int]] = defaultdict(set)
        done = [(seq, move) for seq, move in zip(answers, asked, strict=True) if type(seq) is int]
        for seq, move in sorted(done, key=lambda pair: (pair[1][0], pair[0])):
            assert notified(self.model.append(*move)) == seq
            lengths[move[0]].add(seq)
        for answer, (game, expected, _) in zip(answers, asked, strict=True):
            possible = lengths[game] | {before[game]}
            refusals = {repr(Conflict(game, expected, n)) for n in possible if n != expected}
            assert type(answer) is int or answer in refusals

    # ── What both must show ──────────────────────────────────────────────────────────────────

    @invariant()
    def same_logs(self) -> None:
        """The same events under the same numbers, and the same index."""
        for game in GAMES:
            name = self.prefix + game
            log: list[Stored] = self.store.read(name)
            assert log == self.model.read(name)
            assert self.store.last(name) == len(log)
        assert self.store.games(after=self.prefix) == self.model.games(after=self.prefix)

    @invariant()
    def same_lists(self) -> None:
        """The same entries, in the same order."""
        for name in "abc":
            found = self.store.entries(self.prefix + name)
            assert found == self.model.entries(self.prefix + name)

    @invariant()
    def same_work(self) -> None:
        """The same work, due at the same time."""
        for now in (0, 3, 6, 99, FAR + 4):
            assert self.store.due(now) == self.model.due(now)


def compare(store: Store) -> None:
    """Run machines on a store."""
    run_state_machine_as_test(lambda: Comparison(store), settings=QUICK)  # type: ignore[arg-type]


@pytest.mark.long
def test_sqlite_does_what_the_model_does(sqlite_path: Path) -> None:
    """Histories of SQLite are histories of the model."""
    with open_store(sqlite_path) as store:
        compare(store)


def test_postgres_does_what_the_model_does(postgres_url: str) -> None:
    """So are those of PostgreSQL."""
    with open_store(postgres_url) as store:
        compare(store)
