"""Endgames: solved positions against a brute force over `Round`, which knows none of the tricks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from policies import TABLES, cooperative, follow, random_round, uniform
from sample_rounds import story

from catinthebox import ACTIONS, Deck, Face, Game, Phase, Round, Setup
from catinthebox.cli import main
from catinthebox.fast.endgame import Solution, Solver, checked, solve
from catinthebox.fast.rounds import playouts
from catinthebox.game import record
from catinthebox.rules import layout
from catinthebox.rules.round import give_hand, legal_cells, open_round

Scores = tuple[int, ...]


# ── Brute force ──────────────────────────────────────────────────────────────────────────────


def brute_margin(round: Round) -> int:
    """Plain minimax: the points of seat 0 less those of seat 1."""
    if round.scores is not None:
        return round.scores[0] - round.scores[1]
    values = [brute_margin(round.play(action)) for action in round.legal]
    return max(values) if round.turn == 0 else min(values)


def brute_scores(round: Round, aim: str) -> Scores:
    """Plain max^n: of equal results the one of the lowest action id."""
    if round.scores is not None:
        return round.scores
    assert round.turn is not None
    best: Scores = ()
    for action in sorted(round.legal):
        scores = brute_scores(round.play(action), aim)
        if not best or worth(scores, round.turn, aim) > worth(best, round.turn, aim):
            best = scores
    return best


def worth(scores: Scores, seat: int, aim: str) -> int:
    return scores[seat] if aim == "points" else len(scores) * scores[seat] - sum(scores)


def size(round: Round, most: int) -> int:
    """How many positions follow, as far as `most`."""
    waiting, found = [round], 0
    while waiting and found < most:
        moment = waiting.pop()
        found += 1
        waiting += [moment.play(action) for action in moment.legal]
    return found


# ── Positions ────────────────────────────────────────────────────────────────────────────────

MICRO = ((2, 2, 4, 2), (2, 3, 5, 3), (2, 4, 4, 3), (3, 2, 3, 0), (3, 3, 4, 0), (4, 3, 3, 0))
"""Players, ranks, cards dealt to each seat, cards left aside."""

SMALL = 600  # positions that a brute force should not exceed


def micro(rng: Random) -> Round:
    """A round of a tiny deck before its first lead."""
    players, ranks, dealt, aside = rng.choice(MICRO)
    deck = [str(rank) for rank in range(1, ranks + 1)] * 5
    rng.shuffle(deck)
    each = dealt - 1
    hands = tuple("".join(deck[each * seat : each * seat + each]) for seat in range(players))
    left = "".join(deck[each * players :][:aside])
    bids = tuple(rng.choice((1, 3)) for _ in hands) if players > 2 else ()
    face = Face.named(rng.choice(("white", "purple")))
    starter = rng.randrange(players)
    deck_of = Deck(ranks, dealt)
    return Round(Setup(hands, starter, face, left, deck_of, discarded=True, bids=bids))


def moments_of_play(round: Round, rng: Random) -> Iterator[Round]:
    policy = rng.choice((uniform, follow, cooperative, cooperative))
    while not round.over:
        if round.phase is Phase.PLAY:
            yield round
        seat = round.to_act[0]
        round = round.play(policy(round, seat, rng), seat)


def first_small(round: Round, rng: Random) -> Round | None:
    """The earliest moment of a round that a brute force can solve."""
    for moment in moments_of_play(round, rng):
        if size(moment, SMALL) < SMALL:
            return moment
    return None


@cache
def late(players: int, number: int = 10) -> list[Round]:
    """Late moments of real rounds, on every face."""
    rng = Random(players)
    faces = [face for count, face in TABLES if count == players]
    found: list[Round] = []
    while len(found) < number:
        moment = first_small(random_round(players, rng.choice(faces), rng), rng)
        found += [moment] if moment is not None else []
    return found


@cache
def tiny(number: int, seed: int) -> list[Round]:
    """Micro rounds that are small enough."""
    rng = Random(seed)
    found: list[Round] = []
    while len(found) < number:
        moment = first_small(micro(rng), rng)
        found += [moment] if moment is not None else []
    return found


def solved(round: Round, aim: str = "points") -> Solution:
    return solve(round.vector, round.face.touch, aim=aim)


def led_to(round: Round, solution: Solution) -> Scores:
    """The scores at the end of the principal line, played by the rules."""
    for action in solution.line:
        round = round.play(ACTIONS[action])
    assert round.scores is not None
    return round.scores


# ── Two players ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_two_seats_are_solved_as_by_brute_force() -> None:
    """The margin is the minimax value; the line really leads there."""
    for round in [*late(2), *(moment for moment in tiny(80, 2) if moment.players == 2)]:
        solution = solved(round)
        assert solution.solved
        assert led_to(round, solution) == solution.scores
        assert solution.margin(0) == -solution.margin(1) == brute_margin(round)


def mirrored(round: Round) -> Round:
    """The same moment with the seats of two players exchanged."""
    setup = round.setup
    hands = (setup.hands[1], setup.hands[0])
    again = Round(replace(setup, hands=hands, starter=1 - setup.starter))
    for seat, action in round.actions:
        again = again.play(action, 1 - seat)
    return again


@pytest.mark.long
def test_seats_have_opposite_margins() -> None:
    """With the seats exchanged, everything is the other way round; also of whole rounds."""
    rng = Random(8)
    whole = [next(moments_of_play(random_round(2, "white", rng), rng)) for _ in range(4)]
    for round in [*late(2), *whole]:
        assert solved(round).margin(0) == solved(mirrored(round)).margin(1)


def test_a_whole_round_stays_solved_along_best_play() -> None:
    """From nine open cards each to the end: every position of the line has the same value."""
    rng = Random(3)
    for _ in range(1):
        round = next(moments_of_play(random_round(2, "white", rng), rng))
        solution = solved(round)
        assert led_to(round, solution) == solution.scores
        for action in solution.line[:-1]:
            round = round.play(ACTIONS[action])
            assert solved(round).margin(0) == solution.margin(0)


def test_no_other_play_is_better() -> None:
    """The value is the best value of all plays, for the seat to act."""
    rng = Random(4)
    for _ in range(6):
        moments = list(moments_of_play(random_round(2, "white", rng), rng))
        round = moments[len(moments) // 2]
        assert round.turn is not None
        after = [round.play(action) for action in round.legal]
        assert solved(round).margin(round.turn) == max(solved(m).margin(round.turn) for m in after)


# ── More players ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize("aim", ["points", "ahead"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_seat_takes_its_best(players: int, aim: str) -> None:
    """The exact scores, ties included, for both aims; the line leads there."""
    micros = [moment for moment in tiny(80, 2) if moment.players == players]
    for round in [*late(players), *micros]:
        solution = solved(round, aim)
        assert solution.scores == brute_scores(round, aim)
        assert led_to(round, solution) == solution.scores


@pytest.mark.long
def test_the_lowest_of_equal_actions() -> None:
    """A first action that does no better than a lower one is never named."""
    for round in [*late(3), *late(4)]:
        solution = solved(round)
        assert round.turn is not None
        for action in sorted(round.legal):
            if solved(round.play(action)).scores[round.turn] == solution.scores[round.turn]:
                assert solution.action == action.id
                break


# ── Compiled and interpreted ─────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_interpreted_is_the_same() -> None:
    """The same values, lines and even nodes, on lists of integers."""
    slow, fast = Solver(1 << 10, compiled=False), Solver(1 << 10)
    for players in (2, 3, 4, 5):
        for round in [*late(players)[:4], *tiny(4, players)]:
            touch = round.face.touch
            assert slow.solve(round.vector, touch) == fast.solve(round.vector, touch)


@pytest.mark.long
def test_memory_changes_no_result() -> None:
    """A memory of one position forgets all; the values stay."""
    small = Solver(1)
    for round in [*late(2), *late(3)]:
        forgetful, remembered = small.solve(round.vector, round.face.touch), solved(round)
        if round.players == 2:
            assert forgetful.margin(0) == remembered.margin(0)
        else:
            assert forgetful.scores == remembered.scores
        assert forgetful.nodes >= remembered.nodes


# ── One solver, many positions ───────────────────────────────────────────────────────────────

TOKENS = ("y4 b4 g2 y5 b5", "g4 r3 r6 g1 r5 y3", "b6 r4 y2 g3 y1 g6")
HANDS, BIDS = ("125", "146", "256"), (3, 1, 3)


def cells(words: str) -> int:
    """A set of cells, such as 'y4 b1'."""
    return sum(layout.cell_bit("rbyg".index(word[0]), int(word[1])) for word in words.split())


def two_tricks_left(red: int) -> list[int]:
    """Seat 1 leads; the only red cell is of this rank, 1 or 2, and only seat 0 may declare red."""
    s = [0] * layout.SIZE
    open_round(s, 3, 6, 2, 0)
    for seat in range(3):
        give_hand(s, seat, sum(1 << layout.COUNT_BITS * (int(rank) - 1) for rank in HANDS[seat]))
        s[layout.OWN + seat] = cells(TOKENS[seat])
        s[layout.MAY + seat] = layout.BOARD if seat == 0 else layout.BOARD & ~layout.ROW
        s[layout.WON + seat], s[layout.BID + seat] = 2, BIDS[seat]
    s[layout.OWN + 1] |= cells(f"r{3 - red}")
    for seat in range(3):
        s[layout.FREE] &= ~s[layout.OWN + seat]
    s[layout.PHASE], s[layout.RED_OPEN] = layout.PLAYING, 1
    s[layout.TURN] = s[layout.LEADER] = 1
    s[layout.LEGAL] = legal_cells(s, 1)
    return s


@pytest.mark.parametrize("compiled", [False, True])
def test_a_solver_takes_no_position_for_an_earlier_one(compiled: bool) -> None:
    """Not even for one whose code differs from it just as the numbers of two searches might.

    Salts were once drawn from the codes: the first search had that of red 1 within seat 0's
    reach, the second that of red 2.
    """
    first, second = two_tricks_left(red=2), two_tricks_left(red=1)
    used = Solver(1 << 10, compiled=compiled)
    used.solve(first)
    solution = used.solve(second)
    assert solution == Solver(1 << 10, compiled=compiled).solve(second)
    assert solution.scores == (8, 2, -2)


def test_searches_have_nothing_in_common() -> None:
    """No number comes twice that makes the codes of a search its own."""
    solver = Solver(1, compiled=False)
    end = story().rounds[0].vector
    salts = set()
    for _ in range(2000):
        solver.solve(end)
        salts.add(solver._salt)
    assert len(salts) == 2000
    assert max(salts) < 1 << 63


# ── Limits and mistakes ──────────────────────────────────────────────────────────────────────


def beginning(players: int) -> Round:
    rng = Random(1)
    return next(moments_of_play(random_round(players, "white", rng), rng))


def test_limits_are_kept() -> None:
    """A tree that is too large is not solved, and says so soon."""
    solution = solve(beginning(4).vector, nodes=100_000)
    assert not solution.solved
    assert 100_000 <= solution.nodes < 200_000
    assert (solution.scores, solution.line, solution.action) == ((), (), None)


def test_a_search_can_be_stopped() -> None:
    """`stop` is asked between slices of the search; afterwards the solver is as good as new."""
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    assert not solve(beginning(5).vector, "purple", stop=stop).solved
    assert len(asked) == 4
    assert solved(beginning(2)).solved


class Patience:
    """Says stop when it is asked once more than so many times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.asked = 0

    def __call__(self) -> bool:
        """Note that it was asked."""
        self.asked += 1
        return self.asked > self.times


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_rest_of_best_play_can_be_stopped(players: int) -> None:
    """Three and more seats: all scores are known with the first action, and the line is shorter."""
    for round in late(players):
        whole = solved(round)
        short = solve(round.vector, round.face.touch, stop=Patience(1))
        assert (short.solved, short.scores, short.line) == (True, whole.scores, whole.line[:1])
        limited = solve(round.vector, round.face.touch, nodes=1)
        assert (limited.scores, limited.line) == (whole.scores, whole.line[:1])


