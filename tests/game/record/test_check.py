"""Records that lie are refused, with the place and the clause."""

from __future__ import annotations

import re
from random import Random

import pytest
from sample_rounds import ASIDE, TWO, game_moments, story

from catinthebox import Game, NotLegal
from catinthebox.game.record import RecordError, read, write
from catinthebox.game.record.lines import Where

STORY = write(story())


def changed(text: str, kind: str, word: int, new: str, *, nth: int = 0) -> tuple[str, Where]:
    """Change one word of the nth line of a kind; return the text and the place of the word."""
    lines = text.splitlines()
    number = [i for i, line in enumerate(lines) if line.split()[:1] == [kind]][nth]
    found = list(re.finditer(r"\S+", lines[number]))[word]
    lines[number] = lines[number][: found.start()] + new + lines[number][found.end() :]
    return "\n".join(lines) + "\n", Where(number + 1, found.start() + 1)


def word_of(kind: str, word: int, *, nth: int = 0) -> str:
    """The word that really stands there."""
    return [line.split() for line in STORY.splitlines() if line.split()[:1] == [kind]][nth][word]


LIES = [  # kind, word, nth line, told, code, clause, sentence
    (
        "trick",
        -1,
        0,
        ">0",
        "record.lie",
        "R18",
        "the winner of this trick is {}, not 0",
    ),
    (
        "trick",
        1,
        0,
        "2:",
        "record.lie",
        "R10",
        "the leader of this trick is {}, not 2",
    ),
    ("trick", 2, 0, "1r", "record.illegal.red_closed", "R14", "red may not be led"),
    ("scores", 1, 0, "9", "record.lie", "R23", "the score of seat 0 is {}, not 9"),
    ("scores", 3, 2, "-9", "record.lie", "R25", "the score of seat 2 is {}, not -9"),
    (
        "paradox",
        1,
        0,
        "2:",
        "record.lie",
        "R20",
        "the seat and hand of the paradox is {}, not 2",
    ),
    (
        "paradox",
        2,
        1,
        "1",
        "record.lie",
        "R20",
        "the seat and hand of the paradox is {}, not 1",
    ),
    ("result", 2, 0, "99", "record.lie", "R3", "the total of seat 1 is {}, not 99"),
    ("winners", 1, 0, "0", "record.lie", "R3", "the list of winners is {}, not 0"),
    ("round", 1, 1, "3", "record.lie", "R1", "the number of this round is {}, not 3"),
    ("bids", 1, 0, "=2", "record.illegal.bid", "R8", "2 may not be bid; allowed are 1, 3, 4"),
    ("discards", 1, 0, "-9", "record.illegal.not_in_hand", "R7", "you hold no 9; your hand is"),
]


@pytest.mark.clause("R1", "R3", "R7", "R8", "R10", "R14", "R18", "R20", "R23")
@pytest.mark.parametrize(
    ("kind", "word", "nth", "written", "code", "clause", "sentence"),
    LIES,
    ids=[f"{kind} {written}" for kind, _, _, written, *_ in LIES],
)
def test_a_lie_is_refused_where_it_stands(
    kind: str, word: int, nth: int, written: str, code: str, clause: str, sentence: str
) -> None:
    """Line, column, clause, and what is true instead."""
    text, where = changed(STORY, kind, word, written, nth=nth)
    true = word_of(kind, word, nth=nth).strip(">:")
    assert true != written.strip(">:")
    with pytest.raises(RecordError) as caught:
        read(text)
    assert caught.value.where == where
    assert (caught.value.code, caught.value.clause) == (code, clause)
    start = f"line {where.line}, column {where.column}: {sentence.format(true)}"
    assert str(caught.value).startswith(start)
    assert str(caught.value).endswith(f" ({clause})")


@pytest.mark.parametrize(
    ("word", "written", "sentence"),
    [
        (1, "1", "the leader of this trick is written 1:, not 1 (R10)"),
        (1, "x" * 50, "the leader of this trick is 1, not 'xxx"),
        (-1, ">>2", "the winner of this trick is written >2, not >>2 (R18)"),
    ],
)
def test_a_claim_has_its_mark(word: int, written: str, sentence: str) -> None:
    """A leader's colon and a winner's arrow belong to the words."""
    text, where = changed(STORY, "trick", word, written)
    with pytest.raises(RecordError) as caught:
        read(text)
    assert (caught.value.where, sentence in str(caught.value)) == (where, True)


