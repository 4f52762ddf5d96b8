"""The oracle against the worked examples of the rule book, its facts, and known node counts."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from oracle import COLORS, FACES, Cell, Oracle, Refused, fingerprint, perft, result

THREE = ("223345566", "223344556", "112344566")
FOUR = ("122345678", "455567788", "123334468", "224566778")
FIVE = ("22335679", "45566789", "13345699", "23478889", "22456778")


def play(table: Oracle, moves: str) -> dict[str, int]:
    """Perform the moves, each by the seat to act; return what the last one caused."""
    news: dict[str, int] = {}
    for move in moves.split():
        news = table.act(table.to_act()[0], move)
    return news


def refused(table: Oracle, seat: int, action: str) -> str:
    """The clause with which the action is refused; the round must not change."""
    before = fingerprint(table)
    with pytest.raises(Refused) as caught:
        table.act(seat, action)
    assert fingerprint(table) == before
    assert table.reason(seat, action) == caught.value.clause
    return caught.value.clause


def deal(players: int, seed: int) -> Oracle:
    """A shuffled deal with the numbers of the table (R5)."""
    ranks, size = {2: (5, 10), 3: (6, 10), 4: (8, 10), 5: (9, 9)}[players]
    deck = [rank for rank in range(1, ranks + 1) for _ in range(5)]
    random.Random(seed).shuffle(deck)
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
    starter, aside = seed % players, deck[players * size :] if players == 2 else ()
    return Oracle(players, hands, starter=starter, aside=aside)


def tidy_action(table: Oracle, rng: random.Random) -> str:
    """Discard a duplicate, follow the led color when possible: the policy of F3."""
    seat = table.to_act()[0]
    actions = sorted(table.legal(seat))
    if table.phase == "discard":
        most = max(table.hands[seat].values())
        actions = [a for a in actions if table.hands[seat][int(a[1])] == most]
    if table.trick:
        led = table.trick[0][2]
        actions = [a for a in actions if a[1] == led] or actions
    return rng.choice(actions)


def finish(table: Oracle, seed: int) -> Oracle:
    """Play the round to its end with the tidy policy."""
    rng = random.Random(seed)
    while table.phase != "over":
        table.act(table.to_act()[0], tidy_action(table, rng))
    return table


@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "hands", "nodes"),
    [(3, THREE, [15, 285, 6270]), (4, FOUR, [24, 465, 10530]), (5, FIVE, [18, 420, 9522])],
)
def test_node_counts_from_the_first_lead(
    players: int, hands: tuple[str, ...], nodes: list[int]
) -> None:
    """The numbers of sequences agree with those counted elsewhere."""
    rows = perft(Oracle.first_lead(players, hands), len(nodes))
    assert [row.nodes for row in rows] == nodes
    assert all(row.leads + row.follows + row.off == row.nodes for row in rows)


@pytest.mark.parametrize(
    ("plays", "winner"),
    [("4y 2y 1r", 2), ("4y 2r 1r", 1), ("4y 2y 6y", 2), ("4y 5b 6b", 0)],
)
def test_example_2_who_wins_the_trick(plays: str, winner: int) -> None:
    """Highest red wins, else the highest card of the led color; other colors never (R18)."""
    table = Oracle.first_lead(3, ["4" * 9, "12" * 3 + "55" + "3", "16" * 4 + "3"])
    assert play(table, plays) == {"trick_winner": winner}
    assert table.leader == winner
    assert table.to_act() == [winner]
    assert table.trick == []


def test_example_1_two_reds() -> None:
    """Yellow is led, then green, red, and a lower red: the higher red wins (R18)."""
    table = Oracle.first_lead(4, FOUR)
    assert play(table, "5y 7g 6r 4r") == {"trick_winner": 2}


def test_example_3_not_following_costs_the_token() -> None:
    """A seat that could follow blue declares red: legal, and its blue token is gone (R15, R16)."""
    table = Oracle.first_lead(3, THREE)
    play(table, "5b")
    assert "4b" in table.legal(1)
    play(table, "4r")
    assert table.tokens[1] == set("ryg")
    assert table.tokens[0] == set(COLORS)
    assert "R15" in table.clauses
    assert "R16" in table.clauses
    play(table, "1y 2y")
    assert table.reason(2, "6b") == "R13"


def test_example_4_paradox_by_tokens_and_cells() -> None:
    """Without blue and yellow tokens, with red and green 4 and 6 taken: paradox (R20)."""
    table = Oracle.first_lead(3, ["1235", "4466", "1235"])
    table.tokens[1] = set("rg")
    table.board = {(color, rank): 2 for color in "rg" for rank in (4, 6)}
    assert play(table, "5b") == {"paradox": 1}
    assert table.phase == "over"
    assert table.paradox == 1
    assert table.trick == [(0, 5, "b")]
    assert table.board["b", 5] == 0


def test_example_5_paradox_with_a_free_cell() -> None:
    """All 3s and 6s are taken and the token for the free yellow 1 is gone: paradox (R13, R20)."""
    table = Oracle.first_lead(3, ["2245", "1366", "2455"])
    table.tokens[1] = set("rbg")
    table.board = {(color, rank): 2 for color in COLORS for rank in (3, 6)}
    table.board |= {(color, 1): 2 for color in "rbg"}
    assert play(table, "5b") == {"paradox": 1}


def test_example_6_scores_with_bids() -> None:
    """The causer loses a point per trick; a met bid adds the largest group (R24, R25)."""
    table = Oracle.first_lead(4, FOUR, bids=[3, 2, 1, 1])
    table.won, table.paradox, table.phase = [3, 2, 0, 2], 0, "over"
    table.board = {("r", 1): 1, ("r", 2): 1, ("b", 2): 1, ("y", 2): 1, ("y", 3): 1, ("g", 8): 1}
    assert table.scores() == [-3, 7, 0, 2]


def test_example_7_two_players() -> None:
    """Five tricks earn no bonus, three tricks earn the group (R26)."""
    table = Oracle.first_lead(2, ["112233445", "112233445"], turned="555")
    table.won, table.phase = [5, 3], "over"
    table.board |= {("r", 1): 0, ("r", 2): 0, ("g", 1): 1, ("g", 2): 1, ("y", 2): 1}
    assert table.scores() == [5, 6]


def test_turned_up_cards_block_green_then_yellow_then_blue() -> None:
    """Copies of a rank go down the colors, never to red, and do not open red (R6, R14)."""
    table = Oracle.first_lead(2, ["112233445", "112233445"], turned="555")
    assert table.board == {("g", 5): -1, ("y", 5): -1, ("b", 5): -1}
    assert not table.red_open
    assert refused(table, 0, "5b") == "R12"
    assert refused(table, 0, "5r") == "R14"
    assert refused(table, 0, "=1") == "R9"


def test_red_may_be_led_once_a_player_token_is_red() -> None:
    """Red is closed until anybody's token lies in the red row (R14a)."""
    table = Oracle.first_lead(3, THREE)
    assert refused(table, 0, "6r") == "R14"
    play(table, "5b 2r 4b")
    assert table.red_open
    assert table.leader == 1
    play(table, "3r")
    assert "R14a" in table.clauses