def test_two_seats_are_solved_to_the_end_or_not_at_all() -> None:
    """Their scores are known at the end of the line."""
    for round in late(2):
        patience = Patience(1000)
        whole = solve(round.vector, round.face.touch, stop=patience)
        asked = patience.asked
        assert solve(round.vector, round.face.touch, stop=Patience(asked)) == whole
        short = solve(round.vector, round.face.touch, stop=Patience(asked - 1))
        assert (short.solved, short.scores, short.line) == (False, (), ())


def test_a_round_that_is_over_is_solved() -> None:
    """Its scores, and nothing to play."""
    end = story().rounds[0]
    assert solved(end) == Solution(True, 0, end.scores or ())


def test_what_cannot_be_solved_is_refused() -> None:
    """Sentences for a wrong phase, a hidden hand, a wrong length, an unknown aim."""
    with pytest.raises(ValueError, match="discards and bids come first"):
        solve(random_round(3, "white", Random(1)).vector)
    hidden = list(beginning(3).vector)
    hidden[13] = 0
    with pytest.raises(ValueError, match="hand of seat 0 is not known"):
        solve(hidden)
    with pytest.raises(ValueError, match="a state has 48"):
        solve([0] * 5)
    with pytest.raises(ValueError, match="no aim 'fame'; there are points, ahead"):
        solve(beginning(2).vector, aim="fame")
    with pytest.raises(ValueError, match="a power of two"):
        Solver(3)


