"""Endgames: solved positions against a brute force over `Round`, which knows none of the tricks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from policies import TABLES, cooperative, follow, random_round, uniform
from table import story

from catinthebox import ACTIONS, Deck, Face, Game, Phase, Round, Setup
from catinthebox.cli import main
from catinthebox.fast.endgame import Solution, Solver, solve
from catinthebox.game import record

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
    return solve(round._s, round.face.touch, aim=aim)


def led_to(round: Round, solution: Solution) -> Scores:
    """The scores at the end of the principal line, played by the rules."""
    for action in solution.line:
        round = round.play(ACTIONS[action])
    assert round.scores is not None
    return round.scores


# ── Two players ──────────────────────────────────────────────────────────────────────────────


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


def test_seats_have_opposite_margins() -> None:
    """With the seats exchanged, everything is the other way round; also of whole rounds."""
    rng = Random(8)
    whole = [next(moments_of_play(random_round(2, "white", rng), rng)) for _ in range(4)]
    for round in [*late(2), *whole]:
        assert solved(round).margin(0) == solved(mirrored(round)).margin(1)


def test_a_whole_round_stays_solved_along_its_line() -> None:
    """From nine open cards each to the end: every position of the line has the same value."""
    rng = Random(3)
    for _ in range(3):
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


@pytest.mark.parametrize("aim", ["points", "ahead"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_seat_takes_its_best(players: int, aim: str) -> None:
    """The exact scores, ties included, for both aims; the line leads there."""
    micros = [moment for moment in tiny(80, 2) if moment.players == players]
    for round in [*late(players), *micros]:
        solution = solved(round, aim)
        assert solution.scores == brute_scores(round, aim)
        assert led_to(round, solution) == solution.scores


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


def test_interpreted_is_the_same() -> None:
    """The same values, lines and even nodes, on lists of integers."""
    slow, fast = Solver(1 << 10, compiled=False), Solver(1 << 10)
    for players in (2, 3, 4, 5):
        for round in [*late(players)[:4], *tiny(4, players)]:
            touch = round.face.touch
            assert slow.solve(round._s, touch) == fast.solve(round._s, touch)


def test_memory_changes_no_result() -> None:
    """A memory of one position forgets all; the values stay."""
    small = Solver(1)
    for round in [*late(2), *late(3)]:
        forgetful, remembered = small.solve(round._s, round.face.touch), solved(round)
        if round.players == 2:
            assert forgetful.margin(0) == remembered.margin(0)
        else:
            assert forgetful.scores == remembered.scores
        assert forgetful.nodes >= remembered.nodes


# ── Limits and mistakes ──────────────────────────────────────────────────────────────────────


def beginning(players: int) -> Round:
    rng = Random(1)
    return next(moments_of_play(random_round(players, "white", rng), rng))


def test_limits_are_kept() -> None:
    """A tree that is too large is not solved, and says so soon."""
    solution = solve(beginning(4)._s, nodes=100_000)
    assert not solution.solved
    assert 100_000 <= solution.nodes < 200_000
    assert (solution.scores, solution.line, solution.action) == ((), (), None)


def test_a_search_can_be_stopped() -> None:
    """`stop` is asked between slices of the search; afterwards the solver is as good as new."""
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    assert not solve(beginning(5)._s, "purple", stop=stop).solved
    assert len(asked) == 4
    assert solved(beginning(2)).solved


def test_a_round_that_is_over_is_solved() -> None:
    """Its scores, and nothing to play."""
    end = story().rounds[0]
    assert solved(end) == Solution(True, 0, end.scores or ())


def test_what_cannot_be_solved_is_refused() -> None:
    """Sentences for a wrong phase, a hidden hand, a wrong length, an unknown aim."""
    with pytest.raises(ValueError, match="discards and bids come first"):
        solve(random_round(3, "white", Random(1))._s)
    hidden = list(beginning(3)._s)
    hidden[13] = 0
    with pytest.raises(ValueError, match="hand of seat 0 is not known"):
        solve(hidden)
    with pytest.raises(ValueError, match="a state has 48"):
        solve([0] * 5)
    with pytest.raises(ValueError, match="no aim 'fame'; there are points, ahead"):
        solve(beginning(2)._s, aim="fame")
    with pytest.raises(ValueError, match="a power of two"):
        Solver(3)


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
