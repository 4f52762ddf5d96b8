"""Short codes: they lead to a table while it waits for its game, and nowhere else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from server.harness import RunningServer, refused, running_server

from catinthebox.server.errors import Unavailable
from catinthebox.server.live import lobby_index
from catinthebox.server.live.invitations import Invitations
from catinthebox.server.live.links import LETTERS, SHORT_CODE_SIZE, LinkKeys
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.store import About, open_store
from catinthebox.store.protocol import PAGE

API = "/api/v1"
KEYS = LinkKeys(bytes(range(32)))
WAITING = (
    '{"stage":"lobby","players":3,"face":"","clock":false,"spectators":true,'
    '"seats":[],"people":1,"since":0,"keyed":true}'
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all tests of this page."""
    with running_server(tmp_path_factory.mktemp("codes"), limits=Limits.unlimited()) as found:
        found.parts.invitations.waiting.fresh_s = 0
        yield found


def code_of(server: RunningServer, key: str) -> str | None:
    """Return the short code that the holder of a key is told."""
    found: str | None = server.get(f"{API}/tables/{key}/links").json()["code"]
    return found


@given(st.binary(min_size=32, max_size=32), st.text("abc123", min_size=1, max_size=9))
def test_a_code_is_short_and_can_be_read_out(secret: bytes, table: str) -> None:
    """Five letters and digits, none of which look alike."""
    code = LinkKeys(secret).short_code(table)
    assert len(code) == SHORT_CODE_SIZE
    assert set(code) <= set(LETTERS)
    assert not set(LETTERS) & set("AEIOUY01")


@pytest.mark.parametrize("visibility", ["open", "link"])
def test_a_code_leads_to_its_table_in_any_case(server: RunningServer, visibility: str) -> None:
    """Whether the table is listed or not, and however the code is typed."""
    table = server.open("Ada", settings={"visibility": visibility})
    code = code_of(server, table)
    assert code is not None
    for typed in (code, code.lower()):
        assert server.get(f"{API}/codes/{typed}").json() == {"table": table}


def test_a_code_ends_when_the_game_begins(server: RunningServer) -> None:
    """From then on, only the link opens the table."""
    table = server.open("Ada", bots=[{"level": "gentle"}] * 2)
    code = code_of(server, table)
    assert server.do(table, "Ada", "m1", type="Start").status_code == 200
    assert code_of(server, table) is None
    assert refused(server.get(f"{API}/codes/{code}")) == (404, "table.unknown")


def test_the_link_to_watch_has_no_code(server: RunningServer) -> None:
    """It would let people play."""
    table = server.open("Ada")
    watch = server.get(f"{API}/tables/{table}/links").json()["watch"]
    assert code_of(server, watch) is None


def test_guesses_are_counted(tmp_path: Path) -> None:
    """As those of keys are."""
    with running_server(tmp_path, limits=Limits(address_misses=Rate(0.001, 3))) as server:
        codes = [refused(server.get(f"{API}/codes/BBBB{n}"))[1] for n in range(2, 6)]
    assert codes == ["table.unknown"] * 3 + ["limit.misses"]


def invitations(folder: Path, tables: dict[str, About]) -> dict[str, str | None]:
    """Return what the codes of some tables lead to, and which other code leads there."""
    with open_store(folder / "games.db") as store:
        for table, about in tables.items():
            store.append(table, 0, [b"begun"], about).result()
        found = Invitations(store, lambda: 0.0, lambda: KEYS)

        async def ask() -> dict[str, str | None]:
            return {table: await found.key(KEYS.short_code(table)) for table in tables}

        return asyncio.run(ask())


def test_tables_that_do_not_wait_are_not_found(tmp_path: Path) -> None:
    """Those in play, those without keys, and those whose entry cannot be read."""
    tables = {
        "waits": About(lobby_index.WAITING, WAITING),
        "plays": About(lobby_index.OPEN, WAITING.replace('"lobby"', '"play"')),
        "old": About(lobby_index.OPEN, WAITING.replace('"keyed":true', '"keyed":false')),
        "broken": About(lobby_index.WAITING, "{"),
        "idle": About("idle", WAITING),
    }
    found = invitations(tmp_path, tables)
    assert found == dict.fromkeys(tables) | {"waits": KEYS.play("waits")}


def test_every_page_of_the_index_is_read(tmp_path: Path) -> None:
    """A store lists so many tables at once, and no more."""
    names = [f"t{n:05}" for n in range(PAGE + 1)]
    found = invitations(tmp_path, {name: About(lobby_index.WAITING, WAITING) for name in names})
    assert found[names[-1]] == KEYS.play(names[-1])


def test_a_code_of_two_tables_opens_neither(tmp_path: Path) -> None:
    """Nobody should come to the wrong table."""
    codes: dict[str, str] = {}
    for n in range(100_000):
        first = codes.setdefault(KEYS.short_code(f"t{n}"), f"t{n}")
        if first != f"t{n}":
            break
    twins = {first: About(lobby_index.WAITING, WAITING), f"t{n}": About(lobby_index.OPEN, WAITING)}
    assert invitations(tmp_path, twins) == dict.fromkeys(twins)


def test_a_store_that_fails_says_so(tmp_path: Path) -> None:
    """The answer is that it cannot be said, not that there is no table."""
    store = open_store(tmp_path / "games.db")
    found = Invitations(store, lambda: 0.0, lambda: KEYS)
    store.close()
    with pytest.raises(Unavailable):
        asyncio.run(found.key("BBBBB"))
