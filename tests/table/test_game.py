"""A live game: moves, clocks, taking back, rounds, a rematch, the record."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from live_tables import (
    NAMES,
    NOON,
    TOKENS,
    Party,
    Scripted,
    frames,
    kinds,
    refused,
    resent,
    seated,
    snapshot,
    started,
)
from policies import cooperative
from sample_rounds import THREE

from catinthebox import Action, NotYourTurn
from catinthebox.fair import proven, verify
from catinthebox.game import record as records
from catinthebox.table import (
    WORKER,
    Act,
    AgreeUndo,
    AskUndo,
    Broadcaster,
    DealtHands,
    Gone,
    Here,
    Kick,
    Leave,
    Pause,
    Ready,
    RefuseUndo,
    Rematch,
    Resume,
    Settings,
    Sit,
    Start,
    decide,
    needs,
    practice,
    record,
    replay,
    tick,
    wake,
)

SCRIPT = Scripted(DealtHands(THREE))
NONCE = "5e" * 32


def scripted(people: int = 3, **options: object) -> Party:
    """A game of three with known hands; Ada starts."""
    return started(3, people, SCRIPT, **options)


def discarded(party: Party) -> Party:
    """The same after the discards."""
    for seat, action in enumerate(("-2", "-3", "-4")):
        party.act(action, seat)
    return party


def bid(party: Party) -> Party:
    """The same after the bids."""
    for action in ("=1", "=3", "=4"):
        party.act(action, party.table.to_act[0])
    return party


def over() -> Party:
    """A finished game of two."""
    party = Party(Settings(2))
    for name in NAMES[:2]:
        party.do(Sit(name, nonce=NONCE), name)
    party.do(Start(), "Ada")
    finish(party)
    return party


def finish(party: Party) -> None:
    """Play to the end of the game."""
    while party.table.stage != "over":
        if party.table.stage == "between":
            party.wait(30_000)
        party.first()


# ── Moves ────────────────────────────────────────────────────────────────────────────────────


def test_moves_are_judged_by_the_rules_in_their_words() -> None:
    """Texts, codes and clauses of the engine come through."""
    party = bid(discarded(scripted()))
    party.act("5b", 0)
    error = refused(party, Act(Action("5b")), "Bohr")
    assert (error.code, error.clause) == ("illegal.cell_taken", "R12")
    assert "your 5 can still be red, yellow or green" in error.message
    assert isinstance(refused(party, Act(Action("5y")), "Curie"), NotYourTurn)
    assert refused(party, Act(Action("5y"), seat=1), "Curie").code == "table.not_your_seat"
    assert refused(party, Act(Action("5y"), seat=9), WORKER).code == "input.seat"
    assert refused(party, Act(Action("5y"), seat=1), WORKER).code == "table.not_a_bot"
    asked = Broadcaster(party.table).why(1, Action("5b"))
    assert (asked.code, asked.clause) == ("illegal.cell_taken", "R12")
    assert Broadcaster(party.table).why(1, Action("5y")).code == ""
    assert Broadcaster(party.table).why(None, Action("5y")).code == "turn.not_yours"
    assert Broadcaster(seated(3).table).why(1, Action("5y")).code == ""


def test_a_late_answer_does_no_harm() -> None:
    """An action that names the decision it answers is refused if that is gone."""
    party = discarded(scripted())
    turn = party.table.turn
    party.act("=1", 0)
    assert refused(party, Act(Action("=3"), turn=turn), "Bohr").code == "table.stale"
    party.do(Act(Action("=3"), turn=party.table.turn), "Bohr")


def test_discards_answer_one_question() -> None:
    """They are simultaneous: another discard makes nobody late (R7)."""
    party = scripted()
    turn = party.table.turn
    party.act("-4", 2)
    party.do(Act(Action("-2"), turn=turn), "Ada")
    party.do(Act(Action("-3"), turn=turn), "Bohr")
    assert party.table.turn > turn


def test_nothing_is_played_before_and_after_a_game() -> None:
    """The table says what there is to do instead."""
    assert refused(seated(3), Act(Action("-1")), "Ada").code == "table.not_begun"
    party = over()
    assert refused(party, Act(Action("-1")), "Ada").code == "table.over"
    assert refused(party, Start(), "Ada").code == "table.over"
    assert refused(party, Ready(), "Ada").code == "table.over"
    assert refused(scripted(), Rematch(), "Ada").code == "table.not_over"
    assert refused(scripted(), Ready(), "Ada").code == "table.not_between"


# ── Rounds ───────────────────────────────────────────────────────────────────────────────────


def test_the_next_round_is_dealt_when_everybody_is_ready() -> None:
    """Or when they have looked long enough."""
    party = scripted(2)
    party.finish_round()
    assert party.table.stage == "between"
    party.do(Ready(), "Ada")
    assert refused(party, Ready(), "Ada").code == "table.ready"
    assert kinds(party.do(Ready(), "Bohr")) == ["Readied", "CardsDealt"]
    party.finish_round()
    assert party.wait(29_999) == []
    assert kinds(party.wait(1)) == ["CardsDealt"]


def test_a_table_does_not_wait_for_people_who_left() -> None:
    """The others go on at once."""
    for command in (Gone(), Leave()):
        party = scripted(2)
        party.finish_round()
        party.do(Ready(), "Ada")
        assert kinds(party.do(command, "Bohr"))[-1] == "CardsDealt"


def test_a_pause_between_rounds_lasts() -> None:
    """Nobody is ready during it, and looking longer is what it is for."""
    party = scripted(2)
    party.finish_round()
    party.do(Ready(), "Ada")
    party.do(Pause(), "Bohr")
    assert refused(party, Ready(), "Bohr").code == "table.paused"
    assert party.wait(99_000) == []
    party.do(Kick(1), "Ada")
    assert party.table.stage == "between"
    assert kinds(party.do(Resume(), "Ada")) == ["Resumed", "CardsDealt"]


# ── Clocks ───────────────────────────────────────────────────────────────────────────────────


def test_without_a_clock_nobody_is_hurried() -> None:
    """Clocks are off by default."""
    party = scripted()
    assert wake(party.table) is None
    assert party.wait(10**9) == []
    assert snapshot(party.table, 0).turn.deadlines == (None, None, None)


def test_a_bot_makes_the_one_move_for_which_time_ran_out() -> None:
    """The next move is the person's again."""
    party = discarded(scripted(move_ms=5_000, cover="gentle"))
    assert snapshot(party.table, 2).turn.deadlines == (NOON + 5_000, None, None)
    assert kinds(party.wait(5_000)) == ["ClockRanOut"]
    assert refused(party, Act(Action("=1")), "Ada").code == "table.clock"
    (turn,) = needs(party.table)
    assert (turn.seat, turn.level, turn.deadline) == (0, "gentle", NOON + 5_000)
    before = party.table
    entries = party.do(Act(Action("=1"), 0, turn.turn), WORKER)
    assert [type(news).__name__ for news in frames(before, entries, 1)[0].news[:2]] == [
        "BotMoved",
        "BidShown",
    ]
    assert needs(party.table) == []
    party.do(Act(Action("=3")), "Bohr")


