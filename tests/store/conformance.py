"""What every store must do; each kind of store runs all of it (test_conformance.py)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Event

import pytest
from waiting import HANG, until

from catinthebox.store import (
    About,
    Conflict,
    IndexEntry,
    ListEntry,
    NotStorable,
    Store,
    StoreClosed,
    Stored,
    Work,
)
from catinthebox.store.protocol import ENTRY_BYTES, EVENT_BYTES, FAR, SUMMARY_BYTES, TIME

Opener = Callable[[], Store]


class Conformance:
    """The suite. A subclass gives the fixture `opener`."""

    @pytest.fixture
    def store(self, opener: Opener) -> Iterator[Store]:
        """An empty store."""
        with opener() as store:
            yield store

    # ── Games ────────────────────────────────────────────────────────────────────────────────

    def test_events_are_numbered_from_1(self, store: Store) -> None:
        """What was appended is read again, in order."""
        assert store.append("tabby", 0, [b"a", b"b"]).result() == 2
        assert store.append("tabby", 2, [b"c"]).result() == 3
        assert store.read("tabby") == [Stored(1, b"a"), Stored(2, b"b"), Stored(3, b"c")]
        assert store.last("tabby") == 3
        assert (store.read("manx"), store.last("manx")) == ([], 0)

    def test_any_bytes_are_an_event(self, store: Store) -> None:
        """Nothing, every byte value, and the longest one come back as they were."""
        events = [b"", bytes(range(256)), b"\0", b"\xff" * EVENT_BYTES, b",'\"\\"]
        store.append("Az09_-", 0, events).result()
        assert [stored.event for stored in store.read("Az09_-")] == events

    def test_parts_of_a_log(self, store: Store) -> None:
        """`after` and `limit` cut out a piece."""
        store.append("tabby", 0, [b"%d" % n for n in range(1, 8)]).result()
        assert store.read("tabby", after=2, limit=2) == [Stored(3, b"3"), Stored(4, b"4")]
        assert store.read("tabby", after=6) == [Stored(7, b"7")]
        assert store.read("tabby", after=7) == store.read("tabby", limit=0) == []

    @pytest.mark.parametrize("expected", [0, 1, 3, 99])
    def test_a_late_append_is_refused(self, store: Store, expected: int) -> None:
        """Too low or too high a number is a conflict that tells the right one, and no trace."""
        store.append("tabby", 0, [b"a", b"b"], About("open", "{}")).result()
        refused = store.append("tabby", expected, [b"x", b"y"], About("over"), {"bot": 5})
        error = refused.exception()
        assert isinstance(error, Conflict)
        assert (error.game, error.expected, error.actual) == ("tabby", expected, 2)
        assert store.games() == [IndexEntry("tabby", 2, About("open", "{}"))]
        assert [stored.event for stored in store.read("tabby")] == [b"a", b"b"]
        assert store.due() == []

    def test_appends_need_not_wait_for_each_other(self, store: Store) -> None:
        """A chain of appends is accepted at once and carried out in order."""
        futures = [store.append("tabby", n, [b"%d" % n]) for n in range(200)]
        assert [future.result() for future in futures] == list(range(1, 201))
        assert [stored.event for stored in store.read("tabby")] == [b"%d" % n for n in range(200)]

    def test_a_conflict_fails_alone(self, store: Store) -> None:
        """Appends that share a commit do not share their fate."""
        games = [f"game{n}" for n in range(50)]
        right = [store.append(game, 0, [b"right"]) for game in games]
        wrong = [store.append(game, 0, [b"wrong"]) for game in games]
        assert {future.result() for future in right} == {1}
        assert {type(future.exception()) for future in wrong} == {Conflict}
        assert all(store.read(game) == [Stored(1, b"right")] for game in games)

    @pytest.mark.parametrize(
        ("game", "expected", "events", "about", "complaints"),
        [
            ("", 0, [b"x"], None, ["'' is not an id"]),
            ("x" * 65, 0, [b"x"], None, ["is not an id"]),
            ("käse", -1, [], None, ["is not an id", "-1 is not a number", "no events"]),
            ("line\n", 0, [b"x"], None, ["is not an id"]),
            ("tabby", 0, [b"x" * (EVENT_BYTES + 1)], None, [f"{EVENT_BYTES} are the limit"]),
            ("tabby", 0, [b"x"], About("Open"), ["'Open' is not a state"]),
            ("tabby", 0, [b"x"], About("", "x" * (SUMMARY_BYTES + 1)), ["a summary is"]),
            ("tabby", 0, [b"x"], About("", "\0"), ["a summary is"]),
            ("tabby", 0, [b"x"], About("", "\ud800"), ["a summary is"]),
        ],
    )
    def test_what_cannot_be_stored(
        self,
        store: Store,
        game: str,
        expected: int,
        events: list[bytes],
        about: About | None,
        complaints: list[str],
    ) -> None:
        """A bad request is refused at once, with everything that is wrong with it."""
        with pytest.raises(NotStorable) as refused:
            store.append(game, expected, events, about)
        assert all(complaint in str(refused.value) for complaint in complaints)
        assert store.games() == []

    def test_the_index(self, store: Store) -> None:
        """Games are listed by id, a page at a time, all or those of a state."""
        for game in ("b", "B", "a", "_", "c-1", "c"):
            state = "open" if game in "aB" else "over"
            store.append(game, 0, [b"x"], About(state, f'{{"name":"{game}"}}')).result()
        listed = store.games()
        assert [entry.game for entry in listed] == ["B", "_", "a", "b", "c", "c-1"]
        assert [entry.game for entry in store.games(state="open")] == ["B", "a"]
        assert store.games(after="_", limit=2) == listed[2:4]
        assert store.games(state="over", after="b") == listed[4:]
        assert listed[0] == IndexEntry("B", 1, About("open", '{"name":"B"}'))

    def test_the_index_changes_with_the_log(self, store: Store) -> None:
        """Without `about` the entry stays, with it the entry is replaced."""
        store.append("tabby", 0, [b"x"], About("open", "Schrödinger 🐈")).result()
        store.append("tabby", 1, [b"x"]).result()
        assert store.games() == [IndexEntry("tabby", 2, About("open", "Schrödinger 🐈"))]
        store.append("tabby", 2, [b"x"], About("over", "")).result()
        assert store.games() == [IndexEntry("tabby", 3, About("over", ""))]

    # ── Being told ───────────────────────────────────────────────────────────────────────────

    def test_subscribers_are_called_after_events_are_stored(self, store: Store) -> None:
        """Anyone who is told finds the events there; numbers of a game only grow."""
        notified: dict[str, list[int]] = {"a": [], "b": []}
        seen: list[bool] = []

        def look(game: str, seq: int) -> None:
            notified[game].append(seq)
            seen.append(store.last(game) >= seq)

        leave = store.subscribe(look)
        futures = [store.append(game, n, [b"x"]) for n in range(50) for game in "ab"]
        wait(futures)
        until(lambda: all(seqs[-1:] == [50] for seqs in notified.values()))
        assert all(seqs == sorted(set(seqs)) for seqs in notified.values())
        assert all(seen)
        leave()
        received: list[int] = []
        leave = store.subscribe(lambda _, seq: received.append(seq))
        store.append("a", 50, [b"x"]).result()
        until(lambda: received[-1:] == [51])  # somebody else hears of it
        assert notified["a"][-1] == 50
        leave()

    # ── Leases ───────────────────────────────────────────────────────────────────────────────

    def test_a_lease_has_one_owner(self, store: Store) -> None:
        """Until it runs out, nobody else gets it."""
        assert store.take("clock", "ada", until=20, now=10).result()
        assert not store.take("clock", "ben", until=30, now=19).result()
        assert store.take("clock", "ada", until=25, now=19).result()
        assert store.take("clock", "ben", until=40, now=25).result()
        assert not store.renew("clock", "ada", until=50, now=26).result()
        assert store.renew("clock", "ben", until=50, now=26).result()
        assert not store.renew("clock", "ben", until=90, now=50).result()
        assert not store.release("clock", "ada").result()
        assert store.release("clock", "ben").result()
        assert not store.release("clock", "ben").result()
        assert store.due() == []

    def test_work_is_claimed_when_it_is_due(self, store: Store) -> None:
        """The longest due first, each by one owner, and again when the owner is late."""
        for key, due in (("b", 30), ("a", 30), ("c", 10), ("d", 99)):
            store.plan(key, due).result()
        assert store.claim("ada", until=60, now=9).result() == []
        assert store.due(30) == [Work("c", 10), Work("a", 30), Work("b", 30)]
        assert store.claim("ada", until=60, now=30, limit=2).result() == ["c", "a"]
        assert store.claim("ben", until=60, now=30, limit=9).result() == ["b"]
        assert store.due(59) == []
        assert store.release("c", "ada").result()
        assert store.release("a", "ada", due=70).result()
        assert store.due(60) == [Work("b", 30)]
        assert store.claim("cleo", until=80, now=60, limit=9).result() == ["b"]
        assert store.due() == [Work("b", 30), Work("a", 70), Work("d", 99)]

    def test_what_a_clock_that_was_ahead_has_written_is_past(self, store: Store) -> None:
        """Neither its plans nor its leases keep anybody waiting once it is set back."""
        hour = 3_600_000
        for key, due in (("a", hour), ("b", 5), ("c", FAR + 10), ("d", FAR + 11)):
            store.plan(key, due).result()
        assert store.take("b", "ada", until=hour, now=hour - 10).result()
        assert store.due(10) == [Work("b", 5), Work("d", FAR + 11), Work("a", hour)]
        assert store.take("b", "ben", until=60, now=10).result()
        assert not store.take("b", "ada", until=70, now=11).result()
        assert store.claim("cleo", until=70, now=10, limit=9).result() == ["d", "a"]
        assert store.due(60) == [Work("b", 5)]

    def test_a_plan_is_new_work(self, store: Store) -> None:
        """It frees a lease, and the old owner can no longer give it back; `None` forgets it."""
        store.plan("bot", 5).result()
        assert store.claim("ada", until=60, now=5).result() == ["bot"]
        store.append("tabby", 0, [b"x"], plans={"bot": 7, "clock": 90, "gone": None}).result()
        assert store.due() == [Work("bot", 7), Work("clock", 90)]
        assert not store.release("bot", "ada").result()
        assert store.claim("ben", until=60, now=7).result() == ["bot"]
        store.append("tabby", 1, [b"x"], plans={"bot": None, "clock": None}).result()
        assert store.due() == []

    def test_what_no_lease_takes(self, store: Store) -> None:
        """Bad keys, owners, times and limits are refused at once."""
        with pytest.raises(NotStorable, match=r"'' is not a key.*'b d' is not a owner.*no time"):
            store.take("", "b d", TIME + 1, 0)
        with pytest.raises(NotStorable, match="a limit is from 1"):
            store.claim("ada", 1, 0, limit=0)
        with pytest.raises(NotStorable, match="a lease is held for at most 180000 ms, not 180001"):
            store.take("clock", "ada", FAR + 6, 5)
        with pytest.raises(NotStorable, match="is not a key"):
            store.append("tabby", 0, [b"x"], plans={"no key": 1})

    # ── Lists ────────────────────────────────────────────────────────────────────────────────

    def test_a_list_has_a_key_once(self, store: Store) -> None:
        """The first entry of a key stays, and each list has keys of its own."""
        assert store.enter("day-1", "ada", "first").result()
        assert not store.enter("day-1", "ada", "second").result()
        assert store.enter("day-2", "ada", "Schrödinger 🐈 %(x)s").result()
        assert store.entries("day-1") == [ListEntry("ada", "first")]
        assert store.entries("day-2") == [ListEntry("ada", "Schrödinger 🐈 %(x)s")]
        assert store.entries("day-3") == []

    def test_a_list_is_read_by_key(self, store: Store) -> None:
        """Pages follow each other without gaps."""
        for key in ("b", "B", "a/1", "_"):
            store.enter("day", key, key * 2).result()
        keys = [key for key, _ in store.entries("day")]
        assert keys == ["B", "_", "a/1", "b"]
        assert store.entries("day", after="B", limit=2) == store.entries("day")[1:3]

    def test_old_lists_are_deleted_whole(self, store: Store) -> None:
        """Those that sort before a name; games and leases stay, and keys are free again."""
        store.append("day-0", 0, [b"x"], plans={"day-0": 5}).result()
        for name in ("day-1", "day-2", "day-3"):
            store.enter(name, "ada", name).result()
        store.drop_lists("day-3").result()
        assert [store.entries(name) for name in ("day-1", "day-2")] == [[], []]
        assert store.entries("day-3") == [ListEntry("ada", "day-3")]
        assert store.read("day-0") == [Stored(1, b"x")]
        assert store.due() == [Work("day-0", 5)]
        assert store.enter("day-1", "ada", "again").result()

    def test_what_no_list_takes(self, store: Store) -> None:
        """Bad names, keys and texts are refused at once."""
        with pytest.raises(NotStorable, match=r"'' is not the name of a list.*'b d' is not a key"):
            store.enter("", "b d", "x")
        for text in ("x" * (ENTRY_BYTES + 1), "\0", "\ud800"):
            with pytest.raises(NotStorable, match="an entry is a text"):
                store.enter("day", "ada", text)
        with pytest.raises(NotStorable, match="is not the name of a list"):
            store.drop_lists("no list")
        assert store.entries("day") == []

    # ── Threads and loops ────────────────────────────────────────────────────────────────────

    def test_coroutines_can_wait(self, store: Store) -> None:
        """A future of a store is awaited as `asyncio` does it."""

        async def play(game: str) -> list[int]:
            futures = [store.append(game, n, [b"x"]) for n in range(5)]
            return [await asyncio.wrap_future(future) for future in futures]

        async def everybody() -> list[list[int]]:
            return await asyncio.gather(*(play(f"g{n}") for n in range(10)))

        assert asyncio.run(everybody()) == [[1, 2, 3, 4, 5]] * 10

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def test_closing_writes_what_was_accepted(self, opener: Opener) -> None:
        """Whatever was accepted before `close` is answered and kept; later requests are not."""
        store = opener()
        futures = [store.append("tabby", n, [b"%d" % n]) for n in range(300)]
        store.close()
        assert all(future.done() and future.result() for future in futures)
        store.close()
        for request in (
            lambda: store.append("tabby", 300, [b"x"]),
            lambda: store.take("k", "o", 1, 0),
        ):
            with pytest.raises(StoreClosed):
                request()
        with opener() as again:
            assert [stored.event for stored in again.read("tabby")] == [
                b"%d" % n for n in range(300)
            ]


class Shared(Conformance):
    """More for stores that have a writer of their own."""

    def test_threads_compete(self, store: Store) -> None:
        """Many threads append to few games; each success is one event, and nothing else is."""
        games = ("a", "b")

        def play(who: int) -> list[tuple[str, int, bytes]]:
            mine = []
            for n in range(60):
                game, event = games[n % 2], b"%d/%d" % (who, n)
                with suppress(Conflict):
                    seq = store.append(game, store.last(game), [event]).result()
                    mine.append((game, seq, event))
            return mine

        with ThreadPoolExecutor(6) as threads:
            successes = sorted(entry for mine in threads.map(play, range(6)) for entry in mine)
        logs = [(game, *stored) for game in games for stored in store.read(game)]
        assert logs == successes
        assert all(store.last(game) == len(store.read(game)) > 0 for game in games)

    def test_workers_compete_for_leases(self, store: Store) -> None:
        """Work that is claimed by many at once is done once."""
        keys = [f"bot{n}" for n in range(100)]
        wait([store.plan(key, n) for n, key in enumerate(keys)])

        def work(owner: str) -> list[str]:
            found: list[str] = []
            while claimed := store.claim(owner, 10**5, 1000, limit=3).result():
                found += claimed
            return found

        with ThreadPoolExecutor(6) as threads:
            done = [key for found in threads.map(work, "ABCDEF") for key in found]
        assert sorted(done) == sorted(keys)

    def test_one_of_many_enters(self, store: Store) -> None:
        """Whoever is first has the key, and nobody else is told so."""
        with ThreadPoolExecutor(6) as threads:
            tries = range(60)
            answers = [*threads.map(lambda n: store.enter("day", "ada", str(n)).result(), tries)]
        (first,) = [n for n in tries if answers[n]]
        assert store.entries("day") == [ListEntry("ada", str(first))]

    def test_a_subscriber_that_fails_stays_alone(
        self, store: Store, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Others are told, the writer goes on, and the log says what happened."""
        received = Event()

        def broken(game: str, seq: int) -> None:
            raise ValueError(game)

        store.subscribe(broken)
        store.subscribe(lambda game, seq: received.set())
        store.append("tabby", 0, [b"x"]).result()
        assert received.wait(HANG)
        assert "a subscriber failed on tabby 1" in caplog.text

    def test_a_full_log(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """At its limits a game takes no more, and says so."""
        monkeypatch.setattr("catinthebox.store.requests.GAME_EVENTS", 3)
        monkeypatch.setattr("catinthebox.store.requests.GAME_BYTES", 10)
        store.append("long", 0, [b"1", b"2", b"3"]).result()
        store.append("large", 0, [b"12345", b"1234"]).result()
        assert "would pass 3 events" in str(store.append("long", 3, [b"4"]).exception())
        assert "or 10 bytes" in str(store.append("large", 2, [b"12"]).exception())
        assert store.append("large", 2, [b"1"]).result() == 3

    def test_read_only(self, opener: Opener, reader: Opener) -> None:
        """A store opened to be read sees what is there, and writes nothing."""
        with opener() as store:
            store.append("tabby", 0, [b"x"], plans={"bot": 3}).result()
            with reader() as look:
                assert look.read("tabby") == [Stored(1, b"x")]
                assert look.due() == [Work("bot", 3)]
                with pytest.raises(NotStorable, match="read-only"):
                    look.append("tabby", 1, [b"y"])
