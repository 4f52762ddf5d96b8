"""The table of the day: one entry a token, of a game that is checked, and nothing told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from daily_games import EASY, at_random, play_day
from hypothesis import given
from hypothesis import strategies as st
from store.model import Model

from catinthebox import Action, CatInTheBoxError, Game
from catinthebox.fair.daily import daily
from catinthebox.game.record import RecordError, write
from catinthebox.players import Budget, player
from catinthebox.players.player import GivenSeed
from catinthebox.protocol.daily import DayRow, DayTable, NewDayEntry
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.errors import Overloaded, Unavailable
from catinthebox.server.live.day_check import decisions, later, played
from catinthebox.server.live.day_tables import BEST, DayEntry, DayTables, Placed, person_of, table
from catinthebox.server.ops.limits import Limits
from catinthebox.store import ListEntry, Store, StoreFailed, open_store
from catinthebox.table import token_hash
from catinthebox.views import View

SEAT = daily(EASY).seat
MORNING = int(datetime.fromisoformat(f"{EASY}T08:00:00+00:00").timestamp() * 1000)
DAY_MS = 86_400_000


@cache
def easy_game(number: int = 0) -> Game:
    """A game of the easy day; each number is another way to play it."""
    return play_day(EASY, at_random(number))


async def decide(level: str, view: View, seed: int, place: Place) -> Action:
    """What the pool of the bots answers."""
    assert not place.watched, "tables come first"
    return player(level).choose(view, Budget(), GivenSeed(seed))


class Board:
    """Tables of the day, with a clock that is set by hand."""

    def __init__(self, store: Store | None = None, **options: Any) -> None:
        self.store: Store = store or Model()
        self.now = MORNING
        limits = Limits(**options.pop("limits", {}))
        given = {"decide": decide, "days": 31, **options}
        self.tables = DayTables(
            self.store, now_ms=lambda: self.now, clock=lambda: 0.0, limits=limits, **given
        )

    def enter(
        self, who: str, game: Game | str | None = None, date: str = EASY, **fields: str
    ) -> Coroutine[Any, Any, DayTable]:
        """Add somebody's game; by default one that only they have played so."""
        if game is None:
            game = easy_game(len(who) + ord(who[0]))
        text = game if isinstance(game, str) else write(game)
        wanted = NewDayEntry(**{"name": who, "record": text, **fields})
        return self.tables.enter(date, token_hash(who), wanted)

    def read(self, who: str = "", date: str = EASY) -> Coroutine[Any, Any, DayTable]:
        """Look at a table."""
        return self.tables.read(date, token_hash(who) if who else "")


async def code_of(asked: Coroutine[Any, Any, DayTable]) -> str:
    """The code with which something is refused."""
    with pytest.raises(CatInTheBoxError) as refused:
        await asked
    return refused.value.code


# ── One entry ────────────────────────────────────────────────────────────────────────────────


async def _goes_on_the_table(board: Board) -> None:
    game = easy_game(7)
    shown = await board.enter("Ada", game, cat="mochi")
    points = game.totals[SEAT]
    assert shown.rows == (DayRow(1, 1, "Ada", "mochi", points, own=True),)
    assert (shown.date, shown.open, shown.entries) == (EASY, True, 1)
    others = await board.read()
    assert others.rows == (replace_row(shown.rows[0], own=False),)
    assert await board.read("Ben") == others


def replace_row(row: DayRow, *, own: bool) -> DayRow:
    """A row as somebody else sees it."""
    return DayRow(row.place, row.rank, row.name, row.cat, row.points, own)


async def _one_for_a_token(board: Board) -> None:
    await board.enter("Ada", easy_game(1))
    before = await board.read("Ada")
    assert await code_of(board.enter("Ada", easy_game(2))) == "daily.entered"
    assert await board.read("Ada") == before
    await board.enter("Ben", easy_game(1), name="Ada")  # names are not unique, tokens are
    assert (await board.read()).entries == 2


async def _one_for_a_token_at_once(board: Board) -> None:
    tries = [board.enter("Ada", easy_game(n)) for n in range(4)]
    answers = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(answer, DayTable) for answer in answers) == 1
    codes = {answer.code for answer in answers if isinstance(answer, CatInTheBoxError)}
    assert codes == {"daily.entered"}
    assert (await board.read()).entries == 1


