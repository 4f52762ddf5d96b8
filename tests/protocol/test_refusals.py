"""One list of refusals: every code that is raised, and the client's texts in three languages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from catinthebox.protocol.refusals import BY_CODE, SENTENCES, capitalized

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "catinthebox"
MESSAGES = ROOT / "web" / "messages"
CODE = re.compile(r"(daily|table|turn|illegal|limit|server)\.[a-z_]+")
RAISED_IN = ("game", "views", "table", "server")  # what a person at a live table may meet
NOT_SHOWN = {
    "illegal.no_promise": "the server promises fair deals before every game",
    "illegal.round_in_play": "only the server deals",
    "illegal.secret": "only the server reveals secrets",
    "server.closing": "the client connects again",
    "table.log": "a damaged log is shown as table.damaged",
}


def raised() -> set[str]:
    """Every text in the packages that looks like such a code."""
    paths = [path for name in RAISED_IN for path in sorted((PACKAGE / name).rglob("*.py"))]
    return {text for path in paths for text in texts(path) if CODE.fullmatch(text)}


def texts(path: Path) -> Iterator[str]:
    """The strings of a module, without its docstrings' examples."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_code_that_is_raised_has_a_sentence() -> None:
    """And no sentence is for a code that nobody raises; `limit` codes may be put together."""
    listed = {code for code in BY_CODE if CODE.fullmatch(code)}
    assert raised() - listed - set(NOT_SHOWN) == set()
    assert set(NOT_SHOWN) & listed == set()
    source = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    source = source.replace((PACKAGE / "protocol" / "refusals.py").read_text(encoding="utf-8"), "")
    unused = {code for code in BY_CODE if f'"{code}"' not in source}
    assert unused == set()


def test_codes_and_keys_are_unique() -> None:
    """A code has one sentence, and a key one text."""
    assert len({one.key for one in SENTENCES}) == len(SENTENCES)
    assert len(BY_CODE) == sum(len(one.codes) for one in SENTENCES)


@pytest.mark.parametrize("one", SENTENCES, ids=lambda one: one.key)
def test_sentences_follow_a_colon_and_stand_alone(one: tuple[str, str, tuple[str, ...]]) -> None:
    """Lower case and no period: `capitalized` adds both."""
    _, sentence, codes = one
    assert sentence[0].islower()
    assert sentence[-1].isalpha()
    assert codes


def test_the_client_has_the_same_english_and_a_translation_of_everything() -> None:
    """Its English texts are these sentences; German and Japanese have every key."""
    english, *others = (
        json.loads((MESSAGES / f"{language}.json").read_text(encoding="utf-8"))
        for language in ("en", "de", "ja")
    )
    expected = {one.key: capitalized(one.sentence) for one in SENTENCES}
    assert {key: english.get(key) for key in expected} == expected
    for texts in others:
        assert [key for key in expected if not texts.get(key)] == []
