"""The refusals that people may meet, in one list: codes, and an English sentence for each.

Python takes the sentence from here where a refusal has no details of its own (`table.errors`). The
browser client's list (`web/src/lib/refusals.ts`) and the page for programmers
(`docs/api/refusals.md`) are written from here by `make api`; the client translates each sentence
under its `key`, and a test compares its English texts with these.

>>> sentence("table.full")
'every seat is taken'
>>> capitalized(sentence("table.stale"))
'The table changed just before your move. Take another look.'
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
        "net_no_failed", "server.failure server.unavailable", "that didn’t work. Please try again"
    ),
    _one("net_no_full", "server.full", "the server is busy. Please try again in a moment"),
    _one(
        "net_no_limit",
        "limit.address limit.chat limit.days limit.misses limit.nonsense limit.replays"
        " limit.requests limit.seat limit.sits limit.socket limit.tables limit.upgrades",
        "that was a bit fast. Wait a moment and try again",
    ),
    _one(
        "net_no_windows",
        "limit.lines limit.sockets limit.streams",
        "too many connections are open. Close another window, or wait a moment",
    ),
    _one(
        "net_no_watchers",
        "limit.spectators",
        "too many people are watching this table. Please try again later",
    ),
    _one(
        "net_no_removed_near",
        "limit.removed",
        "someone on your network was removed from this table. Wait ten minutes, or ask "
        "the host to let them back in",
    ),
    # The table, and who may do what there.
    _one("net_no_table", "table.unknown", "there is no table at this address"),
    _one(
        "net_no_damaged",
        "table.damaged",
        "this game’s saved data is damaged, so it can’t continue. Other games are fine, "
        "and the host of the server can restore this one from a backup",
    ),
    _one(
        "net_no_worn_out",
        "table.worn_out",
        "this table has reached its limit. Please open a new one",
    ),
    _one("net_no_closed", "table.closed", "this table is closed"),
    _one("net_no_spectators", "table.no_spectators", "this table doesn’t allow spectators"),
    _one(
        "net_no_watch_only",
        "table.watch_only",
        "this link is for watching. Ask for the link to play",
    ),
    _one("net_no_host_only", "table.host_only", "only the host can do that"),
    _one("net_no_host", "table.host", "you’re already the host"),
    _one(
        "net_no_removed",
        "table.removed",
        "the host removed you from this table. Only the host can let you back in",
    ),
    _one("net_no_not_removed", "table.not_removed", "nobody with that name was removed"),
    # Seats and names.
    _one("net_no_seat", "table.not_seated", "you don’t have a seat at this table"),
    _one("net_no_seated", "table.seated", "you already have a seat"),
    _one("net_no_seat_taken", "table.seat_taken", "that seat is taken"),
    _one("net_no_seat_free", "table.full", "every seat is taken"),
    _one(
        "net_no_own_seat", "table.own_seat", "that’s your own seat. To give it up, leave the table"
    ),
    _one(
        "net_no_other_seat",
        "table.not_a_bot table.not_your_seat",
        "you can only act for your own seat",
    ),
    _one("net_no_person", "table.no_person", "there is no person in that seat"),
    _one("net_no_bot", "table.no_bot", "there is no bot in that seat"),
    _one(
        "net_no_name_taken",
        "table.name_taken",
        "someone here, or a bot, already has that name or a very similar one",
    ),
    _one(
        "net_no_name",
        "input.name",
        "choose a name of 1 to 24 characters, with at least one letter, digit or emoji",
    ),
    _one("net_no_name_mixed", "input.name_mixed", "please write your name in one alphabet"),
    # The table of the day.
    _one(
        "net_no_day_closed",
        "daily.closed daily.full daily.off",
        "the table of that day doesn’t accept games now",
    ),
    _one(
        "net_no_day_entered",
        "daily.entered",
        "you’re already on the table of that day. The first try counts",
    ),
    _one(
        "net_no_day_game",
        "daily.game",
        "the server says this isn’t that day’s game. This page may be out of date",
    ),
    # The course of a game.
    _one("net_no_begun", "table.begun", "the game has started. Seats can change once it is over"),
    _one("net_no_not_begun", "table.not_begun illegal.not_dealt", "the game hasn’t started yet"),
    _one("net_no_empty_seats", "table.empty_seats", "every seat needs a person or a bot first"),
    _one("net_no_over", "table.over illegal.game_over", "the game is over. Ask for a rematch"),
    _one("net_no_not_over", "table.not_over", "the game isn’t over yet"),
    _one("net_no_not_between", "table.not_between", "the round isn’t over yet"),
    _one("net_no_ready", "table.ready", "you’re ready. The others aren’t yet"),
    _one("net_no_others_play", "table.others_play", "other people are still playing here"),
    _one(
        "net_no_stale", "table.stale", "the table changed just before your move. Take another look"
    ),
    _one("net_no_clock", "table.clock", "your time is up. A bot plays this move for you"),
    _one("net_no_paused", "table.paused", "the game is paused"),
    _one("net_no_not_paused", "table.not_paused", "the game isn’t paused"),
    _one("net_no_pause", "table.no_pause", "this table doesn’t allow pauses"),
    _one(
        "net_no_pauses_spent",
        "table.pauses_spent",
        "three pauses a round is the limit. You can pause again next round",
    ),
    _one("net_no_chat", "table.chat", "you can’t say that at this table"),
    # Taking back.
    _one("net_no_undo_off", "table.undo_off", "this table doesn’t allow taking back moves"),
    _one("net_no_undo", "table.undo_nothing", "you have no move to take back"),
    _one(
        "net_no_undo_late",
        "table.undo_late",
        "too late: someone has played since. You can take back a move only until the next"
        " player acts",
    ),
    _one(
        "net_no_undo_shown",
        "table.undo_shown",
        "you can’t take that back: the next turn has already revealed something",
    ),
    _one("net_no_undo_refused", "table.undo_refused", "the others declined"),
    _one("net_no_undo_asked", "table.undo_asked", "someone has already asked to take back a move"),
    _one(
        "net_no_undo_agreed",
        "table.undo_agreed",
        "you’ve already agreed. Now it’s up to the others",
    ),
    _one("net_no_undo_none", "table.undo_none", "nobody has asked to take back a move"),
    _one(
        "net_no_undo_spent",
        "table.undo_spent",
        "the others have declined three times. You can ask again next round",
    ),
    # The rules. `game.why` says more: which card, which color, what would be right.
    _one("net_no_turn", "turn.not_yours", "it’s not your turn"),
    _one("net_no_set_twice", "turn.already_discarded", "you’ve already set a card aside"),
    _one("net_no_round_over", "illegal.round_over", "the round is over"),
    _one("net_no_set_first", "illegal.discard_first", "first, everyone sets one card aside"),
    _one("net_no_bid_first", "illegal.bid_first", "bids come first"),
    _one("net_no_play_now", "illegal.play_now", "bidding is over. Play a card"),
    _one("net_no_bids", "illegal.no_bids", "with two players, nobody bids"),
    _one("net_no_bid", "illegal.bid", "you can’t bid that number"),
    _one("net_no_card", "illegal.not_in_hand", "you don’t have that card"),
    _one("net_no_cell", "illegal.cell_taken", "that cell is already taken"),
    _one("net_no_token", "illegal.token_lost", "you gave up that color"),
    _one("net_no_red", "illegal.red_closed", "red can’t be led until someone has played red"),
)
BY_CODE: Final = {code: one for one in SENTENCES for code in one.codes}


def sentence(code: str) -> str:
    """Return what a code means, in the form that follows a colon."""
    return BY_CODE[code].sentence


def capitalized(sentence: str) -> str:
    """Return a sentence as it stands alone."""
    return f"{sentence[0].upper()}{sentence[1:]}."