def test_the_bank_is_used_after_the_time_for_a_move() -> None:
    """Quick moves cost nothing; the bank lasts for the whole game."""
    party = discarded(scripted(move_ms=5_000, bank_ms=10_000))
    party.wait(7_000)
    party.act("=1", 0)
    assert party.table.bank == (8_000, 10_000, 10_000)
    party.wait(15_000)
    assert party.table.lent == (1,)
    assert party.table.bank == (8_000, 0, 10_000)


def test_a_clock_that_is_set_back_breaks_nothing() -> None:
    """An earlier time counts as the time of the last event."""
    party = discarded(scripted(move_ms=5_000, grace_ms=1_000))
    party.now -= 10**6
    party.act("=1", 0)
    assert party.log[-1].at == party.log[-2].at
    assert tick(party.table, 0, party.dealer) == []
    party.do(Gone(), "Curie")
    assert party.wait(10**6 + 999) == []
    assert kinds(party.wait(1)) == ["Covered"]


# ── Taking back ──────────────────────────────────────────────────────────────────────────────


def test_everybody_must_agree_to_take_back() -> None:
    """The round goes on as if the action had not happened."""
    party = bid(discarded(scripted()))
    before = party.table.round
    party.act("5b", 0)
    assert kinds(party.do(AskUndo(), "Ada")) == ["UndoAsked"]
    assert refused(party, AskUndo(), "Bohr").code == "table.undo_asked"
    assert refused(party, AgreeUndo(), "Ada").code == "table.undo_agreed"
    assert kinds(party.do(AgreeUndo(), "Bohr")) == ["UndoAgreed"]
    assert refused(party, AgreeUndo(), "Bohr").code == "table.undo_agreed"
    assert kinds(party.do(AgreeUndo(), "Curie")) == ["UndoAgreed", "Undone"]
    assert party.table.round == before
    assert party.table.to_act == (0,)
    assert refused(party, AgreeUndo(), "Bohr").code == "table.undo_none"
    assert refused(party, RefuseUndo(), "Bohr").code == "table.undo_none"
    assert refused(party, AskUndo(), "Ada").code == "table.undo_late"  # the bids came after hers


