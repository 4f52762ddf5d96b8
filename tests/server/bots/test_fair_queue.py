"""Laws of the queue that bots' moves wait in, and of the pace that tables share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catinthebox.server.bots.fair_queue import SHARE, FairPace, FairQueue, Place

PLACES = st.builds(
    Place, st.sampled_from("ABCDE"), st.sampled_from(["1", "2", "3", "4"]), st.booleans()
)
Step = Place | None  # an item that comes, or one that is taken
STEPS = st.lists(st.one_of(PLACES, PLACES, st.none()), max_size=200)
Item = tuple[Place, int]


class Model:
    """A queue, what waits in it, and everything that has left it, in order."""

    def __init__(self) -> None:
        self.queue = FairQueue[Item]()
        self.waiting: list[Item] = []
        self.left: list[Item] = []
        self._numbers = 0

    def put(self, place: Place) -> None:
        """Add an item."""
        item = place, self._numbers
        self._numbers += 1
        self.queue.put(item, place)
        self.waiting.append(item)

    def pop(self) -> Item:
        """Take an item; it was waiting."""
        item = self.queue.pop()
        self.waiting.remove(item)
        self.left.append(item)
        return item


def lived(steps: list[Step]) -> Iterator[tuple[Model, Item]]:
    """Do all steps; give every item that leaves, with the queue as it is just after that."""
    model = Model()
    for step in steps:
        if step is not None:
            model.put(step)
        elif model.waiting:
            yield model, model.pop()
    while model.waiting:
        yield model, model.pop()


@given(STEPS)
def test_nothing_is_lost_doubled_or_withheld(steps: list[Step]) -> None:
    """Work conserving: a queue that is not empty gives an item, and each exactly once."""
    for model, _ in lived(steps):
        assert len(model.queue) == len(model.waiting)
    with pytest.raises(IndexError):
        FairQueue[Item]().pop()


@given(STEPS)
def test_a_table_keeps_its_order(steps: list[Step]) -> None:
    """What came first leaves first, at each table."""
    last: dict[Place, int] = {}
    for _, (place, number) in lived(steps):
        assert last.get(place, -1) < number
        last[place] = number


@given(STEPS)
def test_unwatched_tables_get_their_share_and_no_more(steps: list[Step]) -> None:
    """While both kinds wait, exactly one of `SHARE` items is of an unwatched table."""
    run = 0  # watched items since an unwatched one, while unwatched ones waited all the time
    for model, (place, _) in lived(steps):
        unwatched = any(not other.watched for other, _ in model.waiting)
        watched = any(other.watched for other, _ in model.waiting)
        if place.watched:
            run = run + 1 if unwatched else 0
            assert run < SHARE
        else:
            assert not watched or run == SHARE - 1
            run = 0


@given(st.lists(PLACES, min_size=1, max_size=120))
def test_owners_are_equal_and_so_are_their_tables(places: list[Place]) -> None:
    """The next one has not had more than any other waiting owner, or table of its owner."""
    model, owners, tables = Model(), Counter[tuple[str, bool]](), Counter[Place]()
    for place in places:
        model.put(place)
    while model.waiting:
        waiting = {place for place, _ in model.waiting}
        place, _ = model.pop()
        kind = [other for other in waiting if other.watched == place.watched]
        siblings = [other for other in kind if other.owner == place.owner]
        assert all(owners[place[::2]] <= owners[other[::2]] for other in kind)
        assert all(tables[place] <= tables[other] for other in siblings)
        owners[place[::2]] += 1
        tables[place] += 1


@given(STEPS, PLACES)
def test_the_wait_of_a_newcomer_is_bounded_by_owners_not_by_tables(
    steps: list[Step], place: Place
) -> None:
    """Anyone who has one table waits for one item of each other owner, however many they have.

    Unwatched tables add one item of `SHARE`; one of them waits for `SHARE` items instead of one.
    """
    model = Model()
    for step in steps:
        if step is not None and step.owner != place.owner:
            model.put(step)
    model.put(place)
    owners = len({other.owner for other, _ in model.waiting if other.watched == place.watched})
    waited = 1
    while model.pop()[0] != place:
        waited += 1
    bound = owners * SHARE if not place.watched else owners + -(-owners // (SHARE - 1))
    assert waited <= bound


def test_three_hundred_tables_of_twelve_addresses_cost_a_newcomer_thirteen_items() -> None:
    """The finding: in one queue it would be three hundred."""
    queue = FairQueue[str]()
    for number in range(300):
        queue.put("flood", Place(f"address {number % 12}", f"table {number}"))
    queue.put("honest", Place("another", "one"))
    assert [queue.pop() for _ in range(13)].index("honest") == 12


def test_what_is_put_back_is_the_next() -> None:
    """It has waited before."""
    queue = FairQueue[int]()
    for number in range(3):
        queue.put(number, Place())
    first = queue.pop()
    queue.put_back(first)
    assert len(queue) == 3
    assert [queue.pop() for _ in range(3)] == [0, 1, 2]


def test_contention_is_counted_by_owner() -> None:
    """Twelve owners compete, whatever they have; own tables compete, too."""
    queue = FairQueue[int]()
    assert queue.contention(Place("me", "1")) == 0
    for number in range(300):
        queue.put(number, Place(f"address {number % 12}", f"table {number}"))
    assert queue.contention(Place("me", "1")) == 12
    assert queue.contention(Place("address 0", "table 0")) == 12 * 26 - 1
    assert queue.contention(Place("me", "1", watched=False)) == 300


@given(st.lists(st.sampled_from("ABCDEFG"), min_size=1, max_size=60))
def test_a_pace_is_shared_equally_and_used_up(tables: list[str]) -> None:
    """All together make one move in a slot; every owner has the same part of that."""
    pace = FairPace(slot_ms=40)
    with ExitStack() as playing:
        for owner in tables:
            playing.enter_context(pace.playing(owner))
        rates = {owner: tables.count(owner) / pace.interval(owner) for owner in tables}
    assert sum(rates.values()) == pytest.approx(1 / 40)
    assert max(rates.values()) == pytest.approx(min(rates.values()))
    assert pace.interval("A") == 40