LATER = layout.DISCARD + 1  # a slot that is in no other sentence
WRONG: dict[str, tuple[dict[int, int], str]] = {
    "no players": ({layout.PLAYERS: 0}, "0 players; 2 to 5 can play"),
    "many players": ({layout.PLAYERS: 6}, "6 players; 2 to 5 can play"),
    "no phase": ({layout.PHASE: 9}, "discards and bids come first"),
    "a large turn": ({layout.TURN: 4}, "TURN is 4; seats are 0 to 2"),
    "a small turn": ({layout.TURN: -1}, "TURN is -1; seats are 0 to 2"),
    "a leader": ({layout.LEADER: 3}, "LEADER is 3; seats are 0 to 2"),
    "a starter": ({layout.STARTER: 99}, "STARTER is 99; seats are 0 to 2"),
    "a board": ({layout.FREE: 2**63 - 1, layout.LEGAL: 2**63 - 1}, "FREE has cells that are not"),
    "tokens": ({layout.OWN + 1: 1 << 9}, "OWN of seat 1 has cells that are not on the board"),
    "a shared cell": ({layout.OWN + 1: 2}, "OWN of seat 1 has cells that are taken twice"),
    "a huge number": ({LATER: 2**63}, "slot 44 is 9223372036854775808; numbers are -1 to"),
    "no tricks": ({layout.LEFT: 0}, "no trick is left; such a round is over"),
    "many tricks": ({layout.LEFT: 13}, "tricks won .0, 0, 0., 13 left; a round has 12 tricks"),
    "tricks won": ({layout.WON + 2: -1}, "tricks won .0, 0, -1., 8 left"),
    "a bid": ({layout.BID + 1: 600}, "seat 1 bids 600; 0 is no bid, and 12 the most"),
    "a paradox": ({layout.PARADOX: 1}, "seat 1 has caused a paradox; such a round is over"),
    "red": ({layout.RED_OPEN: 1}, "RED_OPEN is 1; by the tokens in the red row it is 0"),
    "a trick": ({layout.TRICK: 2}, "TRICK has cells without a token"),
    "no lead": ({layout.LEADER: 1}, "seat 1 has 0 cards in the trick, TURN being 0"),
    "a led color": ({layout.LED: 7}, "LED and BEST are 7 and 0; by the trick they are 0 and 0"),
    "a best card": ({layout.BEST: 600}, "LED and BEST are 0 and 600"),
    "a small hand": ({layout.HAND: 0o1}, "the hand of seat 0 should have 9 cards of ranks 1 to 9"),
    "a strange hand": ({layout.HAND: 1 << 30}, "the hand of seat 0 should have 9 cards"),
    "many copies": ({layout.HAND: 0o7}, "the hand of seat 0 has more than 5 cards of a rank"),
    "ranks": ({layout.HELD + 2: 1}, "HELD of seat 2 does not fit its hand"),
    "legal cells": ({layout.LEGAL: 1}, "LEGAL is 1; by the rules it is "),
    "nothing legal": ({layout.MAY: 0, layout.LEGAL: 0}, "can declare nothing; such a round is"),
}


