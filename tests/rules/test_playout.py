"""Whole rounds at random."""

from __future__ import annotations

from collections import Counter

import pytest
from sample_rounds import THREE, cells, first_lead

from catinthebox import Deck, Round
from catinthebox.game.hands import unpacked
from catinthebox.rules.actions import legal_actions
from catinthebox.rules.chance import seeded
from catinthebox.rules.counts import DEALT, RANKS
from catinthebox.rules.layout import (
    FREE,
    HAND,
    HELD,
    LED,
    LEGAL,
    NOBODY,
    OVER,
    PARADOX,
    PHASE,
    PLAYERS,
    SIZE,
    STARTER,
    WON,
    State,
)
from catinthebox.rules.playout import (
    FOLLOW,
    UNIFORM,
    choose_action,
    choose_cell,
    choose_discard,
    most_held,
    playout,
    random_round,
    shuffled_deal,
)

COUNTS = pytest.mark.parametrize("players", [2, 3, 4, 5])


def dealt(players: int, index: int) -> State:
    """A random deal."""
    s = [0] * SIZE
    shuffled_deal(s, players, 1, seeded(11, index))
    return s


@pytest.mark.clause("R5")
@COUNTS
def test_a_random_deal_has_full_hands_of_the_deck(players: int) -> None:
    """Five of every rank; at two players five cards are left, three of them turned up."""
    for index in range(60):
        s = dealt(players, index)
        hands = [unpacked(s[HAND + seat]) for seat in range(players)]
        assert [len(hand) for hand in hands] == [DEALT[players]] * players
        cards = Counter(rank for hand in hands for rank in hand)
        assert max(cards.values()) <= 5
        assert set(cards) <= set(range(1, RANKS[players] + 1))
        assert (s[PLAYERS], s[STARTER]) == (players, 1)
        if players > 2:
            assert set(cards.values()) == {5}
        for seat, hand in enumerate(hands):
            assert s[HELD + seat] == cells(" ".join(f"{r}{c}" for r in set(hand) for c in "rbyg"))


@pytest.mark.clause("R6")
def test_a_random_deal_for_two_turns_up_three_cards_that_nobody_holds() -> None:
    """Neutral tokens go on green, then yellow, then blue, and leave a rank's copies right."""
    copies_seen = set()
    for index in range(300):
        s = dealt(2, index)
        board = cells(" ".join(f"{rank}{color}" for rank in range(1, 6) for color in "rbyg"))
        neutral = board & ~s[FREE]
        assert neutral.bit_count() == 3
        for rank in range(1, 6):
            tokens = [
                neutral >> place & 1 for place in (48 + rank - 1, 32 + rank - 1, 16 + rank - 1)
            ]
            assert tokens == sorted(tokens, reverse=True)
            held = sum(unpacked(s[HAND + seat]).count(rank) for seat in range(2))
            assert held + sum(tokens) <= 5
            copies_seen.add(sum(tokens))
    assert copies_seen == {0, 1, 2, 3}


@pytest.mark.clause("R5")
@COUNTS
def test_every_card_is_equally_likely_on_every_hand(players: int) -> None:
    """The mean number of every rank in every hand is what a fair shuffle gives."""
    rounds = 600
    total = [Counter[int]() for _ in range(players)]
    for index in range(rounds):
        s = dealt(players, index)
        for seat in range(players):
            total[seat].update(unpacked(s[HAND + seat]))
    expected = rounds * DEALT[players] / RANKS[players]
    for seat in range(players):
        for rank in range(1, RANKS[players] + 1):
            assert total[seat][rank] == pytest.approx(expected, rel=0.12)


@pytest.mark.parametrize("policy", [UNIFORM, FOLLOW])
@COUNTS
def test_a_random_round_is_played_to_its_end(players: int, policy: int) -> None:
    """The same seed and index give the same round, whatever lay in the vector before."""
    for index in range(30):
        s, again = [0] * SIZE, [7] * SIZE
        g = seeded(5, index)
        assert random_round(s, players, 0, policy, g) == random_round(again, players, 0, policy, g)
        assert (s, s[PHASE]) == (again, OVER)


