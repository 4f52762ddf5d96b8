"""Whether a game was dealt as promised: a change anywhere is found, and named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fair_games import fair_game, moments, noise, nonces_of

from catinthebox import CatInTheBoxError, Game
from catinthebox.fair.proof import proven, verify
from catinthebox.game.record import read, read_any, write, write_json


def wrong(game: Game) -> list[str]:
    """What is not as it should be, in words."""
    return [str(finding) for finding in verify(game) if not finding.good]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("bots", [0, 1])
def test_an_honest_game_is_proven(players: int, bots: int) -> None:
    """Every part is looked at."""
    findings = verify(fair_game(players, bots=bots))
    assert proven(findings)
    rounds = [f"round {number}" for number in range(1, players + 1)]
    assert [f.subject for f in findings] == ["nonces", "commitment", "starter", *rounds]


@pytest.mark.parametrize("players", [2, 5])
def test_nothing_is_proven_before_the_secret_is_known(players: int) -> None:
    """Whether the game goes on or is over."""
    *before, over, revealed = moments(players)
    assert wrong(before[-1]) == ["NO   secret: the game is not over, so it is not revealed yet"]
    assert wrong(over) == ["NO   secret: the game is over, and it was not revealed"]
    assert wrong(revealed) == []


def test_nothing_is_proven_without_a_promise() -> None:
    """Nor by looking at nothing."""
    assert not proven(verify(Game.new(3)))
    assert not proven(())


def test_nothing_is_proven_if_nobody_gave_a_nonce() -> None:
    """Then the secret alone decides, and anyone who made it could choose."""
    (sentence,) = wrong(fair_game(3, bots=3))
    assert "the maker of the secret could choose" in sentence


def test_what_somebody_kept_is_compared() -> None:
    """A whole record can be made up afterwards; a note from before cannot."""
    game = fair_game(3, bots=1)
    assert game.fairness is not None
    kept = {"commitment": game.fairness.commitment, "nonce": nonces_of(3)[1]}
    assert proven(verify(game, **kept))  # type: ignore[arg-type]
    for key, other in (("commitment", "0" * 64), ("nonce", noise("mine")), ("nonce", b"")):
        findings = verify(game, **{**kept, key: other})  # type: ignore[arg-type]
        assert [f.subject for f in findings if not f.good] == [f"your {key}"]


# ── Lies that the rules do not notice ────────────────────────────────────────────────────────


def swapped_discards(text: str) -> tuple[str, int, int, int]:
    """Swap, in dealing, what two seats set aside: nobody ever sees those cards (R7)."""
    lines = text.splitlines()
    deals = [i for i, line in enumerate(lines) if line.startswith("deal ")]
    for number, at in enumerate(deals, start=1):
        step = 2 if lines[at + 1].startswith("aside") else 1
        hands, discards = lines[at].split()[1:], lines[at + step].split()[1:]
        if discards[0] != discards[1]:
            for seat, other in ((0, 1), (1, 0)):
                cards = list(hands[seat])
                cards.remove(discards[seat][1])
                hands[seat] = "".join(sorted([*cards, discards[other][1]]))
            discards[:2] = discards[1::-1]
            lines[at] = " ".join(["deal", *hands])
            lines[at + step] = " ".join(["discards", *discards])
            return "\n".join(lines) + "\n", number, 0, 1
    raise AssertionError("equal discards in every round")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_another_deal_of_hidden_cards_is_found(players: int) -> None:
    """The record is a legal game, and round and seats are named."""
    game = fair_game(players)
    text, number, one, other = swapped_discards(write(game))
    found = wrong(read(text))
    assert len(found) == 2
    for seat, sentence in zip((one, other), found, strict=True):
        assert sentence.startswith(
            f"NO   round {number}: seat {seat} ({game.names[seat]}) was dealt"
        )


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 2), (3, 4), (2, 4)])
def test_another_order_of_the_cards_left_aside_is_found(one: int, other: int) -> None:
    """The two hidden ones as well as the three turned up."""
    text = write(fair_game(2))
    for number, aside in enumerate(re.findall(r"^aside (\d+)$", text, re.M), start=1):
        cards = list(aside)
        cards[one], cards[other] = cards[other], cards[one]
        changed = text.replace(f"aside {aside}", f"aside {''.join(cards)}")
        try:
            found = wrong(read(changed))
        except CatInTheBoxError:
            continue  # another card turned up: the plays were not legal
        assert bool(found) == (changed != text)
        assert all(f"round {number}: the cards left aside" in sentence for sentence in found)


def test_another_starter_is_found() -> None:
    """Where the record of an unplayed game would be as good."""
    *_, last = moments(3)
    moved = replace(last, starter_of_game=(last.starter_of_game + 1) % 3)
    (sentence,) = wrong(moved)
    assert re.match(r"NO   starter: the lot fell on seat \d \(\w+\), but seat \d", sentence)


@pytest.mark.parametrize("field", ["table", "commitment", "nonces", "secret"])
def test_another_promise_is_found(field: str) -> None:
    """Each part of it on its own."""
    game = fair_game(3)
    assert game.fairness is not None
    other = {
        "table": replace(game.fairness, table="lab-8"),
        "commitment": replace(game.fairness, commitment="0" * 64),
        "nonces": replace(game.fairness, nonces=game.fairness.nonces[::-1]),
        "secret": replace(game.fairness, secret=bytes(32)),
    }[field]
    subjects = {f.subject for f in verify(replace(game, fairness=other)) if not f.good}
    assert ("commitment" in subjects) == (field != "nonces")
    assert {"round 1", "round 2", "round 3"} <= subjects or field == "commitment"


# ── Every byte ───────────────────────────────────────────────────────────────────────────────

RELEVANT = ("fair", "table", "commitment", "nonces", "starter", "deal", "aside", "secret")


def places(text: str) -> Iterator[int]:
    """Every byte of the lines that matter."""
    begin = 0
    for line in text.splitlines(keepends=True):
        if line.split(" ")[0] in RELEVANT:
            yield from range(begin, begin + len(line))
        begin += len(line)


def is_proven(text: str) -> bool:
    """Whether a text is a record, and proven."""
    try:
        return proven(verify(read_any(text)))
    except CatInTheBoxError:
        return False


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3])
def test_no_changed_byte_is_proven(players: int) -> None:
    """One bit or byte changed, or one missing: proven only if the game means the same."""
    game = fair_game(players, bots=1)
    text = write(game)
    harmless = 0
    for place in places(text):
        before, byte, after = text[:place], text[place], text[place + 1 :]
        flipped = [chr(ord(byte) ^ 1 << bit) for bit in range(7)]
        for other in (*flipped, "", "9" if byte != "9" else "1"):
            changed = f"{before}{other}{after}"
            if is_proven(changed):
                assert read_any(changed) == game
                harmless += 1
    assert harmless < 30  # a blank for a line end, a zero before a number


def test_no_changed_field_is_proven() -> None:
    """The same in JSON, value by value."""
    game = fair_game(2)
    text = write_json(game)
    assert is_proven(text)
    written = json.loads(text)
    values = [*written["nonces"], written["table"], written["commitment"], written["secret"]]
    values += [hand for round in written["rounds"] for hand in (*round["deal"], round["aside"])]
    for value in values:
        for place in range(0, len(value), 3):
            other = "0" if value[place] != "0" else "1"
            changed = text.replace(value, f"{value[:place]}{other}{value[place + 1 :]}")
            assert changed != text
            assert not is_proven(changed)