def test_one_refusal_is_enough_and_settles_it() -> None:
    """The same action cannot be asked for again."""
    party = bid(discarded(scripted()))
    party.act("5b", 0)
    party.do(AskUndo(), "Ada")
    party.do(RefuseUndo(), "Curie")
    assert refused(party, AskUndo(), "Ada").code == "table.undo_refused"
    assert len(party.table.moves) == 7


def test_nobody_who_acted_since_must_act_again() -> None:
    """Only the last action can be taken back; playing on is an answer too."""
    party = bid(discarded(scripted()))
    party.act("5b", 0)
    party.do(AskUndo(), "Ada")
    party.act("6b", 1)
    assert party.table.undo is None
    assert refused(party, AskUndo(), "Ada").code == "table.undo_late"
    assert refused(party, AskUndo(), "Curie").code == "table.undo_late"


def test_discards_are_taken_back_while_others_discard() -> None:
    """They are simultaneous, so nobody has to discard again (R7)."""
    party = scripted()
    assert refused(party, AskUndo(), "Ada").code == "table.undo_nothing"
    party.act("-2", 0)
    party.act("-3", 1)
    party.do(AskUndo(), "Ada")
    party.do(AgreeUndo(), "Bohr")
    party.do(AgreeUndo(), "Curie")
    assert [move.seat for move in party.table.moves] == [1]
    assert party.table.to_act == (0, 2)


def test_bots_and_people_who_are_away_are_not_asked() -> None:
    """Alone with bots it is done at once; bots wait while people decide."""
    alone = discarded(scripted(1))
    alone.act("=1", 0)
    assert kinds(alone.do(AskUndo(), "Ada")) == ["UndoAsked", "Undone"]
    party = discarded(scripted(2))
    party.act("=1", 0)
    party.act("=3", 1)
    assert needs(party.table)
    party.do(AskUndo(), "Bohr")
    assert needs(party.table) == []
    assert refused(party, Act(Action("=4"), 2), WORKER).code == "table.undo_asked"
    assert kinds(party.do(Gone(), "Ada")) == ["Went", "Undone"]


def test_a_request_lapses() -> None:
    """Nobody waits forever; anyone who asked may also leave."""
    party = discarded(scripted())
    party.act("=1", 0)
    party.do(AskUndo(), "Ada")
    assert wake(party.table) == party.now + 30_000
    assert kinds(party.wait(30_000)) == ["UndoRefused"]
    other = discarded(scripted())
    other.act("=1", 0)
    other.do(AskUndo(), "Ada")
    other.do(Leave(), "Ada")
    assert other.table.undo is None


def test_nothing_is_taken_back_once_something_was_shown() -> None:
    """The end of a round shows scores; and some tables never take back."""
    party = scripted()
    party.finish_round()
    last = party.table.moves[-1].seat
    assert refused(party, AskUndo(), NAMES[last]).code == "table.undo_nothing"
    strict = discarded(scripted(undo=False))
    strict.act("=1", 0)
    assert refused(strict, AskUndo(), "Ada").code == "table.undo_off"
    paused = discarded(scripted())
    paused.act("=1", 0)
    paused.do(Pause(), "Bohr")
    assert refused(paused, AskUndo(), "Ada").code == "table.paused"


@pytest.mark.clause("R20", "R33")
def test_a_seat_that_might_have_been_stuck_is_not_asked_twice() -> None:
    """If it was open whether the next seat could play, its turn told something."""
    met: Counter[str] = Counter()
    for seed in range(12):
        rng = Random(seed)
        party = started(3, 3, practice(seed))
        while party.table.stage == "play":
            seat = party.table.to_act[0]
            assert party.table.round is not None
            party.act(str(cooperative(party.table.round, seat, rng)), seat)
            if party.table.stage == "play":
                try:
                    decide(party.table, AskUndo(), TOKENS[NAMES[seat]], 0, party.dealer)
                    met["fine"] += 1
                except NotYourTurn as error:
                    met[error.code] += 1
    assert met["table.undo_shown"] > 5
    assert met["fine"] > 200
    assert set(met) == {"fine", "table.undo_shown"}


