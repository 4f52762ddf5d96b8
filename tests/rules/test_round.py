"""The clauses of a round, each on a position small enough to see."""

from __future__ import annotations

from random import Random

import pytest
from policies import TABLES, cooperative, follow, random_round, uniform
from sample_rounds import (
    ASIDE,
    THREE,
    TWO,
    cell,
    cells,
    finish,
    first_lead,
    normal_ends,
    positions,
    refused,
    whole,
)

from catinthebox import (
    ACTIONS,
    NEUTRAL,
    Action,
    Color,
    Deck,
    LegalActions,
    NotUnderstood,
    Phase,
    Round,
)
from catinthebox.rules import round as rules
from catinthebox.rules.layout import (
    BOARD,
    DISCARDING,
    FREE,
    HAND,
    HELD,
    LEFT,
    MAY,
    NOBODY,
    PARADOX,
    PHASE,
    RED_OPEN,
    SIZE,
    STARTER,
    TRICK,
    TURN,
)

RED, GREEN = Color.RED, Color.GREEN
ALL = tuple(Color)


# ── Preparation ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R4")
@pytest.mark.parametrize(
    ("players", "ranks", "tricks"), [(2, 5, 8), (3, 6, 8), (4, 8, 8), (5, 9, 7)]
)
def test_a_round_opens_with_an_empty_board_and_all_color_tokens(
    players: int, ranks: int, tricks: int
) -> None:
    """Whatever lay in the vector before is gone."""
    s = [99] * SIZE
    rules.open_round(s, players, ranks, tricks, players - 1)
    assert (s[PHASE], s[STARTER], s[LEFT], s[PARADOX]) == (DISCARDING, players - 1, tricks, NOBODY)
    assert s[FREE].bit_count() == 4 * ranks
    assert s[MAY : MAY + 5] == [BOARD] * players + [0] * (5 - players)
    assert (s[TRICK], s[RED_OPEN], s[HAND : HAND + 5]) == (0, 0, [0] * 5)


@pytest.mark.clause("R5")
def test_a_hand_is_counted_by_rank() -> None:
    """Three bits per rank, and the cells that its ranks could become."""
    s = [0] * SIZE
    rules.open_round(s, 3, 6, 8, 0)
    rules.give_hand(s, 1, 2 | 1 << 3 | 5 << 15)
    assert s[HAND + 1] == 2 | 1 << 3 | 5 << 15
    assert s[HELD + 1] == cells("1r 1b 1y 1g 2r 2b 2y 2g 6r 6b 6y 6g")


@pytest.mark.clause("R6")
@pytest.mark.parametrize(
    ("aside", "neutral"),
    [
        ("12345", "1g 2g 3g"),
        ("11245", "1g 1y 2g"),
        ("12145", "1g 1y 2g"),
        ("11123", "1g 1y 1b"),
        ("55545", "5g 5y 5b"),
    ],
)
def test_neutral_tokens_go_on_green_then_yellow_then_blue(aside: str, neutral: str) -> None:
    """Three cards are turned up; the two hidden ones put nothing on the board."""
    round = Round.deal(("123", "234"), aside=aside, deck=Deck(ranks=5, dealt=3))
    assert {f"{rank}{color.letter}" for color, rank in round.board} == set(neutral.split())
    assert set(round.board.values()) == {NEUTRAL}


@pytest.mark.clause("R6", "R14")
def test_neutral_tokens_neither_lie_on_red_nor_open_it() -> None:
    """At any deal for two the red row is empty and red is closed."""
    for seed in range(60):
        round = Round.shuffled(2, Random(seed))
        assert [cell for cell in round.board if cell[0] is RED] == []
        assert len(round.board) == 3
        assert not round.red_open


@pytest.mark.clause("R6", "R12")
def test_a_neutral_token_blocks_its_cell() -> None:
    """The 5 may be anything but green."""
    round = first_lead("59 59", turned="5")
    assert round.replay("9b").legal == LegalActions("5r 5b 5y 9r 9y 9g")
    assert refused(round, "5g").clause == "R12"


