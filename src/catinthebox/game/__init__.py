"""The objects people import: a game in its own words, with errors that explain."""

from .action import ACTIONS, Action, Phase
from .audit import Broken, audit
from .color import Color
from .edition import EDITIONS, Edition
from .errors import BadSetup, CatInTheBoxError, NotLegal, NotUnderstood, NotYourTurn, Refusal
from .face import FACES, Face
from .fairness import Fairness
from .game import Game, standing
from .legal import LegalActions
from .paradox import Paradox
from .round import NEUTRAL, Play, Round, Trick
from .setup import Deck, Setup

__all__ = [
    "ACTIONS",
    "EDITIONS",
    "FACES",
    "NEUTRAL",
    "Action",
    "BadSetup",
    "Broken",
    "CatInTheBoxError",
    "Color",
    "Deck",
    "Edition",
    "Face",
    "Fairness",
    "Game",
    "LegalActions",
    "NotLegal",
    "NotUnderstood",
    "NotYourTurn",
    "Paradox",
    "Phase",
    "Play",
    "Refusal",
    "Round",
    "Setup",
    "Trick",
    "audit",
    "standing",
]