@pytest.mark.parametrize("case", WRONG)
def test_numbers_that_contradict_each_other_are_refused(case: str) -> None:
    """Compiled code would follow them out of its arrays."""
    changes, sentence = WRONG[case]
    state = list(beginning(3).vector)
    assert (state[layout.TURN], state[layout.LEADER], state[layout.LEFT]) == (0, 0, 8)
    for slot, number in changes.items():
        state[slot] = number
    with pytest.raises(ValueError, match=sentence):
        solve(state)


def test_every_problem_is_reported() -> None:
    """Not only the first of it."""
    state = list(beginning(3).vector)
    state[layout.TURN], state[layout.STARTER] = 4, 99
    with pytest.raises(ValueError, match=r"TURN is 4.*; STARTER is 99"):
        solve(state)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_moment_of_play_is_accepted(players: int) -> None:
    """Inside a trick, too, and after a paradox."""
    rng = Random(6)
    for _ in range(20):
        round = random_round(players, "white", rng)
        for moment in moments_of_play(round, rng):
            assert checked(moment.vector) == list(moment.vector)
            assert checked([*moment.play(next(iter(moment.legal))).vector])


@pytest.mark.parametrize("face", [[], [0] * 36, [0] * 57, [[0] * 64]])
def test_a_face_has_a_number_for_every_cell(face: list[int]) -> None:
    """A table that is too short would be read beyond its end."""
    with pytest.raises(ValueError, match=r"`Face\.touch` has 64 numbers"):
        solve(beginning(3).vector, face)
    with pytest.raises(ValueError, match=r"`Face\.touch` has 64 numbers"):
        playouts(1, players=3, face=face)


