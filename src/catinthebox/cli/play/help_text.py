"""The help texts: a welcome, the commands, and one sentence for each clause of the rules.

>>> print(HELP.splitlines()[0])
What you can type:
>>> print(clause("r12"))
R12  The cell must be empty: every (color, rank) exists once per round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...game import FACES, Game, NotUnderstood
from .narration import CAT
from .screen import Screen

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
  hint, hint all   what the coach would do with your cards, and why
  legal            everything you can do now
  board, hand      look at the board, at your cards; in the table of seats the
                   arrow points at who is to act, the star marks the starter
  last, scores     the last trick, the points so far
  rules, rules R14 the rules in a nutshell, or one of them
  quit             stop; the game is saved, and can go on later
"""


CLAUSES: Final = {
    "R1": "A game has as many rounds as players.",
    "R2": "After each round the next seat clockwise is the starter.",
    "R3": "The highest total wins; on a tie the higher score of the final round; else shared.",
    "R4": "Every round begins with an empty board and four color tokens for each seat.",
    "R5": "There are five cards of each rank; the hands are secret.",
    "R6": "Two players: three cards are turned up, and neutral tokens block their cells.",
    "R7": "Everybody sets one card aside, face down; nobody sees it this round.",
    "R8": "From the starter on, each seat bids how many tricks it will win.",
    "R9": "Two players do not bid.",
    "R10": "The starter leads first, then the winner of each trick; play goes clockwise.",
    "R11": "To play is to name a card's color: your token takes that cell of the board.",
    "R12": "The cell must be empty: every (color, rank) exists once per round.",
    "R13": "You must still hold the token of the color you name.",
    "R14": "Red may not be led until somebody has played red, or you can name nothing else.",
    "R15": "You never have to follow the led color, and may play red at any time.",
    "R16": "Who does not follow the led color loses that color's token for the round.",
    "R17": "A seat always keeps at least one color.",
    "R18": "The highest red card wins the trick; without red, the highest of the led color.",
    "R19": "The round ends when everybody has one card left; it is not played.",
    "R20": "Who is on turn and cannot play any card in any color causes a paradox.",
    "R21": "A paradox ends the round at once; nobody wins the trick, the tokens stay.",
    "R22": "The hand that caused a paradox is shown to all.",
    "R23": "Every trick you won is 1 point.",
    "R24": "Who caused a paradox loses 1 point per trick won instead, and gets no bonus.",
    "R25": "The bonus is yours if you won exactly as many tricks as you bid.",
    "R26": "Two players: the bonus is yours if you won four tricks or fewer.",
    "R27": "The bonus is 1 point per token of your largest group; diagonals do not connect.",
    "R28": "A face of the board says where each cell lies; cells side by side touch.",
    "R29": "White: four straight rows, red, blue, yellow, green; a column is a rank.",
    "R30": "Purple: each row lies one column further right (the printed one is unverified).",
    "R31": "Which face is printed for how many players; others are house rules.",
    "R32": "Public: the board, color tokens, bids, tricks, played cards, hand sizes, scores.",
    "R33": "Secret: hands and the cards set aside; only a paradox opens a hand.",
    "R34": "The first edition is for 3 or 4 players and covers lost colors.",
}


def welcome(screen: Screen, game: Game, seed: str, company: Sequence[str] = ()) -> list[str]:
    """Return a greeting for a new player; `company` introduces the opponents."""
    me = screen.me
    assert me is not None
    title = (
        f"{game.players} players, {game.face.name} face, {game.edition.name} edition, seed {seed}"
    )
    sit = f"You are {screen.names[me]}" + (
        "." if screen.terminal.plain else f", and your tokens look like this: {screen.symbol(me)}"
    )
    head = ["Cat in the Box", title, sit]
    if not screen.terminal.plain:
        head = [f"  {cat}   {line}" for cat, line in zip(CAT, head, strict=True)]
    scoring = BIDDING if game.players > 2 else NO_BIDDING
    lines = [*head, "", *IDEA.splitlines(), scoring]
    if not screen.terminal.plain:
        lines.append(LEGEND_COLORED if screen.terminal.colors else LEGEND)
    if game.face == FACES["purple"]:
        lines.append(UNVERIFIED)
    lines += [screen.wrap(f"House rule: {sentence}.", "") for sentence in game.house_rules]
    return [*lines, *company, "Type ? for help at any time, quit to stop.", ""]


def clause(name: str) -> str:
    """Return one clause, or all of them for an empty name."""
    name = name.strip().upper()
    if not name:
        return "\n".join(f"{name:<4} {sentence}" for name, sentence in CLAUSES.items())
    name = name if name.startswith("R") else f"R{name}"
    if name not in CLAUSES:
        raise NotUnderstood("input.clause", f"there is no rule {name}; rules are R1 to R34")
    return f"{name}  {CLAUSES[name]}"
