r"""What people may be called: tidied, in letters that belong together, never a bot's name.

A name is written in its plainest form (NFKC) without anything invisible, so that what is stored is
what is seen. Letters are of one script, or of scripts that are written together (the level "highly
restrictive" of UTS #39). Emoji are welcome; what joins several into one is invisible and dropped.
Only newcomers are held to this: a name in an old log is read as it is.

>>> tidy_name("Ａda\u034f \u3164 L."), tidy_name("Mimi 🐈"), tidy_name("ミミ2号")
('Ada L.', 'Mimi 🐈', 'ミミ2号')
>>> tidy_name("\u0410da")
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: Аda mixes Cyrillic and Latin: take letters of one script
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import groupby, pairwise
from typing import Final

from ..game import NotUnderstood
from ..game.errors import quoted
from .seats import NAME_SIZE, checked_name

BOTS: Final = (  # what bots are called, here and in the languages of the browser client
    *("gentle", "steady", "sharp", "fierce", "uncanny"),
    *("Quark", "Muon", "Myon", "Photon", "Gluon", "Boson"),
    *("クォーク", "ミュオン", "フォトン", "グルーオン", "ボソン"),
)
MARKS: Final = 3  # on one letter; pointed Hebrew needs as many
RAW_SIZE: Final = 10 * NAME_SIZE  # nobody's name is so long before it is tidied

# ── What is seen ─────────────────────────────────────────────────────────────────────────────

INVISIBLE: Final = (  # default ignorable code points of Unicode, then others that show nothing
    *(range(0xAD, 0xAE), range(0x34F, 0x350), range(0x61C, 0x61D), range(0x115F, 0x1161)),
    *(range(0x17B4, 0x17B6), range(0x180B, 0x1810), range(0x200B, 0x2010), range(0x202A, 0x202F)),
    *(range(0x2060, 0x2070), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFEFF, 0xFF00)),
    *(range(0xFFA0, 0xFFA1), range(0xFFF0, 0xFFFD), range(0x1BCA0, 0x1BCA4)),
    *(range(0x1D173, 0x1D17B), range(0xE0000, 0xE1000)),
    *(range(0x2800, 0x2801), range(0x16FE4, 0x16FE5), range(0x1D159, 0x1D15A)),
)


def tidy_name(text: str) -> str:
    """Return a name as it will be shown; an error says why it cannot be one."""
    if len(text) > RAW_SIZE:
        raise _not_a_name(text, f"at most {NAME_SIZE} characters")
    if any(unicodedata.category(one) == "Cc" for one in text.strip()):
        raise _not_a_name(text, "it contains a control character, such as a line break")
    name = _plain(text)
    while (plainer := _plain(name)) != name:  # what was apart may have come together
        name = plainer
    if text and not name:
        sentence = f"nothing visible is left of that name: 1 to {NAME_SIZE} characters"
        raise NotUnderstood("input.name", sentence)
    checked_name(name)
    _check_marks(name)
    if not skeleton(name):
        raise _not_a_name(name, "it needs a letter, a digit or an emoji")
    _check_scripts(name)
    return name


def _plain(text: str) -> str:
    """Normalize a name: compatibility forms, invisible characters, blanks."""
    seen = "".join(map(_shown, unicodedata.normalize("NFKC", text)))
    return unicodedata.normalize("NFKC", " ".join(seen.split()))


def _shown(character: str) -> str:
    """Return a character, a blank for any white space, nothing if it is invisible."""
    if character.isspace():
        return " "
    code = ord(character)
    hidden = unicodedata.category(character) == "Cf"
    return "" if hidden or any(code in block for block in INVISIBLE) else character


def _check_marks(name: str) -> None:
    """Raise an error unless marks are on letters, few on each: more would cover other text."""
    if unicodedata.category(name[0])[0] == "M":
        raise _not_a_name(name, "it begins with a mark that belongs on a letter")
    for marked, group in groupby(name, key=lambda one: unicodedata.category(one)[0] == "M"):
        marks = "".join(group)
        doubled = any(one == other for one, other in pairwise(marks))
        if marked and (len(marks) > MARKS or doubled or _encloses(marks)):
            raise _not_a_name(name, f"at most {MARKS} different marks on a letter, none around it")


def _encloses(marks: str) -> bool:
    return any(unicodedata.category(mark) == "Me" for mark in marks)


def _not_a_name(name: str, hint: str) -> NotUnderstood:
    return NotUnderstood("input.name", f"{quoted(name)} is not a name: {hint}")


# ── Scripts ──────────────────────────────────────────────────────────────────────────────────

TOGETHER: Final = (  # scripts that are written together (UTS #39, highly restrictive)
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
    frozenset({"Latin", "Han", "Hangul"}),
)
SCRIPTS: Final = {  # the first word of a character's name, where it is not its script
    **{"CJK": "Han", "IDEOGRAPHIC": "Han", "HANGZHOU": "Han"},
    **{"HENTAIGANA": "Hiragana", "KATAKANA-HIRAGANA": "Katakana", "VERTICAL": "Katakana"},
    **{"ARABIC-INDIC": "Arabic", "EXTENDED": "Arabic"},
    **{"COMBINING": "", "MODIFIER": ""},  # at home in any script
}


@cache
def script(character: str) -> str:
    """Return the script of a letter, mark or digit; nothing for what every script uses.

    Python knows no scripts, but the names of characters begin with them.

    >>> [script(one) for one in "aжβ猫ねネ고ㄇ"]
    ['Latin', 'Cyrillic', 'Greek', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo']
    >>> script("7"), script("!"), script("🐈")
    ('', '', '')
    """
    category = unicodedata.category(character)
    if character in "0123456789" or not (category[0] in "LM" or category in ("Nd", "Nl")):
        return ""
    word = unicodedata.name(character, "UNKNOWN").split(" ")[0]
    return SCRIPTS.get(word, word.capitalize())


def _check_scripts(name: str) -> None:
    found = set(map(script, name)) - {""}
    if len(found) > 1 and not any(found <= group for group in TOGETHER):
        *some, last = sorted(found)
        mixed = f"{', '.join(some)} and {last}"
        sentence = f"{quoted(name)} mixes {mixed}: take letters of one script"
        raise NotUnderstood("input.name_mixed", sentence)


# ── Names that look alike ────────────────────────────────────────────────────────────────────
#
# A short table of our own: letters of Cyrillic, Greek, Armenian, Cherokee and Lisu that are drawn
# like Latin ones, small capitals, letters in boxes, digits, and the few kana that are drawn like
# Han characters. It follows the idea of UTS #39 (skeletons), not its table of 6,000 rows.

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
    """Return what a name looks like at a glance: without case, accents, blanks and punctuation.

    >>> skeleton("Аdа") == skeleton("ADA")  # with Cyrillic letters, and in capitals
    True
    >>> skeleton("Lena") == skeleton("Iena.")
    True
    >>> skeleton("Zoë") == skeleton("Zoe"), skeleton("Ada") == skeleton("Ada 2")
    (True, False)
    """
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
