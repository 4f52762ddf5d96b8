"""A JSON codec for structs: strict when it reads, canonical when it writes.

msgspec does the work. `json_errors` turns its errors into sentences for people, and finds keys that
appear twice, which msgspec accepts.

>>> from catinthebox.protocol.fields import Part
>>> class Said(Part, frozen=True):
...     seat: int
...     text: str = ""
>>> said = Codec(Said)
>>> said.write(Said(1, "hello"))
b'{"seat":1,"text":"hello"}'
>>> said.read(b'{"seat":1,"text":"hello"}')
Said(seat=1, text='hello')
>>> said.read(b'{"seat":true,"text":"hello"}')
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: seat: a whole number belongs here, not true
>>> said.read_loosely(b'{ "seat": 1 }')
Said(seat=1, text='')
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec.inspect import Type, type_info

from ..game import Action, CatInTheBoxError, NotUnderstood
from ..game.action import BY_NOTATION
from . import json_errors

T = TypeVar("T")

MAX_BYTES: Final = 65_536  # far more than any event or message has
NOT_CANONICAL: Final = "not in canonical form: every field, in order, without blanks, in UTF-8"
TOO_DEEP: Final = "lists or objects are nested too deeply"


class Codec(Generic[T]):
    """Writes and reads the JSON of one type: a struct, or a union of tagged structs.

    Fields are written in the order in which they are defined, or `sorted`.
    """

    def __init__(self, kind: Any, order: Literal["deterministic", "sorted"] = "deterministic"):
        self._encoder = msgspec.json.Encoder(enc_hook=encoded_action, order=order)
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind, dec_hook=decoded_action)
        self._kind = kind
        self.write = self._encoder.encode

    def read(self, text: bytes) -> T:
        """Read what this project wrote itself: exactly the bytes that `write` returns."""
        value = self._decoded(text)
        if self.write(value) != text:
            json_errors.parsed(text)
            raise NotUnderstood("input.json", NOT_CANONICAL)
        return value

    def read_loosely(self, text: bytes) -> T:
        """Read what others wrote: with blanks, without fields that have a default."""
        value = self._decoded(text)
        if self.write(value) != text:
            json_errors.parsed(text)  # a key may appear twice
        return value

    def _decoded(self, text: bytes) -> T:
        if len(text) > MAX_BYTES:
            raise NotUnderstood("input.line", f"longer than {MAX_BYTES} bytes")
        try:
            return self._decoder.decode(text)
        except RecursionError:
            raise NotUnderstood("input.json", TOO_DEEP) from None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise json_errors.explained(error, self._type, text) from None

    @cached_property
    def _type(self) -> Type:
        return type_info(self._kind)


def encoded_action(value: object) -> str:
    """Write an action in notation: the only type in a message that is not JSON's or a struct."""
    if isinstance(value, Action):
        return value.notation
    raise TypeError(f"a {type(value).__name__} is not for others")  # such as a whole round


def decoded_action(kind: type, value: object) -> Action:
    """Read an action; msgspec adds the place to these errors."""
    if not isinstance(value, str):
        raise TypeError("not a text")
    if (action := BY_NOTATION.get(value)) is not None:
        return action
    try:
        return Action(value)  # explains what is wrong with it
    except CatInTheBoxError as error:
        raise ValueError(error.message) from error


encode: Final = msgspec.json.Encoder(enc_hook=encoded_action, order="deterministic").encode
"""Write a struct as JSON, fields in the order in which they are defined."""
