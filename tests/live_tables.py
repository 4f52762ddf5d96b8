"""A live table in a test: a log, a clock that the test turns, and people with tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from catinthebox import ACTIONS, Action, CatInTheBoxError, NotLegal, NotUnderstood, audit
from catinthebox.protocol import messages
from catinthebox.protocol.chat import CHAT_KEPT
from catinthebox.protocol.messages import Frame, Refused, Snapshot
from catinthebox.table import (
    Act,
    AddBot,
    AgreeUndo,
    AskUndo,
    Broadcaster,
    Close,
    Command,
    Dealer,
    DealRequest,
    DealtHands,
    Entry,
    Gone,
    Here,
    Host,
    Kick,
    Leave,
    Pause,
    Readmit,
    Ready,
    RefuseUndo,
    Rematch,
    RemoveBot,
    Resume,
    Say,
    Settings,
    Sit,
    Start,
    Table,
    apply,
    create,
    decide,
    needs,
    practice,
    replay,
    tick,
    token_hash,
    wake,
)
from catinthebox.table.seats import WORKER
from catinthebox.table.state import ANSWERS_KEPT, REMOVED_KEPT, STRANGERS_KEPT

NAMES = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
TOKENS = {name: token_hash(f"{name}'s secret") for name in (*NAMES, "Stranger")}
HOST = TOKENS["Ada"]
NOON = 1_700_000_000_000
PEOPLE = list(TOKENS.values())


class Party:
    """A table and everything that happened at it."""

    def __init__(self, settings: Settings, dealer: Dealer | None = None, audited: bool = True):
        self.dealer = dealer or practice(1)
        self.audited = audited
        self.now = NOON
        commitment = self.dealer.commitment("lab-7", 1)
        self.log = [create("lab-7", settings, HOST, commitment, self.now)]
        self.table = replay(self.log)

    def do(self, command: Command, who: str, id: str = "") -> list[Entry]:
        """Let somebody do something: 'Ada', a hash, or the bots' worker."""
        who = TOKENS.get(who, who)
        return self.keep(decide(self.table, command, who, self.now, self.dealer, id=id))

    def wait(self, ms: int) -> list[Entry]:
        """Let time go by."""
        self.now += ms
        return self.keep(tick(self.table, self.now, self.dealer))

    def keep(self, entries: list[Entry]) -> list[Entry]:
        """Write entries down; the laws of a table hold after each of them."""
        for entry in entries:
            self.table = apply(self.table, entry)
            self.log.append(entry)
            obeys(self.table, self.log, self.audited)
        return entries

    def act(self, action: str, seat: int) -> list[Entry]:
        """Let the one who decides for a seat act."""
        play = Act(Action(action), seat)
        people = self.table.people
        bot = seat not in people or people[seat].covered or seat in self.table.lent
        return self.do(play, WORKER if bot else people[seat].token)

    def legal(self, seat: int) -> list[Action]:
        """What a seat may do."""
        assert self.table.round is not None
        return sorted(self.table.round.legal_for(seat))

    def first(self) -> list[Entry]:
        """Let the lowest seat to act do the first legal thing."""
        seat = self.table.to_act[0]
        return self.act(str(self.legal(seat)[0]), seat)

    def finish_round(self) -> None:
        """Play to the end of the round."""
        while self.table.stage == "play":
            self.first()


def seated(
    players: int = 3, people: int | None = None, dealer: Dealer | None = None, **options: object
) -> Party:
    """A table with people in the first seats and bots in the others."""
    party = Party(Settings(players, **options), dealer)  # type: ignore[arg-type]
    people = players if people is None else people
    for name in NAMES[:people]:
        party.do(Sit(name), name)
    for seat in range(people, players):
        party.do(AddBot(seat, "gentle"), "Ada")
    return party


def started(
    players: int = 3, people: int | None = None, dealer: Dealer | None = None, **options: object
) -> Party:
    """The same after the first deal."""
    party = seated(players, people, dealer, **options)
    party.do(Start(), "Ada")
    return party


