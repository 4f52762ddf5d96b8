"""Seats, people who come and go, bots that cover, manners, and commands that are sent twice."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from live_tables import HOST, TOKENS, Party, frames, kinds, refused, seated, snapshot, started

from catinthebox import ACTIONS, Action, NotLegal, NotUnderstood, NotYourTurn
from catinthebox.table import (
    WORKER,
    Act,
    AddBot,
    AskUndo,
    Bot,
    BrokenLog,
    Came,
    Close,
    Command,
    Empty,
    Entry,
    Gone,
    Here,
    Host,
    Kick,
    Leave,
    Pause,
    Paused,
    Person,
    Readmit,
    Ready,
    RefuseUndo,
    RemoveBot,
    Resume,
    Resumed,
    Sat,
    Say,
    Settings,
    Sit,
    Start,
    apply,
    decide,
    done,
    needs,
    record,
    replay,
    token_hash,
    wake,
)
from catinthebox.table.state import PAUSES, REFUSALS, STRANGERS_KEPT


def names(party: Party) -> list[str]:
    """Who sits where."""
    return [who.name for who in party.table.seats]


# ── Seats ────────────────────────────────────────────────────────────────────────────────────


def test_people_and_bots_take_seats() -> None:
    """The first free seat, or the one that is named; one seat for each token."""
    party = Party(Settings(3))
    party.do(Sit("Ada", seat=1), "Ada")
    party.do(Sit("Bohr"), "Bohr")
    party.do(AddBot(2, "gentle"), "Ada")
    party.do(AddBot(2, "search:ms=40"), "Ada")
    assert names(party) == ["Bohr", "Ada", "search:ms=40"]
    assert refused(party, Sit("Curie"), "Curie").code == "table.full"
    party.do(RemoveBot(2), "Ada")
    assert refused(party, Sit("Ada"), "Ada").code == "table.seated"
    assert refused(party, Sit("ADA"), "Curie").code == "table.name_taken"
    assert refused(party, Sit("Curie", seat=0), "Curie").code == "table.seat_taken"
    assert refused(party, Sit("Curie", seat=9), "Curie").code == "input.seat"
    assert refused(party, Sit("a|b"), "Curie").code == "input.name"
    assert refused(party, Sit("Curie", nonce="12"), "Curie").code == "input.nonce"
    assert refused(party, AddBot(0, "sharp"), "Ada").code == "table.seat_taken"
    assert refused(party, AddBot(2, "No Bot"), "Ada").code == "input.level"
    assert refused(party, RemoveBot(0), "Ada").code == "table.no_bot"
    assert refused(party, Sit("Worker"), WORKER).code == "table.not_seated"


def test_tokens_are_nowhere() -> None:
    """The log knows their hashes; nobody else is told even those."""
    party = started(3, 2)
    log = repr(party.log)
    assert "secret" not in log
    assert TOKENS["Bohr"] in log
    for audience in (None, 0, 1):
        assert TOKENS["Bohr"] not in repr(frames(replay(party.log[:1]), party.log[1:], audience))


def test_only_the_host_arranges_the_table() -> None:
    """Everybody else is told so."""
    party = seated(3, 2)
    for command in (AddBot(2, "sharp"), RemoveBot(2), Kick(0), Start(), Host(1), Close()):
        assert refused(party, command, "Bohr").code == "table.host_only"
    assert refused(party, Kick(0), "Ada").code == "table.own_seat"  # which is no way to leave
    party.do(Kick(1), "Ada")
    assert names(party) == ["Ada", "", "gentle"]
    assert refused(party, Kick(1), "Ada").code == "table.no_person"
    assert refused(party, Start(), "Ada").message == (
        "seat 1 is empty; people or bots must sit there first"
    )


def test_a_host_hands_the_table_over() -> None:
    """To somebody who sits there; then they arrange it."""
    party = seated(3, 2)
    assert refused(party, Host(1), "Bohr").code == "table.host_only"
    assert refused(party, Host(2), "Ada").code == "table.no_person"
    assert refused(party, Host(0), "Ada").code == "table.host"
    assert refused(party, Host(9), "Ada").code == "input.seat"
    assert kinds(party.do(Host(1), "Ada")) == ["HostChanged"]
    assert snapshot(party.table, None).seats.host == 1
    assert refused(party, Start(), "Ada").code == "table.host_only"
    party.do(Start(), "Bohr")
    assert replay(party.log) == party.table


def test_a_host_who_leaves_is_followed_by_the_next_person() -> None:
    """Clockwise, and rather by somebody who is here; anyone who never sat is host as before."""
    party = seated(4, 4)
    party.do(Host(2), "Ada")
    party.do(Gone(), "Dirac")
    assert kinds(party.do(Leave(), "Curie")) == ["Left", "HostChanged"]
    assert party.table.host == TOKENS["Ada"]
    party.do(Gone(), "Ada")
    assert kinds(party.wait(60_000)) == ["Left", "HostChanged", "Left"]
    assert party.table.host == TOKENS["Bohr"]
    assert kinds(party.do(Leave(), "Bohr")) == ["Left"]
    assert party.table.host == TOKENS["Bohr"]
    party.do(Sit("Emmy"), "Emmy")
    assert kinds(party.do(Leave(), "Emmy")) == ["Left"]
    game = started(3, 2)
    assert kinds(game.do(Leave(), "Ada")) == ["Left", "HostChanged"]


def test_a_closed_table_is_over_for_good() -> None:
    """The host closes it; anyone who asks for something is told so."""
    party = seated(3, 2)
    assert refused(party, Close(), "Bohr").code == "table.host_only"
    assert kinds(party.do(Close(), "Ada", id="bye")) == ["TableClosed"]
    assert party.do(Close(), "Ada", id="bye") == []
    for command in (Sit("Zoe"), Start(), Here(), Close(), Say("wow")):
        error = refused(party, command, "Ada")
        assert (error.code, isinstance(error, NotYourTurn)) == ("table.closed", True)
    with pytest.raises(BrokenLog, match="the table is closed"):
        apply(party.table, Entry(party.now, Came(0)))
    assert (party.table.stage, party.table.to_act, wake(party.table)) == ("closed", (), None)
    assert replay(party.log) == party.table


def test_nobody_loses_a_game_because_the_host_goes() -> None:
    """A table is not closed while other people play; alone with bots it can be."""
    party = started(3, 2)
    error = refused(party, Close(), "Ada")
    assert error.code == "table.others_play"
    assert error.message.startswith("Bohr would lose the game")
    party.do(Kick(1), "Ada")
    party.do(Pause(), "Ada")
    party.do(Close(), "Ada")
    assert (needs(party.table), party.wait(10**7)) == ([], [])


def test_the_record_of_a_closed_table_stays() -> None:
    """If its game was over."""
    party = started(2)
    while party.table.stage != "over":
        party.first() if party.table.stage == "play" else party.wait(30_000)
    text = record.write(party.table)
    party.do(Close(), "Ada")
    assert record.write(party.table) == text


def test_seats_do_not_change_during_a_game() -> None:
    """Anyone who leaves is replaced by a bot, so that the others can finish."""
    party = started(3)
    assert refused(party, Sit("Zoe"), "Stranger").code == "table.begun"
    assert refused(party, AddBot(1, "sharp"), "Ada").code == "table.begun"
    assert refused(party, Start(), "Ada").code == "table.begun"
    party.do(Leave(), "Curie")
    party.do(Kick(1), "Ada")
    assert party.table.seats[1:] == (Bot("sharp"), Bot("sharp"))
    assert [turn.seat for turn in needs(party.table)] == [1, 2]
    assert refused(party, Leave(), "Curie").code == "table.not_seated"
    assert party.table.game is not None
    assert party.table.game.names == ("Ada", "Bohr", "Curie")


def test_a_removal_holds_until_the_host_takes_it_back() -> None:
    """By the token, whatever the name; in the log, so also after a restart."""
    party = seated(3, 3)
    assert refused(party, Readmit("Bohr"), "Ada").code == "table.not_removed"
    party.do(Kick(1), "Ada")
    party.table = replay(party.log)
    for name in ("Bohr", "Somebody else"):
        error = refused(party, Sit(name), "Bohr")
        assert (error.code, "the host" in error.message) == ("table.removed", True)
    assert refused(party, Readmit("Bohr"), "Curie").code == "table.host_only"
    assert "removed: Bohr" in refused(party, Readmit("Dirac"), "Ada").message
    assert kinds(party.do(Readmit("Bohr"), "Ada")) == ["Readmitted"]
    party.do(Sit("Bohr"), "Bohr")
    party.do(Leave(), "Bohr")
    party.do(Sit("Bohr"), "Bohr")  # who leaves was not sent away


def test_logs_from_before_removals_held_are_read() -> None:
    """There somebody sat down again at once: they were welcome."""
    party = seated(3, 2)
    party.do(Kick(1), "Ada")
    table = apply(party.table, Entry(party.now, Sat(1, "Bohr", TOKENS["Bohr"], "")))
    assert (table.seat_of(TOKENS["Bohr"]), table.removed) == (1, ())


def test_logs_with_more_pauses_and_requests_are_read() -> None:
    """What was allowed once has happened."""
    table = started(3).table
    for _ in range(2 * PAUSES):
        table = apply(apply(table, Entry(table.at, Paused(1))), Entry(table.at, Resumed(0)))
    assert table.pauses == (1,) * 2 * PAUSES


def test_strangers_can_do_nothing() -> None:
    """Spectators have no seat, and anyone who is no token has no say."""
    party = started(3)
    for command in (Say("wow"), Pause(), Act(Action("-1")), Leave(), Here(), Gone()):
        assert refused(party, command, "Stranger").code == "table.not_seated"
    with pytest.raises(NotUnderstood, match="hash of a token"):
        decide(party.table, Leave(), "not a hash", 0, party.dealer)


# ── Coming and going ─────────────────────────────────────────────────────────────────────────


def test_a_bot_covers_an_absent_person_and_hands_the_seat_back() -> None:
    """After the grace time, and until they are here again."""
    party = started(3, grace_ms=60_000)
    party.do(Gone(), "Bohr")
    assert party.wait(59_999) == []
    assert wake(party.table) == party.now + 1
    assert needs(party.table) == []
    assert kinds(party.wait(1)) == ["Covered"]
    (turn,) = needs(party.table)
    assert (turn.seat, turn.level, turn.view.seat) == (1, "sharp", 1)
    party.do(Act(sorted(turn.view.legal)[0], 1, turn.turn), WORKER)
    assert kinds(party.do(Here(), "Bohr")) == ["Came"]
    assert needs(party.table) == []
    assert refused(party, Act(Action("-1"), 1), WORKER).code == "table.not_a_bot"


def test_a_person_who_acts_is_here() -> None:
    """A move by an absent person brings them back, even if a bot has covered them."""
    party = started(3, grace_ms=0)
    party.do(Gone(), "Bohr")
    party.wait(0)
    action = party.legal(1)[0]
    assert kinds(party.do(Act(action), "Bohr")) == ["Came", "Acted"]
    who = party.table.seats[1]
    assert isinstance(who, Person)
    assert (who.here, who.covered) == (True, False)


def test_a_game_waits_while_nobody_is_here() -> None:
    """Bots do not play on alone, and clocks stand still."""
    party = started(3, 1, grace_ms=1_000, move_ms=5_000)
    party.wait(3_000)
    party.do(Gone(), "Ada")
    assert (needs(party.table), wake(party.table)) == ([], None)
    assert party.wait(10**7) == []
    party.do(Here(), "Ada")
    assert party.wait(1_999) == []
    assert kinds(party.wait(1)) == ["ClockRanOut"]


def test_bots_play_by_themselves_if_they_were_put_there() -> None:
    """A table without people never waits for any."""
    party = started(3, 0)
    while party.table.stage != "over":
        turns = needs(party.table)
        for turn in turns:
            party.do(Act(sorted(turn.view.legal)[0], turn.seat, turn.turn), WORKER)
        if not turns:
            party.wait(30_000)
    assert party.table.game is not None
    assert party.table.game.winners


def test_ghosts_lose_their_seat_before_a_game() -> None:
    """Somebody who never comes back must not block the start."""
    party = seated(3, 2)
    party.do(Gone(), "Bohr")
    assert kinds(party.wait(60_000)) == ["Left"]
    assert party.table.seats[1] == Empty()


def test_coming_and_going_twice_changes_nothing() -> None:
    """Connections are counted by anyone who has them."""
    party = started(3)
    assert party.do(Here(), "Ada") == []
    party.do(Gone(), "Ada")
    assert party.do(Gone(), "Ada") == []


# ── Manners ──────────────────────────────────────────────────────────────────────────────────


def test_talk_is_what_the_table_allows() -> None:
    """Phrases by default, texts if the host wants them."""
    party = seated(3, 2)
    party.do(Say("well_played"), "Bohr")
    assert refused(party, Say("hi there", preset=False), "Bohr").code == "table.chat"
    assert refused(party, Say("insult"), "Bohr").code == "input.text"
    assert refused(seated(3, 2, chat="off"), Say("wow"), "Bohr").code == "table.chat"
    free = seated(3, 2, chat="free")
    for number in range(60):
        free.do(Say(f" number {number} ", preset=False), "Bohr")
    assert [line.text for line in free.table.chat][-2:] == ["number 58", "number 59"]
    assert len(free.table.chat) == 50
    for text in ("", "  ", "x" * 201, "two\nlines"):
        assert refused(free, Say(text, preset=False), "Bohr").code == "input.text"


def test_a_pause_stops_the_clocks() -> None:
    """Anybody may resume after a pause; the time between does not count."""
    party = started(3, move_ms=10_000, grace_ms=10_000)
    party.wait(4_000)
    party.do(Gone(), "Curie")
    party.do(Pause(), "Ada")
    assert wake(party.table) is None
    assert party.wait(10**6) == []
    assert isinstance(refused(party, Act(party.legal(0)[0]), "Ada"), NotYourTurn)
    assert refused(party, Pause(), "Bohr").code == "table.paused"
    party.do(Resume(), "Bohr")
    assert refused(party, Resume(), "Bohr").code == "table.not_paused"
    assert party.wait(5_999) == []
    assert kinds(party.wait(1)) == ["ClockRanOut"] * 3
    assert kinds(party.wait(4_000)) == ["Covered"]


def test_a_pause_needs_a_game_and_a_table_that_has_pauses() -> None:
    """Otherwise there is nothing to pause."""
    assert refused(seated(3), Pause(), "Ada").code == "table.not_begun"
    assert refused(started(3, pause=False), Pause(), "Ada").code == "table.no_pause"


def test_everybody_may_pause_three_times_in_a_round() -> None:
    """A coffee, a telephone, a doorbell; then the others play, until the next round is dealt."""
    party = started(3)
    for _ in range(3):
        party.do(Pause(), "Bohr")
        party.do(Resume(), "Ada")
    error = refused(party, Pause(), "Bohr")
    assert (error.code, isinstance(error, NotYourTurn)) == ("table.pauses_spent", True)
    assert "next round" in error.message
    party.do(Pause(), "Ada")  # who has not paused yet
    party.do(Resume(), "Bohr")
    party.finish_round()
    assert refused(party, Pause(), "Bohr").code == "table.pauses_spent"
    for name in ("Ada", "Bohr", "Curie"):
        party.do(Ready(), name)
    party.do(Pause(), "Bohr")


def test_the_last_round_says_that_pauses_come_with_the_next_game() -> None:
    """The answer names a moment that comes."""
    party = started(2, 2)
    while party.table.rounds_left:
        party.finish_round()
        for name in ("Ada", "Bohr"):
            party.do(Ready(), name)
    for _ in range(3):
        party.do(Pause(), "Bohr")
        party.do(Resume(), "Bohr")
    assert "next game" in refused(party, Pause(), "Bohr").message


def test_requests_that_come_to_nothing_are_counted() -> None:
    """Three in a round; the bots do not wait for a fourth."""
    party = started(3, 2)
    met = Counter[str]()
    while party.table.stage == "play":
        if party.table.moves and party.table.moves[-1].seat == 1:
            try:
                party.do(AskUndo(), "Bohr")
                party.do(RefuseUndo(), "Ada")
                met["refused by Ada"] += 1
            except NotYourTurn as error:
                met[error.code] += 1
        party.first()
    assert met["refused by Ada"] == REFUSALS
    assert met["table.undo_spent"]


def stubborn(party: Party, rng: Random) -> None:
    """Let one seat send everything that could hold the others up; what is refused is refused."""
    hindering: list[Command] = [Pause(), Pause(), Resume(), AskUndo(), RefuseUndo(), Say("wow")]
    hindering += [Gone(), Here(), Ready(), Act(rng.choice(ACTIONS))]
    for command in rng.choices(hindering, k=6):
        with suppress(NotLegal, NotUnderstood):
            party.do(command, "Bohr")
    with suppress(NotLegal):
        party.do(Pause(), "Bohr")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_nobody_keeps_a_table_from_moving(seed: int) -> None:
    """A law: whatever one seat sends after every event, the others play the game to its end.

    They have to resume, or refuse, so many times a round at most. The seat itself is not waited
    for: its clock runs out.
    """
    rng, party, hindered = Random(seed), started(3, 3, move_ms=1_000), 0
    for _ in range(1_000):
        stubborn(party, rng)
        hindered += party.table.paused is not None or party.table.undo is not None
        honest(party)
        if party.table.stage == "over":
            break
    assert party.table.stage == "over"
    assert 3 * PAUSES <= hindered <= 3 * (PAUSES + REFUSALS)


def honest(party: Party) -> None:
    """Let the others do the one thing that gets the game on."""
    table = party.table
    if table.paused is not None:
        party.do(Resume(), "Ada")
    elif table.undo is not None and table.undo.seat == 1:
        party.do(RefuseUndo(), "Ada")
    elif table.stage == "between":
        party.wait(table.settings.look_ms)
    elif 1 in table.to_act and 1 not in table.lent:
        party.wait(1_000)
    else:
        party.first()


def test_the_last_person_takes_the_pause_along() -> None:
    """A table of bots is never paused."""
    party = started(3, 1)
    party.do(Pause(), "Ada")
    party.do(Leave(), "Ada")
    assert party.table.paused is None
    assert needs(party.table)


# ── Commands that are sent twice ─────────────────────────────────────────────────────────────


def test_a_command_is_carried_out_once() -> None:
    """The same id from the same person gives the same answer and no second event."""
    party = started(3)
    action = party.legal(0)[0]
    entries = party.do(Act(action), "Ada", id="m1")
    first = done(party.table, HOST, "m1")
    party.first()
    assert party.do(Act(action), "Ada", id="m1") == []
    assert done(party.table, HOST, "m1") == first
    assert entries[-1].receipt is not None
    assert replay(party.log).answer(HOST, "m1") == first.version
    assert party.do(Say("wow"), "Bohr", id="m1")  # another person's id


def test_a_refused_command_leaves_no_receipt() -> None:
    """It may be right later."""
    party = started(3)
    with pytest.raises(NotLegal):
        party.do(Act(Action("=1")), "Ada", id="m1")
    assert party.table.answer(HOST, "m1") is None


def test_the_receipt_is_sent_to_its_sender_alone() -> None:
    """In the frame of its last event."""
    party = started(3)
    before = party.table
    entries = party.do(Say("wow"), "Bohr", id="m9")
    acks = [frames(before, entries, audience)[-1].ack for audience in (None, 0, 1, 2)]
    assert acks == ["", "", "m9", ""]


def test_a_command_of_somebody_seated_is_never_done_twice() -> None:
    """A law: whatever others send, and however many of them come and go."""
    party = Party(Settings(3), audited=False)
    party.do(Sit("Ada"), "Ada", id="sit")
    party.do(Say("wow"), "Ada", id="wow")
    for number in range(60):
        guest = token_hash(f"guest {number}")
        party.do(Sit(f"Guest {number}"), guest, id="sit")
        party.do(Say("hello"), guest, id="hello")
        party.do(Leave(), guest, id="leave")
    assert party.do(Say("wow"), "Ada", id="wow") == []
    assert len(party.table.answered) == 1 + STRANGERS_KEPT
    assert replay(party.log).answer(HOST, "sit") == 2


def test_the_receipts_of_a_host_without_a_seat_stay() -> None:
    """Arranging a table is done once, too."""
    party = Party(Settings(3), audited=False)
    party.do(AddBot(2, "gentle"), "Ada", id="bot")
    for number in range(2 * STRANGERS_KEPT):
        guest = token_hash(f"guest {number}")
        party.do(Sit(f"Guest {number}"), guest, id="sit")
        party.do(Leave(), guest, id="leave")
    assert party.table.answer(HOST, "bot") is not None


def test_old_receipts_are_forgotten() -> None:
    """Thirty-two for each person are enough for any retry."""
    party = seated(3, 2)
    for number in range(40):
        party.do(Say("wow"), "Bohr", id=f"m{number}")
    party.do(Say("wow"), "Ada", id="m0")
    assert party.table.answer(TOKENS["Bohr"], "m7") is None
    assert party.table.answer(TOKENS["Bohr"], "m8") is not None
    assert party.table.answer(HOST, "m0") is not None
    with pytest.raises(NotUnderstood, match="is not an id"):
        party.do(Say("wow"), "Ada", id="no blanks")