def test_every_false_winner_is_noticed() -> None:
    """In each trick of the story, for each other seat."""
    tricks = [line for line in STORY.splitlines() if line.startswith("trick") and ">" in line]
    complete = [i for i, line in enumerate(_lines("trick")) if ">" in line]
    assert len(tricks) == len(complete) > 10
    for nth in complete:
        for seat in {"0", "1", "2"} - {word_of("trick", -1, nth=nth)[1:]}:
            text, where = changed(STORY, "trick", -1, f">{seat}", nth=nth)
            with pytest.raises(RecordError, match="the winner of this trick is") as caught:
                read(text)
            assert (caught.value.where, caught.value.clause) == (where, "R18")


def _lines(kind: str) -> list[str]:
    return [line for line in STORY.splitlines() if line.split()[:1] == [kind]]


@pytest.mark.parametrize(
    ("kind", "word", "clause", "sentence"),
    [
        ("scores", -1, "R23", "the score should be: 2 6 2"),
        ("scores", 0, "R23", "the score should be: 2 6 2"),
        ("round", -1, "R1", "the number of this round should be: 1"),
    ],
)
def test_a_claim_is_complete_unless_the_record_ends_there(
    kind: str, word: int, clause: str, sentence: str
) -> None:
    """A word too few or too many is refused at its line, unless the file breaks off there."""
    line = _lines(kind)[0]
    short = line.split()[:word] if word else [*line.split(), "7"]
    text = STORY.replace(line, " ".join(short), 1)
    with pytest.raises(RecordError) as caught:
        read(text)
    assert (caught.value.clause, caught.value.code) == (clause, "record.lie")
    assert sentence in str(caught.value)
    at = STORY.index(line)
    if word:
        assert read(STORY[:at] + " ".join(short)) == read(STORY[: at + len(line)])


@pytest.mark.clause("R18", "R21")
def test_nobody_wins_a_trick_that_is_not_complete() -> None:
    """Neither the one that a paradox interrupted nor one that is still in play."""
    interrupted = [i for i, line in enumerate(_lines("trick")) if ">" not in line]
    last = word_of("trick", -1, nth=interrupted[0])
    text, where = changed(STORY, "trick", -1, f"{last} >1", nth=interrupted[0])
    with pytest.raises(RecordError, match="nobody wins a trick that is not complete") as caught:
        read(text)
    assert caught.value.clause == "R18"
    assert caught.value.where == Where(where.line, where.column + len(last) + 1)


@pytest.mark.parametrize("kind", ["discards", "bids"])
def test_every_seat_acts_before_the_next_line(kind: str) -> None:
    """Discards and bids are complete, except at the end of the file."""
    line = _lines(kind)[0]
    short = line.rpartition(" ")[0]
    with pytest.raises(RecordError, match=f"{kind} of every seat are needed") as caught:
        read(STORY.replace(line, short, 1))
    assert (caught.value.code, caught.value.clause) == ("record.syntax", "")
    cut = read(STORY[: STORY.index(line)] + short)
    assert cut.round is not None
    assert len(cut.round.actions) == len(short.split()) - 1 + (3 if kind == "bids" else 0)


@pytest.mark.parametrize("drop", [1, 2, 4])
def test_a_trick_is_complete_before_the_next_line(drop: int) -> None:
    """Its winner, a play, or everything but the leader missing: refused at the line."""
    line = _lines("trick")[0]
    short = " ".join(line.split()[:-drop])
    with pytest.raises(
        RecordError, match=r"this trick must be complete|winner of this trick is missing"
    ) as caught:
        read(STORY.replace(line, short, 1))
    assert caught.value.where.column == 1
    assert read(STORY[: STORY.index(line)] + short).number == 1


def test_a_trick_at_the_end_may_be_an_empty_line() -> None:
    """Cut right after its keyword it says nothing."""
    line = _lines("trick")[0]
    assert read(STORY[: STORY.index(line)] + "trick") == read(STORY[: STORY.index(line)])