def obeys(table: Table, log: list[Entry], audited: bool = True) -> None:
    """Insist on the laws that hold at every moment."""
    assert table.version == len(log)
    assert table.at == log[-1].at
    assert len(table.seats) == table.settings.players
    tokens = Counter(who.token for who in table.people.values())
    assert not tokens or max(tokens.values()) == 1
    assert all(who.covered <= (not who.here) for who in table.people.values())
    assert len(table.chat) <= CHAT_KEPT
    lasting = {table.host, WORKER, *tokens}
    assert len(set(table.answered) - lasting) <= STRANGERS_KEPT + len(table.seats)
    assert len(table.removed) <= REMOVED_KEPT
    assert not tokens.keys() & {person.token for person in table.removed}
    assert all(len(own) <= ANSWERS_KEPT for own in table.answered.values())
    assert (table.still is None) is (table.paused is None and not table.deserted)
    assert set(table.lent) <= set(table.to_act)
    assert all(left >= 0 for left in table.bank)
    assert table.undo is None or table.stage == "play"
    assert table.stage in ("between", "over") or not table.ready
    if table.round is not None:
        assert sorted(table.moves) == sorted(table.round.actions)
        assert not audited or audit(table.round) == []


class Scripted:
    """A dealer that deals what a test wants; the last deal is dealt again and again."""

    def __init__(self, *deals: DealtHands, starter: int = 0) -> None:
        self.deals = deals
        self.starter = starter

    def commitment(self, table: str, game: int) -> str:
        """Return something that looks like one."""
        return token_hash(f"commitment {game}")

    def lot(self, asked: DealRequest) -> int:
        """Let the wanted seat start."""
        return self.starter

    def deal(self, asked: DealRequest) -> DealtHands:
        """Return the next deal."""
        return self.deals[min(asked.round, len(self.deals)) - 1]

    def reveal(self, table: str, game: int) -> str:
        """Return something that looks like a secret."""
        return token_hash(f"secret {game}")


def refused(party: Party, command: Command, who: str) -> CatInTheBoxError:
    """The error that a command meets; nothing happens."""
    before = party.table
    with pytest.raises(CatInTheBoxError) as caught:
        party.do(command, who)
    assert party.table is before
    return caught.value


def kinds(entries: list[Entry]) -> list[str]:
    """What happened."""
    return [type(entry.event).__name__ for entry in entries]


# ── What an audience is sent, as structs ─────────────────────────────────────────────────────


def frame(before: Table, entry: Entry, after: Table, audience: int | None) -> Frame:
    """Return the frame of an event that leads from a table to the next."""
    return frame_of(Broadcaster(before).step(entry, after).frame(audience))


def frame_of(text: bytes) -> Frame:
    """Read a frame."""
    found = messages.decode(text)
    assert isinstance(found, Frame)
    return found


def frames(table: Table, entries: Iterable[Entry], audience: int | None) -> list[Frame]:
    """Return the frames of entries that follow on a table."""
    broadcaster = Broadcaster(table)
    return [
        frame_of(broadcaster.step(entry, apply(broadcaster.table, entry)).frame(audience))
        for entry in entries
    ]


def resent(log: list[Entry], version: int, audience: int | None) -> list[Frame]:
    """Return the frames after a version (1 at least), made again from the whole log."""
    return frames(replay(log[:version]), log[version:], audience)


def snapshot(table: Table, audience: int | None) -> Snapshot:
    """Return everything an audience may know."""
    return Broadcaster(table).message(audience)


def refusal(id: str, error: CatInTheBoxError) -> Refused:
    """Return the answer to a command that was refused."""
    return Refused(id, error.code, error.clause, error.message, None)


# ── A crowd ──────────────────────────────────────────────────────────────────────────────────


def some_settings(rng: Random) -> Settings:
    """What a host might choose."""
    players = rng.choice([2, 2, 3, 3, 4, 5])
    return Settings(
        players,
        move_ms=rng.choice([0, 5_000]),
        bank_ms=rng.choice([0, 20_000]),
        grace_ms=rng.choice([0, 10_000]),
        look_ms=rng.choice([0, 8_000]),
        undo=rng.random() < 0.9,
        pause=rng.random() < 0.8,
        chat=rng.choice(["off", "preset", "free"]),
    )


