"""Bots at live tables: they think in processes of their own, so that nobody waits for them here.

A bot is told its level, the view of its seat and a chance, nothing else. Children compile before
they work; until the first of them has, and whenever none is there, another one that compiles
nothing stands in. A child that crashes or hangs is replaced, and its move is asked again of
another one, once; then a modest player answers here. So there always is an answer.

>>> from catinthebox.table import BotTurn
>>> from catinthebox.views import Dealt, View
>>> view = View(Dealt(3, seat=0, hand="1223345566"))
>>> async def first_move() -> Action:
...     bots = BotPool()
...     await bots.start()
...     try:
...         return await bots.choose(BotTurn(0, "sharp", view, turn=1, deadline=None), seed=7)
...     finally:
...         await bots.close()
>>> asyncio.run(first_move()) in view.legal
True
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import lru_cache
from random import Random
from typing import Final

from ...game import Action, CatInTheBoxError, NotUnderstood
from ...game.errors import quoted
from ...players import LEVELS, Budget, player
from ...players.modest import Modest
from ...protocol.settings import checked_level
from ...table import BotTurn
from .child import Child, ChildSlot, Move
from .fair_queue import FairQueue, Place
from .process import ACTION, AGAIN, COMPILED, INTERPRETED, LOADED, READY, TROUBLE, question

WARMING: Final = 300.0  # seconds: whoever compiles for longer than that is stuck
LEAST: Final = 0.25  # seconds that a bot has, also when the clock has run out
MARGIN: Final = 0.05  # seconds before its deadline at which a move is answered at the latest
BUSY_MS, LEAST_MS = 200.0, 10.0  # for a decision, when one other move waits, and when very many do

_log = logging.getLogger("catinthebox.bots")
LOST: Final = {"event": "bots_lost"}  # how the server's own log calls it
FAILED: Final = {"event": "bot_failed"}


# ── Who may play here ────────────────────────────────────────────────────────────────────────

WELCOME: Final = ("random", "follow", "modest", "careful", "search", "ismcts")  # none runs programs
LIMITS: Final = {"rollouts": 2000, "iterations": 2000, "ms": 200}
ACCEPTED: Final = (
    f"a bot here is {', '.join(LEVELS)}, or {', '.join(WELCOME)} with parameters: "
    + ", ".join(f"{name} up to {most}" for name, most in LIMITS.items())
)
UNKNOWN: Final = "steady"  # plays for a level that is not accepted, as an old table may have one


def checked_bot(level: str) -> str:
    """Return a bot's level if strangers may have such a bot think here.

    >>> checked_bot("sharp"), checked_bot("search:ms=100")
    ('sharp', 'search:ms=100')
    >>> checked_bot("search:rollouts=9000")
    Traceback (most recent call last):
        ...
    catinthebox.game.errors.NotUnderstood: rollouts=9000 is too much; a bot here is gentle, ...
    """
    name = level.partition(":")[0]
    if name not in (*LEVELS, *WELCOME):
        raise _refused(f"no bot {quoted(name)}")
    try:
        made = player(checked_level(level))
    except NotUnderstood as error:
        raise _refused(error.message) from None
    given = {limited: getattr(made, limited, None) or 0 for limited in LIMITS}
    above = [f"{name}={value}" for name, value in given.items() if value > LIMITS[name]]
    if above:
        raise _refused(f"{', '.join(above)} is too much")
    return level


def _refused(sentence: str) -> NotUnderstood:
    return NotUnderstood("input.level", f"{sentence}; {ACCEPTED}")


@lru_cache(maxsize=256)
def _safe(level: str) -> str:
    """Never let anything else think, wherever a table comes from."""
    try:
        return checked_bot(level)
    except NotUnderstood:
        _log.warning("no level %s here; %s plays for it", quoted(level), UNKNOWN)
        return UNKNOWN


# ── All of them ──────────────────────────────────────────────────────────────────────────────


def epoch_ms() -> int:
    """Return the time as tables count it."""
    return time.time_ns() // 1_000_000


class BotPool:
    """Children that think for bots, and the moves that wait for them in a `FairQueue`.

    `processes` is how many compile; with 0 the one that stands in does all, in little memory. If
    `most_waiting` moves wait, a modest player answers others at once. Who thinks for longer than
    `patience_ms` hangs; nobody waits for more than twice that. `now` is the clock that the
    deadlines of turns are meant by, in milliseconds.
    """

    def __init__(
        self,
        processes: int = 1,
        *,
        most_waiting: int = 1_000,
        patience_ms: int = 10_000,
        now: Callable[[], int] = epoch_ms,
    ) -> None:
        self._most_waiting = most_waiting
        self._patience = patience_ms / 1000
        self._now = now
        self._stand_in = ChildSlot(stands_in=True)
        self._posts = [ChildSlot(stands_in=False) for _ in range(processes)]
        self._queue: FairQueue[Move] = FairQueue()
        self._open: set[Move] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()
        self._compiling = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """How many moves have been asked for and not been answered."""
        return len(self._open)

    @property
    def warm(self) -> bool:
        """Whether all children are as fast as they will be: compiled, if there is a compiler."""
        return all(post.ready for post in self._posts)

    @property
    def pids(self) -> list[int]:
        """The processes that live now, the one that stands in first."""
        children = [post.child for post in (self._stand_in, *self._posts)]
        return [child.process.pid for child in children if child is not None and child.lives]

    async def start(self) -> None:
        """Start the children; they come, and compile, in the background."""
        assert not self._tasks, "they have been started before"
        self._tasks = [
            asyncio.create_task(self._keep(post)) for post in (self._stand_in, *self._posts)
        ]

    async def close(self) -> None:
        """End all children. Whoever still waits is answered, and so is everybody who asks later."""
        tasks, self._tasks = self._tasks, []
        for move in self._open:
            move.settle(None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*self._ending, return_exceptions=True)

    # ── Asking ───────────────────────────────────────────────────────────────────────────────

    async def choose(
        self, turn: BotTurn, seed: int | None = None, place: Place | None = None
    ) -> Action:
        """Let a bot decide. The same seed gives the same action, if its level counts rollouts.

        It always gives a legal action, and in time where there is a deadline. A single legal
        action takes the same way: if it were answered at once, everybody could see that the hand
        left no choice.
        """
        legal = turn.view.legal
        assert legal, "a bot is asked when it may act"
        seed = secrets.randbits(62) if seed is None else seed
        action = None if self._overrun else await self._asked(turn, seed, place or Place())
        if action is None:
            await asyncio.sleep(0)  # many may be answered here at once; others come in between
            return Modest().choose(turn.view, Budget(), Random(seed))
        return action

    @property
    def _overrun(self) -> bool:
        """Whether it is no use to wait for a child."""
        return not self._tasks or self.waiting >= self._most_waiting or self._hopeless

    @property
    def _hopeless(self) -> bool:
        """Whether no child works, and none will soon."""
        return self._stand_in.resting and not self._staffed

    @property
    def _staffed(self) -> bool:
        return any(post.ready for post in self._posts)

    async def _asked(self, turn: BotTurn, seed: int, place: Place) -> Action | None:
        """Queue up; None if nobody answers in time."""
        loop = asyncio.get_running_loop()
        left = self._left(turn)
        until = None if left is None else loop.time() + left
        move = Move(turn, seed, until, loop.create_future(), place)
        self._open.add(move)
        self._queue.put(move, place)
        self._ring()
        try:
            async with asyncio.timeout(2 * self._patience if left is None else left):
                return await move.answer
        except TimeoutError:
            return None
        finally:
            self._open.discard(move)

    def _left(self, turn: BotTurn) -> float | None:
        """How many seconds there are for a turn."""
        if turn.deadline is None:
            return None
        return min(max(LEAST, (turn.deadline - self._now()) / 1000), 2 * self._patience)

    # ── Children ─────────────────────────────────────────────────────────────────────────────

    async def _keep(self, post: ChildSlot) -> None:
        """Keep a child at a post: when one fails, another one comes."""
        while True:
            while not self._wanted(post):
                await self._news.wait()
            try:
                await self._employ(post)
            except Exception as error:  # whatever it is, the next one may do better
                post.failures += 1
                _log.warning("a process for bots is replaced: %s", _named(error), extra=LOST)
                await self._rest(post)

    def _wanted(self, post: ChildSlot) -> bool:
        """Whether a post is to be held: that of the one who stands in is not always."""
        return not (post.stands_in and self._staffed)

    async def _rest(self, post: ChildSlot) -> None:
        if seconds := post.rest():
            post.resting = True
            if self._hopeless:
                self._dismiss()
            await asyncio.sleep(seconds)
            post.resting = False

    def _dismiss(self) -> None:
        """Tell everybody in the queue that nobody will answer."""
        while self._queue:
            self._queue.pop().settle(None)

    async def _employ(self, post: ChildSlot) -> None:
        """Start a child, and let it work for as long as it can and is wanted."""
        kindly = True
        try:
            # One after the other: the second child finds what the first one has compiled.
            async with nullcontext() if post.stands_in else self._compiling:
                await self._introduce(post)
            await self._work(post)
        except Exception:
            kindly = False
            raise
        finally:
            child, post.child, post.ready = post.child, None, False
            self._ring()
            if child is not None:
                await self._let_go(child, kindly)

    async def _let_go(self, child: Child, kindly: bool = True) -> None:
        """End a child, also if we are to end meanwhile: `close` waits for it."""
        ending = asyncio.create_task(child.end(kindly))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        await asyncio.shield(ending)

    async def _introduce(self, post: ChildSlot) -> None:
        """Start a child, and wait until it has compiled what it needs."""
        said = await self._greeting(post, INTERPRETED if post.stands_in else COMPILED)
        if said == AGAIN:
            said = await self._greeting(post, LOADED)
        word, _, trouble = said.partition(" ")
        if word != READY:
            raise ValueError("no greeting")
        if trouble:
            _log.warning("bots search less: the compiler does not work (%s)", quoted(trouble))
        post.ready = True
        self._ring()

    async def _greeting(self, post: ChildSlot, how: str) -> str:
        before, post.child = post.child, None
        if before is not None:
            await self._let_go(before)
        post.child = await Child.start(how, self._ring)
        async with asyncio.timeout(WARMING):
            return await post.child.hear()

    async def _work(self, post: ChildSlot) -> None:
        """Ask a child for one move after the other."""
        child = post.child
        assert child is not None
        while (move := await self._next(post, child)) is not None:
            slot = self._slot(move)
            end = _held_until(asyncio.get_running_loop().time(), slot, move)
            try:
                async with asyncio.timeout(self._patience):
                    said = await child.ask(self._question(move, slot))
            except Exception:
                self._again(move)
                raise
            post.failures = 0
            _settle_at(end, move, _legal(move.turn, said))
        if not child.lives:
            raise EOFError

    async def _next(self, post: ChildSlot, child: Child) -> Move | None:
        """Wait for a move; None if the child has ended, or is not wanted any more."""
        while child.lives and self._wanted(post):
            while self._queue:
                move = self._queue.pop()
                if not move.answer.done():
                    return move
            await self._news.wait()
        return None

    def _again(self, move: Move) -> None:
        """Ask another child before all others; it is the move's last chance."""
        if move.tried:
            move.settle(None)
        else:
            move.tried = True
            self._queue.put_back(move)
            self._ring()

    def _question(self, move: Move, slot: float) -> bytes:
        turn = move.turn
        return question(_safe(turn.level), turn.view, move.seed, self._ms(move, slot))

    def _ms(self, move: Move, slot: float) -> float | None:
        """How many milliseconds a bot may think: half of what is left, and less if others wait."""
        limits = [slot] if slot else []
        if move.until is not None:
            limits.append(500 * (move.until - asyncio.get_running_loop().time()))
        return max(LEAST_MS, min(limits)) if limits else None

    def _slot(self, move: Move) -> float:
        """How many milliseconds a move has because others wait; 0.0 if none do."""
        waiting = self._queue.rivals(move.place)
        if not waiting:
            return 0.0
        working = max(1, sum(post.ready for post in self._posts))
        return max(LEAST_MS, BUSY_MS * working / waiting)

    def _ring(self) -> None:
        """Wake everybody who waits for news."""
        self._news.set()
        self._news = asyncio.Event()


