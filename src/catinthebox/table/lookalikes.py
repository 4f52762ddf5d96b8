"""Which characters pass for which others, and the skeleton that two names share if they look alike.

A short table of our own: letters of Cyrillic, Greek, Armenian, Cherokee and Lisu that are drawn
like Latin ones, small capitals, letters in boxes, digits, and the few kana that are drawn like Han
characters. It follows the idea of UTS #39 (skeletons), not its table of 6,000 rows.

>>> skeleton("Аdа") == skeleton("ADA")  # with Cyrillic letters, and in capitals
True
>>> skeleton("Lena") == skeleton("Iena.")
True
>>> skeleton("Zoë") == skeleton("Zoe"), skeleton("Ada") == skeleton("Ada 2")
(True, False)
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

ALIKE: Final = {  # a character, and others that are drawn like it
    "a": "аАαΑɑᴀꓮᎪ",
    "b": "вВьЬβΒƅʙꓐᏴ",
    "c": "сСϲϹᴄꓚᏟ",
    "d": "ԁđðɖᴅꓓᎠ",
    "e": "еЕєΕεᴇꓰᎬ",
    "f": "ғϜꜰꓝ",
    "g": "ɡԌɢցꓖᏀ",
    "h": "һҺнНΗħʜհꓧᎻ",
    "i": "іІιΙıɨɪꓲ",
    "j": "јЈϳᴊյꓙᎫ",
    "k": "кКκΚᴋꓗᏦ",
    "l": "ӏӀłǀɩꞁɭʟꓡᏞ",
    "m": "мМΜᴍꓟᎷ",
    "n": "пПηΝɴոꓠᏁ",
    "o": "оОοΟσøØᴏօꓳ",
    "p": "рРρΡᴘꓑᏢ",
    "q": "ԛԚզ",
    "r": "гГʀꓣᎡ",
    "s": "ѕЅ$ꜱꓢᏚ",
    "t": "тТτΤŧᴛꓔᎢ",
    "u": "υμᴜսꓴ",
    "v": "νѵѴᴠꓦᏙ",
    "w": "ԝԜωᴡꓪᎳ",
    "x": "хХχΧꓫ",
    "y": "уУүҮγΥʏꓬᎽ",
    "z": "ζΖᴢꓜᏃ",
    "3": "зЗӡʒ",
    "4": "чЧ",
    "6": "бƃ",
    "一": "ー",
    "二": "ニ",
    "八": "ハ",
    "力": "カ",
    "卜": "ト",
    "口": "ロ",
    "夕": "タ",
    "工": "エ",
    "へ": "ヘ",
    "り": "リ",
}
BOXED: Final = (0x1F150, 0x1F170, 0x1F1E6)  # A in a black circle, in a black square, of a flag
LETTERS: Final = {
    **{ord(other): plain for plain, others in ALIKE.items() for other in others},
    **{box + place: chr(ord("a") + place) for box in BOXED for place in range(26)},
}
SHAPES: Final = str.maketrans({"i": "l", "1": "l", "0": "o", "5": "s", "m": "rn", "w": "vv"})
DIACRITICS: Final = (range(0x300, 0x370), range(0x1AB0, 0x1B00), range(0x1DC0, 0x1E00))
MODIFIERS: Final = range(0x2B0, 0x300)  # raised commas and the like
UNSEEN: Final = frozenset({"Zs", "Sk", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"})


@lru_cache(maxsize=1024)
def skeleton(name: str) -> str:
    """Give what a name looks like at a glance: without case, accents, blanks and punctuation."""
    bare = "".join(filter(_counts, unicodedata.normalize("NFKD", name)))
    return bare.translate(LETTERS).casefold().translate(LETTERS).translate(SHAPES)


def _counts(character: str) -> bool:
    code = ord(character)
    if code in MODIFIERS or any(code in block for block in DIACRITICS):
        return False
    return unicodedata.category(character) not in UNSEEN


def look_alike(one: str, other: str) -> bool:
    """Whether a reader could take one name for the other."""
    return one.casefold() == other.casefold() or skeleton(one) == skeleton(other)