def likely(party: Party, rng: Random) -> tuple[Command, str]:
    """Something that moves a table on."""
    table, host = party.table, party.table.host
    if table.removed and rng.random() < 0.3:
        return Readmit(table.removed[0].name), host
    if table.stage == "lobby" or (table.stage == "over" and not (table.full and table.people)):
        return arranging(party, rng)
    people = [*(person.token for person in table.people.values()), host]
    if table.stage in ("between", "over"):
        return (Ready() if table.stage == "between" else Rematch()), rng.choice(people)
    if table.paused is not None or (table.undo is not None and rng.random() < 0.7):
        manners: list[Command] = [AgreeUndo(), RefuseUndo()]
        chosen = Resume() if table.paused is not None else rng.choice(manners)
        return chosen, rng.choice(people)
    return a_move(party, rng)


def arranging(party: Party, rng: Random) -> tuple[Command, str]:
    """Something that fills the seats, or begins; bots make room for people after a game."""
    table, host = party.table, party.table.host
    empty = [seat for seat, who in enumerate(table.seats) if not who.name]
    if not empty:
        last = RemoveBot(rng.randrange(len(table.seats)))
        return (last if table.stage == "over" else Start()), host
    if rng.random() < 0.4:
        return AddBot(rng.choice(empty), "sharp"), host
    name = rng.choice(NAMES)
    return Sit(name, rng.choice(empty), rng.choice(["", "5e" * 32])), TOKENS[name]


def a_move(party: Party, rng: Random) -> tuple[Command, str]:
    """A legal action by the one who is to decide."""
    table = party.table
    last = table.moves[-1].seat if table.moves else 0
    if last in table.people and rng.random() < 0.1:
        return AskUndo(), table.people[last].token
    for turn in needs(table)[:1]:
        return Act(rng.choice(sorted(turn.view.legal)), turn.seat, turn.turn), WORKER
    seat = rng.choice(table.to_act)
    assert table.round is not None
    action = rng.choice(sorted(table.round.legal_for(seat)))
    who = table.people[seat].token if seat in table.people else WORKER
    return Act(action, rng.choice([None, seat]), rng.choice([None, table.turn])), who


def wild(rng: Random) -> tuple[Command, str]:
    """Something that may make no sense at all."""
    seat = rng.randrange(-1, 6)
    commands: list[Command] = [
        Sit(rng.choice([*NAMES, "", "a|b", "ada", "x" * 41]), rng.choice([None, seat])),
        Sit("Zoe", None, rng.choice(["", "xyz"])),
        Leave(),
        AddBot(seat, rng.choice(["sharp", "Sharp!", "search:ms=40"])),
        RemoveBot(seat),
        Kick(seat),
        Readmit(rng.choice(NAMES)),
        Host(seat),
        Start(),
        Act(rng.choice(ACTIONS), rng.choice([None, seat]), rng.choice([None, 7])),
        Act(rng.choice(ACTIONS)),
        Ready(),
        Rematch(rng.choice(["", "no"])),
        *(Say("wow"), Say(rng.choice(["hello", "rude"]))),
        Say(rng.choice(["what a deal!", "", "x" * 201, "two\nlines"]), preset=False),
        Close() if rng.random() < 0.02 else Leave(),
        *(Pause(), Resume(), AskUndo(), AskUndo(), AgreeUndo(), RefuseUndo()),
        *(Here(), Here(), Gone(), Gone()),
    ]
    return rng.choice(commands), rng.choice([*PEOPLE, PEOPLE[0], WORKER])


def turn_the_clock(party: Party, rng: Random) -> None:
    """Time goes on, jumps, and is set back."""
    party.now += rng.choice([0, 0, 10, 500, 3_000, -2_000])
    if rng.random() < 0.02:
        party.now += rng.choice([60_000, -60_000, 3_600_000])
    if rng.random() < 0.15:
        party.wait(0)
        due = wake(party.table)
        assert due is None or due > max(party.now, party.table.at)


def stir(party: Party, rng: Random, strange: float, id: str = "") -> str:
    """Let somebody try something, sensible or not; return the code of a refusal."""
    turn_the_clock(party, rng)
    anything = party.table.closed or rng.random() < strange
    command, who = wild(rng) if anything else likely(party, rng)
    before = party.table
    if anything and before.people and rng.random() < 0.5:
        who = rng.choice([person.token for person in before.people.values()])
    try:
        party.do(command, who, id=id)
    except (NotUnderstood, NotLegal) as error:
        assert party.table is before
        return error.code if error.message else "no words"
    return ""