@pytest.mark.clause("F3")
@pytest.mark.parametrize(("players", "normal"), [(2, 0.83), (3, 0.50), (4, 0.28), (5, 0.46)])
def test_the_policies_end_normally_as_often_as_known(players: int, normal: float) -> None:
    """Following after discarding a card held most often; uniform play almost never."""
    ends = Counter[int]()
    s = [0] * SIZE
    for policy in (FOLLOW, UNIFORM):
        for index in range(300):
            random_round(s, players, 0, policy, seeded(8, index))
            ends[policy] += s[PARADOX] == NOBODY
    assert ends[FOLLOW] / 300 == pytest.approx(normal, abs=0.1)
    assert ends[UNIFORM] / 300 < 0.15


@pytest.mark.clause("R20")
def test_a_playout_can_begin_at_any_moment() -> None:
    """From a first lead, from the middle, and from the end, where nothing is left to do."""
    round = first_lead("1239 4569 1239")
    for start in (round, round.replay("1b 4y"), Round.deal(("123", "456"), deck=Deck(6, 3))):
        s = start.vector.copy()
        assert playout(s, UNIFORM, seeded(1, 1)) != seeded(1, 1)
        assert s[PHASE] == OVER
        before = s.copy()
        assert playout(s, UNIFORM, seeded(1, 2)) == seeded(1, 2)
        assert s == before
        assert sum(s[WON : WON + 5]) <= start.setup.cards.tricks


@pytest.mark.parametrize(
    ("hand", "ranks"),
    [("1", "1"), ("112", "1"), ("1122", "12"), ("12999", "9"), ("123", "123"), ("1223334444", "4")],
)
def test_the_ranks_held_most_often(hand: str, ranks: str) -> None:
    """All that share the highest count."""
    packed = sum(1 << 3 * int(rank) - 3 for rank in hand)
    assert most_held(packed) == sum(1 << int(rank) - 1 for rank in ranks)


def test_uniform_chooses_every_legal_action_and_nothing_else() -> None:
    """Every rank as a discard, every legal cell as a play."""
    s = Round.deal(THREE).vector
    assert {choose_discard(s, 1, UNIFORM, seeded(1, i)) for i in range(200)} == {1, 2, 3, 4, 5, 6}
    s = first_lead("59 69 79").play("5b").vector
    chosen = {choose_cell(s, UNIFORM, seeded(1, i)) for i in range(300)}
    assert sum(1 << place for place in chosen) == s[LEGAL]
    assert legal_actions(s, 1).bit_count() == len(chosen) == 8


@pytest.mark.clause("R7", "R8", "R11")
@pytest.mark.parametrize("moves", ["", "-2 -3 -4", "-2 -3 -4 =1", "-2 -3 -4 =1 =3 =4 5b"])
def test_an_action_is_chosen_in_every_phase(moves: str) -> None:
    """Each legal action of the seat to act comes up, and nothing else."""
    round = Round.deal(THREE).replay(moves)
    chosen = {choose_action(round.vector, UNIFORM, seeded(2, index)) for index in range(600)}
    assert chosen == {action.id for action in round.legal}


@pytest.mark.clause("R15")
def test_follow_discards_a_duplicate_and_follows_if_it_can() -> None:
    """A leader chooses freely; a follower in the led color, if there is a card for it."""
    s = Round.deal(("1112", "2345", "2345"), deck=Deck(6, 4)).vector
    assert {choose_discard(s, 0, FOLLOW, seeded(1, i)) for i in range(100)} == {1}
    lead = first_lead("59 69 79")
    assert {choose_cell(lead.vector, FOLLOW, seeded(1, i)) for i in range(200)} == {
        place for place in range(57) if lead.vector[LEGAL] >> place & 1
    }
    s = lead.play("5b").vector
    chosen = sum(1 << place for place in {choose_cell(s, FOLLOW, seeded(1, i)) for i in range(200)})
    assert chosen == s[LEGAL] & s[LED] == cells("6b 9b")
    s = first_lead("1239 4569 1239").replay("1b 4y 2b 3b 9b").vector
    assert s[LEGAL] & s[LED] == 0
    chosen = sum(1 << place for place in {choose_cell(s, FOLLOW, seeded(1, i)) for i in range(400)})
    assert chosen == s[LEGAL]
