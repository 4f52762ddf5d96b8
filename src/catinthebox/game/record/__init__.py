"""Records: a whole game as a small readable text file (`.cat`), or the same as JSON.

A record is a game and nothing else: `read(write(game)) == game`. Reading plays the game again and
checks every claim in the file, so a record that lies is refused with the place and the clause.
The grammar is in docs/records.md.

>>> from catinthebox import Game
>>> game = Game.new(3).deal(("1223345566", "1123344556", "1122344566")).play("-2")
>>> print(write(game))
catinthebox 1
players 3
names Ada | Bohr | Curie
edition standard
face white
starter 0
<BLANKLINE>
round 1
deal 1223345566 1123344556 1122344566
discards -2
<BLANKLINE>
>>> read(write(game)) == game == read_json(write_json(game))
True
"""

from ..game import Game
from .cat import read, write
from .json_form import read_json, write_json
from .lines import RecordError

__all__ = ["RecordError", "read", "read_any", "read_json", "write", "write_json"]


def read_any(text: str) -> Game:
    """Read a record in either form: JSON begins with a brace."""
    return read_json(text) if text.lstrip().startswith("{") else read(text)