@pytest.mark.clause("R10")
def test_a_trick_has_one_card_of_every_seat() -> None:
    """The lead of the next trick does not belong into this line."""
    first, second = _lines("trick")[:2]
    *plays, winner = first.split()
    lead = second.split()[2]
    text = STORY.replace(first, " ".join([*plays, lead, winner]), 1)
    text = text.replace(second, " ".join(word for word in second.split() if word != lead), 1)
    with pytest.raises(RecordError, match="the trick is complete; a new line begins here") as e:
        read(text)
    assert e.value.clause == "R10"


def test_a_line_of_bids_has_nothing_but_bids() -> None:
    """The first lead does not belong into it."""
    bids, first = _lines("bids")[0], _lines("trick")[0]
    lead = first.split()[2]
    text = STORY.replace(bids, f"{bids} {lead}", 1)
    text = text.replace(first, " ".join(word for word in first.split() if word != lead), 1)
    with pytest.raises(RecordError, match="bids are complete; a new line begins here"):
        read(text)


@pytest.mark.parametrize(
    ("kind", "word", "new", "sentence"),
    [
        ("trick", 2, "5x", "'5x' is not an action"),
        ("discards", 2, "3b", "everybody sets one card aside first"),
        ("bids", 2, "two", "'two' is not an action"),
    ],
)
def test_a_word_that_is_no_action_is_refused_where_it_stands(
    kind: str, word: int, new: str, sentence: str
) -> None:
    """With its line and column."""
    text, where = changed(STORY, kind, word, new)
    with pytest.raises(RecordError) as caught:
        read(text)
    assert (caught.value.where, sentence in str(caught.value)) == (where, True)


@pytest.mark.parametrize("word", ["-1", "?", "=1"])
def test_a_discard_too_many_is_refused(word: str) -> None:
    """Four discards at three players."""
    text, where = changed(STORY, "discards", 3, f"{word_of('discards', 3)} {word}")
    with pytest.raises(
        RecordError, match="discards are complete; a new line begins here"
    ) as caught:
        read(text)
    assert caught.value.where == Where(where.line, where.column + 3)


@pytest.mark.parametrize(
    ("kind", "found"),
    [("deal", "discards"), ("bids", "trick"), ("scores", "round"), ("result", "winners")],
)
def test_the_one_line_that_can_follow_must_follow(kind: str, found: str) -> None:
    """A missing line is named, at the line that stands in its place."""
    line = _lines(kind)[0]
    with pytest.raises(RecordError, match=f"expected '{kind}' here, found '{found}'") as caught:
        read(STORY.replace(line + "\n", "", 1))
    assert (caught.value.code, caught.value.where.column) == ("record.syntax", 1)


def test_nothing_comes_after_the_end_of_the_game() -> None:
    """Not even another list of winners."""
    with pytest.raises(RecordError, match="the game is over; nothing comes after it") as caught:
        read(STORY + "winners 2\n")
    assert caught.value.where.line == len(STORY.splitlines()) + 1


@pytest.mark.clause("R5")
def test_an_impossible_deal_is_refused_at_its_line() -> None:
    """With the code and clause of the set-up."""
    text, where = changed(STORY, "deal", 1, "1111112345")
    with pytest.raises(RecordError, match=r"rank 1 appears 10 times; there are five of each") as e:
        read(text)
    assert (e.value.code, e.value.clause, e.value.where) == (
        "setup.copies",
        "R5",
        Where(where.line, 1),
    )
    hands = " ".join(_lines("deal")[0].split()[:-1])
    with pytest.raises(RecordError, match="2 hands for 3 players"):
        read(STORY.replace(_lines("deal")[0], hands, 1))


# ── Two players: a deal is two lines ─────────────────────────────────────────────────────────

AT_TWO = write(Game.new(2).deal(TWO, ASIDE).play("-1"))


