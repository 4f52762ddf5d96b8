"""Rounds among players: what they are told, when they are asked, what a bad answer leads to."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest
from policies import TABLES

from catinthebox import Action, CatInTheBoxError, Face, Phase, Round
from catinthebox.arena import Match, Terms, play_game, play_round
from catinthebox.arena.deals import deal
from catinthebox.arena.match import game_shares, round_shares
from catinthebox.arena.table import Stopped
from catinthebox.players import Budget, Player, player
from catinthebox.views import View


@dataclass
class Witness:
    """Plays like `follow`, and remembers what it saw and which chance it was given."""

    seen: list[View] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Note everything."""
        self.seen.append(view)
        self.drawn.append(Random(rng.getrandbits(32)).random())
        return player("follow").choose(view, budget, rng)


@dataclass
class Stubborn:
    """Answers the same whatever it is asked."""

    answer: object

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Answer, or fail."""
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


def witnesses(players: int) -> list[Witness]:
    return [Witness() for _ in range(players)]


@pytest.mark.parametrize(("players", "face"), TABLES)
def test_every_seat_sees_what_it_may_and_nothing_else(players: int, face: str) -> None:
    """What a player is shown is the view of its seat at that moment, made from scratch."""
    begun = Round.shuffled(players, Random(players), face=Face.named(face))
    seats = witnesses(players)
    end = play_round(begun, seats, Budget(), "key").round
    for seat, witness in enumerate(seats):
        moments = iter(witness.seen)
        assert next(moments) == View.of(begun, seat)
        round = begun
        for played in end.actions:
            if played.seat == seat and played.action.phase is not Phase.DISCARD:
                assert next(moments) == View.of(round, seat)
            round = round.play(played.action, played.seat)
        assert next(moments, None) is None


@pytest.mark.clause("R7")
def test_discards_are_made_without_knowing_of_another() -> None:
    """Nobody has seen another discard when it chooses its own."""
    seats = witnesses(5)
    play_round(Round.shuffled(5, Random(1)), seats, Budget(), "key")
    for witness in seats:
        assert witness.seen[0].phase is Phase.DISCARD
        assert witness.seen[0].discarders == ()
        assert all(view.phase is not Phase.DISCARD for view in witness.seen[1:])


def test_every_decision_has_a_chance_of_its_own() -> None:
    """The same key gives the same draws, and no two decisions of a round share one."""
    first, again, other = witnesses(3), witnesses(3), witnesses(3)
    begun = Round.shuffled(3, Random(1))
    assert (
        play_round(begun, first, Budget(), "a").round
        == play_round(begun, again, Budget(), "a").round
    )
    play_round(begun, other, Budget(), "b")
    draws = [value for witness in first for value in witness.drawn]
    assert draws == [value for witness in again for value in witness.drawn]
    assert len(set(draws)) == len(draws)
    assert not set(draws) & {value for witness in other for value in witness.drawn}


@pytest.mark.clause("R1", "R2")
def test_in_a_game_every_seat_knows_how_it_stands() -> None:
    """Totals and rounds left are in the views; the starters go round."""
    seats = witnesses(3)
    played = play_game(deal(3, "s", 4), seats, Budget(), "key")
    assert [round.starter for round in played.game.rounds] == [1, 2, 0]
    openings = [view.dealt for view in seats[0].seen if view.phase is Phase.DISCARD]
    assert [dealt.rounds_left for dealt in openings] == [2, 1, 0]
    scores = played.game.scores
    totals = [tuple(sum(s[i] for s in scores[:n]) for i in range(3)) for n in range(3)]
    assert [dealt.totals for dealt in openings] == totals
    assert [c.decisions for c in played.clocks] == [len(witness.seen) for witness in seats]


def test_the_cards_of_a_game_do_not_depend_on_play() -> None:
    """Every round of a deal has the same hands for all players; the first is the single round's."""
    games = [
        play_game(deal(3, "s", 5), [player(name)] * 3, Budget(), "k").game
        for name in ("follow", "random")
    ]
    hands = [[round.setup.hands for round in game.rounds] for game in games]
    assert hands[0] == hands[1]
    assert hands[0][0] == deal(3, "s", 5).shuffle().current.setup.hands