# ── The end ──────────────────────────────────────────────────────────────────────────────────


def test_the_secret_is_shown_at_the_end_and_proves_the_deals() -> None:
    """Everybody can check the record of the game with it."""
    party = over()
    game = party.table.game
    assert game is not None
    assert kinds(party.log)[-1] == "Revealed"
    text = record.write(party.table)
    assert records.read(text) == game
    assert records.read_json(record.write_json(party.table)) == game
    assert proven(verify(records.read(text)))
    shown = snapshot(party.table, None).game
    assert shown is not None
    assert shown.secret == practice(1).reveal("lab-7", 1)
    assert snapshot(party.table, None).room.commitment == practice(1).commitment("lab-7", 2)


def test_a_running_game_has_no_record() -> None:
    """It would reveal every hand."""
    party = scripted()
    with pytest.raises(NotYourTurn, match="would reveal every hand"):
        record.write(party.table)
    with pytest.raises(NotYourTurn, match="would reveal every hand"):
        record.write(seated(3).table)


def test_a_rematch_is_another_game_with_another_secret() -> None:
    """Everybody who is here wants it; the commitment was made before the new nonces."""
    party = over()
    promised = party.table.commitment
    party.do(Rematch("6f" * 32), "Ada")
    assert refused(party, Rematch(), "Ada").code == "table.ready"
    assert kinds(party.do(Rematch("70" * 32), "Bohr")) == ["Readied", "Rematched", "CardsDealt"]
    game = party.table.game
    assert game is not None
    assert game.fairness is not None
    assert game.fairness.commitment == promised
    assert [nonce[0] for nonce in game.fairness.nonces] == [0x6F, 0x70]
    assert (party.table.games, game.totals, game.number) == (2, (0, 0), 1)
    finish(party)
    assert proven(verify(records.read(record.write(party.table))))
    assert replay(party.log) == party.table


def test_rematches_start_fairly() -> None:
    """The starter of every game is drawn by lot, and every seat is drawn now and then."""
    drawn = Counter(
        dealt.starter
        for seed in range(60)
        for dealt in [started(3, 3, practice(seed)).table.round]
        if dealt is not None
    )
    assert set(drawn) == {0, 1, 2}
    assert min(drawn.values()) > 8
    starters = set()
    party = over()
    for _ in range(12):
        for name in NAMES[:2]:
            party.do(Rematch(), name)
        assert party.table.game is not None
        starters.add(party.table.game.starter_of_game)
        finish(party)
    assert starters == {0, 1}


def test_a_rematch_needs_a_full_table() -> None:
    """Seats may change between games; anyone who is gone is not waited for."""
    party = over()
    party.do(Leave(), "Bohr")
    assert refused(party, Rematch(), "Ada").code == "table.empty_seats"
    party.do(Sit("Curie"), "Curie")
    party.do(Rematch(), "Ada")
    assert kinds(party.do(Gone(), "Curie")) == ["Went", "Rematched", "CardsDealt"]
    assert party.table.game is not None
    assert party.table.game.names == ("Ada", "Curie")


# ── Coming back ──────────────────────────────────────────────────────────────────────────────


def test_what_was_missed_is_sent_again() -> None:
    """The frames after a version are those that would have come."""
    party = bid(discarded(scripted()))
    party.do(Gone(), "Bohr")
    party.do(Here(), "Bohr")
    for audience in (None, 0, 1, 2):
        live = frames(replay(party.log[:1]), party.log[1:], audience)
        assert resent(party.log, 5, audience) == live[4:]
        assert resent(party.log, 1, audience) == live
        assert [frame.version for frame in live] == list(range(2, party.table.version + 1))


def test_a_snapshot_shows_a_seat_its_own_cards_and_no_others() -> None:
    """A rank, how often it is held, and the colors it could still be."""
    party = bid(discarded(scripted()))
    party.act("5b", 0)
    seen, watched = snapshot(party.table, 1), snapshot(party.table, None)
    mine, public = seen.own, seen.round
    assert mine is not None
    assert public is not None
    assert [(card.rank, card.copies, card.colors) for card in mine.hand][-2:] == [
        (5, 2, "ryg"),
        (6, 1, "rbyg"),
    ]
    assert mine.discard == 3
    assert "5y" in mine.legal
    assert (watched.own, watched.seat, seen.seat) == (None, None, 1)
    assert watched.round == public
    assert public.moves == "0:-? 1:-? 2:-? =1 =3 =4 5b"
    assert public.board == ("......", "....0.", "......", "......")
