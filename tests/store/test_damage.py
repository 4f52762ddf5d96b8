"""What is stored is what was written, or the damage is told: one game stops, the others go on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.store import (
    About,
    Damaged,
    ListEntry,
    Store,
    StoreClosed,
    Stored,
    StoreError,
    open_store,
    postgres_schema,
    sqlite_schema,
)
from catinthebox.store.check import StoreCheck, check
from catinthebox.store.checksums import Head, extended, head_row, verified
from catinthebox.store.requests import Append

EVENTS = [b"sit down", b"deal", b"bid 2", b"play", b""]
Ask = Callable[..., list[Any]]


def filled(store: Store) -> Store:
    """A store with three games."""
    for game in ("cheshire", "manx", "tabby"):
        store.append(game, 0, EVENTS[:3], About("open", f'{{"name":"{game}"}}')).result()
        store.append(game, 3, EVENTS[3:], plans={f"wake/{game}": 5}).result()
    return store


def goes_on(store: Store, game: str) -> bool:
    """Whether a game can be read as it was written, and can grow."""
    try:
        assert [event for _, event in store.read(game)][:5] == EVENTS
        return bool(store.append(game, store.last(game), [b"more"]).result())
    except Damaged as damage:
        return damage.game != game


# ── The chain ────────────────────────────────────────────────────────────────────────────────


def rows_of(game: str, events: list[bytes]) -> list[tuple[Any, ...]]:
    """The rows of a game as they are read."""
    head, rows = extended(game, Head(), events, About("open", "{}"))
    return [(-1, None, *head_row(game, head)), *((*row, *[None] * 5) for row in rows)]


QUICK = settings(max_examples=40)
logs = st.lists(st.binary(max_size=8), min_size=1, max_size=6)


@QUICK
@given(logs, logs)
def test_a_chain_does_not_depend_on_how_it_was_written(
    first: list[bytes], more: list[bytes]
) -> None:
    """Events that are appended at once or later have the same checksums."""
    head, rows = extended("tabby", Head(), first)
    assert extended("tabby", Head(), first + more) == (
        (later := extended("tabby", head, more))[0],
        rows + later[1],
    )


@QUICK
@given(logs, st.data())
def test_every_change_of_a_row_is_noticed(events: list[bytes], data: st.DataObject) -> None:
    """Another value of any other type, a row less, a row twice, rows that changed places."""
    rows = rows_of("tabby", events)
    assert verified("tabby", rows) == [Stored(n, event) for n, event in enumerate(events, 1)]
    place = data.draw(st.integers(0, len(rows) - 1))
    columns = range(2, 8) if place == 0 else range(3)
    row, column = list(rows[place]), data.draw(st.sampled_from(columns))
    other = st.one_of(st.integers(), st.binary(max_size=8), st.text(max_size=8), st.none())
    row[column] = data.draw(other.filter(lambda value: value != rows[place][column]))
    changed = [*rows[:place], tuple(row), *rows[place + 1 :]]
    missing = [*rows[:place], *rows[place + 1 :]]
    twice = [*rows[: place + 1], *rows[place:]]
    for bad in (changed, missing, twice):
        with pytest.raises(Damaged):
            verified("tabby", bad)


@QUICK
@given(logs, st.data())
def test_parts_of_a_log_are_verified_too(events: list[bytes], data: st.DataObject) -> None:
    """Whatever part is read, it is right, and a change of it is noticed."""
    rows = rows_of("tabby", events)
    after = data.draw(st.integers(0, len(events) + 1))
    limit = data.draw(st.integers(0, len(events) + 1))
    part = [rows[0], *(row for row in rows[1:] if row[0] >= after)][: limit + 3]
    right = [Stored(n, event) for n, event in enumerate(events, 1)][after : after + limit]
    assert verified("tabby", part, after, limit) == right
    for seq, _ in right:
        place = next(n for n, row in enumerate(part) if row[0] == seq)
        bad = [*part[:place], (seq, b"no such event", *part[place][2:]), *part[place + 1 :]]
        with pytest.raises(Damaged, match=f"damaged at event {seq}"):
            verified("tabby", bad, after, limit)


def test_a_game_under_another_name_is_noticed() -> None:
    """Checksums are of one game."""
    with pytest.raises(Damaged):
        verified("manx", rows_of("tabby", EVENTS))


# ── Both stores ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.database)])
def place(request: pytest.FixtureRequest) -> tuple[str, Ask]:
    """Where a store is, and a way to change it behind its back."""
    if request.param == "postgres":
        url: str = request.getfixturevalue("postgres_url")

        def ask_server(*statements: str) -> list[Any]:
            with psycopg.connect(url, autocommit=True) as line:
                line.execute("CREATE SCHEMA IF NOT EXISTS catinthebox")
                line.execute("SET search_path TO catinthebox")
                cursors = [line.execute(statement) for statement in statements]
                return [cursor.fetchone() if cursor.description else None for cursor in cursors]

        return url, ask_server
    path: Path = request.getfixturevalue("sqlite_path")

    def ask_file(*statements: str) -> list[Any]:
        line = sqlite3.connect(path, isolation_level=None)
        try:
            return [line.execute(statement).fetchone() for statement in statements]
        finally:
            line.close()

    return str(path), ask_file


DAMAGES = (
    "UPDATE events SET event = 'x' WHERE game = 'manx' AND seq = 2",
    "UPDATE events SET checksum = checksum + 1 WHERE game = 'manx' AND seq = 5",
    "UPDATE events SET seq = 6 WHERE game = 'manx' AND seq = 5",
    "DELETE FROM events WHERE game = 'manx' AND seq = 1",
    "DELETE FROM events WHERE game = 'manx' AND seq = 5",
    "DELETE FROM games WHERE game = 'manx'",
    "UPDATE games SET last = 4 WHERE game = 'manx'",
    "UPDATE games SET size = size - 1 WHERE game = 'manx'",
    "UPDATE games SET summary = '{}' WHERE game = 'manx'",
    "UPDATE games SET state = 'over' WHERE game = 'manx'",
    "UPDATE games SET checksum = 1 WHERE game = 'manx'",
    "UPDATE games SET seal = 1 WHERE game = 'manx'",
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_one_game_stops_and_the_others_go_on(place: tuple[str, Ask], damage: str) -> None:
    """Found when the store is opened or read; told with the game, never as other events."""
    where, ask = place
    with open_store(where) as store:
        filled(store)
        assert goes_on(store, "manx")
    ask(damage.replace("seq = 5", "seq = 6").replace("SET seq = 6", "SET seq = 7"))
    with open_store(where) as store:
        assert [goes_on(store, game) for game in ("cheshire", "manx", "tabby")] == [
            True,
            False,
            True,
        ]
        assert {entry.game for entry in store.games()} >= {"cheshire", "tabby"}
        assert [damage.game for damage in store.damaged()] == ["manx"]
        assert "manx" not in {entry.game for entry in store.games()}
        refused = store.append("manx", 6, [b"more"]).exception()
        assert isinstance(refused, Damaged)
    with open_store(where, readonly=True) as store:
        notified: list[str] = []
        assert check(store, notified.append).problems == 1
        assert notified[0].startswith("manx")


def test_damage_while_a_store_runs(place: tuple[str, Ask]) -> None:
    """From the moment that it is found, no process that shares the store appends to the game."""
    where, ask = place
    with open_store(where) as store:
        filled(store)
        ask(DAMAGES[0])
        assert store.append("manx", 5, [b"nobody has looked"]).result() == 6
        with pytest.raises(Damaged, match="the stored log of manx is damaged at event 2"):
            store.read("manx")
        assert isinstance(store.append("manx", 6, [b"x"]).exception(), Damaged)
        assert store.probe().result() is None  # the mark is written by now
        if store.shared:
            with open_store(where) as other:
                assert isinstance(other.append("manx", 6, [b"x"]).exception(), Damaged)
    assert ask("SELECT count(*) FROM games WHERE damaged") == [(1,)]


def test_a_log_that_is_whole_again_leaves_quarantine(place: tuple[str, Ask]) -> None:
    """Anyone who has mended a row restarts the server."""
    where, ask = place
    change = "UPDATE events SET checksum = checksum {} WHERE game = 'manx' AND seq = 2"
    with open_store(where) as store:
        filled(store)
    for good, sign in ((False, "+ 1"), (True, "- 1")):
        ask(change.format(sign))
        with open_store(where) as store:
            assert goes_on(store, "manx") is good
            store.probe().result()


# ── Older stores ─────────────────────────────────────────────────────────────────────────────


def older(ask: Ask, *more: str) -> None:
    """Make a store as the first version of the tables had it."""
    bytea = "'{}'::bytea" if ask.__name__ == "ask_server" else "CAST('{}' AS BLOB)"
    first = postgres_schema if ask.__name__ == "ask_server" else sqlite_schema
    steps = [step for step in first.MIGRATIONS[0] if isinstance(step, str)]
    if first is sqlite_schema:
        steps += [f"PRAGMA application_id = {sqlite_schema.MARK}", "PRAGMA user_version = 1"]
    else:
        steps += [
            "CREATE TABLE migrations (version integer PRIMARY KEY)",
            "INSERT INTO migrations VALUES (1)",
        ]
    for game in ("cheshire", "manx", "tabby"):
        size = sum(map(len, EVENTS))
        steps.append(
            "INSERT INTO games (game, last, size, state, summary) "
            f"VALUES ('{game}', 5, {size}, 'open', 'ü')"
        )
        steps += [
            f"INSERT INTO events (game, seq, event) VALUES ('{game}', {seq}, "
            f"{bytea.format(event.decode())})"
            for seq, event in enumerate(EVENTS, 1)
        ]
    ask(*steps, *more)


def test_an_older_store_is_brought_up_to_date(place: tuple[str, Ask]) -> None:
    """Its games get checksums; those with gaps were damaged before, and are told so now."""
    where, ask = place
    older(ask, "DELETE FROM events WHERE game = 'manx' AND seq = 2")
    with pytest.raises(StoreError, match="version 1, and this program reads version 3"):
        open_store(where, readonly=True)
    with open_store(where) as store:
        assert [goes_on(store, game) for game in ("cheshire", "manx", "tabby")] == [
            True,
            False,
            True,
        ]
        assert store.games()[0].about == About("open", "ü")
    with open_store(where, readonly=True) as store:
        assert check(store, lambda _: None) == StoreCheck(games=2, events=12, problems=1)


def test_migration_of_checksums_is_all_or_nothing(
    place: tuple[str, Ask], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever stops it, the older store is as it was, and the next attempt succeeds."""
    where, ask = place
    older(ask)

    def stop(*_: object) -> None:
        raise StoreError("the power goes")

    module = postgres_schema if "://" in where else sqlite_schema
    monkeypatch.setattr(module, "of_head", stop)
    with pytest.raises(StoreError, match="the power goes"):
        open_store(where)
    monkeypatch.undo()
    assert ask("SELECT count(*) FROM events") == [(15,)]
    with open_store(where) as store:
        assert all(goes_on(store, game) for game in ("cheshire", "manx", "tabby"))