@pytest.mark.parametrize(
    ("players", "seed", "number", "hands"),
    [
        (2, "ladder", 0, ("1122334445", "1112233555")),
        (3, "ladder", 1, ("1112234566", "2334445566", "1122334556")),
        (4, "ladder", 7, ("2235566688", "1334444558", "1122236777", "1134567788")),
        (5, "ladder", 123, ("223333568", "245667899", "123455679", "111245689", "144777889")),
        (4, "0", 0, ("2233445567", "3455667788", "1124456788", "1112233678")),
    ],
)
def test_the_cards_of_a_deal_never_change(
    players: int, seed: str, number: int, hands: tuple[str, ...]
) -> None:
    """Results of years can be compared, and played again."""
    found = deal(players, seed, number).shuffle().current.setup.hands
    assert tuple("".join(map(str, hand)) for hand in found) == hands


def test_a_deal_can_be_dealt_again() -> None:
    """Dealing uses nothing up; the rounds of a game differ all the same."""
    cards = deal(3, "s", 5)
    assert cards.shuffle() == cards.shuffle()
    game = play_game(cards, [player("follow")] * 3, Budget(), "k").game
    assert game == play_game(cards, [player("follow")] * 3, Budget(), "k").game
    assert len({round.setup.hands for round in game.rounds}) == 3
    assert deal(3, "s", 5) == cards != deal(3, "s", 6)


@pytest.mark.parametrize("players", range(2, 6))
def test_all_seats_start_equally_often(players: int) -> None:
    """The starter moves on with the number of the deal."""
    starters = [deal(players, "s", number).game.starter for number in range(3 * players)]
    assert all(starters.count(seat) == 3 for seat in range(players))


@pytest.mark.parametrize("answer", [Action("9g"), "5b", None, ValueError("no idea")], ids=repr)
def test_a_bad_answer_is_an_error_that_says_everything(answer: object) -> None:
    """The player, its seat, what it answered, what it might have done, what it had seen."""
    seats: list[Player] = [player("follow"), Stubborn(answer)]
    with pytest.raises(CatInTheBoxError) as caught:
        play_round(Round.shuffled(2, Random(1)), seats, Budget(), "k", names=["good", "bad:x=1"])
    error = str(caught.value)
    shown = "ValueError: no idea" if isinstance(answer, Exception) else str(answer)
    assert caught.value.code == "input.player"
    assert error.startswith("bad:x=1 at seat 1 ")
    assert shown in error
    assert "it could do -1" in error
    assert "View(Dealt(2, seat=1" in error


def test_a_round_can_be_stopped() -> None:
    """Once the budget is cancelled, the round is given up."""
    budget = Budget(cancelled=lambda: True)
    with pytest.raises(Stopped):
        play_round(Round.shuffled(2, Random(1)), [player("random")] * 2, budget, "k")


@pytest.mark.long
@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("players", range(2, 6))
def test_rows_hold_what_happened(players: int, games: bool) -> None:
    """Sums that must agree, for rounds and for games at every count."""
    match = Match(players, ("follow", "random"), "many", games)
    for number in range(3):
        rows = match.play(Terms(seed="rows"), number)
        assert len(rows) == players**2
        for seating in range(players):
            seats = [row for row in rows if row.seating == seating]
            assert sum(row.share for row in seats) == pytest.approx(1)
            assert tuple(row.player for row in seats) == match.seated(seating)
            assert all(row.bids == (0 if players == 2 else match.rounds) for row in seats)
            assert all(0 <= row.hits <= match.rounds for row in seats)
            assert sum(row.paradoxes for row in seats) <= match.rounds
            assert all(0 < row.slowest_ms <= row.ms for row in seats)
            if not games:
                best = max(row.points for row in seats)
                assert all((row.share > 0) == (row.points == best) for row in seats)


@pytest.mark.clause("R25", "R26")
@pytest.mark.parametrize("players", [2, 4])
def test_hits_are_the_rounds_with_a_bonus(players: int) -> None:
    """A seat hits if its points are more than its tricks, unless its group is empty."""
    match = Match(players, ("follow", "follow"))
    for number in range(10):
        for row in match.play(Terms(), number):
            assert row.hits == (row.points > row.tricks)


@pytest.mark.clause("R3")
def test_victories_are_divided() -> None:
    """Among the best of a round; in a game by the rules."""
    end = play_round(deal(3, "s", 0).shuffle().current, [player("random")] * 3, Budget(), "k").round
    assert sum(round_shares(end)) == pytest.approx(1)
    game = play_game(deal(3, "s", 0), [player("follow")] * 3, Budget(), "k").game
    won = [seat for seat, share in enumerate(game_shares(game)) if share]
    assert tuple(won) == game.winners