# ── The command ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.cat"
    path.write_text(record.write(story()), encoding="utf-8")
    return path


def test_the_command_solves_a_moment(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table with open hands, a score for every seat, the best action and its line."""
    assert main(["solve", str(file), "--round", "1", "--after", "24"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Round 1, after 24 actions\nplay, seat ")
    assert "\nsolved, " in text
    assert "\nAda " in text
    assert "\nbest " in text
    assert "\ntrick " in text


def test_the_command_solves_an_end(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is left to play; the scores are those of the record."""
    moves = len(story().rounds[2].actions)
    assert main(["solve", str(file), "--after", str(moves)]) == 0
    text = capsys.readouterr().out
    assert "the round is over" in text
    scores = story().rounds[2].scores or ()
    assert all(
        f"{name} {score}\n" in text for name, score in zip(story().names, scores, strict=True)
    )


def test_the_command_says_when_it_gives_up(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 1 and a sentence."""
    assert main(["solve", str(file), "--nodes", "1000"]) == 1
    assert "not solved within" in capsys.readouterr().err


MISTAKES = {
    ("--round", "4"): "no round 4; the record has rounds 1 to 3",
    ("--after", "99"): "no action 99; the round has",
    ("--after", "2"): "after 2 actions no card is played yet; begin after 6 or later",
}


@pytest.mark.parametrize("options", MISTAKES, ids=" ".join)
def test_the_command_refuses(
    options: tuple[str, str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit status 2."""
    assert main(["solve", str(file), *options]) == 2
    assert MISTAKES[options] in capsys.readouterr().err


def test_the_command_needs_a_deal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game without a round, and a round in which nobody has played yet."""
    path = tmp_path / "new.cat"
    path.write_text(record.write(Game.new(3)))
    assert main(["solve", str(path)]) == 2
    assert "has not begun" in capsys.readouterr().err
    path.write_text(record.write(Game.new(3).shuffle(Random(1))))
    assert main(["solve", str(path)]) == 2
    assert "after 0 actions no card is played yet\n" in capsys.readouterr().err
