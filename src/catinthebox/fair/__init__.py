"""Fair deals: cards that nobody can choose, and proof of it when the game is over.

`deals` is the method of docs/fairness.md, `proof` checks a finished game by it. Anybody who has a
record can do that: only the standard library is needed. `daily` is the deal of a day, by the same
method.

>>> commit(bytes(32), "lab-7")[:16]  # shown before anybody sits down
'c36da1945ecb820d'
"""

from .deals import FairDeal, commit, deal, promise, shuffle, starter_by_lot
from .proof import Finding, proven, verify

__all__ = [
    "FairDeal",
    "Finding",
    "commit",
    "deal",
    "promise",
    "proven",
    "shuffle",
    "starter_by_lot",
    "verify",
]