@pytest.mark.clause("R7")
def test_one_card_is_set_aside_and_out_for_the_round() -> None:
    """The card leaves the hand and lies nowhere else."""
    round = Round.deal(THREE).play("-2")
    assert round.hands[0] == (1, 2, 3, 3, 4, 5, 5, 6, 6)
    assert round.discards == (2, None, None)
    assert round.board == {}


@pytest.mark.clause("R7")
def test_discards_are_simultaneous_so_their_order_does_not_matter() -> None:
    """Any order of the seats leads to the same round."""
    orders = ["0:-2 1:-3 2:-4", "2:-4 0:-2 1:-3", "1:-3 2:-4 0:-2", "-2 -3 -4"]
    reached = {Round.deal(THREE).replay(order) for order in orders}
    states = {tuple(Round.deal(THREE).replay(order).vector) for order in orders}
    assert (len(reached), len(states)) == (1, 1)


@pytest.mark.clause("R7")
def test_two_players_discard_as_well() -> None:
    """Ten cards are dealt, nine are left after the discard."""
    round = Round.deal(TWO, aside=ASIDE).replay("-1 -4")
    assert [len(hand) for hand in round.hands] == [9, 9]
    assert round.discards == (1, 4)


@pytest.mark.clause("R7")
def test_a_seat_discards_once_and_only_what_it_holds() -> None:
    """A second discard is out of turn; a rank that is not in the hand is not legal."""
    s = Round.deal(("112", "123", "123"), deck=Deck(3, 3)).vector
    assert rules.legal_discards(s, 0) == 0b011
    rules.discard(s, 0, 1)
    assert rules.legal_discards(s, 0) == 0
    assert rules.legal_discards(s, 1) == 0b111


@pytest.mark.clause("R8")
@pytest.mark.parametrize("starter", [0, 1, 2])
def test_bids_go_clockwise_from_the_starter_after_the_discards(starter: int) -> None:
    """The last discard opens the bidding, the last bid opens the first trick."""
    round = Round.deal(THREE, starter=starter)
    assert refused(round, "=1").clause == "R7"
    round = round.replay("-2 -3 -4")
    order = [(starter + step) % 3 for step in range(3)]
    for seat in order:
        assert (round.phase, round.turn) == (Phase.BID, seat)
        round = round.play("=1")
    assert (round.phase, round.turn) == (Phase.PLAY, starter)


@pytest.mark.clause("R8")
@pytest.mark.parametrize(
    ("players", "allowed"), [(3, "=1 =3 =4"), (4, "=1 =2 =3"), (5, "=1 =2 =3")]
)
def test_only_the_allowed_numbers_may_be_bid(players: int, allowed: str) -> None:
    """Equal bids and any sum are fine; there is no zero."""
    round = Round.shuffled(players, Random(1))
    for _ in range(players):
        round = round.play(min(round.legal))
    highest = max(LegalActions(allowed))
    for _ in range(players):
        assert round.legal == LegalActions(allowed)
        round = round.play(highest)
    assert round.bids == (highest.number,) * players
    with pytest.raises(NotUnderstood):
        round.play("=0")


@pytest.mark.clause("R9")
def test_two_players_do_not_bid() -> None:
    """The last discard opens the first trick at once."""
    round = Round.deal(TWO, aside=ASIDE, starter=1).replay("-1 -4")
    assert (round.phase, round.turn, round.bids) == (Phase.PLAY, 1, (None, None))
    assert refused(round, "=1").clause == "R9"


# ── Tricks ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R10")
@pytest.mark.parametrize("starter", [0, 1, 2, 3])
def test_the_starter_leads_and_the_others_play_clockwise(starter: int) -> None:
    """One card each; the winner leads the next trick."""
    round = first_lead("199 299 388 488", starter=starter)
    order = []
    for _ in range(4):
        assert round.turn is not None
        order.append(round.turn)
        round = round.play(f"{round.turn + 1}b")
    assert order == [(starter + step) % 4 for step in range(4)]
    assert (round.leader, round.turn, round.won) == (3, 3, (0, 0, 0, 1))


