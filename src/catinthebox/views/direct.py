"""What is known of a round at this moment, read from the round itself: for showing every move.

`public_round` returns what lies open (R32), `mine` what each seat knows beyond that: its own cards
(R33). Views have properties of the same names and say the same, but they are built event by event.
For the public part only the public slots of the vector are read (`rules.sight.observe`), and of a
discard only that it is there: a test changes all others.

>>> from catinthebox.game import Round
>>> dealt = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> public = public_round(round := dealt.replay("-2 -3 -4 =1 =3 =4 5b"))
>>> public.board_rows
('......', '....0.', '......', '......')
>>> public.trick, public.hand_sizes, public.bids
((Play(seat=0, action=Action('5b')),), (8, 9, 9), (1, 3, 4))
>>> _, second, _ = mine(round)
>>> second.discard, second.notations[:3]
(3, ('1r', '2r', '3r'))
>>> f"{second.hand:o}"  # an octal digit for each rank, rank 1 last
'122112'
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from ..game import ACTIONS, Color, Face, Phase, Play, Round
from ..game.action import PHASES
from ..rules.actions import legal_actions
from ..rules.layout import (
    BEST,
    BID,
    BOARD,
    DISCARD,
    DISCARDING,
    FREE,
    HAND,
    LANE,
    LEADER,
    LEFT,
    MAX_RANK,
    MAY,
    OVER,
    OWN,
    PHASE,
    PLAYERS,
    RED_OPEN,
    ROW,
    SEAT,
    STARTER,
    TRICK,
    TURN,
    WON,
    State,
)
from ..rules.score import largest_group
from ..rules.sight import could_be

EMPTY, NEUTRAL, OWNER = b".*0"  # characters of a cell: no token, a neutral one, one of seat 0
LANES: Final = [LANE * color for color in Color]  # where the row of each color begins
CELL_BYTES: Final = LANE * len(Color)
ROWS_OF_TEXT: Final = [
    [slice(lane, lane + ranks) for lane in LANES] for ranks in range(MAX_RANK + 1)
]
BIDS: Final = (None, 1, 2, 3, 4)  # as they are shown: 0 in the vector is none
SPREAD: Final = [sum((row >> i & 1) << 8 * i for i in range(MAX_RANK)) for row in range(ROW + 1)]
FIRST_OF_ROW: Final = range(0, len(ACTIONS), MAX_RANK)  # plays by color, discards, bids


# ── What lies open ───────────────────────────────────────────────────────────────────────────


class PublicRound(NamedTuple):
    """What everybody sees of a round at one moment, in the words of `View`; lists are by seat."""

    phase: Phase
    starter: int
    leader: int
    red_open: bool
    trick: tuple[Play, ...]
    winning: int | None
    last_trick: tuple[Play, ...]
    board_rows: tuple[str, ...]
    groups: tuple[int, ...]
    token_letters: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    discarders: tuple[int, ...]
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    turned_up: tuple[int, ...]


def public_round(round: Round) -> PublicRound:
    """Return what everybody sees of a round."""
    s, setup = round.vector, round.setup
    players, phase = s[PLAYERS], s[PHASE]
    own, won = s[OWN : OWN + players], s[WON : WON + players]
    lead = len(round.actions) - s[TRICK].bit_count()  # the log ends in the current trick
    trick = round.actions[lead:]
    return PublicRound(
        phase=PHASES[phase],
        starter=s[STARTER],
        leader=s[LEADER],
        red_open=s[RED_OPEN] == 1,
        trick=trick,
        winning=s[BEST] & SEAT if trick and phase != OVER else None,
        last_trick=round.actions[lead - players : lead] if any(won) else (),
        board_rows=board_rows(s, setup.cards.ranks),
        groups=tuple(map(_group_finder(setup.face), own)),
        token_letters=tuple(map(color_letters, s[MAY : MAY + players])),
        hand_sizes=_hand_sizes(s, own),
        discarders=tuple(filter(s[DISCARD : DISCARD + players].__getitem__, range(players))),
        bids=tuple(map(BIDS.__getitem__, s[BID : BID + players])),
        won=tuple(won),
        turned_up=tuple(map(int, setup.turned_up)),
    )


def _hand_sizes(s: State, own: list[int]) -> tuple[int, ...]:
    """Return how many cards every seat holds (`rules.sight.hand_size`)."""
    size, trick = s[LEFT] + 1, s[TRICK]  # R19: one card stays in the hand
    if s[PHASE] == DISCARDING:
        return tuple([size + (s[DISCARD + seat] == 0) for seat in range(len(own))])
    return tuple([size - (tokens & trick != 0) for tokens in own])


def board_rows(v: State, ranks: int) -> tuple[str, ...]:
    """Return the rows of the board as text, red first, a character for every rank from 1.

    `.` is an empty cell, a digit the seat whose token lies there, `*` a neutral token. All cells
    start as neutral ones in the bytes of one integer; differences between characters are added.
    """
    cells = ALL_NEUTRAL + (EMPTY - NEUTRAL) * _bytes_of(v[FREE])
    for difference, own in enumerate(v[OWN : OWN + v[PLAYERS]], start=OWNER - NEUTRAL):
        cells += difference * _bytes_of(own)
    text = cells.to_bytes(CELL_BYTES, "little").decode()
    return tuple(map(text.__getitem__, ROWS_OF_TEXT[ranks]))


@lru_cache(maxsize=16_384)
def _bytes_of(cells: int) -> int:
    """Widen a set of cells from a bit to a byte each. Cached: a move changes one seat's cells."""
    red, blue, yellow, green = [SPREAD[cells >> lane & ROW] for lane in LANES]
    return red | blue << 8 * LANE | yellow << 16 * LANE | green << 24 * LANE


