"""Structs as JSON and back, strictly: what is written is canonical, what is read is checked.

msgspec writes and reads. What it would let pass (a key that appears twice) or explains to
programmers only is looked at once more by `faults`, which names the place and what belongs there.

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
catinthebox.game.errors.NotUnderstood: seat: a whole number belongs here, not True
>>> said.read_loosely(b'{ "seat": 1 }')
Said(seat=1, text='')
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec
from msgspec.inspect import Type, type_info

from ..game import Action, NotUnderstood
from . import json_errors

T = TypeVar("T")

MAX_BYTES: Final = 65_536  # a limit on everything: no event or message comes near it
NOT_CANONICAL: Final = "not in canonical form: fields in their order, no blanks, UTF-8"


class Codec(Generic[T]):
    """Writes and reads one kind of thing: a struct, or a union of tagged structs.

    Fields are written in the order in which they are defined, or `sorted`.
    """

    def __init__(self, kind: Any, order: Literal["deterministic", "sorted"] = "deterministic"):
        self._encoder = msgspec.json.Encoder(enc_hook=_text, order=order)
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind, dec_hook=_made)
        self._kind = kind
        self.write = self._encoder.encode

    def read(self, line: bytes) -> T:
        """Read what the project wrote itself: the very bytes that `write` gives."""
        value = self._read(line, whole=True)
        if self.write(value) != line:
            self._look(line, whole=True)
            raise NotUnderstood("input.json", NOT_CANONICAL)
        return value

    def read_loosely(self, line: bytes) -> T:
        """Read what others wrote: with blanks, without fields that have a default."""
        value = self._read(line, whole=False)
        if self.write(value) != line:
            json_errors.parsed(line)  # msgspec has read it, but would not mind a double key
        return value

    def _read(self, line: bytes, whole: bool) -> T:
        if len(line) > MAX_BYTES:
            raise NotUnderstood("input.line", f"longer than {MAX_BYTES} bytes")
        try:
            return self._decoder.decode(line)
        except (msgspec.MsgspecError, NotUnderstood, UnicodeDecodeError, RecursionError) as error:
            self._look(line, whole)
            raise NotUnderstood("input.value", f"not understood: {error!s:.80}") from None

    def _look(self, line: bytes, whole: bool) -> None:
        """Raise an error that explains, if anything is wrong."""
        json_errors.check(self._fields, line, whole=whole)

    @cached_property
    def _fields(self) -> Type:
        return type_info(self._kind)


def _text(value: object) -> str:
    """Write the only type that is no struct: an action, in notation."""
    if isinstance(value, Action):
        return value.notation
    raise TypeError(f"a {type(value).__name__} is not for others")  # a whole round, say


def _made(kind: type, value: object) -> object:
    """Read it."""
    if kind is Action and isinstance(value, str):
        return Action(value)
    raise ValueError("no action")
