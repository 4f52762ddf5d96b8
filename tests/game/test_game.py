"""A whole game."""

from __future__ import annotations

from random import Random

import pytest
from oracle import result
from sample_rounds import ASIDE, THREE, TWO, game_moments

from catinthebox import (
    EDITIONS,
    FACES,
    BadSetup,
    Color,
    Face,
    Game,
    NotLegal,
    NotUnderstood,
    Phase,
    Round,
    Setup,
    standing,
)

FIRST = EDITIONS["first"]


# ── Setting up ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R1", "R31")
@pytest.mark.parametrize(
    ("players", "face"), [(2, "white"), (3, "white"), (4, "white"), (5, "purple")]
)
def test_a_new_game_has_the_face_of_a_first_game(players: int, face: str) -> None:
    """Names and starter are there without asking."""
    game = Game.new(players)
    assert (game.players, game.face, game.starter) == (players, FACES[face], 0)
    assert game.names == ("Ada", "Bohr", "Curie", "Dirac", "Emmy")[:players]
    assert (game.number, game.round, game.rounds, game.totals) == (0, None, (), (0,) * players)
    assert (game.over, game.between_rounds, game.house_rules) == (False, True, ())


@pytest.mark.clause("R34")
@pytest.mark.parametrize(("face", "used"), [(None, "black"), ("purple", "purple")])
def test_the_first_edition_is_played_on_black_or_purple(face: str | None, used: str) -> None:
    """Same deck, same hands, other names."""
    game = Game.new(3, edition=FIRST, face=face)
    assert (game.edition, game.face.name) == (FIRST, used)
    assert game.deal(THREE).round == Round.deal(THREE, face=FACES[used])


@pytest.mark.clause("R34")
@pytest.mark.parametrize("players", [2, 5])
def test_the_first_edition_is_for_three_or_four(players: int) -> None:
    """Two and five came later."""
    with pytest.raises(BadSetup) as caught:
        Game.new(players, edition=FIRST, house_rules=True)
    assert [(problem.code, problem.clause) for problem in caught.value.problems] == [
        ("setup.players", "R34")
    ]
    assert f"the first edition is for 3, 4 players, not {players}" in str(caught.value)


@pytest.mark.clause("R1")
@pytest.mark.parametrize(
    ("names", "starter", "code", "sentence"),
    [
        (("A", "B"), 0, "setup.names", "2 names for 3 players"),
        (("A", "B", "C", "D"), 0, "setup.names", "4 names for 3 players"),
        (("A", "B", " "), 0, "setup.names", "' ' is not a name"),
        (("A", "B", " C"), 0, "setup.names", "' C' is not a name"),
        (("A", "B", "C "), 0, "setup.names", "'C ' is not a name"),
        (("A", "B", ""), 0, "setup.names", "'' is not a name: 1 to 40 printable"),
        (("A", "B", "C|D"), 0, "setup.names", "'C|D' is not a name"),
        (("A", "B", "C\n"), 0, "setup.names", r"'C\n' is not a name"),
        (("A", "B", "C" * 41), 0, "setup.names", "is not a name: 1 to 40 printable characters"),
        (("A", "B", "C"), 3, "setup.starter", "starter 3 is not a seat; seats are 0 to 2"),
        (("A", "B", "C"), -1, "setup.starter", "starter -1 is not a seat; seats are 0 to 2"),
    ],
)
def test_names_and_starter_are_checked(
    names: tuple[str, ...], starter: int, code: str, sentence: str
) -> None:
    """The host chooses them freely, within reason."""
    with pytest.raises(BadSetup) as caught:
        Game.new(3, names=names, starter=starter, house_rules=True)
    assert [problem.code for problem in caught.value.problems] == [code]
    assert (caught.value.clause, sentence in str(caught.value)) == ("R1", True)


