"""Numbers, lists, names and sections in WebAssembly's binary format.

>>> unsigned(624485).hex(), signed(-123456).hex()
('e58e26', 'c0bb78')
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

HEADER: Final = b"\0asm\1\0\0\0"
LOW: Final = 0x7F  # seven bits of a number in each byte …
MORE: Final = 0x80  # … and one that says that others follow


def unsigned(number: int) -> bytes:
    """Encode a number that is not negative (LEB128)."""
    out = bytearray()
    while number > LOW:
        out.append(number & LOW | MORE)
        number >>= 7
    return bytes([*out, number])


def signed(number: int) -> bytes:
    """Encode a number of either sign (LEB128)."""
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & LOW | MORE)
        number >>= 7
    return bytes([*out, number & LOW])


def float32(number: float) -> bytes:
    """Encode a floating-point number of 32 bits."""
    return struct.pack("<f", number)


def float64(number: float) -> bytes:
    """Encode a floating-point number."""
    return struct.pack("<d", number)


def vector(items: Sequence[bytes]) -> bytes:
    """Encode a list: how many items, then the items."""
    return unsigned(len(items)) + b"".join(items)


def sized(content: bytes) -> bytes:
    """Encode bytes with their number in front."""
    return unsigned(len(content)) + content


def name(text: str) -> bytes:
    """Encode a name."""
    return sized(text.encode())


def section(number: int, content: bytes) -> bytes:
    """Encode a section of a module."""
    return bytes([number]) + sized(content)
