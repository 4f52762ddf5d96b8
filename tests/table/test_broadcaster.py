"""A teller follows a table move by move, and tells the same as one that begins just now."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from live_tables import (
    HOST,
    TOKENS,
    Party,
    Scripted,
    frame_of,
    frames,
    kinds,
    resent,
    snapshot,
    some_settings,
    started,
    stir,
)
from policies import TABLES, cooperative
from sample_rounds import THREE

from catinthebox import Action
from catinthebox.client.state import apply_frame, view_of
from catinthebox.protocol import messages
from catinthebox.protocol.messages import Snapshot
from catinthebox.table import (
    WORKER,
    Act,
    AskUndo,
    Broadcaster,
    Close,
    DealtHands,
    Entry,
    EventFrames,
    Say,
    Table,
    apply,
    carry,
    elapse,
    follow,
    needs,
    practice,
    replay,
    tick,
)
from catinthebox.table.render import own
from catinthebox.views import View, mine

COMMANDS = 3_000
PARTIES = 12


def audiences(table: Table) -> list[int | None]:
    """Every seat, and a spectator."""
    return [None, *range(table.settings.players)]


def view(table: Table, audience: int | None) -> View | None:
    """The view from the first card on."""
    if table.round is None:
        return None
    return View.of(table.round, audience, table.totals, table.rounds_left)


def crowded(seed: int, commands: int) -> Party:
    """A table at which much happened: undo, absences, new rounds, rematches."""
    rng = Random(f"teller {seed}")
    party = Party(some_settings(rng), practice(seed), audited=False)
    for number in range(commands):
        stir(party, rng, rng.choice([0.02, 0.2]), rng.choice(["", f"c{number}"]))
    return party


# ── The law ──────────────────────────────────────────────────────────────────────────────────


def follows(party: Party) -> Counter[str]:
    """Follow a whole log, and compare every step with a teller that begins there."""
    table = replay(party.log[:1])
    broadcaster = Broadcaster(table)
    known = {audience: snapshot(table, audience) for audience in audiences(table)}
    met: Counter[str] = Counter()
    for entry in party.log[1:]:
        before, table = table, apply(table, entry)
        frames, fresh = broadcaster.step(entry, table), Broadcaster(before).step(entry, table)
        assert broadcaster.table is table
        for audience in audiences(table):
            frame = frames.frame(audience)
            assert frame == fresh.frame(audience)
            assert messages.encode(frame_of(frame)) == frame
            known[audience] = apply_frame(known[audience], frame_of(frame))
            assert known[audience] == shown(broadcaster, audience)
        met[type(entry.event).__name__] += 1
        looks(broadcaster, table)
    return met


def looks(broadcaster: Broadcaster, table: Table) -> None:
    """What is kept is what a newcomer would be shown."""
    fresh = Broadcaster(table)
    for audience in audiences(table):
        assert broadcaster.snapshot(audience) == fresh.snapshot(audience)
        assert messages.encode(broadcaster.message(audience)) == broadcaster.snapshot(audience)
    if table.version % 7 == 0:
        for audience in audiences(table):
            assert broadcaster.view(audience) == view(table, audience)


def shown(broadcaster: Broadcaster, audience: int | None) -> Snapshot:
    """Read a snapshot."""
    seen = messages.decode(broadcaster.snapshot(audience))
    assert isinstance(seen, Snapshot)
    return seen


@pytest.mark.long
def test_a_broadcaster_sends_what_a_new_one_would_send() -> None:
    """Frames, snapshots and views over whole games with everything that people do."""
    met: Counter[str] = Counter()
    for seed in range(PARTIES):
        met += follows(crowded(seed, COMMANDS // PARTIES))
    assert {"Undone", "Rematched", "Revealed", "Left", "Said", "ClockRanOut"} <= set(met), met
    assert met["CardsDealt"] > 20
    assert met["Acted"] > 600


def test_sending_and_resending_are_the_same() -> None:
    """For code that has a log and no broadcaster."""
    party = crowded(99, 200)
    table = replay(party.log[:1])
    for audience in audiences(table):
        broadcaster = Broadcaster(table)
        live = []
        for entry in party.log[1:]:
            sent = broadcaster.step(entry, apply(broadcaster.table, entry))
            live.append(frame_of(sent.frame(audience)))
        assert frames(table, party.log[1:], audience) == live
        assert resent(party.log, 9, audience) == live[8:]


@pytest.mark.long
@pytest.mark.clause("R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_own_cards_are_those_of_the_view(players: int, face: str) -> None:
    """What a seat is shown of its hand agrees with the view of what it has seen."""
    rng = Random(f"own {players} {face}")
    party = started(players, dealer=practice(3), face=face, house_rules=True)
    while party.table.stage == "play":
        for seat in range(players):
            compares(party.table, seat)
        seat = rng.choice(party.table.to_act)
        assert party.table.round is not None
        party.act(str(cooperative(party.table.round, seat, rng)), seat)
    for seat in range(players):
        compares(party.table, seat)


def compares(table: Table, seat: int) -> None:
    """Compare the own cards of a seat, and the view made of messages alone."""
    seen = view(table, seat)
    assert seen is not None
    assert table.round is not None
    found = own(mine(table.round)[seat])
    assert tuple(held.rank for held in found.hand for _ in range(held.copies)) == seen.hand
    assert found.discard == seen.discard
    assert found.legal == tuple(map(str, seen.legal))
    tokens = seen.tokens[seat]
    for held in found.hand:
        colors = (color for color in tokens if (color, held.rank) not in seen.board)
        assert held.colors == "".join(color.letter for color in colors)
    sent = messages.decode(Broadcaster(table).snapshot(seat))
    assert isinstance(sent, Snapshot)
    assert view_of(sent) == seen
    assert repr(view_of(sent)) == repr(seen)
    assert view_of(snapshot(table, None)) == view(table, None)


@pytest.mark.long
def test_views_are_made_of_messages_at_every_stage() -> None:
    """Before a game, in it, between rounds, after it, and in the next one; with totals."""
    stages: Counter[str] = Counter()
    for seed in (3, 8):
        party = crowded(seed, 400)
        broadcaster, table = Broadcaster(replay(party.log[:1])), replay(party.log[:1])
        for entry in party.log[1:]:
            table = apply(table, entry)
            broadcaster.step(entry, table)
            stages[table.stage] += 1
            if table.version % 3 == 0:
                for audience in audiences(table):
                    assert view_of(shown(broadcaster, audience)) == view(table, audience)
    assert {"lobby", "play", "between", "over"} <= set(stages), stages


# ── What a server counts on ──────────────────────────────────────────────────────────────────


def test_the_public_part_is_the_same_bytes_for_everybody() -> None:
    """A seat whose own cards did not change gets what spectators get."""
    party = started(4)
    broadcaster = Broadcaster(party.table)
    for sent, entry in acts(party, broadcaster, 12):
        public = sent.frame(None)
        start = public[: public.index(b'"own":')]
        assert all(sent.frame(seat).startswith(start) for seat in range(4))
        assert b'"own":null,"ack":""}' in public
        same = [seat for seat in range(4) if frame_of(sent.frame(seat)).own is None]
        assert all(sent.frame(seat) == public for seat in same)
        assert entry.receipt is None


def acts(party: Party, broadcaster: Broadcaster, number: int) -> list[tuple[EventFrames, Entry]]:
    """Let the first seat act some times; return the frames of its actions."""
    found = []
    for _ in range(number):
        for entry in party.first():
            found.append((broadcaster.step(entry, apply(broadcaster.table, entry)), entry))
    return found


def test_a_command_is_answered_to_its_sender() -> None:
    """By the receipt of its last entry; others do not learn of it."""
    party = started(3)
    broadcaster = Broadcaster(party.table)
    draft = carry(party.table, Say("wow"), TOKENS["Bohr"], party.now, party.dealer, id="m9")
    (entry,) = draft.entries
    frames = broadcaster.step(entry, draft.table)
    assert frames.version == frame_of(frames.frame(0)).version == draft.table.version
    acknowledged = [frame_of(frames.frame(seat)).ack for seat in (None, 0, 1, 2)]
    assert acknowledged == ["", "", "m9", ""]
    silent = carry(draft.table, Say("wow"), HOST, party.now, party.dealer)
    frames = broadcaster.step(silent.entries[0], silent.table)
    assert not any(frame_of(frames.frame(seat)).ack for seat in (None, 0, 1, 2))


def test_the_frame_in_the_docs_is_what_is_sent() -> None:
    """Byte by byte, but for the blanks."""
    page = (Path(__file__).parents[2] / "docs" / "table.md").read_text("utf-8")
    (text,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    party = started(3, 3, Scripted(DealtHands(THREE)))
    for seat, action in enumerate(("-2", "-3", "-4", "=1", "=3", "=4", "5b")):
        party.act(action, seat % 3)
    broadcaster = Broadcaster(party.table)
    (entry,) = party.do(Act(Action("6b")), "Bohr", id="m7")
    sent = broadcaster.step(entry, party.table).frame(1)
    assert json.dumps(json.loads(text), separators=(",", ":")).encode() == sent


def test_a_draft_knows_the_table_after_it() -> None:
    """Nothing needs to be folded twice, receipts included."""
    rng = Random(6)
    party = crowded(5, 100)
    for _ in range(100):
        before, now = party.table, party.now + 5_000
        time = elapse(before, now, party.dealer)
        assert time.entries == tick(before, now, party.dealer)
        assert time.table == follow(before, time.entries)
        stir(party, rng, 0.1, f"d{rng.random()}")
    started_ = started(3, 1)
    draft = carry(started_.table, Act(started_.legal(0)[0]), HOST, 0, practice(1), id="m1")
    assert draft.table == follow(started_.table, draft.entries)
    assert len(draft.entries) == 1
    again = carry(draft.table, Act(started_.legal(0)[0]), HOST, 0, practice(1), id="m1")
    assert (again.entries, again.table) == ([], draft.table)


def test_bots_are_asked_by_views_that_are_kept() -> None:
    """They are the same as those made from the first card on."""
    party = started(4, 1)
    broadcaster = Broadcaster(party.table)
    asked = 0
    while party.table.stage == "play":
        turns = needs(party.table, view=broadcaster.view)
        assert turns == needs(party.table)
        asked += len(turns)
        acts(party, broadcaster, 1)
    assert asked > 20


def test_a_refusal_is_explained_by_the_view_that_is_kept() -> None:
    """Also right after something was taken back."""
    party = started(3, 1, Scripted(DealtHands(THREE)))
    broadcaster = Broadcaster(party.table)
    before = party.table
    party.act("-2", 0)
    assert kinds(party.do(AskUndo(), "Ada")) == ["UndoAsked", "Undone"]
    for entry in party.log[before.version :]:
        broadcaster.step(entry, apply(broadcaster.table, entry))
    for seat in (None, 0):
        kept = broadcaster.why(seat, Action("5b"))
        assert kept == Broadcaster(party.table).why(seat, Action("5b"))
        assert kept.code
    assert broadcaster.why(0, Action("-2")).code == ""


def test_a_table_that_closes_says_so() -> None:
    """Whose move it was does not matter any more."""
    party = started(3, 1, move_ms=5_000)
    broadcaster = Broadcaster(party.table)
    (entry,) = party.do(Close(), "Ada")
    news = frame_of(broadcaster.step(entry, party.table).frame(None)).news
    assert [type(part).__name__ for part in news] == ["Room", "Turn"]
    assert shown(broadcaster, 0).room.stage == "closed"
    assert shown(broadcaster, 0).turn.to_act == ()
    assert party.table.seat_of(WORKER) is None
