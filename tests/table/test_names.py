"""What people may be called, and what passes for another name."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from pathlib import Path
from random import Random

import pytest
from live_tables import Party, refused

from catinthebox import NotUnderstood
from catinthebox.players.levels import LEVELS
from catinthebox.table import AddBot, Entry, Sat, Settings, Sit, apply, token_hash
from catinthebox.table.names import (
    ALIKE,
    BOTS,
    LETTERS,
    look_alike,
    script,
    skeleton,
    tidy_name,
)

MESSAGES = Path(__file__).resolve().parents[2] / "web" / "messages"
CYRILLIC_ADA = "\u0410\u0434\u0430"  # all of it Cyrillic, and unlike any Latin name
ACUTE, GRAVE = "\u0301", "\u0300"


# ── What is stored is what is seen ───────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "given",
    [
        *("A\ufe0fda", "A\u034fda", "\u3164Ada", "Ada\u200b", "\u202eAda\u202c", "Ada\U000e0041"),
        *("A\u00adda", "\ufeffAda", "\u2800Ada\u2800", "\uffa0Ada", "A\u180eda", "Ada\ufffc"),
        *("Ａｄａ", "  Ada\u3000", "𝐀𝐝𝐚", "Ⓐda", "A\u2066d\u2069a"),
    ],
)
def test_what_cannot_be_seen_is_dropped(given: str) -> None:
    """Selectors, joiners, fillers, controls, directions, and every other way to write a letter."""
    assert tidy_name(given) == "Ada"
    party = Party(Settings(3))
    party.do(Sit("Ada"), "Ada")
    assert refused(party, Sit(given), "Bohr").code == "table.name_taken"


@pytest.mark.parametrize("given", ["\u200b", "\u3164\u3164", " ", "\u2800 \ufe0f"])
def test_a_name_of_which_nothing_can_be_seen(given: str) -> None:
    """The sentence does not quote an empty text."""
    error = refused(Party(Settings(3)), Sit(given), "Ada")
    assert error.code == "input.name"
    assert error.message.startswith("nothing visible is left of that name")


def test_somebody_sits_down_under_the_tidy_name() -> None:
    """The log holds what everybody sees."""
    party = Party(Settings(3))
    party.do(Sit("Ｚｏｅ\u0308\ufe0f \u3164 1"), "Ada")
    assert party.table.seats[0].name == "Zoë 1"


@pytest.mark.parametrize(
    "name",
    [
        *("Ada", "Zoë", "O'Brien", "J. R.", "Nguyễn Thị", "Łukasz", "d'Arc", "Ada & Bob", "x_X 3"),
        *("Анна", "Мар'яна", "Ελένη", "ארי", "שָּׁלוֹם", "محمد", "राम", "สมชาย", "한글", "საბა"),
        *("ミミ2号", "猫Cat", "らーめん", "Mike 三毛猫", "김Kim", "ㄇㄠ貓", "王小明", "佐々木"),
        *("Mimi 🐈", "🐈🐈", "❤ Ada", "👍🏽 Bo"),
    ],
)
def test_names_of_the_world_are_names(name: str) -> None:
    """In one script, or in those that are written together; with emoji, too."""
    assert tidy_name(name) == name


def test_joined_emoji_fall_apart() -> None:
    """What joins them is invisible, and could hide anywhere."""
    assert tidy_name("👩\u200d🔬 Ada") == "👩🔬 Ada"
    assert tidy_name("❤\ufe0f") == "❤"


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ("\u0410da", "input.name_mixed", "mixes Cyrillic and Latin"),
        ("Ad\u03b1", "input.name_mixed", "mixes Greek and Latin"),
        ("Ада\u03b1a", "input.name_mixed", "mixes Cyrillic, Greek and Latin"),
        ("ねこ고", "input.name_mixed", "mixes Hangul and Hiragana"),
        ("Ada\u0665", "input.name_mixed", "mixes Arabic and Latin"),
        ("a" + ACUTE * 39, "input.name", "marks"),
        ("x" + (ACUTE + GRAVE) * 2, "input.name", "at most 3 different marks"),
        ("x" + GRAVE * 2, "input.name", "at most 3 different marks"),
        ("A\u20dd", "input.name", "none around it"),
        (GRAVE + "Ada", "input.name", "begins with a mark"),
        ("...", "input.name", "a letter, a digit or an emoji"),
        ("\u3164\u200b", "input.name", "1 to 40"),
        ("a｜b", "input.name", "no '|'"),
        ("A\x07da", "input.name", "control character"),
        ("Ada\nBob", "input.name", "control character"),
        ("\ue000Ada", "input.name", "printable"),
        ("\U0010ffffAda", "input.name", "printable"),
        ("\ufdfa" * 3, "input.name", "1 to 40"),  # 18 letters each, once written out
        ("a\u200b" * 300, "input.name", "at most 40"),
    ],
)
def test_what_is_no_name_is_explained(given: str, code: str, words: str) -> None:
    """With a code for programs, and what would be right."""
    with pytest.raises(NotUnderstood, match=words) as caught:
        tidy_name(given)
    assert caught.value.code == code


def test_tidying_twice_changes_nothing() -> None:
    """A law: whatever comes in, what comes out stays as it is, and is in its plainest form."""
    rng, found = Random(12), 0
    odd = "aA\u0410\u03b1ー一ﬁ①½カ가🐈 \u00a0\uff76\uff9e\u1100\u1161"
    odd += "\u3164\u034f\ufe0f\u0301\u0323\u200d"
    for _ in range(5_000):
        text = "".join(rng.choice(odd) for _ in range(rng.randrange(1, 9)))
        try:
            name = tidy_name(text)
        except NotUnderstood:
            continue
        found += 1
        assert tidy_name(name) == name == unicodedata.normalize("NFKC", name).strip()
        assert name.isprintable()
    assert found > 500


def test_letters_have_scripts() -> None:
    """All that Python knows the names of; what is not a letter has none."""
    letters = (chr(code) for code in range(0x80, sys.maxunicode) if chr(code).isalpha())
    without = {one for one in letters if not script(one)}
    assert {unicodedata.name(one, "").split(" ")[0] for one in without} == {"MODIFIER"}
    assert not any(map(script, "0123456789 .!-_@♥🐈\u0301ʼ"))


# ── What looks alike ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ada", "ADA"), ("Ada", "\u0410\u0501\u0430"), ("Ada", "Ada."), ("Ada", "A da")),
        *(("Lena", "Iena"), ("Bill", "BiII"), ("Bob", "B0b"), ("Emma", "Ernrna"), ("Ada", "Adạ")),
        *(("Pal", "\u0420\u0430\u04c0"), ("Pay", "Рау"), ("Ada", "🇦🇩🇦"), ("Ada", "ᎪᎠᎪ")),
        *(("KATE", "ΚΑΤΕ"), ("Ada", "ꓮꓓꓮ"), ("Ada", "ᴀᴅᴀ"), ("ロボ", "口ボ"), ("ニコ", "二コ")),
        *(("Lena", "Ɩena"), ("Lena", "ꞁena"), ("Lena", "ᏞᎬᏁᎪ"), ("Dada", "Ðada"), ("Sid", "5id")),
        *(("Sid", "$id"), ("Ida", "Ɨda")),
        *(("Waldo", "VValdo"), ("ΗΛΙΑ", "ηλια"), ("Zoe", "Ζοе"), ("Luna", "Lʼuna")),
    ],
)
def test_names_that_pass_for_each_other(one: str, other: str) -> None:
    """By another script, by case, by digits, by what hardly shows."""
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("Ada", "Ada 2"),
            ("Ada", "Ava"),
            ("Mia", "Mio"),
            ("Ada", "Ada🐈"),
            ("Anna", CYRILLIC_ADA),
        ),
        *(("かな", "がな"), ("ミミ", "モモ"), ("राम", "रमा"), ("Kim", "김"), ("🐈", "🐕")),
    ],
)
def test_names_that_do_not(one: str, other: str) -> None:
    """Other names are nobody's business."""
    assert not look_alike(one, other)