@pytest.mark.clause("R1")
@pytest.mark.parametrize("players", [-1, 0, 1, 6, 99])
def test_two_to_five_can_play(players: int) -> None:
    """Nothing else is worth saying about such a table."""
    with pytest.raises(BadSetup) as caught:
        Game.new(players)
    assert [problem.code for problem in caught.value.problems] == ["setup.players"]
    assert f"the standard edition is for 2, 3, 4, 5 players, not {players}" in str(caught.value)


@pytest.mark.clause("R31")
def test_a_face_that_is_not_printed_is_a_house_rule() -> None:
    """Refused at first; played, and shown as such, if the host says so."""
    sentence = (
        "the purple face is not printed for 2 players in the standard edition; there it is white"
    )
    with pytest.raises(BadSetup) as caught:
        Game.new(2, face="purple")
    assert [(p.code, p.clause, p.message) for p in caught.value.problems] == [
        ("setup.face", "R31", sentence)
    ]
    assert Game.new(2, face="purple", house_rules=True).house_rules == (sentence,)
    assert Game.new(3, face="purple", house_rules=True).house_rules == ()


@pytest.mark.clause("R30", "R31")
def test_a_face_of_ones_own_is_a_house_rule_even_under_a_printed_name() -> None:
    """The name alone does not make it white."""
    places = tuple(reversed(FACES["white"].places))
    game = Game.new(3, face=Face("white", places), house_rules=True)
    assert game.house_rules == (
        "the white face is not printed for 3 players in the standard edition; "
        "there it is white or purple",
    )


def test_an_unknown_face_is_not_understood() -> None:
    """Named faces are looked up."""
    with pytest.raises(NotUnderstood, match="no face 'mauve'"):
        Game.new(3, face="mauve")


# ── Playing ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R1", "R2", "R4")
@pytest.mark.parametrize(("players", "starter"), [(2, 1), (3, 0), (4, 2), (5, 4)])
def test_a_game_has_as_many_rounds_as_players_and_every_seat_starts_once(
    players: int, starter: int
) -> None:
    """The start card goes clockwise, and every round begins on an empty board."""
    starters = []
    for game in game_moments(Game.new(players, starter=starter), Random(players)):
        if game.round is not None and not game.round.actions:
            starters.append(game.round.starter)
            assert game.starter == game.round.starter
            assert game.round.tokens == (tuple(Color),) * players
            assert set(game.round.board.values()) <= {-1}
    assert starters == [(starter + step) % players for step in range(players)]
    assert (game.over, game.number, len(game.finished)) == (True, players, players)
    assert (game.starter, game.between_rounds) == (starters[-1], False)


@pytest.mark.clause("R2")
def test_between_rounds_the_next_starter_is_known() -> None:
    """Before the deal of the second round it is the next seat clockwise."""
    game = Game.new(2, starter=1)
    assert (game.starter, game.between_rounds) == (1, True)
    for moment in game_moments(game, Random(1)):
        game = moment
        if moment.number == 1 and moment.between_rounds:
            break
    assert (game.starter, game.number, len(game.finished)) == (0, 1, 1)


@pytest.mark.clause("R3")
@pytest.mark.parametrize("seed", range(8))
def test_totals_and_winners_are_those_of_the_oracle(seed: int) -> None:
    """Winners are known only when the game is over."""
    players = 2 + seed % 4
    for game in game_moments(Game.new(players), Random(seed)):
        assert game.totals == tuple(sum(column) for column in zip(*game.scores, strict=True)) or (
            not game.scores and game.totals == (0,) * players
        )
        if not game.over:
            assert game.winners == ()
    totals, champions = result([list(points) for points in game.scores])
    assert (list(game.totals), list(game.winners)) == (totals, champions)


