"""The thread that writes: batches, limits, cancelling, mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from threading import Event

import pytest
from waiting import HANG

from catinthebox.store import Busy, StoreClosed, StoreFailed, writer
from catinthebox.store.requests import Append, StoreAnswer, StoreRequest

pytestmark = pytest.mark.timing


class Slow:
    """A commit that waits until it may go on, and keeps the sizes of the batches."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.begun, self.gate = Event(), Event()

    def __call__(self, requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
        """Wait, then say yes to all."""
        self.begun.set()
        self.gate.wait(HANG)
        self.sizes.append(len(requests))
        return [request.expected + 1 for request in requests if isinstance(request, Append)]


def one(number: int, size: int = 1) -> Append:
    return Append("tabby", number, (b"x" * size,))


def test_what_waits_shares_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for the first, then all that came meanwhile, up to the limit; told game by game."""
    monkeypatch.setattr(writer, "BATCH", 40)
    notified: list[list[tuple[str, int]]] = []
    commit = Slow()
    thread = writer.Writer("test", commit, notified.append)
    futures = [thread.put(one(0))]
    commit.begun.wait(HANG)
    futures += [thread.put(one(n)) for n in range(1, 100)]
    commit.gate.set()
    assert [future.result() for future in futures] == list(range(1, 101))
    thread.close()
    assert commit.sizes == [1, 40, 40, 19]
    assert notified == [[("tabby", 1)], [("tabby", 41)], [("tabby", 81)], [("tabby", 100)]]


@pytest.mark.parametrize(("limit", "size"), [("WAITING", 1), ("WAITING_BYTES", 1000)])
def test_too_much_waits(monkeypatch: pytest.MonkeyPatch, limit: str, size: int) -> None:
    """More than the limit is refused at once; nothing accepted is lost."""
    monkeypatch.setattr(writer, limit, 10 if limit == "WAITING" else 10 * 1250)
    commit = Slow()
    thread = writer.Writer("test", commit)
    first = thread.put(one(0, size))
    commit.begun.wait(HANG)
    accepted = [thread.put(one(n, size)) for n in range(10)]
    with pytest.raises(Busy, match="10 requests wait"):
        thread.put(one(99, size))
    commit.gate.set()
    assert [future.result() for future in (first, *accepted)] == [1, *range(1, 11)]
    thread.put(one(7, size)).result()
    thread.close()


def test_one_that_is_larger_than_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is taken if nothing else waits, so that every append can be written some time."""
    monkeypatch.setattr(writer, "WAITING_BYTES", 100)
    commit = Slow()
    commit.gate.set()
    thread = writer.Writer("test", commit)
    assert thread.put(one(0, 5000)).result() == 1
    thread.close()


def test_cancelling() -> None:
    """What waits can be cancelled and is not written; what is being written cannot."""
    commit = Slow()
    thread = writer.Writer("test", commit)
    running = thread.put(one(0))
    commit.begun.wait(HANG)
    waiting: list[Future[StoreAnswer]] = [thread.put(one(n)) for n in range(1, 4)]
    assert not running.cancel()
    assert all(future.cancel() for future in waiting)
    last = thread.put(one(8))
    commit.gate.set()
    assert (running.result(), last.result()) == (1, 9)
    thread.close()
    assert commit.sizes == [1, 1]


def test_a_mistake_in_a_commit() -> None:
    """Whatever it raises, nobody is left waiting, and the thread lives on."""
    answers: list[Exception | None] = [ZeroDivisionError("oops"), StoreFailed("no", settled=True)]

    def commit(requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
        error = answers.pop(0) if answers else None
        if error:
            raise error
        return [1 for _ in requests]

    thread = writer.Writer("test", commit)
    error = thread.put(one(0)).exception()
    assert isinstance(error, StoreFailed)
    assert "ZeroDivisionError" in str(error)
    assert not error.settled
    assert str(thread.put(one(0)).exception()) == "no"
    assert thread.put(one(0)).result() == 1
    thread.close()
    with pytest.raises(StoreClosed):
        thread.put(one(0))