ALL_NEUTRAL: Final = NEUTRAL * _bytes_of(BOARD)


@lru_cache(maxsize=64)
def _group_finder(face: Face) -> Callable[[int], int]:
    """Return a cached `largest_group` for a face: a move changes the tokens of one seat."""
    touch = face.touch
    return lru_cache(maxsize=16_384)(lambda tokens: largest_group(tokens, touch))


@cache
def color_letters(cells: int) -> str:
    """Return the letters of the colors whose row contains at least one of some cells: 'rbg'."""
    rows = zip(Color, LANES, strict=True)
    return "".join([color.letter for color, lane in rows if cells >> lane & ROW])


# ── What one seat knows ──────────────────────────────────────────────────────────────────────


class Mine(NamedTuple):
    """The own cards of a seat, as the rules hold them."""

    hand: int  # counts per rank: an octal digit for each, rank 1 last
    discard: int  # the rank set aside, 0 = none yet
    could_be: int  # the cells that cards of the hand could still take (R12, R13)
    legal: int  # everything the seat may do now, as a set of action ids

    @property
    def notations(self) -> tuple[str, ...]:
        """Everything the seat may do now, in notation."""
        ids = self.legal
        found: tuple[str, ...] = ()
        for first in FIRST_OF_ROW:
            if row := ids >> first & ROW:
                found += _notations(first, row)
        return found


@cache
def _notations(first: int, row: int) -> tuple[str, ...]:
    """Return the actions of a row of nine ids that are in a set; `first` is the id of the first."""
    places = [place for place in range(MAX_RANK) if row >> place & 1]
    return tuple([ACTIONS[first + place].notation for place in places])


def mine(round: Round) -> tuple[Mine, ...]:
    """Return by seat what that seat alone knows."""
    s, all_act = round.vector, round.vector[PHASE] == DISCARDING  # R7
    found: list[Mine] = []
    for seat in range(s[PLAYERS]):
        legal = legal_actions(s, seat) if all_act or seat == s[TURN] else 0
        found.append(Mine(s[HAND + seat], s[DISCARD + seat], could_be(s, seat), legal))
    return tuple(found)