@pytest.mark.clause("R11")
def test_a_play_moves_a_card_from_the_hand_to_its_cell() -> None:
    """One of two fives leaves the hand, and the seat's token lies on blue 5."""
    round = first_lead("556 789 789").play("5b")
    assert round.hands[0] == (5, 6)
    assert round.board == {(Color.BLUE, 5): 0}
    assert [(seat, str(action)) for seat, action in round.trick] == [(0, "5b")]


@pytest.mark.clause("R11")
@pytest.mark.parametrize(("place", "left", "held"), [(4, "56", True), (5, "55", False)])
def test_a_rank_can_be_declared_until_its_last_card_is_gone(
    place: int, left: str, held: bool
) -> None:
    """Taking one of two equal cards leaves the rank, taking the only one removes it."""
    s = first_lead("556 789 789").vector
    rules.take_card(s, 0, place)
    assert s[HAND] == sum(1 << 3 * int(rank) - 3 for rank in left)
    assert bool(s[HELD] >> place & 1) is held


@pytest.mark.clause("R12")
def test_a_taken_cell_cannot_be_declared_again() -> None:
    """Blue 5 is taken, so another 5 has three colors left."""
    round = first_lead("59 59 59").play("5b")
    assert round.legal == LegalActions("5r 5y 5g 9r 9b 9y 9g")


@pytest.mark.clause("R13", "R16")
def test_a_lost_color_cannot_be_declared_for_the_rest_of_the_round() -> None:
    """Seat 1 gave up blue in the first trick: no card of it is ever blue again."""
    round = first_lead("1239 4569 1239").replay("1b 4y 2b")
    assert round.turn == 2
    round = round.replay("1y 2y")
    assert round.legal == LegalActions("5r 5y 5g 6r 6y 6g 9r 9y 9g")
    assert refused(round, "5b").clause == "R13"


@pytest.mark.clause("R14")
def test_red_may_not_be_led_while_nobody_has_declared_red() -> None:
    """A first lead is blue, yellow or green."""
    round = first_lead("59 59 59")
    assert round.legal == LegalActions("5b 5y 5g 9b 9y 9g")
    assert refused(round, "5r").clause == "R14"


@pytest.mark.clause("R14")
def test_red_may_be_led_once_a_player_has_declared_red() -> None:
    """R14a: a red card in the first trick opens red for every lead."""
    round = first_lead("589 589 689").replay("5b 5r 6b")
    assert (round.turn, round.red_open) == (1, True)
    assert round.legal == LegalActions("8r 8y 8g 9r 9y 9g")


@pytest.mark.clause("R14")
def test_red_may_be_led_when_nothing_else_is_possible() -> None:
    """R14b: both ones can only be red, since neutral tokens block their other cells."""
    round = first_lead("11 23", turned="111")
    assert round.legal == LegalActions("1r")
    assert round.play("1r").red_open is True


@pytest.mark.clause("R14")
def test_red_may_not_be_led_while_any_other_card_could_be_another_color() -> None:
    """R14b looks at the whole hand: the 2 can be blue, so the 1 cannot be led red."""
    round = first_lead("12 23", turned="111")
    assert round.legal == LegalActions("2b 2y 2g")


@pytest.mark.clause("R14")
def test_a_red_lead_without_choice_opens_red_for_everybody() -> None:
    """After a lead under R14b another seat leads red although it has other colors."""
    round = first_lead("11222 24567", turned="111").replay("2b 2y 2g 4y")
    assert (round.turn, round.red_open) == (0, False)
    assert round.legal == LegalActions("1r 2r")
    round = round.replay("1r 6r")
    assert (round.turn, round.red_open) == (1, True)
    assert round.legal == LegalActions("5r 5y 7r 7y")