Law = Callable[[Board], Coroutine[Any, Any, None]]
LAWS: Sequence[Law] = (_goes_on_the_table, _one_for_a_token, _one_for_a_token_at_once)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("kind", ["model", "sqlite"])
def test_an_entry(law: Law, kind: str, tmp_path: Path) -> None:
    """A game is on the table, once for a token, whatever the store (PostgreSQL: tests/store)."""
    if kind == "model":
        asyncio.run(law(Board()))
        return
    with open_store(tmp_path / "games.db") as store:
        asyncio.run(law(Board(store)))


def test_two_workers_accept_one_entry(tmp_path: Path) -> None:
    """Their caches differ for a moment; the store decides."""

    async def law() -> None:
        with open_store(tmp_path / "games.db") as store:
            one, other = Board(store), Board(store)
            assert (await other.read()).entries == 0
            await one.enter("Ada", easy_game(1))
            assert await code_of(other.enter("Ada", easy_game(2))) == "daily.entered"

    asyncio.run(law())


def test_nothing_secret_is_stored() -> None:
    """No token, no record, nothing that is the same on two days."""

    async def law() -> None:
        board = Board()
        await board.enter("Ada", easy_game(1))
        (entry,) = board.store.entries(EASY)
        assert token_hash("Ada") not in entry.key + entry.entry
        assert set(entry.entry) & set("\n=>") == set()
        assert '"points"' in entry.entry
        assert len(entry.entry) < 100
        keys = {person_of(day, token_hash("Ada")) for day in (EASY, later(EASY, 1))}
        assert len(keys) == 2

    asyncio.run(law())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "input.name"),
        ("Ada\n", ""),
        ("a\tb", "input.name"),
        ("x" * 41, "input.name"),
        ("\u0410da", "input.name_mixed"),
        ("sharp", "table.name_taken"),
        ("Qu\u0430rk", "input.name_mixed"),
        ("PHOTON", "table.name_taken"),
        ("\u200b", "input.name"),
    ],
)
def test_names_are_as_at_tables(name: str, code: str) -> None:
    """Tidied, of one script, and not a bot's."""

    async def law() -> None:
        board = Board()
        asked = board.enter("Ada", easy_game(1), name=name)
        if code:
            assert await code_of(asked) == code
            assert (await board.read()).entries == 0
        else:
            assert (await asked).rows[0].name == name.strip()

    asyncio.run(law())


# ── The game ─────────────────────────────────────────────────────────────────────────────────


def test_what_was_played_is_accepted() -> None:
    """Whatever its person did: several ways to play a day, with their points."""

    async def law() -> None:
        board = Board()
        for number in range(5):
            shown = await board.enter(f"Ada {number}", easy_game(number))
            (own,) = [row for row in shown.rows if row.own]
            assert own.points == easy_game(number).totals[SEAT]

    asyncio.run(law())


@pytest.mark.long
@pytest.mark.parametrize("date", ["2026-11-15", "2026-11-16", "2027-01-01"])
def test_bots_of_every_level_decide_again(date: str) -> None:
    """As they did in the game, by the seeds of the day."""
    game = play_day(date, at_random(3))
    found = [*decisions(date, played(date, write(game)))]
    assert {one.level for one in found} == set(daily(date).levels) - {None}
    for level, view, seed, action, place in found:
        assert player(level).choose(view, Budget(), GivenSeed(seed)) == action, place


def test_the_order_of_the_discards_is_no_part_of_a_game() -> None:
    """Records do not have it, and the bots saw the cards as they were dealt."""
    game = easy_game(3)
    for round in game.rounds:
        first = [play.seat for play in round.actions[:3]]
        assert first == [0, 1, 2]
    for decision in decisions(EASY, game):
        if decision.action.phase.name == "DISCARD":
            assert decision.view.actions == ()


def other_bots(number: int) -> Game:
    """The game of the day, if the bots had done anything else that is legal."""
    return play_day(EASY, at_random(number), bots=False)


REFUSED: dict[str, tuple[Callable[[], str], str, str]] = {
    "other bots": (lambda: write(other_bots(1)), "daily.game", "decides otherwise"),
    "the game of yesterday": (
        lambda: write(play_day(later(EASY, -1), bots=False)),
        "daily.game",
        "is not the game of that day",
    ),
    "another first starter": (
        lambda: write(replace_starter(easy_game(1))),
        "daily.game",
        "another seat begins",
    ),
    "four players": (lambda: write(game_of(4)), "daily.game", "has three players"),
    "other cards": (lambda: write(game_of(3)), "daily.game", "round 1 has other cards"),
    "not over": (
        lambda: write(replace(easy_game(1), rounds=easy_game(1).rounds[:2])),
        "daily.game",
        "not over",
    ),
    "a false score": (lambda: with_more_points(easy_game(1)), "", "the score of seat 0"),
    "no record": (lambda: "a game that I won", "", ""),
    "nothing": (lambda: "", "", ""),
}