def test_the_table_of_look_alikes_is_in_order() -> None:
    """Every character stands for one other, and nothing has to be looked up three times."""
    assert sum(map(len, ALIKE.values())) + 3 * 26 == len(LETTERS)
    assert not any(ord(plain) in LETTERS for plain in ALIKE)


@pytest.mark.parametrize(
    "name",
    ["\u0410\u0501\u0430", "ADA", "\u0412\u041e\u041d\u0433", "B0hr", "Ada!", "search:rns=40"],
)
def test_nobody_passes_for_somebody_at_the_table(name: str) -> None:
    """However they write it; the answer says whose name it is."""
    party = Party(Settings(4))
    party.do(Sit("Ada"), "Ada")
    party.do(Sit("Bohr"), "Bohr")
    party.do(AddBot(2, "search:ms=40"), "Ada")
    error = refused(party, Sit(name), "Curie")
    assert error.code == "table.name_taken"
    assert any(other in error.message for other in ("Ada", "Bohr", "search:ms=40"))


@pytest.mark.parametrize("name", [*BOTS, "QUARK", "Рhоtоn", "Fierce", "Ｂｏｓｏｎ", "Q\u200buark"])
def test_nobody_passes_for_a_bot(name: str) -> None:
    """Not even where no bot sits yet: the browser calls them so."""
    error = refused(Party(Settings(3)), Sit(name), "Ada")
    assert error.code == "input.name_mixed" or "is a bot's name" in error.message


def test_the_names_of_bots_are_those_that_are_shown() -> None:
    """In every language of the client, and in the protocol."""
    shown = {
        words[f"page_bot_{seat}"]
        for file in MESSAGES.glob("*.json")
        for words in [json.loads(file.read_text(encoding="utf-8"))]
        for seat in range(5)
    }
    assert {*shown, *LEVELS} == set(BOTS)
    client = MESSAGES.parent / "src" / "store" / "me.svelte.ts"
    listed = client.read_text(encoding="utf-8").split("BOT_NAMES", 1)[1].split("];", 1)[0]
    assert set(re.findall(r'"([^"]+)"', listed)) == set(BOTS)  # so that the client offers others


def test_names_in_old_logs_are_read_as_they_are() -> None:
    """Whatever was allowed once: two who look alike, invisible characters, a bot's name."""
    table = Party(Settings(5)).table
    for seat, name in enumerate(("Ada", "\u0410da", "A\u034fda", "Quark", "a" + ACUTE * 39)):
        entry = Entry(table.at, Sat(seat, name, token_hash(str(seat)), ""))
        table = apply(table, entry)
    assert [who.name for who in table.seats][1:3] == ["\u0410da", "A\u034fda"]
    assert skeleton("...") == ""  # an old name of nothing but dots is nobody's double
