"""The careful policy, by laws: what it reads, what it counts, that it is legal, that it compiles.

No law here depends on the numbers of `weights`: most hold for any weights, so weights are random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from types import ModuleType
from typing import NamedTuple, SupportsIndex

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policies import TABLES, moments, random_round
from sample_rounds import cell, first_lead

from catinthebox import ACTIONS, Action, Color, Deck, Phase, Play, Round, Setup
from catinthebox.fast import cpu
from catinthebox.rules.actions import ACTIONS as NUMBER
from catinthebox.rules.actions import cell_of_action, legal_actions
from catinthebox.rules.chance import seeded
from catinthebox.rules.layout import (
    DISCARD,
    FREE,
    HAND,
    HELD,
    LANE,
    LED,
    LEFT,
    MAX_RANK,
    MAX_SEATS,
    MAY,
    ROW,
    SIZE,
    TRICK,
    State,
)
from catinthebox.rules.worlds import complete
from catinthebox.tactics import careful, weights
from catinthebox.tactics.careful import RATINGS, UNIT
from catinthebox.tactics.reachable import bonus_possible
from catinthebox.tactics.weights import CONSIDERATIONS, WEIGHTS, WHIM
from catinthebox.views import View

NONE = (0,) * CONSIDERATIONS


class Asked(NamedTuple):
    """A moment and the seat that has to decide."""

    round: Round
    seat: int

    @property
    def players(self) -> int:
        """How many seats."""
        return self.round.players

    @property
    def touch(self) -> Sequence[int]:
        """Which cells touch on the face."""
        return self.round.face.touch

    @property
    def legal(self) -> list[Action]:
        """What the seat may do, in the order of the ids."""
        return sorted(self.round.legal_for(self.seat), key=lambda action: action.id)


def path(players: int, face: str, rng: Random) -> list[Asked]:
    """The decisions of a round."""
    round = random_round(players, face, rng)
    return [Asked(at, seat) for at, seat, _ in moments(round, rng)]


@cache
def asked(rounds: int = 3) -> tuple[Asked, ...]:
    """Decisions of some rounds at every table."""
    rng = Random(rounds)
    return tuple(at for table in TABLES for _ in range(rounds) for at in path(*table, rng))


def plays(rounds: int = 3) -> Iterator[Asked]:
    """Decisions of the play phase."""
    return (at for at in asked(rounds) if at.round.phase is Phase.PLAY)


def any_weights(rng: Random) -> list[int]:
    """Random weights; those that are probabilities stay probabilities."""
    odd = [rng.randrange(-300, 301) for _ in range(CONSIDERATIONS)]
    odd[weights.KEEN], odd[weights.IDLE] = rng.randrange(65), rng.randrange(65)
    odd[WHIM] = rng.randrange(20)
    return odd


def only(**considerations: int) -> list[int]:
    """Weights with a few considerations and nothing else."""
    row = [0] * CONSIDERATIONS
    for name, weight in considerations.items():
        row[getattr(weights, name)] = weight
    return row


def some_weights(players: int, rng: Random) -> list[Sequence[int]]:
    """The weights in use, and random ones."""
    return [WEIGHTS[players], any_weights(rng)]


def rated(s: State, seat: int, likes: Sequence[int], touch: Sequence[int]) -> dict[int, int]:
    """The rating of every legal action, by its id."""
    found = [0] * NUMBER
    careful.rate_actions(s, seat, likes, touch, [0] * RATINGS, found)
    legal = legal_actions(s, seat)
    return {action: found[action] for action in range(NUMBER) if legal >> action & 1}


def choice(
    s: State, seat: int, likes: Sequence[int], touch: Sequence[int], g: int = 12345
) -> Action:
    """What a careful seat does."""
    return ACTIONS[careful.careful_action(s, seat, likes, touch, [0] * RATINGS, g)]


def thoughts(s: State, seat: int, likes: Sequence[int], touch: Sequence[int]) -> list[object]:
    """Everything that is computed on the way to a decision."""
    mine, shared = s[FREE] & s[MAY + seat], careful.others_rows(s, seat)
    found: list[object] = [rated(s, seat, likes, touch), choice(s, seat, likes, touch), shared]
    found += [careful.rivals(s, seat, place) for place in range(MAX_RANK)]
    found += [careful.strain(s, seat, mine, shared, likes)]
    found += [careful.strain(s, seat, mine & ~ROW, shared, likes)]
    found += [careful.price_of_straying(s, seat, shared, likes)]
    found += [careful.hopeful_tokens(s, seat), careful.worth_of_trick(s, seat, likes)]
    found += [careful.expected_tricks(s, seat, likes)]
    for action in legal_cells(s, seat):
        led = s[LED] if s[TRICK] else ROW << LANE * (action // LANE)
        found += [careful.chance_to_win(s, seat, action, led, likes)]
        unseen = careful.rivals(s, seat, action % LANE)
        found += [careful.choke(s, seat, action, unseen, likes)]
    return found


def legal_cells(s: State, seat: int) -> list[int]:
    """The cells that may be declared."""
    legal = legal_actions(s, seat)
    return [cell_of_action(action) for action in range(36) if legal >> action & 1]


# ── What it reads ────────────────────────────────────────────────────────────────────────────


class Watched(list[int]):
    """A vector that remembers which of its slots were read."""

    def __init__(self, s: State) -> None:
        super().__init__(s)
        self.read: set[int] = set()

    def __getitem__(self, slot: SupportsIndex | slice) -> int:  # type: ignore[override]
        assert not isinstance(slot, slice), "no rule takes a part of a vector"
        self.read.add(slot.__index__())
        return super().__getitem__(slot)

    def __iter__(self) -> Iterator[int]:
        raise AssertionError("no rule looks at all of a vector")


def hidden_from(seat: int) -> set[int]:
    """The slots of others that a seat must not look at."""
    others = set(range(MAX_SEATS)) - {seat}
    return {slot + other for slot in (HAND, HELD, DISCARD) for other in others}


@pytest.mark.clause("R33")
def test_no_hidden_slot_is_read() -> None:
    """Of all hands, of all discards: the own one and no other, in every phase."""
    rng = Random(1)
    own = set[int]()
    for round, seat in asked():
        s = Watched(round.vector)
        thoughts(s, seat, any_weights(rng), round.face.touch)
        assert not s.read & hidden_from(seat), (round, seat)
        own |= s.read & {HAND + seat, HELD + seat, DISCARD + seat}
    assert own == {slot + seat for slot in (HAND, HELD, DISCARD) for seat in range(MAX_SEATS)}


@pytest.mark.long
@pytest.mark.clause("R33")
@settings(deadline=None, derandomize=True, max_examples=120)
@given(st.sampled_from(TABLES), st.integers(0, 2**32), st.data())
def test_hidden_cards_change_no_thought(
    table: tuple[int, str], seed: int, data: st.DataObject
) -> None:
    """The view, the truth, worlds that agree, and nonsense in the hidden slots: all the same."""
    rng = Random(seed)
    at = data.draw(st.sampled_from(path(*table, rng)))
    view = View.of(at.round, at.seat)
    for likes in some_weights(at.players, rng):
        seen = thoughts(view.vector, at.seat, likes, at.touch)
        assert thoughts(at.round.vector, at.seat, likes, at.touch) == seen
        for number in range(3):
            world = [0] * SIZE
            complete(view.vector, view.proved, seeded(seed, number), world)
            assert thoughts(world, at.seat, likes, at.touch) == seen
            for slot in hidden_from(at.seat):
                world[slot] = rng.getrandbits(rng.choice((3, 27, 57)))
            assert thoughts(world, at.seat, likes, at.touch) == seen


# ── Compiled ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    """The compiled functions."""
    module: ModuleType = cpu.tactics().careful
    return module


def test_it_does_the_same_compiled(compiled: ModuleType) -> None:
    """Ratings and actions, over some hundred moments, for the weights in use and random ones."""
    rng = Random(2)
    scratch, found = (numpy.zeros(RATINGS, dtype=numpy.int64) for _ in range(2))
    checked = set()
    for at in asked():
        s, seat = at.round.vector, at.seat
        array, touch = numpy.array(s), numpy.array(at.touch)
        for likes in some_weights(at.players, rng):
            row, g = numpy.array(likes), rng.getrandbits(62)
            action = compiled.careful_action(array, seat, row, touch, scratch, g)
            assert ACTIONS[int(action)] == choice(s, seat, likes, at.touch, g)
            compiled.rate_actions(array, seat, row, touch, scratch, found)
            wanted = rated(s, seat, likes, at.touch)
            assert {action: int(found[action]) for action in wanted} == wanted
        assert array.tolist() == s
        checked.add((at.round.phase, at.players, at.round.face.name))
    assert len(asked()) > 300
    assert len(checked) == 3 * len(TABLES) - 1  # two players do not bid


# ── Room for every card ──────────────────────────────────────────────────────────────────────

Cells = set[tuple[Color, int]]


def matched(cards: Sequence[int], cells: Cells) -> int:
    """How many cards can lie on cells of their rank at once, by augmenting paths."""
    lies: dict[tuple[Color, int], int] = {}

    def place(card: int, tried: Cells) -> bool:
        for at in sorted(cells - tried):
            if at[1] == cards[card]:
                tried.add(at)
                if at not in lies or place(lies[at], tried):
                    lies[at] = card
                    return True
        return False

    return sum(place(card, set()) for card in range(len(cards)))


def open_cells(round: Round, seat: int) -> Cells:
    """Cells that a seat might still declare: empty, and of a color it has (R12, R13)."""
    ranks = range(1, round.setup.cards.ranks + 1)
    return {(color, rank) for color in round.tokens[seat] for rank in ranks} - set(round.board)


@pytest.mark.long
@pytest.mark.clause("R12", "R13")
def test_stuck_cards_are_those_without_a_matching() -> None:
    """What the strain counts is the hand less a maximum matching of cards to open cells."""
    counts = only(STUCK=1, STUCK_MORE=1)
    stuck = 0
    for at in plays(6):
        s = at.round.vector
        for seat in range(at.players):
            cells, hand = open_cells(at.round, seat), at.round.hands[seat]
            bits = s[FREE] & s[MAY + seat]
            dead = careful.strain(s, seat, bits, 0, counts)
            assert dead == len(hand) - matched(hand, cells)
            stuck += dead > 0
            for color in Color:  # and without one of the colors
                less = {at for at in cells if at[0] is not color}
                few = careful.strain(s, seat, bits & ~(ROW << LANE * color), 0, counts)
                assert few == len(hand) - matched(hand, less)
    assert stuck > 50


@pytest.mark.clause("R24")
def test_a_stuck_card_costs_more_after_tricks() -> None:
    """The first one need not be played (R19); each further one takes back every trick won."""
    for at in plays():
        s, seat = at.round.vector, at.seat
        bits = s[FREE] & s[MAY + seat]
        hand = at.round.hands[seat]
        dead = len(hand) - matched(hand, open_cells(at.round, seat))
        cost = careful.strain(s, seat, bits, 0, only(STUCK=3, STUCK_MORE=100, STUCK_WON=10))
        each = 100 + 10 * at.round.won[seat]
        assert cost == (3 + (dead - 1) * each if dead else 0)


def test_rivals_are_the_unseen_cards_of_a_rank() -> None:
    """What a seat sees nowhere: not in its hand, not set aside by it, not under a token (R11)."""
    for at in asked():
        unseen = View.of(at.round, at.seat).unseen
        for place in range(at.round.setup.cards.ranks):
            assert careful.rivals(at.round.vector, at.seat, place) == unseen.get(place + 1, 0)


@pytest.mark.clause("R12", "R13", "R20")
def test_a_cell_is_taken_from_those_who_need_it() -> None:
    """By how many cells of the rank a seat still has, for each card of it that is unseen."""
    weighed = dict(
        zip(("CHOKE_1", "CHOKE_2", "CHOKE_3", "CHOKE_4"), (1000, 100, 10, 1), strict=True)
    )
    found = set[int]()
    for at in plays():
        unseen = View.of(at.round, at.seat).unseen
        others = [seat for seat in range(at.players) if seat != at.seat]
        for action in at.legal:
            rank, color = action.rank, color_of(action)
            assert rank is not None
            total = 0
            for other in others:
                cells = {c for c, r in open_cells(at.round, other) if r == rank}
                total += [0, 1000, 100, 10, 1][len(cells)] if color in cells else 0
            total *= min(unseen.get(rank, 0), 3)
            place, rivals = cell(str(action)), unseen.get(rank, 0)
            s = at.round.vector
            assert careful.choke(s, at.seat, place, rivals, only(**weighed)) == total
            found.add(total)
    assert {0, 1000, 100} < found


@pytest.mark.clause("R16")
def test_a_color_costs_more_while_many_tricks_are_left() -> None:
    """The price of straying grows with the tricks that are left; without a token there is none."""
    prices = set[int]()
    for at in plays():
        s, seat = at.round.vector, at.seat
        price = careful.price_of_straying(s, seat, 0, only(COLOR=100, COLOR_LEFT=10))
        if price:
            assert at.round.trick[0].action.color in at.round.tokens[seat]
            assert price == 100 + 10 * s[LEFT]
            prices.add(price)
    assert len(prices) > 3


def test_tight_ranks_weigh_more_while_many_tricks_are_left() -> None:
    """Half as much for every cell to spare; nothing for what nobody else can take."""
    for left in range(9):
        likes = only(TIGHT_0=100, TIGHT_1=50, TIGHT_2=20, SOON=8)
        found = [careful.pressure(1, cells, 4, 4, left, likes) for cells in range(1, 5)]
        assert found == [100 + 8 * left, 50 + 4 * left, 20 + 2 * left, 0]
        assert careful.pressure(1, 1, 0, 4, left, likes) == 0
        assert careful.pressure(1, 1, 4, 0, left, likes) == 0


# ── The trick ────────────────────────────────────────────────────────────────────────────────

Card = tuple[int, Color]


def strength(card: Card, led: Color) -> tuple[bool, int]:
    """Compares as cards do (R18); what neither follows nor is red is weakest."""
    rank, color = card
    return color is Color.RED, rank if color in (Color.RED, led) else 0


def wins(card: Card, before: Sequence[Play], led: Color) -> bool:
    """Whether a card would win the trick if nobody played after it."""
    lying = [strength((play.action.rank, color_of(play.action)), led) for play in before]
    return all(strength(card, led) > other for other in [*lying, (False, 0)])


def color_of(action: Action) -> Color:
    assert action.color is not None
    return action.color


def later_seats(at: Asked) -> list[int]:
    """The seats that still play to the trick after the one that decides."""
    after = at.players - len(at.round.trick) - 1
    return [(at.seat + step) % at.players for step in range(1, after + 1)]


@pytest.mark.clause("R18")
def test_the_chance_to_win_agrees_with_who_wins() -> None:
    """None for a card that is beaten already, all for the last card if it wins."""
    likes = only(KEEN=4, IDLE=3)
    beaten = certain = 0
    for at in plays():
        round, last = at.round, len(at.round.trick) == at.players - 1
        for action in at.legal:
            color = color_of(action)
            led = color_of(round.trick[0].action) if round.trick else color
            place = cell(str(action))
            chance = careful.chance_to_win(round.vector, at.seat, place, ROW << LANE * led, likes)
            assert 0 <= chance <= UNIT
            ahead = wins((action.rank, color), round.trick, led)
            if not ahead:
                assert chance == 0
                beaten += 1
            elif last:
                assert chance == UNIT
                after = round.play(action)
                assert after.won[at.seat] == round.won[at.seat] + 1  # the rules agree
            else:
                beatable = any(
                    strength((rank, other), led) > strength((action.rank, color), led)
                    for seat in later_seats(at)
                    for other, rank in open_cells(round, seat)
                )
                assert (chance < UNIT) == beatable
                certain += not beatable
            if last and not ahead:
                assert round.play(action).won[at.seat] == round.won[at.seat]
    assert beaten > 500
    assert certain > 10


@pytest.mark.clause("R25", "R26")
def test_a_possible_bonus_is_one_that_tricks_could_bring() -> None:
    """A seat that has what it bid, or could still win it; at two players four tricks at most."""
    for at in plays():
        left = at.round.setup.cards.tricks - sum(at.round.won)
        for seat in range(at.players):
            won, bid = at.round.won[seat], at.round.bids[seat]
            more = range(left + 1)
            wanted = {bid} if at.players > 2 else set(range(5))
            possible = any(won + some in wanted for some in more)
            assert bonus_possible(at.round.vector, seat) == possible


# ── Choosing ─────────────────────────────────────────────────────────────────────────────────


def test_the_choice_is_always_legal() -> None:
    """In every phase, for any weights and any chance."""
    rng = Random(3)
    for at in asked():
        for likes in (*some_weights(at.players, rng), NONE):
            g = rng.getrandbits(62)
            action = choice(at.round.vector, at.seat, likes, at.touch, g)
            assert action in at.round.legal_for(at.seat)


def test_the_choice_is_what_rates_best() -> None:
    """Every legal action has a rating; without a whim the best is chosen, the first of equals."""
    rng = Random(4)
    for at in asked():
        for likes in some_weights(at.players, rng):
            firm = [*likes]
            firm[WHIM] = 0
            ratings = rated(at.round.vector, at.seat, firm, at.touch)
            assert set(ratings) == {action.id for action in at.legal}
            best = max(ratings, key=lambda action: (ratings[action], -action))
            picks = {choice(at.round.vector, at.seat, firm, at.touch, g).id for g in (1, 2**40 + 7)}
            assert picks == {best}


def test_a_whim_is_small() -> None:
    """Chance alone never chooses what rates worse by more than the whim, and it does choose."""
    rng = Random(5)
    varied = 0
    for at in asked():
        likes = any_weights(rng)
        ratings = rated(at.round.vector, at.seat, likes, at.touch)
        picks = {
            choice(at.round.vector, at.seat, likes, at.touch, rng.getrandbits(62)).id
            for _ in range(6)
        }
        worst = min(ratings[pick] for pick in picks)
        assert worst >= max(ratings.values()) - likes[WHIM]
        varied += len(picks) > 1
    assert varied > 20


def test_ratings_left_over_from_before_do_not_matter() -> None:
    """The scratch may hold anything."""
    rng = Random(6)
    for at in asked():
        likes = WEIGHTS[at.players]
        dirty = [rng.randrange(-(1 << 30), 1 << 30) for _ in range(RATINGS)]
        action = careful.careful_action(at.round.vector, at.seat, likes, at.touch, dirty, 7)
        assert ACTIONS[action] == choice(at.round.vector, at.seat, likes, at.touch, 7)


@pytest.mark.clause("R15", "R16")
def test_who_cares_for_colors_follows() -> None:
    """If a color given up is all that costs, the led color is declared whenever it can be."""
    could = 0
    for at in plays():
        if at.round.trick:
            led = at.round.trick[0].action.color
            following = [action for action in at.legal if action.color is led]
            action = choice(at.round.vector, at.seat, only(COLOR=1), at.touch)
            assert (action.color is led) == bool(following)
            could += bool(following)
    assert could > 100


def test_single_considerations_do_what_they_say() -> None:
    """No red if red is all that costs; the most neighbours if a group is all that counts."""
    for at in plays():
        s, board = at.round.vector, at.round.board
        pale = [action for action in at.legal if action.color is not Color.RED]
        action = choice(s, at.seat, only(TRUMP_USED=1), at.touch)
        assert (action.color is Color.RED) == (not pale)
        own = sum(1 << cell(f"{rank}{c.letter}") for (c, rank), w in board.items() if w == at.seat)
        near = {action: (at.touch[cell(str(action))] & own).bit_count() for action in at.legal}
        action = choice(s, at.seat, only(JOIN=1), at.touch)
        if bonus_possible(s, at.seat):
            assert near[action] == max(near.values())
        hand = at.round.hands[at.seat]
        several = [action for action in at.legal if hand.count(action.rank) > 1]
        action = choice(s, at.seat, only(ONE_OF_SEVERAL=1), at.touch)
        assert (hand.count(action.rank) > 1) == bool(several)
        if not at.round.trick:
            action = choice(s, at.seat, only(OWN_LEAD=1), at.touch)
            ways = Counter(c for c, rank in open_cells(at.round, at.seat) if rank in hand)
            assert ways[color_of(action)] == max(ways[color_of(one)] for one in at.legal)


def test_discards_and_bids_do_what_they_say() -> None:
    """A rank held most often; the allowed number that is nearest to what is expected."""
    for at in asked():
        s, hand = at.round.vector, at.round.hands[at.seat]
        if at.round.phase is Phase.DISCARD:
            action = choice(s, at.seat, only(COPIES_ASIDE=1), at.touch)
            assert hand.count(action.rank) == max(map(hand.count, hand))
        if at.round.phase is Phase.BID:
            for tricks in range(6):
                action = choice(s, at.seat, only(BASE=tricks * UNIT), at.touch)
                away = {option: abs(option.number - tricks) for option in at.legal}
                assert away[action] == min(away.values())


# ── Other tables ─────────────────────────────────────────────────────────────────────────────

ODD = (
    first_lead("56 36 29", bids=(1, 1, 1)),
    first_lead("1123 2234", turned="345", ranks=5),
    first_lead("11223 44556", turned="789", face="purple"),
    first_lead("99998 11112 22333", starter=2, bids=(1, 3, 4), face="purple"),
    Round(Setup(("112", "222"), aside="111", deck=Deck(2, 3))),
    Round(Setup(("11111", "22222", "33333", "44444", "55555"), deck=Deck(9, 5))),
    Round(Setup(("11223344556677", "11223344556677"), deck=Deck(9, 14))),
)


@pytest.mark.parametrize("round", ODD, ids=repr)
def test_it_plays_at_tables_made_up_for_study(round: Round) -> None:
    """Decks of any size, positions that begin late: legal to the end, compiled the same."""
    rng = Random(7)
    think = cpu.tactics().careful.careful_action
    row, near = numpy.array(WEIGHTS[round.players]), numpy.array(round.face.touch)
    while not round.over:
        seat, g = round.to_act[0], rng.getrandbits(62)
        action = choice(round.vector, seat, WEIGHTS[round.players], round.face.touch, g)
        scratch = numpy.zeros(RATINGS, dtype=numpy.int64)
        assert action.id == think(numpy.array(round.vector), seat, row, near, scratch, g)
        round = round.play(action, seat)
    assert round.scores is not None
