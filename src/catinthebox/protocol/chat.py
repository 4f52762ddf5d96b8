"""Chat at a table: the preset phrases, and the history, with a rule that nobody can flood it.

The history holds `CHAT_KEPT` messages. One more removes the oldest message of a person who has
left; if all authors are still seated, the oldest one of the person who wrote most. So somebody who
returns under many names displaces only their own messages. A client that applies the same rule has
the same history as a snapshot.

>>> ada, ben = ChatMessage(0, "Ada", "hello", True, 1), ChatMessage(1, "Ben", "wow", True, 2)
>>> chat_history((ada, ben, ben), seated={(0, "Ada"), (1, "Ben")}, most=2) == (ada, ben)
True
>>> chat_history((ada, ben, ben), seated={(1, "Ben")}, most=2) == (ben, ben)
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

PRESETS: Final = (
    *("hello", "thanks", "sorry", "well_played", "good_game", "your_turn", "thinking", "back_soon"),
    *("laugh", "wow", "oops", "paradox"),
)
"""Names of the phrases that anybody may say; clients show them in the user's language."""
TEXT_SIZE: Final = 200  # characters of a text of one's own
CHAT_KEPT: Final = 50

Author: TypeAlias = tuple[int, str]
"""A seat and the name of the person in it at the time."""


class ChatMessage(NamedTuple):
    """A message in the chat of a table."""

    seat: int
    name: str
    text: str
    preset: bool
    at: int


class Authored(Protocol):
    """A chat message, in the state of a table (`ChatMessage`) or as it is sent (`Spoken`)."""

    @property
    def seat(self) -> int:
        """The author's seat."""

    @property
    def name(self) -> str:
        """The author's name."""


M = TypeVar("M", bound=Authored)


def chat_history(
    messages: tuple[M, ...], seated: AbstractSet[Author], most: int = CHAT_KEPT
) -> tuple[M, ...]:
    """Return the messages that are kept, the oldest first; `seated` are the people seated now."""
    while len(messages) > most:
        index = _expendable(messages, seated)
        messages = messages[:index] + messages[index + 1 :]
    return messages


def _expendable(messages: tuple[M, ...], seated: AbstractSet[Author]) -> int:
    """Return the index of the message to remove."""
    authors = [(message.seat, message.name) for message in messages]
    gone = [index for index, author in enumerate(authors) if author not in seated]
    if gone:
        return gone[0]
    (busiest, _), *_ = Counter(authors).most_common(1)  # of several, the one who wrote first
    return authors.index(busiest)