@pytest.mark.clause("R15", "R14")
def test_a_follower_may_declare_any_color_red_included() -> None:
    """Following is never compulsory, and red is open to followers from the first trick on."""
    round = first_lead("59 69 79").play("5b")
    assert round.legal == LegalActions("6r 6b 6y 6g 9r 9b 9y 9g")


@pytest.mark.clause("R15", "R16")
def test_a_seat_that_could_follow_blue_and_declares_red_loses_blue() -> None:
    """Worked example 3: legal, and the blue token is gone for the round."""
    round = first_lead("589 689 789").play("5b")
    assert Action("6b") in round.legal
    round = round.play("6r")
    assert round.tokens[1] == (RED, Color.YELLOW, GREEN)
    assert round.play("7b").tokens == (ALL, (RED, Color.YELLOW, GREEN), ALL)


@pytest.mark.clause("R16")
def test_a_red_lead_costs_the_red_token() -> None:
    """Red is led; a follower in blue can never declare red again."""
    round = first_lead("589 589 689").replay("5b 5r 6b 9r")
    assert round.turn == 2
    assert round.play("9b").tokens[2] == (Color.BLUE, Color.YELLOW, GREEN)


@pytest.mark.clause("R16")
def test_following_costs_nothing_and_neither_does_leading() -> None:
    """Only a color other than the led one costs the led one's token."""
    round = first_lead("589 689 789").replay("5b 6b 7b 9y 8b 8y")
    assert round.tokens == ((RED, Color.BLUE, GREEN), ALL, ALL)


@pytest.mark.clause("R16")
def test_nothing_is_lost_twice() -> None:
    """Seat 0 gave up blue already; giving it up again changes nothing."""
    round = first_lead("4678 3999 5888", starter=1).replay("3b 5b 4y")
    held = round.tokens[0]
    assert (round.turn, held) == (2, (RED, Color.YELLOW, GREEN))
    assert round.replay("8b 6y").tokens[0] == held


@pytest.mark.clause("R17")
def test_a_seat_always_keeps_a_color_token() -> None:
    """A law over random rounds, and somebody comes down to the last one."""
    fewest = min(len(held) for round in positions(6) for held in round.tokens)
    assert fewest == 1


@pytest.mark.clause("R17")
def test_the_last_color_token_cannot_be_lost() -> None:
    """With one color left a seat either follows it, or loses a color that is gone already."""
    for round in positions(6):
        if round.turn is not None and len(round.tokens[round.turn]) == 1:
            (only,) = round.tokens[round.turn]
            assert {action.color for action in round.legal} == {only}


@pytest.mark.clause("R18")
@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        ("4y 3g 7r 2r", 2),  # worked example 1
        ("4y 2y 1r", 2),  # worked example 2
        ("4y 2r 1r", 1),
        ("4y 2y 6y", 2),
        ("4y 5b 6b", 0),
        ("1g 9y 9b 8y 8b", 0),
        ("1g 2g 9b", 1),
    ],
)
def test_a_trick_goes_to_the_highest_red_then_to_the_highest_of_the_led_color(
    plays: str, winner: int
) -> None:
    """Worked examples 1 and 2: red beats all, other colors than the led one never win."""
    hands = " ".join(f"{play[0]}7" for play in plays.split())
    round = first_lead(hands).replay(plays)
    assert round.won == tuple(int(seat == winner) for seat in range(round.players))
    assert round.leader == winner
    assert round.tricks[0].winner == winner


@pytest.mark.clause("R18")
@pytest.mark.parametrize(
    "lead", [play for play in ACTIONS if play.color not in (None, RED)], ids=str
)
def test_every_answer_to_a_lead_wins_exactly_if_it_is_red_or_higher_in_color(lead: Action) -> None:
    """All 35 other cards against this one."""
    for answer in ACTIONS[:36]:
        if answer is not lead:
            round = first_lead(f"{lead.rank}9 {answer.rank}8").replay(f"{lead} {answer}")
            higher = answer.color is lead.color and answer.rank > lead.rank
            assert round.won == ((0, 1) if answer.color is RED or higher else (1, 0))


