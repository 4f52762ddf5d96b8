"""A live table in a test: a log, a clock that the test turns, and people with tokens."""

from __future__ import annotations

from collections import Counter

import pytest

from catinthebox import Action, CatInTheBoxError, audit
from catinthebox.table import (
    Act,
    AddBot,
    Asked,
    Command,
    Deal,
    Dealer,
    Entry,
    Settings,
    Sit,
    Start,
    Table,
    apply,
    create,
    decide,
    practice,
    replay,
    tick,
    token_hash,
)
from catinthebox.table.seats import WORKER
from catinthebox.table.state import ANSWERERS_KEPT, ANSWERS_KEPT, CHAT_KEPT

NAMES = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
TOKENS = {name: token_hash(f"{name}'s secret") for name in (*NAMES, "Stranger")}
HOST = TOKENS["Ada"]
NOON = 1_700_000_000_000


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
        """Let whoever decides for a seat act."""
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
    assert len(table.answered) <= ANSWERERS_KEPT
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

    def __init__(self, *deals: Deal, starter: int = 0) -> None:
        self.deals = deals
        self.starter = starter

    def commitment(self, table: str, game: int) -> str:
        """Give something that looks like one."""
        return token_hash(f"commitment {game}")

    def lot(self, asked: Asked) -> int:
        """Let the wanted seat start."""
        return self.starter

    def deal(self, asked: Asked) -> Deal:
        """Give the next deal."""
        return self.deals[min(asked.round, len(self.deals)) - 1]

    def reveal(self, table: str, game: int) -> str:
        """Give something that looks like a secret."""
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