def game_of(players: int) -> Game:
    """A game that has nothing to do with a day."""
    rng = Random(4)
    game = Game.new(players, face="white", starter=daily(EASY).starter)
    while not game.over:
        game = game.shuffle(rng)
        while not game.current.over:
            game = game.play(rng.choice([*game.current.legal]))
    return game


def replace_starter(game: Game) -> Game:
    """The same cards, but for who begins."""
    rng = Random(4)
    changed = Game.new(3, face="white", starter=(game.starter_of_game + 1) % 3)
    for round in game.rounds:
        changed = changed.deal(round.setup.hands)
        while not changed.current.over:
            changed = changed.play(rng.choice([*changed.current.legal]))
    return changed


def with_more_points(game: Game) -> str:
    """A record that claims another score."""
    lines = write(game).splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("scores"))
    lines[place] = "scores 9 9 9"
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("kind", REFUSED)
def test_any_other_game_is_refused(kind: str) -> None:
    """With what is wrong about it, and without an entry; the right game is still accepted."""
    make, code, words = REFUSED[kind]

    async def law() -> None:
        board = Board()
        with pytest.raises(CatInTheBoxError) as refused:
            await board.enter("Ada", make())
        error = refused.value
        assert error.code == code if code else isinstance(error, RecordError)
        assert words in str(error)
        assert (await board.read()).entries == 0
        assert (await board.enter("Ada", easy_game(1))).entries == 1

    asyncio.run(law())


@pytest.mark.parametrize("place", range(0, 40, 7))
def test_one_other_move_of_a_bot_is_enough(place: int) -> None:
    """Wherever a bot was made to do something else."""
    turned: list[Action] = []
    bots = play_day(EASY, at_random(6))
    seen = [*decisions(EASY, bots)]

    async def stubborn(level: str, view: View, seed: int, where: Place) -> Action:
        turned.append(seen[len(turned)].action)
        legal = sorted(view.legal, key=str)
        if len(turned) <= place:
            return turned[-1]
        return next((action for action in legal if action != turned[-1]), turned[-1])

    async def law() -> None:
        board = Board(decide=stubborn)
        assert await code_of(board.enter("Ada", bots)) == "daily.game"

    asyncio.run(law())


# ── Days ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("days", "accepted"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)]
)
def test_a_day_counts_on_its_day(days: int, accepted: bool) -> None:
    """And a day before and after it, by the clock of the server: other clocks differ."""

    async def law() -> None:
        board = Board()
        board.now += days * DAY_MS
        assert (await board.read()).open is accepted
        asked = board.enter("Ada", easy_game(1))
        if accepted:
            assert (await asked).entries == 1
        else:
            assert await code_of(asked) == "daily.closed"

    asyncio.run(law())


@pytest.mark.parametrize("date", ["today", "2026-02-30", "2026-1-1", "20261117", "", "2026-11-17 "])
def test_what_is_no_day(date: str) -> None:
    """It is said so, and nothing is looked up."""

    async def law() -> None:
        assert await code_of(Board().read(date=date)) == "input.date"

    asyncio.run(law())


def test_old_tables_are_deleted() -> None:
    """After so many days, and at once where there are to be none."""

    async def law() -> None:
        board = Board(days=2)
        await board.enter("Ada", easy_game(1))
        for days, left in ((1, 1), (1, 1), (1, 0)):
            board.now += days * DAY_MS
            await board.tables.drop_old()
            assert len(board.store.entries(EASY)) == left
        board.now = MORNING
        await board.enter("Ben", easy_game(2))
        off = Board(board.store, days=0)
        await off.tables.drop_old()
        assert board.store.entries(EASY) == []
        assert await code_of(off.read()) == "daily.off"
        assert await code_of(off.enter("Ada", easy_game(1))) == "daily.off"

    asyncio.run(law())


# ── Limits ───────────────────────────────────────────────────────────────────────────────────


def test_a_full_table() -> None:
    """It says so, and stays as it is."""

    async def law() -> None:
        board = Board(limits={"day_entries": 2})
        await board.enter("Ada", easy_game(1))
        await board.enter("Ben", easy_game(2))
        assert await code_of(board.enter("Cleo", easy_game(3))) == "daily.full"
        assert (await board.read()).entries == 2

    asyncio.run(law())


