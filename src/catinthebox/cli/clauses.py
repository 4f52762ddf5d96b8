"""The rules in a nutshell: one sentence for every clause that an answer may cite.

>>> print(clause("r12"))
R12  The cell must be empty: every (color, rank) exists once per round.
"""

from __future__ import annotations

from typing import Final

from ..game import NotUnderstood

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


def clause(name: str) -> str:
    """Give one clause, or all of them for an empty name."""
    name = name.strip().upper()
    if not name:
        return "\n".join(f"{name:<4} {sentence}" for name, sentence in CLAUSES.items())
    name = name if name.startswith("R") else f"R{name}"
    if name not in CLAUSES:
        raise NotUnderstood("input.clause", f"there is no rule {name}; rules are R1 to R34")
    return f"{name}  {CLAUSES[name]}"