def test_red_lead_when_nothing_else_is_left() -> None:
    """A leader with red cells only may lead red, and the paradox waits until they go (R14b)."""
    table = Oracle.first_lead(2, ["11", "22"], turned="111", ranks=2)
    assert table.legal(0) == {"1r"}
    play(table, "1r")
    assert "R14b" in table.clauses
    assert table.red_open


def test_the_order_of_the_phases_and_the_clauses_of_refusals() -> None:
    """Discards in any order, bids from the starter, then plays; each refusal has its clause."""
    table = Oracle(3, ["1223345566", "1122344556", "1123344566"], starter=2)
    assert refused(table, 0, "=1") == "R7"
    assert refused(table, 0, "-7") == "R7"
    table.act(1, "-1")
    assert refused(table, 1, "-1") == "R7"
    assert table.to_act() == [0, 2]
    table.act(2, "-1")
    table.act(0, "-2")
    assert table.phase == "bid"
    assert table.to_act() == [2]
    assert refused(table, 0, "=1") == "R8"
    assert refused(table, 2, "=2") == "R8"
    play(table, "=3 =3 =4")
    assert table.bids == [3, 4, 3]
    assert table.to_act() == [2]
    assert refused(table, 0, "3b") == "R10"
    assert refused(table, 2, "-1") == "R11"
    assert refused(table, 2, "7b") == "R11"
    assert refused(table, 2, "=1") == "R11"


@pytest.mark.parametrize(("players", "empty"), [(2, 1), (3, 0), (4, 0), (5, 1)])
def test_f1_cells_left_empty(players: int, empty: int) -> None:
    """A round without paradox fills all cells but the known number (F1)."""
    rounds = (finish(deal(players, seed), seed) for seed in range(400))
    normal = next(table for table in rounds if table.paradox is None)
    assert 4 * normal.ranks - len(normal.board) == empty
    assert sum(normal.won) == {2: 8, 3: 8, 4: 8, 5: 7}[players]
    assert all(hand.total() == 1 for hand in normal.hands)
    assert refused(normal, 0, "1r") == "R19"


