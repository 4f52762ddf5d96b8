"""A plot as it goes in one world: people play by it, and misbehave, and everything goes wrong once.

All that is drawn here is drawn alike in all worlds of a plot, and decided by what everybody
sees. So worlds that an audience cannot tell apart go the same way, event by event.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

from secrecy.canary import Canary
from secrecy.people import EVERYBODY, Person, nonce_of
from secrecy.probes import RECORD, Prober
from secrecy.scenarios import Crooked, Scenario
from secrecy.simulated_server import Said, SimulatedServer
from simulation.loop import SimLoop

from catinthebox import Action
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.bots.process import question
from catinthebox.server.ops.limits import Limits
from catinthebox.table import Bot, BotTurn, Empty, Table, decode, replay

BEAT: Final = 0.04  # seconds between two moments: a bot makes one move in it
LATER: Final = 0.6  # for whatever takes longer
EPILOGUE: Final = 5  # moments after the last action of a plot
MOST: Final = 600  # moments; more are a mistake
BEGAN: Final = re.compile(rb'"type":"(Started|Rematched)"')


class Moment(NamedTuple):
    """Everything that was said since the last one, and how the table stands after it."""

    said: list[Said]
    version: int
    hidden: list[bytes] | None  # the log of the game; None if nothing of it is hidden
    others: frozenset[str]  # who may be told different things in different worlds


class ScenarioRun:
    """One world of a plot."""

    table_id: str
    key: str  # to play there
    prober: Prober

    def __init__(self, loop: SimLoop, scenario: Scenario, world: int, *, watched: bool) -> None:
        self.loop = loop
        self.scenario = scenario
        self.world = world
        self.rng = Random(f"story {scenario.seed} {scenario.players} {scenario.face}")
        limits = Limits() if self.rng.random() < 0.1 else Limits.unlimited()
        self.server = SimulatedServer(loop, Crooked(scenario, world), self, limits)
        streams = {name for name in scenario.people if self.rng.random() < 0.15}
        self.people = {
            name: Person(self.server, name, streams=name in streams) for name in scenario.people
        }
        self.moments: list[Moment] = []
        self._canary = Canary(self.server.disk, scenario.people) if watched else None
        self._known: Table | None = None
        self._moved = False  # the audience has another seat, of a game that is over
        self._quiet = True  # nothing happens but the game
        self._asking = False  # somebody asks to take back
        self._game = self._began = 0
        self._left = EPILOGUE

    # ── The table ────────────────────────────────────────────────────────────────────────────

    @property
    def table(self) -> Table:
        """The table as it is in memory; after a crash, as it is on the disk."""
        live = self.server.parts.hub.tables.get(self.table_id)
        if live is not None:
            self._known = live.table
        elif self._known is None or self._known.version < self.server.disk.last(self.table_id):
            self._known = replay(map(decode, self.server.disk.logs[self.table_id]))
        return self._known

    def _others(self, moved: bool) -> frozenset[str]:
        """Under which names things are said that the audience of the plot does not hear."""
        seat = self.scenario.seats[max(0, self.table.games - 1)]
        others = {name for name in self.scenario.people if moved or name != self.scenario.audience}
        bots = {f"bot {other}" for other in range(self.scenario.players) if other != seat}
        return frozenset({*others, *bots, RECORD})

    def next_action(self, seat: int) -> Action | None:
        """What a seat does next by the plot, in this world; None if that is not written."""
        table = self.table
        assert table.game is not None
        rounds = self.scenario.rounds.get((table.games, table.game.number))
        if rounds is None or table.stage != "play":
            return None
        plays = [play.action for play in rounds[self.world].actions if play.seat == seat]
        done = sum(move.seat == seat for move in table.moves)
        return plays[done] if done < len(plays) else None

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Move for a bot, by the plot; what it is told is kept."""
        asked = question(turn.level, turn.view, seed) if self._hears(turn.seat) else b""
        self.server.record(f"bot {turn.seat}", asked)
        while (action := self.next_action(turn.seat)) is None:
            await asyncio.sleep(3600)  # the story is over
        return action

    def _hears(self, seat: int) -> bool:
        """Whether what the bot of a seat is told is looked at."""
        return self._canary is not None or seat == self.scenario.seats[self.table.games - 1]

    # ── From the beginning to the end ────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Live through it."""
        await self.server.open()
        await self._gather()
        while self._left:
            assert len(self.moments) < MOST, self.scenario
            self._left -= self._audiences
            self._quiet = self.table.undo is None and self.rng.random() > 0.35
            self._asking = False
            pause = BEAT if self._quiet else self._something()
            self.prober.look(self.table, self.rng.choice((1, 1, 2, 3)))
            idle = self._go_on()
            await asyncio.sleep(LATER if idle and pause == BEAT else pause)
            while not self.server.parts.lifecycle.started:  # it takes long to read its store
                await asyncio.sleep(LATER)
            self.server.fail()
            self.note()

    @property
    def _audiences(self) -> bool:
        """Whether nothing more is written."""
        table = self.table
        if table.stage == "play":
            return all(self.next_action(seat) is None for seat in table.to_act)
        assert table.game is not None
        game, round = table.games, table.game.number + 1
        key = (game + 1, 1) if table.stage == "over" else (game, round)
        return key not in self.scenario.rounds

    def note(self) -> None:
        """End a moment."""
        said, self.server.said = self.server.said, []
        table, moved = self.table, self._sits_elsewhere
        if self._canary is not None:
            self._canary.look(said, table)
        others = self._others(moved or self._moved)
        self._moved = moved
        self.moments.append(Moment(said, table.version, self._hidden(table), others))

    def _hidden(self, table: Table) -> list[bytes] | None:
        """The log of the game that is going on; what was before is known to everybody."""
        if not table.playing:
            return None
        log = self.server.disk.logs[self.table_id]
        if table.games != self._game:
            began = [place for place, line in enumerate(log) if BEGAN.search(line)]
            self._game, self._began = table.games, began[-1]
        return log[self._began : table.version]

    @property
    def _sits_elsewhere(self) -> bool:
        """Whether the audience has the seat of another, and is shown what was in that hand."""
        table, me = self.table, self.people.get(self.scenario.audience)
        if me is None or table.stage != "over":
            return False
        return table.seat_of(me.who) not in (None, self.scenario.seats[table.games - 1])

    # ── Before the game ──────────────────────────────────────────────────────────────────────

    async def _gather(self) -> None:
        """Open the table and another one, and let everybody sit down."""
        tables = self.server.parts.hub.tables
        host, *others = self.people.values()
        host.post("/api/v1/tables", self._command(host))
        await self._until(lambda: len(tables) == 1)
        (self.table_id,) = tables
        self.key = self.server.parts.hub.links.play(self.table_id)
        stranger = Person(self.server, "Stranger", to=EVERYBODY)
        command = {"settings": {"players": 2, "visibility": "open"}, "name": "Stranger"}
        stranger.post("/api/v1/tables", command)
        await self._until(lambda: len(tables) == 2)
        me = self.people.get(self.scenario.audience)
        self.prober = Prober(self.server, self.table_id, me, self.rng)
        self.prober.gather()
        for person in self.people.values():
            person.come(self.key)
        for person in others:
            seat = self.scenario.seating[0].index(person.name)
            nonce = self.rng.choice((nonce_of(person.name, 1), ""))
            person.do("Sit", name=person.name, seat=seat, nonce=nonce)
        await self._until(lambda: self.table.full)
        self.prober.look(self.table, 4)
        await asyncio.sleep(BEAT)
        self.note()
        host.do("Start")
        await self._until(lambda: self.table.game is not None, lambda: host.do("Start"))
        self.note()

    @staticmethod
    async def _until(so: Callable[[], bool], again: Callable[[], object] = lambda: None) -> None:
        await asyncio.sleep(BEAT)
        while not so():
            again()
            await asyncio.sleep(LATER)

    def _command(self, host: Person) -> dict[str, object]:
        seating = self.scenario.seating[0]
        bots = [{"level": "gentle", "seat": seat} for seat, name in enumerate(seating) if not name]
        sits = {"name": host.name, "seat": seating.index(host.name), "bots": bots}
        return {
            "settings": self.scenario.settings(self.rng),
            "nonce": nonce_of(host.name, 1),
            **sits,
        }

    # ── The game ─────────────────────────────────────────────────────────────────────────────

    def _go_on(self) -> bool:
        """Do what the plot says next; true if nobody is there to do anything."""
        table = self.table
        if table.stage == "over":
            self._begin_again(table)
        elif table.still is not None:  # a pause, or nobody is here
            seated = [who for who in self.people.values() if table.seat_of(who.who) is not None]
            self.rng.choice(seated or [*self.people.values()]).do("Resume")
        elif table.stage == "play":
            return self._play(table)
        else:
            return self._be_ready(table)
        return False

    def _be_ready(self, table: Table) -> bool:
        """Want the next round; or wait until it comes by itself."""
        if self.rng.random() < 0.3:
            return True
        for person in self.people.values():
            if person.connected and table.seat_of(person.who) is not None:
                person.do("Ready")
        return False

    def _play(self, table: Table) -> bool:
        if self._asking or (table.undo is not None and self.rng.random() < 0.8):
            return False  # nobody else acts meanwhile
        seats = [seat for seat in table.to_act if self._decides(table, seat)]
        if not seats:
            bots = any(table.bot_decides(seat) for seat in table.to_act)
            return not bots and self._missed(table)
        seat = self.rng.choice(seats)
        action = self.next_action(seat)
        if action is not None:
            person = self.people[table.seats[seat].name]
            calm = self._quiet and self.rng.random() < 0.5  # nothing is taken back meanwhile
            turn: dict[str, Any] = {} if calm else {"turn": table.turn}
            person.do("Act", action=str(action), post=self.rng.random() < 0.1, **turn)
        return False

    def _missed(self, table: Table) -> bool:
        """Let somebody come back whose move is waited for, or a bot cover them after a while."""
        names = [table.seats[seat].name for seat in table.to_act]
        away = [self.people[name] for name in names if not self.people[name].connected]
        if away and self.rng.random() < 0.2:
            self.rng.choice(away).come(self.key, self._seen_before())
        return True

    def _decides(self, table: Table, seat: int) -> bool:
        """Whether a person makes the move of a seat; those without a connection seldom do."""
        who = table.people.get(seat)
        if who is None or not who.here or who.covered or seat in table.lent:
            return False
        return self.people[who.name].connected or self.rng.random() < 0.1

    def _begin_again(self, table: Table) -> None:
        """Change seats as the next game has them, then begin it."""
        wanted = self.scenario.seating[1]
        if (2, 1) not in self.scenario.rounds:
            return
        for person in self.people.values():
            if not person.connected:
                person.come(self.key, table.version)
        host = next((p for p in self.people.values() if p.who == table.host), None)
        wrong = [seat for seat, who in enumerate(table.seats) if not _fits(who, wanted[seat])]
        for seat in wrong:
            who = table.seats[seat]
            if isinstance(who, Empty) and wanted[seat]:
                nonce = nonce_of(wanted[seat], 2)
                self.people[wanted[seat]].do("Sit", name=wanted[seat], seat=seat, nonce=nonce)
            elif host is not None and not wanted[seat] and isinstance(who, Empty):
                host.do("AddBot", seat=seat, level="gentle")
            elif isinstance(who, Bot) and host is not None:
                host.do("RemoveBot", seat=seat)
            else:
                self.people[who.name].do("Leave")
        if not wrong:
            for person in self.people.values():
                if table.seat_of(person.who) not in table.ready:
                    person.do("Rematch", nonce=nonce_of(person.name, 3))

    # ── Besides ──────────────────────────────────────────────────────────────────────────────

    def _something(self) -> float:
        """Let something happen besides the game; return how long it takes."""
        kinds: tuple[Callable[[Person], float | None], ...] = (
            *(self._say, self._say, self._pause, self._go, self._go, self._come, self._come),
            *(self._ask_back, self._ask_back, self._ask_back, self._answer, self._wait),
            *(self._come_again,),
        )
        rare = (self._leave, self._crash, self._stop, self._fail, self._fail, self._fail)
        chosen = self.rng.choice(rare if self.rng.random() < 0.12 else kinds)
        if self.table.undo is not None and self.rng.random() < 0.6:
            chosen = self._answer
        return chosen(self.rng.choice([*self.people.values()])) or BEAT

    def _say(self, person: Person) -> None:
        if self.rng.random() < 0.5:
            person.do("Say", text=self.rng.choice(("wow", "oops")))
        else:
            person.do("Say", text=f"hm {self.rng.randrange(99)}", preset=False)

    def _pause(self, person: Person) -> None:
        person.do("Pause")

    def _go(self, person: Person) -> None:
        person.go()

    def _come(self, person: Person) -> None:
        for who in (person, *self.people.values()):
            if not who.connected:
                who.come(self.key, self._seen_before())
                return

    def _come_again(self, person: Person) -> None:
        """Come on another connection, and close the old one then."""
        old = person.line
        person.come(self.key, self._seen_before())
        if old is not None and not old.over:
            person.close(old)

    def _seen_before(self) -> int | None:
        version = self.table.version
        return self.rng.choice((None, version, max(0, version - self.rng.randrange(9))))

    def _ask_back(self, person: Person) -> None:
        """Let the person who acted last ask to take it back, before anybody else acts."""
        moves = self.table.moves
        last = moves[-1].seat if moves else 0
        self.people.get(self.table.seats[last].name, person).do("AskUndo")
        self._asking = True

    def _answer(self, person: Person) -> None:
        refuses = self.rng.random() < 0.3
        for who in [person] if refuses else [*self.people.values()]:
            who.do("RefuseUndo" if refuses else "AgreeUndo")

    def _leave(self, person: Person) -> None:
        person.do("Leave")

    def _wait(self, person: Person) -> float:
        return LATER

    def _fail(self, person: Person) -> float:
        """Let the store fail until the next moment."""
        fault: dict[str, Any] = {self.rng.choice(("settled", "unsettled", "busy", "unread")): 1.0}
        self.server.fail(**fault)
        person.do("Say", text="oops")
        return LATER

    # ── The server itself ────────────────────────────────────────────────────────────────────

    def _crash(self, person: Person) -> float:
        self.server.crash()
        self.loop.create_task(self._come_back())
        return LATER

    def _stop(self, person: Person) -> float:
        self.loop.create_task(self._close())
        return 2 * LATER

    async def _close(self) -> None:
        await self.server.close()
        await self._come_back()

    async def _come_back(self) -> None:
        """Start again; everybody comes back to the table as it is on the disk."""
        await asyncio.sleep(0.01)
        await self.server.open()
        self.prober.gather(self.table.version)
        for person in self.people.values():
            if person.line is not None:
                person.come(self.key, self._seen_before())


def _fits(who: object, wanted: str) -> bool:
    if isinstance(who, Bot):
        return not wanted
    return bool(wanted) and getattr(who, "name", "") == wanted