def test_workers_that_migrate_together(postgres_url: str) -> None:
    """One does it, the others wait; a worker of before writes no event without a checksum."""

    def ask_server(*statements: str) -> list[Any]:
        with psycopg.connect(postgres_url, autocommit=True) as line:
            line.execute("CREATE SCHEMA IF NOT EXISTS catinthebox")
            line.execute("SET search_path TO catinthebox")
            for statement in statements:
                line.execute(statement)
            return []

    older(ask_server)
    with ThreadPoolExecutor(4) as threads:
        stores = [*threads.map(lambda _: open_store(postgres_url), range(4))]
    assert all(goes_on(store, "tabby") for store in stores)
    for store in stores:
        store.close()
    with pytest.raises(psycopg.errors.NotNullViolation):
        ask_server("INSERT INTO events (game, seq, event) VALUES ('tabby', 99, '')")


# ── Flipped bytes ────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a dozen games on many pages."""
    path = tmp_path_factory.mktemp("whole") / "games.db"
    with open_store(path) as store:
        for n in range(12):
            events = [Random(n).randbytes(200) for _ in range(12)]
            store.append(f"game{n}", 0, events, About("open", "x" * 40), {f"w/{n}": n}).result()
    return path


def everything(store: Store) -> tuple[dict[str, object], set[str]]:
    """What can be read back, and which games are said to be damaged."""
    found: dict[str, object] = {}
    for n in range(12):
        try:
            found[f"game{n}"] = store.read(f"game{n}")
        except Damaged:
            continue
    entries = {entry.game: entry for entry in store.games("open")}
    for each in store.survey():
        if not isinstance(each, Damaged):
            assert entries.get(each.game, each) == each
            found[f"entry {each.game}"] = each
    return found, {damage.game for damage in store.damaged()}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_flipped_bytes_are_noticed_or_change_nothing(
    whole: Path, tmp_path: Path, seed: int
) -> None:
    """Wherever they are: in headers, keys, lengths, pointers, events, checksums, free space."""
    with open_store(whole, readonly=True) as store:
        truth, _ = everything(store)
    chance, path = Random(seed), tmp_path / "games.db"
    outcomes, counts = set(), list[int]()
    for number in range(40):
        for old in tmp_path.iterdir():
            old.unlink()
        copyfile(whole, path)
        content = bytearray(path.read_bytes())
        for _ in range(1 + number % 3):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        for readonly in (True, False):
            try:
                with open_store(path, readonly=readonly) as store:
                    found, damaged = everything(store)
            except StoreError:
                outcomes.add("refused")
                continue
            assert found.items() <= truth.items()
            lost = {name.removeprefix("entry ") for name in truth.keys() - found.keys()}
            assert lost <= damaged
            outcomes.add("damaged" if lost else "harmless")
            counts.append(len(lost))
    assert {"damaged", "harmless"} <= outcomes
    assert sum(counts) <= 2 * len(counts)  # most bytes belong to one game