@pytest.mark.clause("R6")
def test_the_cards_left_aside_follow_the_deal() -> None:
    """Until they are known the round has not begun."""
    head, _, tail = AT_TWO.partition("aside")
    before = read(head)
    assert (before.number, read(head + "aside") == before) == (0, True)
    assert read(head + "aside" + tail).number == 1
    with pytest.raises(RecordError, match="expected 'aside' here, found 'discards'"):
        read(AT_TWO.replace(f"aside {ASIDE}\n", ""))
    with pytest.raises(RecordError, match="'aside' is followed by one word"):
        read(AT_TWO.replace(ASIDE, "12 553"))
    with pytest.raises(RecordError, match="'aside' is followed by one word"):
        read(AT_TWO.replace(f" {ASIDE}", ""))


@pytest.mark.clause("R6")
def test_impossible_cards_left_aside_are_refused() -> None:
    """At their line, with the clause."""
    with pytest.raises(RecordError, match="4 cards are left aside; it should be 5") as caught:
        read(AT_TWO.replace(ASIDE, ASIDE[:4]))
    assert (caught.value.clause, caught.value.code) == ("R6", "setup.aside")


@pytest.mark.parametrize("hands", [(), TWO[:1], (*TWO, "12345")])
def test_a_deal_has_a_hand_for_every_seat_if_something_follows(hands: tuple[str, ...]) -> None:
    """Only the very last line may be cut short, and never is there a hand too many."""
    head, _, tail = AT_TWO.partition("deal ")
    deal = " ".join(["deal", *hands])
    with pytest.raises(RecordError, match=f"{len(hands)} hands for 2 players") as caught:
        read(f"{head}{deal}\n{tail.partition(chr(10))[2]}")
    assert (caught.value.code, caught.value.clause) == ("setup.players", "R5")
    if len(hands) < 2:
        assert read(f"{head}{deal}") == Game.new(2)


# ── Header ───────────────────────────────────────────────────────────────────────────────────

HEADER = STORY.partition("\n\n")[0] + "\n"
ROW = HEADER.replace("face white", "face mine\nrow r1 r2")

BAD_HEADERS = [
    ("", "line 1, column 1: the record ends before its header does: 'catinthebox' is missing"),
    ("# nothing\n", "the record ends before its header does: 'catinthebox' is missing"),
    ("catinthebox 1\n", "line 1, column 1: the record ends before its header does: 'players'"),
    ("hello\n", "line 1, column 1: expected 'catinthebox' here, found 'hello'"),
    (HEADER.replace("box 1", "box 2"), "line 1, column 13: version 2 is unknown; this reads 1"),
    (HEADER.replace("box 1", "box"), "line 1, column 1: 'catinthebox' is followed by one word"),
    (HEADER.replace("s 3", "s three"), "line 2, column 9: 'three' is not a number"),
    (HEADER.replace("s 3", "s 3333"), "line 2, column 9: '3333' is not a number"),
    (HEADER.replace("s 3", "s ³"), "line 2, column 9: '³' is not a number"),
    (HEADER.replace("s 3", "s 3 4"), "line 2, column 1: 'players' is followed by one word"),
    (HEADER.replace("s 3", "s 4"), "line 3, column 1: 3 names for 4 players (R1)"),
    (HEADER.replace("s 3", "s 6"), "line 2, column 1: the standard edition is for 2, 3, 4, 5 "),
    (HEADER.replace(" Bohr ", ""), "line 3, column 1: '' is not a name: 1 to 40 printable"),
    (HEADER.replace("Bohr", " "), "line 3, column 1: '' is not a name: 1 to 40 printable"),
    (HEADER.replace("standard", "second"), "line 4, column 1: no edition 'second'; there are"),
    (
        HEADER.replace("standard", "first"),
        "line 5, column 1: the white face is not printed for 3 players in the",
    ),
    (HEADER.replace("white", "mauve"), "line 5, column 6: no face 'mauve'; there are white"),
    (HEADER.replace("white", ""), "line 5, column 1: 'face' is followed by one word"),
    (ROW, "line 5, column 6: face mine: missing: r3 r4"),
    (
        HEADER.replace("starter 1", "starter 9"),
        "line 6, column 1: starter 9 is not a seat; seats are 0 to 2 (R1)",
    ),
    (HEADER.replace("starter 1", "starter -1"), "line 6, column 9: '-1' is not a number"),
    (HEADER.replace("starter 1", "round 1"), "expected 'starter' here, found 'round'"),
    (
        HEADER.replace("starter", "house rules\nstarter"),
        "line 6, column 1: the only house rule known is 'face'",
    ),
    (
        HEADER.replace("starter", "house\nstarter"),
        "line 6, column 1: 'house' is followed by one word",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), BAD_HEADERS, ids=[s for _, s in BAD_HEADERS])