@pytest.mark.clause("R18")
def test_a_red_lead_is_won_by_the_highest_red() -> None:
    """Red is then both trump and the led color."""
    round = first_lead("599 598 699").replay("5b 5r 6b 8r 9g 9r")
    assert (round.won, round.leader) == ((1, 1, 0), 0)


@pytest.mark.clause("R19")
def test_the_round_ends_when_every_seat_holds_one_card() -> None:
    """The last card is not played."""
    round = first_lead("49 29 19").replay("4y 2y 1y")
    assert (round.phase, round.turn, round.paradox) == (Phase.OVER, None, None)
    assert round.hands == ((9,), (9,), (9,))
    assert refused(round, "9b").clause == "R19"


# ── Paradox ──────────────────────────────────────────────────────────────────────────────────

NO_COLOR_LEFT = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")
ONLY_YELLOW_FREE = first_lead("1113688 3678999 1333666").replay(
    "3y 6y 3b 3g 6g 1g 6b 1b 9b 8b 3r 6r 1r 7b"
)


@pytest.mark.clause("R20", "R21")
def test_a_seat_with_lost_colors_and_taken_cells_causes_a_paradox() -> None:
    """Worked example 4: no blue, no yellow, and red and green of 4 and 6 are taken."""
    assert NO_COLOR_LEFT.tokens[2] == (RED, GREEN)
    assert NO_COLOR_LEFT.hands[2] == (4, 6)
    assert (NO_COLOR_LEFT.phase, NO_COLOR_LEFT.paradox) == (Phase.OVER, 2)


@pytest.mark.clause("R20")
def test_a_free_cell_does_not_help_without_its_color_token() -> None:
    """Worked example 5: yellow 1 is free, but the seat gave up yellow."""
    round = ONLY_YELLOW_FREE
    assert round.hands[2] == (1, 3, 6)
    free = {(c, r) for c in Color for r in (1, 3, 6)} - set(round.board)
    assert free == {(Color.YELLOW, 1)}
    assert Color.YELLOW not in round.tokens[2]
    assert round.paradox == 2


@pytest.mark.clause("R21")
def test_a_paradox_stops_the_round_and_leaves_the_interrupted_trick() -> None:
    """Nobody wins the trick; its two tokens stay; the causer has not played."""
    round = NO_COLOR_LEFT
    assert round.won == (1, 1, 0)
    assert [str(play.action) for play in round.trick] == ["2b", "2y"]
    assert round.tricks[-1].winner is None
    assert (round.board[Color.BLUE, 2], round.board[Color.YELLOW, 2]) == (0, 1)
    assert len(round.hands[2]) == 2
    assert refused(round, "4b", 2).clause == "R21"


@pytest.mark.clause("R21")
def test_later_seats_do_not_play_after_a_paradox() -> None:
    """Seat 1 cannot follow, so seat 2 never gets its turn, although it could play."""
    round = first_lead("1269 4466 1489").replay("1b 4g 4r 1y 6r 6g 2b")
    assert (round.paradox, round.turn, round.won) == (1, None, (1, 0, 1))
    assert (round.hands[2], round.legal_for(2)) == ((8, 9), LegalActions())
    assert rules.legal_cells(round.vector, 2) == cells("8r 8b 8y 8g 9r 9b 9y 9g") & ~cells("8b 9b")


@pytest.mark.clause("R20", "R14")
def test_a_leader_can_cause_a_paradox_too() -> None:
    """Seat 1 wins with its last color, red, and holds two fours whose red cell is taken."""
    round = first_lead("11199 23444").replay("1b 2g 1y 3g 1g 4r")
    assert (round.leader, round.paradox, round.trick) == (1, 1, ())
    assert (round.tokens[1], round.hands[1], round.won) == ((RED,), (4, 4), (2, 1))


