"""Fair deals: nobody chooses them, everything that goes in matters, the figures are published."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any

import pytest
from fair_games import noise, nonces_of, vectors

from catinthebox import BadSetup, Game
from catinthebox.fair.deals import (
    below,
    commit,
    deal,
    packed,
    promise,
    shuffle,
    shuffled,
    starter_by_lot,
    stream,
)

ROOT = Path(__file__).parents[2]
SECRET, NONCES = noise("secret"), nonces_of(3)


# ── Published figures ────────────────────────────────────────────────────────────────────────


def given(vector: dict[str, str]) -> tuple[bytes, str, tuple[bytes, ...]]:
    """What goes in."""
    words = vector["nonces"].split()
    nonces = tuple(b"" if word == "-" else bytes.fromhex(word) for word in words)
    return bytes.fromhex(vector["secret"]), vector["table"], nonces


@pytest.mark.clause("R1", "R5", "R6")
@pytest.mark.parametrize("vector", vectors(), ids=lambda vector: vector["vector"])
def test_every_vector(vector: dict[str, str]) -> None:
    """Commitment, starter, deck, hands and cards left aside are those of the naive computation."""
    secret, table, nonces = given(vector)
    number, deck = int(vector["round"]), [int(rank) for rank in sorted(vector["deck"])]
    assert commit(secret, table) == vector["commitment"]
    assert starter_by_lot(secret, table, nonces) == int(vector["starter"])
    assert shuffle(secret, table, nonces, number, deck) == tuple(map(int, vector["deck"]))
    dealt = deal(secret, table, nonces, number)
    assert (" ".join(dealt.hands), dealt.aside) == (vector["deal"], vector.get("aside", ""))
    assert dealt.turned_up == vector.get("aside", "")[:3]


def test_enough_is_published() -> None:
    """Every number of players, every starter, some seats without a nonce, several rounds."""
    assert len(vectors()) >= 20
    assert {len(vector["nonces"].split()) for vector in vectors()} == {2, 3, 4, 5}
    assert len({(len(v["nonces"].split()), v["starter"]) for v in vectors()}) >= 11
    assert len({vector["round"] for vector in vectors()}) == 5


def test_the_vectors_are_made_again_byte_for_byte() -> None:
    """By a program that shares nothing with the package."""
    path = ROOT / "vectors" / "make_deals.py"
    assert not re.search(r"^(import|from) catinthebox", path.read_text("utf-8"), re.M)
    spec = importlib.util.spec_from_file_location("make_deals", path)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.text() == path.with_name("deals.fair").read_text("ascii")


def documented() -> dict[str, Callable[..., Any]]:
    """What the program of docs/fairness.md defines."""
    page = (ROOT / "docs" / "fairness.md").read_text("utf-8")
    program = next(
        b for b in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S) if "hmac" in b
    )
    assert program.count("\n") <= 40
    assert set(re.findall(r"^(?:import|from) (\w+)", program, re.M)) == {"hashlib", "hmac"}
    names: dict[str, Any] = {}
    exec(compile(program, "fairness.md", "exec"), names)
    return names


def test_the_documented_program_agrees_with_every_vector() -> None:
    """Forty lines are enough to check us."""
    program = documented()
    for vector in vectors():
        secret, table, nonces = given(vector)
        hands, aside = program["deal"](secret, table, nonces, int(vector["round"]))
        assert program["commitment"](secret, table) == vector["commitment"]
        assert program["starter"](secret, table, nonces) == int(vector["starter"])
        assert (" ".join(hands), aside) == (vector["deal"], vector.get("aside", ""))


# ── No number is favored ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("limit", [*range(1, 46), 200, 255, 256])
def test_every_number_has_the_same_number_of_bytes(limit: int) -> None:
    """All 256 bytes: those not thrown away are spread evenly, and as few as possible are."""
    drawn: Counter[int] = Counter()
    for byte in range(256):
        try:
            drawn[below(limit, iter([byte]))] += 1
        except StopIteration:
            continue
    assert drawn == dict.fromkeys(range(limit), 256 // limit)


def test_a_byte_that_is_thrown_away_is_followed_by_the_next() -> None:
    """255 would favor 0 among three."""
    source = iter([255, 255, 4, 9])
    assert (below(3, source), next(source)) == (1, 9)


def test_every_order_of_three_cards_is_equally_likely() -> None:
    """All streams of two bytes: each order from equally many."""
    orders: Counter[tuple[int, ...]] = Counter()
    for two in product(range(256), repeat=2):
        try:
            orders[shuffled([1, 2, 3], iter(two))] += 1
        except StopIteration:
            assert 255 in two
    assert set(orders) == set(permutations((1, 2, 3)))
    assert set(orders.values()) == {85 * 128}


def chi_square(counts: list[int]) -> float:
    """How far counts are from being equal."""
    mean = sum(counts) / len(counts)
    return sum((number - mean) ** 2 for number in counts) / mean


def test_every_card_comes_to_every_place() -> None:
    """3,000 decks of ten: a hundred counts; 81 degrees of freedom, so 81 ± 13 is expected."""
    places: Counter[tuple[int, int]] = Counter()
    for number in range(1, 3001):
        order = shuffle(SECRET, "chi", NONCES, number, range(10))
        places.update(enumerate(order))
    assert len(places) == 100
    assert 35 < chi_square(list(places.values())) < 140


def test_every_order_of_four_cards_comes() -> None:
    """4,800 decks of four: 24 orders, 23 degrees of freedom."""
    orders = Counter(shuffle(SECRET, "chi", NONCES, n, range(4)) for n in range(1, 4801))
    assert len(orders) == 24
    assert 4 < chi_square(list(orders.values())) < 60


@pytest.mark.clause("R1")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_is_drawn(players: int) -> None:
    """The lot falls on each seat equally often."""
    nonces = nonces_of(players)
    seats = Counter(starter_by_lot(noise(n), "lot", nonces) for n in range(1000))
    assert set(seats) == set(range(players))
    assert chi_square(list(seats.values())) < 25


def test_bytes_are_spread_evenly() -> None:
    """The stream itself, 25,600 bytes."""
    counts = Counter(islice(stream(SECRET, "deck", "t", NONCES, 1), 25_600))
    assert 150 < chi_square([counts[byte] for byte in range(256)]) < 370


# ── Everything matters ───────────────────────────────────────────────────────────────────────

Key = tuple[bytes, str, tuple[bytes, ...], int]


def flips(content: bytes) -> Iterator[bytes]:
    """The same bytes with one bit changed, for each bit."""
    for bit in range(8 * len(content)):
        yield (int.from_bytes(content, "big") ^ 1 << bit).to_bytes(len(content), "big")


def neighbours() -> Iterator[Key]:
    """Every input that differs in one bit, one character, one nonce, one place or one round."""
    yield from ((secret, "lab-7", NONCES, 1) for secret in flips(SECRET))
    for seat, nonce in enumerate(NONCES):
        for other in (*flips(nonce), b""):
            yield SECRET, "lab-7", (*NONCES[:seat], other, *NONCES[seat + 1 :]), 1
    yield from ((SECRET, "lab-7", order, 1) for order in permutations(NONCES) if order != NONCES)
    for table in ("lab-6", "lab-", "lab-77", "Lab-7", "lab_7", "ab-7"):
        yield SECRET, table, NONCES, 1
    yield from ((SECRET, "lab-7", NONCES, 1 << bit) for bit in range(1, 32))
    yield SECRET, "lab-7", (*NONCES, b""), 1


def test_every_bit_changes_the_deck() -> None:
    """A thousand neighbours of one input, all with decks of their own."""
    deck = sorted([*range(1, 7)] * 5)
    keys = [(SECRET, "lab-7", NONCES, 1), *neighbours()]
    orders = {shuffle(*key, deck) for key in keys}
    assert len(orders) == len(keys) > 1000


def test_every_bit_changes_the_commitment() -> None:
    """Of the secret and of the table; nonces come later and cannot."""
    keys = {(secret, table) for secret, table, _, _ in neighbours()} | {(SECRET, "lab-7")}
    assert len({commit(*key) for key in keys}) == len(keys) > 260


def test_every_bit_changes_the_lots() -> None:
    """One lot says little, but the streams they are drawn from differ."""
    keys = {key[:3] for key in neighbours()}
    lots = {tuple(islice(stream(k[0], "starter", k[1], k[2], 0), 16)) for k in keys}
    assert len(lots) == len(keys)


def test_lots_and_decks_come_from_different_streams() -> None:
    """Anyone who learns the starter learns nothing about the cards."""
    streams = [stream(SECRET, purpose, "t", NONCES, 1) for purpose in ("deck", "starter")]
    assert next(streams[0]) != next(streams[1]) or next(streams[0]) != next(streams[1])


def test_no_two_lists_of_fields_look_alike() -> None:
    """Moving a byte from one field to the next, or adding an empty one, is noticed."""
    lists = [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"", b"abc"), (b"\0\0\0\1a",)]
    assert len({packed(*fields) for fields in lists}) == len(lists)


def test_the_commitment_does_not_depend_on_the_deal() -> None:
    """It is there before the nonces are."""
    evidence = [promise(SECRET, "lab-7", nonces_of(n)) for n in (2, 3)]
    assert evidence[0].commitment == evidence[1].commitment == commit(SECRET, "lab-7")
    assert evidence[0].secret is None


# ── Deals ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R5", "R6")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_game_takes_what_is_dealt(players: int) -> None:
    """Whole decks, hands in seat order, and at two players five cards aside."""
    nonces = nonces_of(players, bots=1)
    for number in range(1, 20):
        dealt = deal(SECRET, "lab-7", nonces, number)
        setup = Game.new(players).deal(*dealt).current.setup
        assert (setup.hands, setup.aside, setup.turned_up) == (*dealt, dealt.turned_up)
        deck = [rank for rank in range(1, setup.cards.ranks + 1) for _ in range(5)]
        assert sorted(map(int, "".join([*dealt.hands, dealt.aside]))) == deck
        assert shuffle(SECRET, "lab-7", nonces, number, deck[::-1]) == shuffle(
            SECRET, "lab-7", nonces, number, deck
        )


def test_the_order_of_a_deck_becomes_hands() -> None:
    """The top of the deck goes to seat 0."""
    deck = [rank for rank in range(1, 6) for _ in range(5)]
    order = "".join(map(str, shuffle(SECRET, "lab-7", NONCES[:2], 3, deck)))
    dealt = deal(SECRET, "lab-7", NONCES[:2], 3)
    assert dealt.hands == ("".join(sorted(order[:10])), "".join(sorted(order[10:20])))
    assert dealt.aside == order[20:]


# ── Bad input ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ((b"short", "lab-7", NONCES, 1), "setup.secret"),
        ((SECRET + b"x", "lab-7", NONCES, 1), "setup.secret"),
        ((SECRET.hex(), "lab-7", NONCES, 1), "setup.secret"),
        ((SECRET, "", NONCES, 1), "setup.table"),
        ((SECRET, "lab 7", NONCES, 1), "setup.table"),
        ((SECRET, "läb", NONCES, 1), "setup.table"),
        ((SECRET, "lab-7\n", NONCES, 1), "setup.table"),
        ((SECRET, "x" * 65, NONCES, 1), "setup.table"),
        ((SECRET, "lab-7", (b"x", b"", b""), 1), "setup.nonces"),
        ((SECRET, "lab-7", ("x" * 32, b"", b""), 1), "setup.nonces"),
        ((SECRET, "lab-7", NONCES[:1], 1), "setup.nonces"),
        ((SECRET, "lab-7", NONCES * 2, 1), "setup.nonces"),
        ((SECRET, "lab-7", NONCES, 0), "setup.round"),
        ((SECRET, "lab-7", NONCES, -1), "setup.round"),
        ((SECRET, "lab-7", NONCES, 2**32), "setup.round"),
    ],
)
def test_bad_input_is_refused(key: Any, code: str) -> None:
    """With a code and a sentence, before a card is drawn."""
    with pytest.raises(BadSetup) as caught:
        deal(*key)
    assert caught.value.code == code


def test_a_deck_has_a_largest_size() -> None:
    """One byte must be able to name every card."""
    assert sorted(shuffle(SECRET, "t", NONCES, 1, range(256))) == list(range(256))
    with pytest.raises(BadSetup, match="at most 256 cards"):
        shuffle(SECRET, "t", NONCES, 1, range(257))


@pytest.mark.parametrize("deck", [(), (7,)])
def test_a_deck_without_a_choice_is_checked_as_well(deck: tuple[int, ...]) -> None:
    """Nothing is drawn, and a bad secret is still refused."""
    assert shuffle(SECRET, "t", NONCES, 1, deck) == deck
    with pytest.raises(BadSetup):
        shuffle(b"", "t", NONCES, 1, deck)