def test_f2_two_equal_discards_make_a_paradox_certain() -> None:
    """Rounds with two equal discards at three players all end in a paradox (F2)."""
    for seed in range(60):
        table = deal(3, seed)
        shared = min(set(table.hands[0]) & set(table.hands[1]))
        table.act(0, f"-{shared}")
        table.act(1, f"-{shared}")
        assert finish(table, seed).paradox is not None


def test_normal_rounds_leave_one_card_of_every_rank() -> None:
    """Discards and last cards of a normal round at three players hold each rank once (F2)."""
    for seed in range(60):
        table = finish(deal(3, seed), seed)
        if table.paradox is None:
            left = sum(table.hands, Counter(table.discards))
            assert left == Counter(range(1, 7))


def flooded(board: dict[Cell, int], seat: int, face: str) -> int:
    """Largest group by merging labels: another way to R27."""
    own = [cell for cell, owner in board.items() if owner == seat]
    label = {cell: number for number, cell in enumerate(own)}
    for _ in own:
        for cell in own:
            row, column = FACES[face][cell]
            sides = {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}
            near = [label[other] for other in own if FACES[face][other] in sides]
            label[cell] = min([label[cell], *near])
    return max(Counter(label.values()).values(), default=0)


@pytest.mark.parametrize("face", ["white", "purple"])
def test_groups_agree_with_label_merging(face: str) -> None:
    """Two ways of finding the largest group agree on scattered tokens (R27, R28)."""
    rng = random.Random(1)
    for _ in range(100):
        table = Oracle.first_lead(3, THREE, face=face)
        table.board = {c: rng.randrange(-1, 3) for c in FACES["white"] if c[1] < 7}
        assert table.groups() == [flooded(table.board, seat, face) for seat in range(3)]


def test_faces_join_different_cells() -> None:
    """White joins equal ranks of neighboring rows, purple a rank with the next lower (R29, R30)."""
    white, purple = (Oracle.first_lead(3, THREE, face=face) for face in ("white", "purple"))
    assert white.touch(("r", 5), ("b", 5))
    assert not purple.touch(("r", 5), ("b", 5))
    assert purple.touch(("r", 5), ("b", 4))
    assert not white.touch(("r", 5), ("b", 4))
    assert not white.touch(("r", 1), ("r", 6))
    assert not white.touch(("r", 1), ("g", 1))


def test_legal_is_what_is_not_refused() -> None:
    """Everything listed is accepted and everything else refused, all through rounds."""
    every = [f"-{n}" for n in range(10)] + [f"={n}" for n in range(10)]
    every += [f"{n}{color}" for n in range(10) for color in COLORS] + ["", "5", "b5", "10b"]
    for players in (2, 3, 4, 5):
        table, rng = deal(players, players), random.Random(players)
        while table.phase != "over":
            for seat in range(players):
                assert table.legal(seat) == {a for a in every if table.reason(seat, a) is None}
            table.act(table.to_act()[0], tidy_action(table, rng))


@pytest.mark.parametrize(
    ("rounds", "totals", "winners"),
    [
        ([[1, 2], [3, 4]], [4, 6], [1]),
        ([[4, 2], [2, 4]], [6, 6], [1]),
        ([[3, 3, 0], [2, 2, 1], [1, 1, 9]], [6, 6, 10], [2]),
        ([[3, 3, 0], [2, 2, 1], [1, 1, 5]], [6, 6, 6], [2]),
        ([[3, 3, 0], [2, 2, 1], [1, 1, 4]], [6, 6, 5], [0, 1]),
    ],
)
def test_r3_ties(rounds: list[list[int]], totals: list[int], winners: list[int]) -> None:
    """The final round breaks a tie, else the victory is shared (R3)."""
    assert result(rounds) == (totals, winners)


def test_fingerprint_by_hand() -> None:
    """The documented number, folded by hand for one small position."""
    table = Oracle.first_lead(2, ["12", "22"], starter=1, turned="1", ranks=2)
    play(table, "2b")
    header = 2 + 4 * 1 + 32 * 1 + 256 * 2
    numbers = [header, 2**17, 0, 1 + 8, 2048 * 15, 2**17, 8, 2048 * 15]
    folded = 0
    for number in numbers:
        folded = (folded * 1000003 + number + 1) % 2147483647
    assert fingerprint(table) == folded
