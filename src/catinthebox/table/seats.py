"""Who sits where: a person known by the hash of a secret token, a bot by its level, or nobody.

>>> token_hash("a secret that only one browser knows")[:12]
'7dd52ac4a971'
>>> Bot("sharp").name, isinstance(Empty(), Person)
('sharp', False)
"""

from __future__ import annotations

import hashlib
import re
from typing import ClassVar, Final, TypeAlias

from msgspec import Struct

from ..game import NotUnderstood
from ..game.errors import quoted
from ..game.game import NAME

HASH: Final = re.compile(r"[0-9a-f]{64}")
NONCE: Final = re.compile(r"([0-9a-f]{64})?")
WORKER: Final = "worker"  # who plays for bots; no hash looks like this
NAME_SIZE: Final = 40


class Empty(Struct, frozen=True):
    """Nobody sits here."""

    name: ClassVar[str] = ""
    token: ClassVar[str] = ""
    nonce: ClassVar[str] = ""


class Bot(Struct, frozen=True):
    """A bot sits here; the level is a name that the bots' worker understands."""

    level: str
    token: ClassVar[str] = ""
    nonce: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """The name that others see."""
        return self.level[:NAME_SIZE]


class Person(Struct, frozen=True):
    """A person sits here, perhaps away; while `covered`, a bot plays for them."""

    name: str
    token: str  # its SHA-256
    nonce: str  # their part of the chance, in hexadecimal digits
    here: bool
    since: int  # when they came or went, in milliseconds
    covered: bool = False
    cat: str = ""  # what clients draw their cat from


Occupant: TypeAlias = Empty | Bot | Person


def token_hash(token: str) -> str:
    """Return the only form in which a table knows a secret token."""
    return hashlib.sha256(token.encode()).hexdigest()


def checked_name(name: str) -> str:
    """Return a tidied name, or raise an error."""
    if not NAME.fullmatch(name) or not name.isprintable():
        sentence = f"{quoted(name)} is not a name: 1 to 40 printable characters, no '|'"
        raise NotUnderstood("input.name", sentence)
    return name


def checked_nonce(nonce: str) -> str:
    """Return a nonce, or raise an error."""
    if not NONCE.fullmatch(nonce):
        raise NotUnderstood("input.nonce", "a nonce is 64 hexadecimal digits, or empty")
    return nonce
