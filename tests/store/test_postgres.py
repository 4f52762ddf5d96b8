"""What only a server has: many writers, notes between processes, and connections that break."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

import psycopg
import pytest
from store.proxy import TO_CLIENT, TO_SERVER, Proxy
from waiting import HANG, until

from catinthebox.store import Conflict, Store, StoreError, StoreFailed, open_store
from catinthebox.store.postgres import PostgresStore
from catinthebox.store.postgres_listen import Listener
from catinthebox.store.postgres_schema import MIGRATIONS
from catinthebox.store.postgres_write import PAYLOAD, PostgresWriter, payloads

pytestmark = pytest.mark.timing


def ask(url: str, question: str) -> list[tuple[object, ...]]:
    """Ask or change the data base behind the back of any store."""
    with psycopg.connect(url, autocommit=True) as line:
        line.execute("SET search_path TO catinthebox")
        cursor = line.execute(question)
        return [*cursor.fetchall()] if cursor.description else []


END_ALL = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE application_name LIKE '{}%' AND datname = current_database()"""


# ── Many processes ───────────────────────────────────────────────────────────────────────────


def test_two_writers_compete(postgres_url: str) -> None:
    """Every success is one event, in order, no matter who wrote it; nobody waits in a circle."""
    games = [f"game{n}" for n in range(6)]

    def play(store: Store, who: str) -> list[tuple[str, int, bytes]]:
        mine: list[tuple[str, int, bytes]] = []
        for n in range(40):
            last = {game: store.last(game) for game in games}
            event = f"{who} {n}".encode()
            futures = [(g, store.append(g, last[g], [event], plans={g: n})) for g in games]
            for game, future in reversed(futures):
                with suppress(Conflict):
                    mine.append((game, future.result(), event))
        return mine

    with open_store(postgres_url) as one, open_store(postgres_url) as two:
        with ThreadPoolExecutor(4) as threads:
            players = [
                (store, f"{name}{k}") for k in "ab" for store, name in ((one, "1"), (two, "2"))
            ]
            done = threads.map(lambda player: play(*player), players)
            successes = sorted(entry for mine in done for entry in mine)
        assert [(game, *stored) for game in games for stored in one.read(game)] == successes
        assert {event[:1] for _, _, event in successes} == {b"1", b"2"}


def test_two_workers_share_the_work(postgres_url: str) -> None:
    """A lease has one owner, also across processes."""
    with open_store(postgres_url) as one, open_store(postgres_url) as two:
        keys = [f"bot{n}" for n in range(60)]
        wait([one.plan(key, 5) for key in keys])

        def work(store: Store) -> list[str]:
            found: list[str] = []
            while claimed := store.claim(f"worker{id(store)}", 99, 5, limit=4).result():
                found += claimed
            return found

        with ThreadPoolExecutor(2) as threads:
            done = [key for found in threads.map(work, (one, two)) for key in found]
        assert sorted(done) == sorted(keys)
        takes = [store.take("clock", f"w{n}", 9, 1) for n, store in enumerate([one, two] * 5)]
        assert sum(take.result() for take in takes) in (1, 5)  # the winner may ask again


def test_every_process_is_notified(postgres_url: str) -> None:
    """A commit with more games than fit into one note is told whole, to every process."""
    games = sorted(f"{n:03}".rjust(64, "x") for n in range(400))
    seen: list[dict[str, int]] = [{}, {}]
    with open_store(postgres_url) as one, open_store(postgres_url) as two:
        for store, book in zip((one, two), seen, strict=True):
            store.subscribe(book.__setitem__)
        wait([one.append(game, 0, [b"x", b"y"]) for game in games])
        until(lambda: all(len(book) == 400 for book in seen))
        assert seen[0] == seen[1] == dict.fromkeys(games, 2)


def test_notes_are_short() -> None:
    """PostgreSQL takes less than 8000 bytes."""
    grown = [("x" * 64, 100_000) for _ in range(300)]
    notes = list(payloads(grown))
    assert max(map(len, notes)) <= PAYLOAD
    assert ",".join(notes) == ",".join(f"{game} {last}" for game, last in grown)
    assert len(notes) == 3


def test_an_old_note_is_not_forgotten_into_a_new_one() -> None:
    """A note that comes late, once or often, is never told again."""
    notified: list[tuple[str, int]] = []
    listener = object.__new__(Listener)
    listener._sent, listener._notify = {}, notified.extend
    for seq in (3, 2, 3, 2, 1, 3, 4):
        listener._pass_on([("tabby", seq)])
    assert notified == [("tabby", 3), ("tabby", 4)]


