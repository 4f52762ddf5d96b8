"""The coach: what every action of a seat is worth, by what that seat may know (docs/coach.md).

>>> from catinthebox.views import Dealt, View
>>> view = View(Dealt(4, seat=1, hand="1345566788")).replay("0:-? -5 2:-? 3:-? =2 =3 =1 =1 8b")
>>> analysis = analyse(view, worlds=8, seed=1)
>>> [judged.verdict for judged in analysis.actions][0], analysis.best.loss
('best', 0.0)
>>> len(analysis.actions) == len(view.legal)
True
"""

from .analysis import CAREFUL, MIXED, NETWORK, Analysis, Judged, Prospect, analyse
from .reasons import Reason, sentence, why
from .rollouts import Method

__all__ = [
    "CAREFUL",
    "MIXED",
    "NETWORK",
    "Analysis",
    "Judged",
    "Method",
    "Prospect",
    "Reason",
    "analyse",
    "sentence",
    "why",
]