@pytest.mark.clause("R3")
@pytest.mark.parametrize(
    ("rounds", "totals", "champions"),
    [
        (((5, 2), (1, 4)), (6, 6), (1,)),
        (((1, 4), (5, 2)), (6, 6), (0,)),
        (((3, 3), (2, 2)), (5, 5), (0, 1)),
        (((9, 0, 0), (0, 1, 0), (0, 1, 8)), (9, 2, 8), (0,)),
    ],
)
def test_a_tie_is_decided_by_the_final_round(
    rounds: tuple[tuple[int, ...], ...], totals: tuple[int, ...], champions: tuple[int, ...]
) -> None:
    """Bonus included; still tied, the victory is shared."""
    assert standing(rounds) == (totals, champions)


def test_a_deal_goes_to_the_starter_and_the_face_of_the_game() -> None:
    """Known hands or shuffled ones."""
    game = Game.new(2, starter=1).deal(TWO, ASIDE)
    assert game.round == Round.deal(TWO, aside=ASIDE, starter=1)
    shuffled = Game.new(4, face="purple", starter=3).shuffle(Random(3))
    assert shuffled.round == Round(Setup.shuffled(4, Random(3), 3, FACES["purple"]))


def test_an_action_goes_to_the_round_in_play() -> None:
    """The game stays, another game comes back."""
    game = Game.new(3).deal(THREE)
    after = game.play("-4", 2).play("-2")
    assert after.round == Round.deal(THREE).replay("2:-4 0:-2")
    assert game.round == Round.deal(THREE)


@pytest.mark.clause("R5")
def test_nothing_can_be_played_before_the_deal() -> None:
    """The sentence says so."""
    with pytest.raises(NotLegal, match="no round has been dealt yet") as caught:
        Game.new(3).play("-2")
    assert (caught.value.code, caught.value.clause) == ("illegal.not_dealt", "R5")


@pytest.mark.clause("R1")
def test_a_round_is_finished_before_the_next_is_dealt() -> None:
    """One round at a time."""
    game = Game.new(3).deal(THREE)
    with pytest.raises(NotLegal, match="finish this round first") as caught:
        game.shuffle(Random(1))
    assert (caught.value.code, caught.value.clause) == ("illegal.round_in_play", "R1")


@pytest.mark.clause("R1")
def test_after_the_last_round_nothing_is_dealt_or_played() -> None:
    """The game is over."""
    *_, game = game_moments(Game.new(2), Random(9))
    with pytest.raises(NotLegal, match="the game is over") as caught:
        game.deal(TWO, ASIDE)
    assert (caught.value.code, caught.value.clause) == ("illegal.game_over", "R1")
    with pytest.raises(NotLegal, match="the round is over"):
        game.play("1b")


@pytest.mark.clause("R5")
def test_a_deal_has_a_hand_for_every_player() -> None:
    """Hands for two do not make a round for three."""
    with pytest.raises(BadSetup, match="2 hands for 3 players") as caught:
        Game.new(3).deal(TWO, ASIDE)
    assert (caught.value.code, caught.value.clause) == ("setup.players", "R5")
    with pytest.raises(BadSetup, match="seat 0 has 1 cards; it should have 10"):
        Game.new(3).deal(("1", "2", "3"))


def test_a_game_prints_as_code() -> None:
    """`repr` rebuilds it, in every phase."""
    phases = set()
    for game in [*game_moments(Game.new(2), Random(1))][::7]:
        from catinthebox import Deck, Edition  # noqa: F401 (names of the code)

        assert eval(repr(game)) == game
        phases.add(game.round.phase if game.round else None)
    assert phases >= {None, Phase.PLAY}


def test_there_is_no_current_round_before_the_deal() -> None:
    """Asking for it explains itself."""
    with pytest.raises(NotLegal, match="no round has been dealt yet"):
        _ = Game.new(3).current


@pytest.mark.parametrize("rounds", [(), ((),), ((1, 2), (3,))])
def test_a_standing_needs_a_score_for_every_seat(rounds: tuple[tuple[int, ...], ...]) -> None:
    """Nothing, nobody, or a missing score."""
    with pytest.raises(NotUnderstood, match="every round needs one score for every seat"):
        standing(rounds)