def test_a_page_that_sqlite_cannot_read(sqlite_path: Path) -> None:
    """Requests that share a commit with one that needs it do not share its fate."""
    games = [f"game{n:02}" for n in range(40)]
    with open_store(sqlite_path) as store:
        for game in games:
            store.append(game, 0, [b"x" * 1000] * 3).result()
    spoil_a_leaf(sqlite_path)
    with open_store(sqlite_path) as store:
        futures = {game: store.append(game, 3, [b"more"], plans={game: 1}) for game in games}
        probe = store.probe()
        errors = {game: future.exception() for game, future in futures.items()}
        assert probe.result() is None
        stopped = {game for game, error in errors.items() if error}
        assert {type(error) for error in errors.values()} == {type(None), Damaged}
        assert 1 <= len(stopped) <= 4
        readable = set()
        for game in games:
            try:
                readable.add(game) if len(store.read(game)) == 4 else None
            except Damaged:
                assert game in {damage.game for damage in store.damaged()}
        assert len(readable) >= 36
        assert {entry.game for entry in store.games()} <= set(games)
    with open_store(sqlite_path, readonly=True) as store:
        notified: list[str] = []
        check(store, notified.append)
        assert any("btreeInitPage" in line or "malformed" in line for line in notified)


def spoil_a_leaf(path: Path) -> None:
    """Write over the head of one page of events in the middle of the file."""
    line = sqlite3.connect(path)
    (pages,) = line.execute("PRAGMA page_count").fetchone()
    (size,) = line.execute("PRAGMA page_size").fetchone()
    line.close()
    content = bytearray(path.read_bytes())
    leaves = [n for n in range(pages // 2, pages) if content[n * size] == 10]  # of an index
    content[leaves[0] * size] = 77
    path.write_bytes(content)


def test_a_damaged_list_of_games(sqlite_path: Path) -> None:
    """If a page of the index cannot be read, the games on other pages are listed all the same."""
    games = [f"game{n:03}" for n in range(150)]
    with open_store(sqlite_path) as store:
        for game in games:
            store.append(game, 0, [b"x"], About("open", "y" * 300)).result()
    line = sqlite3.connect(sqlite_path)
    (root,) = line.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()
    line.close()
    content = bytearray(sqlite_path.read_bytes())
    start = (root - 1) * 4096
    child = int.from_bytes(content[start + 8 : start + 12], "big")  # the last leaf
    content[(child - 1) * 4096] = 77
    sqlite_path.write_bytes(content)
    with open_store(sqlite_path) as store:
        for state in (None, "open"):
            listed = [entry.game for entry in store.games(state)]
            assert len(listed) > 50
            assert listed == sorted(set(listed) & set(games))
        assert len(store.games(limit=20)) == 20
        assert store.read(games[0]) == [Stored(1, b"x")]
        lost = set(games) - set(listed)
        assert lost == {each.game for each in store.survey() if isinstance(each, Damaged)}


def test_damaged_leases_are_made_anew(sqlite_path: Path) -> None:
    """They are plans, and every table that is read plans again."""
    with open_store(sqlite_path) as store:
        filled(store)
    line = sqlite3.connect(sqlite_path)
    (root,) = line.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'leases_by_due'"
    ).fetchone()
    line.close()
    content = bytearray(sqlite_path.read_bytes())
    content[(root - 1) * 4096 + 3 : (root - 1) * 4096 + 5] = b"\0\0"  # no rows in this index
    sqlite_path.write_bytes(content)
    with open_store(sqlite_path) as store:
        assert store.due() == []
        assert store.append("tabby", 5, [b"x"], plans={"wake/tabby": 7}).result() == 6
        assert [work.key for work in store.due()] == ["wake/tabby"]


def test_a_damaged_table_of_lists_is_made_anew(sqlite_path: Path) -> None:
    """What is in it lasts for days only; no game is touched."""
    with open_store(sqlite_path) as store:
        filled(store)
        store.enter("2026-11-19", "ada", "x").result()
    spoil_root(sqlite_path, "entries", at=3, content=b"\0\0")  # no rows
    with open_store(sqlite_path) as store:
        assert store.entries("2026-11-19") == []
        assert store.enter("2026-11-19", "ada", "y").result()
        assert store.entries("2026-11-19") == [ListEntry("ada", "y")]
        assert goes_on(store, "tabby")


def test_lists_beyond_repair_fail_alone(sqlite_path: Path) -> None:
    """If their table cannot even be deleted, games go on without it."""
    with open_store(sqlite_path) as store:
        filled(store)
        store.enter("2026-11-19", "ada", "x").result()
    spoil_root(sqlite_path, "entries", at=0, content=b"M")
    with open_store(sqlite_path) as store:
        with pytest.raises(StoreError):
            store.entries("2026-11-19")
        refused = store.enter("2026-11-19", "ben", "x")
        assert all(goes_on(store, game) for game in ("cheshire", "manx", "tabby"))
        assert isinstance(refused.exception(), StoreError)


def spoil_root(path: Path, table: str, at: int, content: bytes) -> None:
    """Write over some bytes of the page at the root of a table."""
    line = sqlite3.connect(path)
    (root,) = line.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()
    line.close()
    whole = bytearray(path.read_bytes())
    start = (root - 1) * 4096 + at
    whole[start : start + len(content)] = content
    path.write_bytes(whole)


def test_an_entry_that_was_changed_is_left_out(place: tuple[str, Ask]) -> None:
    """The others are read; a key that is damaged is not free again."""
    where, ask = place
    with open_store(where) as store:
        for key in ("ada", "ben", "cleo"):
            store.enter("2026-11-19", key, f"points of {key}").result()
    ask("UPDATE entries SET entry = 'more points' WHERE key = 'ben'")
    with open_store(where) as store:
        assert [key for key, _ in store.entries("2026-11-19")] == ["ada", "cleo"]
        assert not store.enter("2026-11-19", "ben", "again").result()


def test_a_file_that_must_not_be_written(sqlite_path: Path) -> None:
    """Where SQLite is wrong about free pages, writing one game would destroy another."""
    with open_store(sqlite_path) as store:
        filled(store)
    content = bytearray(sqlite_path.read_bytes())
    content[36:40] = (7).to_bytes(4, "big")  # so many free pages
    sqlite_path.write_bytes(content)
    with pytest.raises(StoreError, match=r"writing to it could harm more games. Restore a backup"):
        open_store(sqlite_path)
    with open_store(sqlite_path, readonly=True) as store:
        assert len(store.read("tabby")) == 5


# ── PostgreSQL's own complaints ──────────────────────────────────────────────────────────────


def test_a_page_that_postgres_cannot_read(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game that needs it is damaged; what shared its commit is carried out."""
    from catinthebox.store.postgres_write import PostgresWriter

    begin = PostgresWriter._begin

    def spoiled(self: PostgresWriter, line: Any, requests: Any) -> Any:
        if any(isinstance(each, Append) and each.game == "manx" for each in requests):
            raise psycopg.errors.DataCorrupted("invalid page in block 7")
        return begin(self, line, requests)

    with open_store(postgres_url) as store:
        filled(store)
        monkeypatch.setattr(PostgresWriter, "_begin", spoiled)
        games = ["manx", *(f"game{n}" for n in range(20))]
        futures = [store.append(game, 5 if game == "manx" else 0, [b"x"]) for game in games]
        errors = [future.exception() for future in futures]
        assert [type(error) for error in errors] == [Damaged] + [type(None)] * 20
        assert [damage.game for damage in store.damaged()] == ["manx"]


# ── Probing ──────────────────────────────────────────────────────────────────────────────────


def test_a_probe_is_a_commit(place: tuple[str, Ask]) -> None:
    """It changes nothing that anybody sees, and fails when the store is closed."""
    where, _ = place
    with open_store(where) as store:
        assert store.probe().result() is None
        assert store.games() == []
    with pytest.raises(StoreClosed):
        store.probe()
