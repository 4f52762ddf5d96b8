"""Tiny rounds in which play has proved something about a hidden hand, found by search.

`barred`: a red lead (R14b) excludes ranks. `turn`: the seat on turn might have been stuck, and is
not (R20). `both`: one seat each. `same`: both for one seat.
"""

from __future__ import annotations

from catinthebox import Deck, Round, Setup

FIVE = Deck(ranks=3, dealt=5)
EIGHT = Deck(ranks=4, dealt=8)

PROVED: dict[str, tuple[Round, ...]] = {
    "barred": (
        Round(Setup(("112", "222"), aside="111", deck=Deck(2, 3))).replay("-2 -2 1r"),
        Round(Setup(("11122", "12233", "12333"), deck=FIVE)).replay(
            "-1 -3 -2 =4 =1 =4 2y 3b 1g 2g 1b 3g 3r"
        ),
        Round(Setup(("23333", "11223", "11122"), starter=2, deck=FIVE)).replay(
            "-2 -3 -2 =3 =4 =4 2y 3g 1g 1b 3b 2b 3r 2g"
        ),
    ),
    "turn": (
        Round(Setup(("11233", "11233", "12223"), deck=FIVE)).replay(
            "-3 -2 -3 =1 =4 =4 2y 3r 1b 3g 2b 3b 1r"
        ),
        Round(Setup(("11123", "22233", "11233"), starter=2, deck=FIVE)).replay(
            "-1 -3 -2 =4 =1 =1 3y 1g 2b 1b 3g 2g 1y 2r"
        ),
    ),
    "both": (
        Round(Setup(("13333", "11122", "12223"), starter=1, deck=FIVE)).replay(
            "-3 -1 -1 =1 =1 =1 1y 2g 1b 2b 3b 3g 2r"
        ),
        Round(Setup(("11123", "12233", "12233"), deck=FIVE)).replay(
            "-2 -1 -1 =1 =3 =3 1y 2b 3g 1g 3b 2g 2r 1b"
        ),
    ),
    "same": (
        Round(Setup(("2233444", "1112233"), aside="441", deck=EIGHT, discarded=True)).replay(
            "2b 1b 2y 3g 3y 3b 4b 2g 3r 2r"
        ),
        Round(Setup(("22223344", "11112444"), starter=1, aside="133", deck=EIGHT)).replay(
            "-4 -1 1b 3b 4y 4g 2g 2b 2y 4b 2r 4r 1r"
        ),
        Round(
            Setup(("223444", "111344"), starter=1, aside="232", deck=Deck(4, 7), discarded=True)
        ).replay("3b 4g 1y 4y 3y 1b 2r 1g"),
    ),
}