def test_games_are_checked_one_at_a_time() -> None:
    """Few wait; more are told to come again, and are accepted then."""
    at_once = most = 0
    go = asyncio.Event()

    async def slow(level: str, view: View, seed: int, place: Place) -> Action:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await go.wait()
        at_once -= 1
        return await decide(level, view, seed, place)

    async def law() -> None:
        board = Board(decide=slow, limits={"day_checks_waiting": 3})
        names = ["Ada", "Ben", "Cleo", "Dee"]
        tasks = [asyncio.create_task(board.enter(name, easy_game(1))) for name in names]
        with pytest.raises(Overloaded):
            await tasks[3]
        go.set()
        assert [(await task).entries for task in tasks[:3]] == [1, 2, 3]
        assert most == 1
        assert (await board.enter("Dee", easy_game(1))).entries == 4

    asyncio.run(law())


def test_bots_that_have_no_time() -> None:
    """The game is not accepted unchecked, and not refused for good."""

    async def busy(level: str, view: View, seed: int, place: Place) -> None:
        return None

    async def law() -> None:
        board = Board(decide=busy)
        with pytest.raises(Overloaded):
            await board.enter("Ada", easy_game(1))
        assert (await board.read()).entries == 0
        assert (await Board(board.store).enter("Ada", easy_game(1))).entries == 1

    asyncio.run(law())


def test_a_store_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be tried again."""

    def fail(*_: object) -> Any:
        raise StoreFailed("no disk", settled=True)

    async def law() -> None:
        board = Board()
        monkeypatch.setattr(board.store, "enter", fail)
        with pytest.raises(Unavailable):
            await board.enter("Ada", easy_game(1))
        monkeypatch.setattr(board.store, "entries", fail)
        with pytest.raises(Unavailable):
            await Board(board.store).read()

    asyncio.run(law())


def test_an_entry_that_cannot_be_read() -> None:
    """It is left out; the others are shown."""

    async def law() -> None:
        board = Board()
        for key, text in (("a", "{}"), ("b", "no json"), ("c", "\ufffd")):
            board.store.enter(EASY, key, text).result()
        assert (await board.enter("Ada", easy_game(1))).entries == 1
        assert [entry.key for entry in board.store.entries(EASY)[:3]] != []

    asyncio.run(law())


# ── Ranks ────────────────────────────────────────────────────────────────────────────────────

points = st.lists(st.integers(-12, 12), max_size=40)


@given(points, st.integers(0, 39))
def test_ranks(given_points: list[int], mine: int) -> None:
    """A rank counts those with more points; the earlier of two with the same is above."""
    entries = [
        Placed(f"k{n:02}", DayEntry(f"n{n}", "", each, n)) for n, each in enumerate(given_points)
    ]
    store = Model()
    board = Board(store)
    for key, entry in entries:
        text = f'{{"name":"{entry.name}","cat":"","points":{entry.points},"at":{entry.at}}}'
        store.enter(EASY, key, text)
    placed = asyncio.run(board.tables._look(EASY))
    own = f"k{mine:02}"
    shown = table(EASY, placed, own, open=True)
    assert shown.entries == len(entries)
    assert {(row.points, row.entries) for row in shown.results} == {
        (each, given_points.count(each)) for each in given_points
    }
    assert [row.points for row in shown.results] == sorted(set(given_points))
    places = [row.place for row in shown.rows]
    assert places == sorted(set(places))
    assert places[:BEST] == [*range(1, min(BEST, len(entries)) + 1)]
    for row in shown.rows:
        assert row.rank == 1 + sum(each > row.points for each in given_points)
        entry = placed[row.place - 1].entry
        assert (row.name, row.points) == (entry.name, entry.points)
        assert row.own == (placed[row.place - 1].key == own)
    assert sum(row.own for row in shown.rows) == (mine < len(entries))
    for one, other in pairwise(placed):
        assert (-one.entry.points, one.entry.at) < (-other.entry.points, other.entry.at)


def test_what_is_stored_is_read_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, however it is cut."""
    monkeypatch.setattr("catinthebox.server.live.day_tables.PAGE", 3)
    store = Model()
    pages = store.entries

    def few(name: str, after: str = "", limit: int = 3) -> list[ListEntry]:
        return pages(name, after, limit)

    monkeypatch.setattr(store, "entries", few)
    for n in range(10):
        store.enter(EASY, f"k{n}", f'{{"name":"Ada","cat":"","points":{n},"at":{n}}}')
    assert asyncio.run(Board(store).read()).entries == 10