def test_a_bad_header_is_refused(text: str, sentence: str) -> None:
    """Every line of it is needed and checked."""
    with pytest.raises(RecordError) as caught:
        read(text)
    assert sentence in str(caught.value)


@pytest.mark.clause("R31", "R34")
def test_a_house_rule_must_be_written() -> None:
    """A face that the edition does not print is refused without the line that says so."""
    purple = write(Game.new(2, face="purple", house_rules=True))
    with pytest.raises(RecordError, match="the purple face is not printed for 2 players") as caught:
        read(purple.replace("house face\n", ""))
    assert (caught.value.code, caught.value.clause) == ("setup.face", "R31")


def test_an_error_of_a_record_is_no_error_of_play() -> None:
    """A reader asks for one kind of error."""
    assert not issubclass(RecordError, NotLegal)


@pytest.mark.clause("R31")
def test_a_printed_face_is_no_house_rule() -> None:
    """A record may not claim a house rule that is none."""
    with pytest.raises(RecordError, match="it is the printed one") as caught:
        read(HEADER.replace("starter", "house face\nstarter"))
    assert (caught.value.where.line, caught.value.clause) == (6, "R31")


@pytest.mark.clause("R3")
def test_a_whole_last_line_claims_everything() -> None:
    """A missing winner is a lie, unless the file breaks off in the middle of the line."""
    text = write(story())
    line = next(line for line in text.splitlines() if line.startswith("result"))
    short = line.rsplit(" ", 1)[0]
    before = text[: text.index(line)]
    assert read(before + short) == story()
    with pytest.raises(RecordError, match="the total should be") as caught:
        read(before + short + "\n")
    assert caught.value.clause == "R3"


@pytest.mark.clause("R19", "R20")
def test_a_round_ends_when_and_how_it_ended() -> None:
    """A paradox that did not happen, one that is hidden, a trick too few: each has its clause."""
    lines = write(story()).splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if line.startswith("trick"))
    invented = [*lines[: first + 1], "paradox 1: 15\n", *lines[first + 1 :]]
    hidden = [line for line in lines if not line.startswith("paradox")]
    early = [*lines[: first + 1], *(line for line in lines if line.startswith("scores"))]
    for written, clause in ((invented, "R20"), (hidden, "R20"), (early, "R19")):
        with pytest.raises(RecordError, match="expected") as caught:
            read("".join(written))
        assert (caught.value.code, caught.value.clause) == ("record.lie", clause)


@pytest.mark.clause("R23", "R24", "R25", "R26")
def test_a_false_score_names_the_clause_that_decides_it() -> None:
    """Tricks only, a causer, a bonus with and without bids."""
    seen = set()
    for players in (2, 3):
        *_, end = game_moments(Game.new(players), Random(4))
        for number, round in enumerate(end.rounds):
            for seat in range(players):
                text, _ = changed(write(end), "scores", seat + 1, "99", nth=number)
                with pytest.raises(RecordError) as caught:
                    read(text)
                seen.add(caught.value.clause)
                assert (caught.value.clause == "R24") == (round.paradox == seat)
    assert seen == {"R23", "R24", "R25", "R26"}


def test_unknown_discards_do_not_outnumber_the_seats() -> None:
    """One word for a seat, no more."""
    line = _lines("discards")[0]
    with pytest.raises(RecordError, match="discards are complete; a new line begins here"):
        read(STORY[: STORY.index(line)] + "discards ? ? ? ?\n")


def test_an_edition_is_one_word() -> None:
    """The place of the error is named once."""
    with pytest.raises(RecordError, match=r"^line 4, column 1: 'edition' is followed by one word$"):
        read(STORY.replace("edition standard", "edition"))
