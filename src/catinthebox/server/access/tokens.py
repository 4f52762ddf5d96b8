"""Tokens, by which people are identified: a client sends its own in a header or a message.

A token is 256 random bits in 43 characters of base64url. A client draws one and keeps it, or
requests one. The server stores nothing but its SHA-256, and that only for people with a seat.

>>> from random import Random
>>> token = new_token(Randomness(Random(1)))
>>> token, len(person(token))
('9bFlIkpYt5HfavHYMD5hzcS7hsPRxCcQPDRMQYnrLx4', 64)
>>> person("")  # a spectator without a token
''
>>> bearer(["Bearer swordfish"])
Traceback (most recent call last):
    ...
catinthebox.server.errors.NoToken: a token is 256 random bits: 43 characters of base64url
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Final

from ...protocol.fields import TOKEN_PATTERN
from ...table import token_hash
from ..errors import NoToken
from ..live.randomness import Randomness

BYTES: Final = 32
TOKEN: Final = re.compile(TOKEN_PATTERN, re.ASCII)
SCHEME: Final = "bearer"
NOT_A_TOKEN: Final = "a token is 256 random bits: 43 characters of base64url"
NOT_A_BEARER: Final = "send one header: Authorization: Bearer TOKEN"


def new_token(chance: Randomness) -> str:
    """Return a new random token."""
    return urlsafe_b64encode(chance.bytes(BYTES)).rstrip(b"=").decode()


def person(token: str) -> str:
    """Return the hash of a token, which tables know a person by; an empty text without a token."""
    if not token:
        return ""
    if not TOKEN.fullmatch(token):
        raise NoToken(NOT_A_TOKEN)
    return token_hash(token)


def bearer(headers: Sequence[str]) -> str:
    """Return the hash of the token in a request's `Authorization` headers."""
    return person(_token(headers))


def bearer_for_days(headers: Sequence[str]) -> str:
    """Return another hash of that token, for the tables of the day.

    It does not follow from the hash by which tables know a person, nor that one from it.

    >>> token = "9bFlIkpYt5HfavHYMD5hzcS7hsPRxCcQPDRMQYnrLx4"
    >>> bearer_for_days([f"Bearer {token}"]) == person(token), bearer_for_days([])
    (False, '')
    """
    token = _token(headers)
    return token_hash(f"days {token}") if person(token) else ""


def _token(headers: Sequence[str]) -> str:
    if not headers:
        return ""
    scheme, _, token = headers[0].partition(" ")
    if len(headers) > 1 or scheme.lower() != SCHEME or not token:
        raise NoToken(NOT_A_BEARER)
    return token


def same(one: str, other: str) -> bool:
    """Compare two hashes of tokens in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())