def _held_until(now: float, slot: float, move: Move) -> float:
    """Return when a move that has a slot (in milliseconds) is answered, at the earliest.

    Many processes make slots long: there is room to think, and no reason to hold an answer back for
    longer than under the heaviest load. A deadline always comes first.
    """
    end = now + min(slot, BUSY_MS) / 1000
    return end if move.until is None else min(end, move.until - MARGIN)


def _settle_at(end: float, move: Move, action: Action | None) -> None:
    """Answer when the time that the move had is over; the child goes on with the next one.

    Under load nothing else hides how long a bot has thought, and a quick answer says that there
    was little to choose from. If nobody else waits, moves are paced (`scheduler.Pace.bot_ms`).
    """
    loop = asyncio.get_running_loop()
    if end > loop.time():
        loop.call_at(end, move.settle, action)
    else:
        move.settle(action)


def _legal(turn: BotTurn, said: str) -> Action | None:
    """Read an answer; None if it is not a legal action."""
    word, _, rest = said.partition(" ")
    if word == ACTION:
        with suppress(CatInTheBoxError):
            action = Action(rest)
            if action in turn.view.legal:
                return action
    trouble = quoted(rest) if word == TROUBLE else "no legal action"
    _log.error("a bot did not answer: %s", trouble, extra=FAILED)
    return None


def _named(error: Exception) -> str:
    """Say what happened to a child, in words that hold nothing it was told."""
    if isinstance(error, EOFError | ConnectionError):
        return "it ended"
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return type(error).__name__
