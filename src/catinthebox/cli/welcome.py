"""The words at the door: what the game is about, and what can be typed.

>>> print(HELP.splitlines()[0])
What you can type:
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..game import FACES, Game
from .screen import Screen
from .story import CAT

IDEA: Final = """\
Your cards have a rank but no color: like the cat in the box, all four at once.
Play 5b, and this 5 turns out blue: your token takes 5b on the board, for good.
The highest red wins a trick (red is trump), else the highest of the led color.
You may play another color, but then you give up the led one for the round.
If no card of yours can be any color on your turn: paradox! The round ends, and
your tricks count against you.
"""
BIDDING: Final = """\
Win exactly the tricks you bid, and your largest group of tokens is a bonus."""
NO_BIDDING: Final = """\
Win four tricks or fewer, and your largest group of tokens is a bonus."""
LEGEND: Final = "Tokens side by side form a group. (5b) can be played now, [5bX] is taken by X."
LEGEND_COLORED: Final = "Tokens side by side form a group. On the board (5b) can be played now."
UNVERIFIED: Final = "The purple face is our reading of it: the printed one is unverified (R30)."
HELP: Final = """\
What you can type:
  5b, 5 blue, b5   play a 5 as blue (r red, b blue, y yellow, g green)
  5 or -5          set a 5 aside, at the start of a round
  2 or =2          bid 2 tricks
  why 5b           why it is (not) possible, and what it costs
  hint             what a good player would do with your cards
  legal            everything you can do now
  board, hand      look at the board, at your cards; in the table of seats the
                   arrow points at who is to act, the star marks the starter
  last, scores     the last trick, the points so far
  rules, rules R14 the rules in a nutshell, or one of them
  quit             stop; the game is saved, and can go on later
"""


def welcome(screen: Screen, game: Game, seed: str, company: Sequence[str] = ()) -> list[str]:
    """Greet a person who may know nothing of the game; `company` says who the others are."""
    me = screen.me
    assert me is not None
    title = (
        f"{game.players} players, {game.face.name} face, {game.edition.name} edition, seed {seed}"
    )
    sit = f"You are {screen.names[me]}" + (
        "." if screen.look.plain else f", and your tokens look like this: {screen.symbol(me)}"
    )
    head = ["Cat in the Box", title, sit]
    if not screen.look.plain:
        head = [f"  {cat}   {line}" for cat, line in zip(CAT, head, strict=True)]
    scoring = BIDDING if game.players > 2 else NO_BIDDING
    lines = [*head, "", *IDEA.splitlines(), scoring]
    if not screen.look.plain:
        lines.append(LEGEND_COLORED if screen.look.colors else LEGEND)
    if game.face == FACES["purple"]:
        lines.append(UNVERIFIED)
    lines += [screen.wrap(f"House rule: {sentence}.", "") for sentence in game.house_rules]
    return [*lines, *company, "Type ? for help at any time, quit to stop.", ""]
