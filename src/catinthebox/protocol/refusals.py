"""The refusals that people may meet, in one list: codes, and an English sentence for each.

Python takes the sentence from here where a refusal has no details of its own (`table.errors`). The
browser client's list (`web/src/lib/refusals.ts`) and the page for programmers
(`docs/api/refusals.md`) are written from here by `make api`; the client translates each sentence
under its `key`, and a test compares its English texts with these.

>>> sentence("table.full")
'every seat is taken'
>>> capitalized(sentence("table.stale"))
'The table had moved on; look again.'
"""

from __future__ import annotations

from typing import Final, NamedTuple


class RefusalSentence(NamedTuple):
    """A sentence, as it follows a colon; the client's key for it; the codes that it explains."""

    key: str
    sentence: str
    codes: tuple[str, ...]


def _one(key: str, codes: str, sentence: str) -> RefusalSentence:
    return RefusalSentence(key, sentence, tuple(codes.split()))


SENTENCES: Final = (
    # The server and its limits.
    _one(
        "net_no_failed", "server.failure server.unavailable", "that did not work; please try again"
    ),
    _one("net_no_full", "server.full", "the server is busy just now; try again in a moment"),
    _one(
        "net_no_limit",
        "limit.address limit.chat limit.misses limit.nonsense limit.replays limit.requests"
        " limit.seat limit.sits limit.socket limit.tables limit.upgrades",
        "that was a little too fast; wait a moment",
    ),
    _one(
        "net_no_windows",
        "limit.lines limit.sockets limit.streams",
        "too many connections are open; close another window, or wait a moment",
    ),
    _one(
        "net_no_watchers",
        "limit.spectators",
        "too many people are watching this table; try again later",
    ),
    _one(
        "net_no_removed_near",
        "limit.removed",
        "somebody on your network had to leave this table;"
        " wait ten minutes, or ask the host to let them back in",
    ),
    # The table, and who may do what there.
    _one("net_no_table", "table.unknown", "there is no table here by this name"),
    _one(
        "net_no_damaged",
        "table.damaged",
        "the stored data of this game is damaged, so it cannot go on; other games are fine,"
        " and the host of the server can restore it from a backup",
    ),
    _one(
        "net_no_worn_out",
        "table.worn_out",
        "this table has reached its limit; please open a new one",
    ),
    _one("net_no_closed", "table.closed", "this table has been closed"),
    _one("net_no_spectators", "table.no_spectators", "this game is played without spectators"),
    _one(
        "net_no_watch_only",
        "table.watch_only",
        "this link is for watching; ask for the link to play",
    ),
    _one("net_no_host_only", "table.host_only", "only the host of this table can do that"),
    _one("net_no_host", "table.host", "you are the host already"),
    _one(
        "net_no_removed",
        "table.removed",
        "the host has asked you to leave this table; only the host can let you back in",
    ),
    _one("net_no_not_removed", "table.not_removed", "nobody by that name was removed"),
    # Seats and names.
    _one("net_no_seat", "table.not_seated", "you have no seat at this table"),
    _one("net_no_seated", "table.seated", "you have a seat already"),
    _one("net_no_seat_taken", "table.seat_taken", "that seat is taken"),
    _one("net_no_seat_free", "table.full", "every seat is taken"),
    _one("net_no_own_seat", "table.own_seat", "that is your own seat; to give it up, leave"),
    _one(
        "net_no_other_seat", "table.not_a_bot table.not_your_seat", "you act for your own seat only"
    ),
    _one("net_no_person", "table.no_person", "no person has that seat"),
    _one("net_no_bot", "table.no_bot", "no bot has that seat"),
    _one(
        "net_no_name_taken",
        "table.name_taken",
        "somebody here, or a bot, has that name or one that looks like it",
    ),
    _one(
        "net_no_name",
        "input.name",
        "choose a name of 1 to 24 characters, with a letter, a digit or an emoji",
    ),
    _one("net_no_name_mixed", "input.name_mixed", "write the name in one alphabet, please"),
    # The course of a game.
    _one("net_no_begun", "table.begun", "the game has begun; seats change after it"),
    _one("net_no_not_begun", "table.not_begun illegal.not_dealt", "the game has not begun"),
    _one("net_no_empty_seats", "table.empty_seats", "every seat needs a person or a bot first"),
    _one("net_no_over", "table.over illegal.game_over", "the game is over; ask for a rematch"),
    _one("net_no_not_over", "table.not_over", "the game is not over"),
    _one("net_no_not_between", "table.not_between", "the round is not over yet"),
    _one("net_no_ready", "table.ready", "you are ready; the others are not yet"),
    _one("net_no_others_play", "table.others_play", "others would lose their game"),
    _one("net_no_stale", "table.stale", "the table had moved on; look again"),
    _one("net_no_clock", "table.clock", "your time is up; a bot makes this move"),
    _one("net_no_paused", "table.paused", "the game is paused"),
    _one("net_no_not_paused", "table.not_paused", "the game is not paused"),
    _one("net_no_pause", "table.no_pause", "there are no pauses at this table"),
    _one(
        "net_no_pauses_spent",
        "table.pauses_spent",
        "three pauses a round are all; you can pause again in the next one",
    ),
    _one("net_no_chat", "table.chat", "that cannot be said at this table"),
    # Taking back.
    _one("net_no_undo_off", "table.undo_off", "moves cannot be taken back at this table"),
    _one("net_no_undo", "table.undo_nothing", "there is nothing you can take back"),
    _one("net_no_undo_late", "table.undo_late", "too late: somebody else has acted since"),
    _one(
        "net_no_undo_shown",
        "table.undo_shown",
        "not possible: the next turn has revealed something",
    ),
    _one("net_no_undo_refused", "table.undo_refused", "the others want it to stay"),
    _one("net_no_undo_asked", "table.undo_asked", "somebody has already asked to take a move back"),
    _one(
        "net_no_undo_agreed",
        "table.undo_agreed",
        "you have agreed already; now it is up to the others",
    ),
    _one("net_no_undo_none", "table.undo_none", "nobody has asked to take a move back"),
    _one(
        "net_no_undo_spent",
        "table.undo_spent",
        "the others have refused three times; you can ask again in the next round",
    ),
    # The rules. `game.why` says more: which card, which color, what would be right.
    _one("net_no_turn", "turn.not_yours", "it is not your turn"),
    _one("net_no_set_twice", "turn.already_discarded", "you have set your card aside already"),
    _one("net_no_round_over", "illegal.round_over", "the round is over"),
    _one("net_no_set_first", "illegal.discard_first", "everybody sets one card aside first"),
    _one("net_no_bid_first", "illegal.bid_first", "bids come first"),
    _one("net_no_play_now", "illegal.play_now", "discarding and bidding are over; play a card"),
    _one("net_no_bids", "illegal.no_bids", "two players do not bid"),
    _one("net_no_bid", "illegal.bid", "you cannot bid that number"),
    _one("net_no_card", "illegal.not_in_hand", "you hold no such card"),
    _one("net_no_cell", "illegal.cell_taken", "a token lies on that cell already"),
    _one("net_no_token", "illegal.token_lost", "you have given up that color"),
    _one("net_no_red", "illegal.red_closed", "red may not be led before somebody has declared red"),
)
BY_CODE: Final = {code: one for one in SENTENCES for code in one.codes}


def sentence(code: str) -> str:
    """Return what a code means, in the form that follows a colon."""
    return BY_CODE[code].sentence


def capitalized(sentence: str) -> str:
    """Return a sentence as it stands alone."""
    return f"{sentence[0].upper()}{sentence[1:]}."