@pytest.mark.clause("R20")
def test_the_turn_never_comes_to_a_seat_that_cannot_play() -> None:
    """There is always a legal action while the round goes on, and none for the causer."""
    for round in positions(6):
        assert bool(round.legal) is not round.over
        if round.paradox is not None:
            assert rules.legal_cells(round.vector, round.paradox) == 0
            assert round.legal == LegalActions()


@pytest.mark.clause("R20")
def test_a_first_lead_can_be_a_paradox() -> None:
    """With no legal declaration at all the round is over before it begins."""
    s = first_lead("19 29").vector
    s[FREE] = cells("2b")
    rules.open_tricks(s)
    assert (s[PARADOX], s[TURN], s[PHASE]) == (0, NOBODY, 3)


# ── Facts that follow ────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("F1")
@pytest.mark.parametrize(("players", "empty"), [(2, 1), (3, 0), (4, 0), (5, 1)])
def test_a_round_without_paradox_leaves_so_many_cells_empty(players: int, empty: int) -> None:
    """Every cell is used at three and four players, all but one at two and five."""
    assert {end.vector[FREE].bit_count() for end in normal_ends(players)} == {empty}


@pytest.mark.clause("F2", "R19")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_cards_never_played_contain_every_rank(players: int) -> None:
    """Five copies and four colors: one of each rank stays in a hand or aside."""
    for end in normal_ends(players):
        hidden = list(map(int, end.setup.aside))
        unplayed = sorted(
            [*hidden, *(hand[0] for hand in end.hands), *(rank for rank in end.discards if rank)]
        )
        assert set(unplayed) == set(range(1, end.setup.cards.ranks + 1))
        if players in (3, 4):
            assert unplayed == list(range(1, end.setup.cards.ranks + 1))


@pytest.mark.clause("F2")
@pytest.mark.parametrize("players", [3, 4])
def test_two_equal_discards_make_a_paradox_certain(players: int) -> None:
    """However carefully the rest is played."""
    for seed in range(30):
        rng = Random(seed)
        round = random_round(players, "white", rng)
        shared = set(round.hands[0]) & set(round.hands[1])
        rank = min(shared)
        end = finish(round.replay(f"0:-{rank} 1:-{rank}"), rng)
        assert end.paradox is not None


@pytest.mark.clause("F3")
@pytest.mark.parametrize(("players", "normal"), [(2, 0.83), (3, 0.50), (4, 0.28), (5, 0.46)])
def test_following_after_discarding_a_duplicate_often_ends_normally(
    players: int, normal: float
) -> None:
    """Random play hardly ever does; both shares are near those of the rule book."""
    rng = Random(7)
    face = dict(TABLES)[players]
    ends = [finish(random_round(players, face, rng), rng, follow) for _ in range(150)]
    assert sum(end.paradox is None for end in ends) / 150 == pytest.approx(normal, abs=0.15)
    wild = [finish(random_round(players, face, rng), rng, uniform) for _ in range(60)]
    assert sum(end.paradox is None for end in wild) <= 12


@pytest.mark.clause("F4")
def test_a_seat_that_keeps_all_colors_needs_thirteen_tokens() -> None:
    """Eight plays, four colors, one bid: more than the twelve in the box, and no matter here."""
    needed = [
        sum(owner == seat for owner in end.board.values()) + len(end.tokens[seat]) + 1
        for end in normal_ends(3, 60)
        for seat in range(3)
    ]
    assert max(needed) == 13


@pytest.mark.clause("R20")
def test_cooperation_changes_nothing_in_the_rules() -> None:
    """The same legal cells come from the state alone, at every moment of a careful round."""
    rng = Random(3)
    for round in whole(random_round(4, "purple", rng), rng):
        if round.phase is Phase.PLAY:
            assert round.turn is not None
            expected = rules.legal_cells(round.vector, round.turn)
            assert cells(" ".join(map(str, round.legal))) == expected
            assert all(expected >> cell(str(action)) & 1 for action in round.legal)
    assert cooperative(Round.deal(THREE), 0, rng) in Round.deal(THREE).legal