def test_a_listener_catches_up(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits during a lost connection are announced afterwards, and nothing twice."""
    monkeypatch.setattr("catinthebox.store.postgres_listen.HEARTBEAT", 0.0)
    notified: list[tuple[str, int]] = []
    with open_store(postgres_url) as store, open_store(postgres_url) as far:
        far.subscribe(lambda game, seq: notified.append((game, seq)))
        for n in range(30):
            if n % 3 == 1:
                ask(postgres_url, END_ALL.format("catinthebox listener"))
            store.append("tabby", n, [b"x"]).result()
            store.append(f"game{n}", 0, [b"x"]).result()
        until(lambda: ("tabby", 30) in notified and ("game29", 1) in notified)
        until(lambda: len({game for game, _ in notified}) == 31)
    seqs = [seq for game, seq in notified if game == "tabby"]
    assert seqs == sorted(set(seqs))
    assert len(notified) == len(set(notified))


# ── Broken connections ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("direction", [TO_SERVER, TO_CLIENT])
def test_a_connection_cut_anywhere(postgres_url: str, direction: int) -> None:
    """After any number of bytes: written once, and known to be, since the store asks again."""
    lengths = range(0, 1400, 27) if direction == TO_SERVER else range(0, 500, 11)
    look = open_store(postgres_url)
    with look, Proxy(postgres_url) as proxy, open_store(proxy.url) as store:
        for n, after in enumerate(lengths):
            proxy.cut(direction, after)
            future = store.append("tabby", n, [b"event %d" % n], plans={"bot": n})
            assert future.result(HANG) == n + 1
            proxy.heal()
        events = [event for _, event in look.read("tabby")]
        assert events == [b"event %d" % n for n in range(len(lengths))]
    assert proxy.cuts > 15


def test_a_commit_whose_answer_was_lost(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transaction happened or did not, the connection is gone: the store finds out which."""
    finish = PostgresWriter._finish
    faults = iter(["before", "after", "", "after", "before"])

    def lost(self: PostgresWriter, *arguments: object) -> object:
        fault = next(faults, "")
        if fault == "after":
            finish(self, *arguments)  # type: ignore[arg-type]
        if fault and self._connection is not None:
            self._connection.close()
            raise psycopg.OperationalError("the connection is lost")
        return finish(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(PostgresWriter, "_finish", lost)
    with open_store(postgres_url) as store:
        assert [store.append("tabby", n, [b"%d" % n]).result() for n in range(3)] == [1, 2, 3]
        assert [event for _, event in store.read("tabby")] == [b"0", b"1", b"2"]


def test_a_data_base_that_stays_away(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience ends: the append fails, settled or not as the case is; later ones succeed."""
    finish = PostgresWriter._finish
    module = sys.modules["catinthebox.store.postgres_write"]
    connect = module.connect
    away: list[str] = []

    def absent(*arguments: object, **options: object) -> object:
        if away:
            raise psycopg.OperationalError("nobody answers")
        return connect(*arguments, **options)

    def lost(self: PostgresWriter, *arguments: object) -> object:
        if away == ["after"]:
            finish(self, *arguments)  # type: ignore[arg-type]
        if away and self._connection is not None:
            self._connection.close()
            raise psycopg.OperationalError("the connection is lost")
        return finish(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "connect", absent)
    monkeypatch.setattr(PostgresWriter, "_finish", lost)
    with PostgresStore(postgres_url, patience=0.3) as store:
        store.append("tabby", 0, [b"first"]).result()
        away.append("after")
        error = store.append("tabby", 1, [b"in doubt"]).exception()
        assert isinstance(error, StoreFailed)
        assert not error.settled
        error = store.append("tabby", 2, [b"surely not"]).exception()
        assert isinstance(error, StoreFailed)
        assert error.settled
        away.clear()
        assert isinstance(store.append("tabby", 1, [b"again"]).exception(), Conflict)
        assert [event for _, event in store.read("tabby")] == [b"first", b"in doubt"]


def test_sessions_that_are_ended(postgres_url: str) -> None:
    """An administrator ends all connections again and again; nobody notices but the clock."""
    with open_store(postgres_url) as store:
        last = 0
        for _ in range(20):
            futures = [store.append("tabby", last + n, [b"%d" % (last + n)]) for n in range(20)]
            ask(postgres_url, END_ALL.format("catinthebox"))
            last = futures[-1].result(HANG)
        events = [event for _, event in store.read("tabby")]
        assert events == [b"%d" % n for n in range(last)]


# ── Tables ───────────────────────────────────────────────────────────────────────────────────


def test_migrations_wait_for_each_other(postgres_url: str) -> None:
    """Many processes may open a new data base at once."""
    with ThreadPoolExecutor(6) as threads:
        for store in threads.map(lambda _: open_store(postgres_url), range(6)):
            store.close()
    assert ask(postgres_url, "SELECT max(version) FROM migrations") == [(len(MIGRATIONS),)]
    assert ask(postgres_url, "SELECT * FROM writers") == []


def test_a_newer_data_base(postgres_url: str) -> None:
    """Tables of a later program are not touched."""
    open_store(postgres_url).close()
    ask(postgres_url, "INSERT INTO migrations VALUES (99)")
    with pytest.raises(StoreError, match="version 99; this program knows"):
        open_store(postgres_url)


def test_errors_hide_the_password(postgres_url: str) -> None:
    """An address that leads nowhere is told without its secret."""
    with pytest.raises(StoreFailed) as failed:
        open_store("postgresql://ada:secret@127.0.0.1:1/games")
    assert "ada:***@" in str(failed.value)
    assert "secret" not in str(failed.value)
    with pytest.raises(StoreFailed, match="does not exist"):
        open_store(postgres_url, readonly=True)


def test_commits_are_durable_whatever_the_default(postgres_url: str) -> None:
    """A data base whose commits do not wait for the disk is told to wait for ours."""
    (row,) = ask(postgres_url, "SELECT current_database()")
    ask(postgres_url, f"ALTER DATABASE {row[0]} SET synchronous_commit = off")
    try:
        with PostgresStore(postgres_url) as store:
            store.append("tabby", 0, [b"x"]).result()
            lines = [
                writer._connection for writer in store._writers if writer._connection is not None
            ]
            asked = [line.execute("SHOW synchronous_commit").fetchone() for line in lines]
            assert asked == [("on",)]
    finally:
        ask(postgres_url, f"ALTER DATABASE {row[0]} RESET synchronous_commit")
