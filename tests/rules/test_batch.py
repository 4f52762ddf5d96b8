"""Rounds side by side do what single rounds do."""

from __future__ import annotations

from catinthebox import FACES
from catinthebox.rules import batch, encode
from catinthebox.rules.actions import legal_actions
from catinthebox.rules.chance import seeded
from catinthebox.rules.layout import MAX_SEATS, NOBODY, OVER, OWN, PARADOX, PHASE, SIZE, TURN, WON
from catinthebox.rules.playout import FOLLOW, UNIFORM, random_round
from catinthebox.rules.score import seat_score
from catinthebox.rules.sight import observe

TOUCH = FACES["white"].touch
ROWS = 6


def table(rows: int = ROWS, width: int = SIZE) -> list[list[int]]:
    """An empty table."""
    return [[0] * width for _ in range(rows)]


def round_number(index: int, players: int, policy: int, seed: int = 5) -> list[int]:
    """A round of a seed at its end."""
    s = [0] * SIZE
    random_round(s, players, index % players, policy, seeded(seed, index))
    return s


def test_playouts_fill_rows_with_their_own_rounds() -> None:
    """Row i is round first + i of the seed, no matter who asks."""
    for players in (2, 3, 4, 5):
        states, scores = table(), table(width=players)
        batch.playout_rows(states, scores, 5, 40, players, FOLLOW, TOUCH)
        for row in range(ROWS):
            s = round_number(40 + row, players, FOLLOW)
            assert states[row] == s
            assert scores[row] == [seat_score(s, seat, TOUCH) for seat in range(players)]


def test_sums_are_the_sums_of_the_rounds() -> None:
    """Points, tricks, plays and paradoxes."""
    sums = [0] * (2 * MAX_SEATS + 2)
    batch.playout_sums([0] * SIZE, sums, 5, 0, ROWS, 3, FOLLOW, TOUCH)
    ends = [round_number(index, 3, FOLLOW) for index in range(ROWS)]
    for seat in range(3):
        assert sums[seat] == sum(seat_score(s, seat, TOUCH) for s in ends)
        assert sums[MAX_SEATS + seat] == sum(s[WON + seat] for s in ends)
    assert sums[-2] == sum(s[OWN + seat].bit_count() for s in ends for seat in range(3))
    assert sums[-1] == sum(s[PARADOX] != NOBODY for s in ends)


def test_steps_play_on_and_deal_anew() -> None:
    """A row that ends gives its scores and begins its next round; the others give nothing."""
    states, rounds, masks = table(), list(range(ROWS)), [0] * ROWS
    actions, scores, over = [0] * ROWS, table(width=3), [False] * ROWS
    batch.deal_rows(states, rounds, 5, 3)
    ended = 0
    for number in range(60):
        batch.legal_rows(states, masks)
        assert masks == [legal_actions(s, s[TURN]) for s in states]
        batch.choose_rows(states, actions, UNIFORM, 9, number, 0)
        assert batch.refused_row(masks, actions) == NOBODY
        before = [list(s) for s in states]
        batch.step_rows(states, actions, scores, over, rounds, ROWS, 5, TOUCH)
        for row in range(ROWS):
            points = [0, 0, 0]
            after = before[row]
            if batch.step_row(after, actions[row], points, TOUCH):
                assert after[PHASE] == OVER
                batch.deal_row(after, 5, rounds[row], 3)
                ended += 1
            assert (states[row], scores[row]) == (after, points)
    assert ended > 5
    assert sum(rounds) == sum(range(ROWS)) + ROWS * ended


def test_an_illegal_action_is_found() -> None:
    """The first row whose action is out of range or not legal."""
    masks = [0b110, 0b100, 0b001]
    assert batch.refused_row(masks, [1, 2, 0]) == NOBODY
    assert batch.refused_row(masks, [1, 1, 0]) == 1
    assert batch.refused_row(masks, [1, 2, 49]) == 2
    assert batch.refused_row(masks, [-1, 2, 0]) == 0


def test_observations_are_those_of_the_seat_to_act() -> None:
    """Row by row: its view, encoded."""
    states, numbers = table(), table(width=encode.WIDTH)
    batch.deal_rows(states, list(range(ROWS)), 5, 4)
    batch.observe_rows(states, table(1), numbers)
    for row in range(ROWS):
        view, expected = [0] * SIZE, [0] * encode.WIDTH
        observe(states[row], states[row][TURN], view)
        encode.encode(view, states[row][TURN], expected)
        assert numbers[row] == expected
