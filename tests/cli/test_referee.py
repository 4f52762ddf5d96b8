"""The referee: every operation, every error, whole rounds against the oracle, and any garbage."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from oracle import COLORS, Oracle, result
from waiting import ended, line_of

from catinthebox.cli.referee import MAX_LINE, MAX_POINTS, MAX_ROUNDS, OPERATIONS, Referee, serve

Answer = dict[str, Any]
Request = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
TWO: Request = {
    "op": "deal",
    "players": 2,
    "hands": [[1, 1, 2, 2, 2, 3, 3, 3, 3, 3], [4, 4, 4, 4, 4, 5, 5, 5, 5, 5]],
    "aside": [1, 1, 1, 2, 2],
}
THREE: Request = {
    "op": "deal",
    "players": 3,
    "hands": [[int(card) for card in hand] for hand in ("1223345566", "1123344556", "1122344566")],
}
TABLES = [(2, "white"), (3, "white"), (3, "purple"), (4, "white"), (4, "purple"), (5, "purple")]


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def read(line: str) -> Answer:
    """An answer, which must be one line of strict JSON with a verdict."""
    assert "\n" not in line
    answer = json.loads(line, parse_constant=no_constant)
    assert isinstance(answer, dict)
    assert isinstance(answer["ok"], bool)
    if not answer["ok"]:
        assert set(answer["error"]) == {"code", "clause", "message"}
    return answer


def ask(referee: Referee, **request: Any) -> Answer:
    return read(referee.answer(json.dumps(request)))


def at(*requests: Request) -> Referee:
    """A referee after some requests, all of them good."""
    referee = Referee()
    for request in requests:
        assert ask(referee, **request)["ok"], request
    return referee


def acts(moves: str) -> list[Request]:
    """Requests to act, written as in '0:-2 1:-3'."""
    words = [word.split(":") for word in moves.split()]
    return [{"op": "act", "seat": int(seat), "action": action} for seat, action in words]


DISCARDS = acts("0:-2 1:-3 2:-4")
BIDS = acts("0:=1 1:=3 2:=4")
SHORT = acts("0:-2 1:-5 0:3b 1:4y 0:3y 1:5g 0:2g 1:5r 1:4r 0:2r")  # a paradox of seat 1
PLAY = {"op": "act", "seat": 0, "action": "5b"}


# ── Operations ───────────────────────────────────────────────────────────────────────────────


def test_deal() -> None:
    """A deal answers where the round stands: everybody may discard."""
    answer = ask(Referee(), **THREE)
    assert answer == {"ok": True, "phase": "discard", "to_act": [0, 1, 2]}


def test_deal_takes_starter_and_face() -> None:
    """The starter named in the deal bids first; any shipped face is accepted (R31)."""
    referee = at({**THREE, "starter": 2, "face": "black"}, *DISCARDS)
    assert ask(referee, op="act", seat=2, action="=1") == {
        "ok": True,
        "phase": "bid",
        "to_act": [0],
    }


def test_deal_begins_a_new_round() -> None:
    """A second deal takes the place of the first."""
    referee = at(THREE, *DISCARDS, TWO)
    assert ask(referee, op="state")["hands"] == TWO["hands"]


def test_failed_deal_keeps_the_old_round() -> None:
    """A deal that is refused changes nothing."""
    referee = at(THREE, *DISCARDS)
    before = ask(referee, op="state")
    for bad in ({**THREE, "starter": 3}, {**THREE, "hands": []}, {**TWO, "aside": [1]}):
        assert not ask(referee, **bad)["ok"]
        assert ask(referee, op="state") == before


def test_legal() -> None:
    """The legal actions come sorted as texts; a seat that may not act has none."""
    referee = at(THREE, *DISCARDS, *BIDS)
    answer = ask(referee, op="legal", seat=0)
    assert answer["actions"] == sorted(f"{rank}{color}" for rank in "123456" for color in "byg")
    assert ask(referee, op="legal", seat=1) == {"ok": True, "actions": []}


@pytest.mark.clause("R7")
def test_discards_come_in_any_order() -> None:
    """Discards are simultaneous, so no seat has to wait for another."""
    referee = at(THREE, *acts("2:-4 0:-2"))
    assert ask(referee, op="state")["discards"] == [2, None, 4]
    assert ask(referee, op="act", seat=1, action="-3")["phase"] == "bid"


def test_act_tells_what_happened() -> None:
    """The last card of a trick names its winner; the action before a paradox names the causer."""
    referee = at(TWO, *SHORT[:3])
    assert ask(referee, **SHORT[3]) == {
        "ok": True,
        "phase": "play",
        "to_act": [0],
        "trick_winner": 0,
    }
    referee = at(TWO, *SHORT[:-1])
    assert ask(referee, **SHORT[-1]) == {
        "ok": True,
        "phase": "over",
        "to_act": [],
        "trick_winner": 1,
        "paradox": 1,
    }


def test_refused_act_changes_nothing() -> None:
    """After an error the round is as it was."""
    referee = at(THREE, *DISCARDS, *BIDS)
    before = ask(referee, op="state")
    assert not ask(referee, op="act", seat=0, action="5r")["ok"]
    assert ask(referee, op="state") == before


def test_state_before_anything_is_done() -> None:
    """A fresh state has no discards, no bids, and at two players neutral tokens (R6)."""
    assert ask(at(TWO), op="state") == {
        "ok": True,
        "phase": "discard",
        "board": {"b1": -1, "y1": -1, "g1": -1},
        "tokens": ["rbyg", "rbyg"],
        "hands": TWO["hands"],
        "discards": [None, None],
        "bids": [None, None],
        "won": [0, 0],
        "trick": [],
        "leader": 0,
        "red_open": False,
        "paradox": None,
    }


def test_score() -> None:
    """Scores and groups of a round that is over."""
    assert ask(at(TWO, *SHORT), op="score") == {"ok": True, "scores": [4, -2], "groups": [2, 2]}


@pytest.mark.clause("R3")
def test_result() -> None:
    """Totals and winners agree with the oracle, ties included; no round is needed."""
    rng = random.Random(3)
    for _ in range(200):
        seats = rng.randrange(2, 6)
        rounds = [[rng.randrange(-2, 4) for _ in range(seats)] for _ in range(seats)]
        totals, winners = result(rounds)
        answer = ask(Referee(), op="result", rounds=rounds)
        assert answer == {"ok": True, "totals": totals, "winners": winners}


@pytest.mark.parametrize("id_", [0, -7, 1.5, "x", "", "ħ", None, 10**30])
def test_id_comes_back(id_: object) -> None:
    """The id is the first field of the answer, whether it is good or not."""
    for request in ({"op": "result", "rounds": [[1, 2]]}, {"op": "nothing"}):
        line = Referee().answer(json.dumps({**request, "id": id_}))
        assert read(line)["id"] == id_
        assert line.startswith('{"id": ')


def test_no_id_no_echo() -> None:
    """Without an id the answer has none."""
    assert "id" not in ask(Referee(), op="result", rounds=[[1, 2]])


# ── Errors ───────────────────────────────────────────────────────────────────────────────────

BID_3 = [THREE, *DISCARDS]
PLAY_3 = [THREE, *DISCARDS, *BIDS]
ERRORS: list[tuple[list[Request], Request | str | bytes, str, str | None]] = [
    ([], "", "input.json", None),
    ([], "[]", "input.json", None),
    ([], b'{"op": "state\xff"}', "input.json", None),
    ([], '{"op": "state", "id": NaN}', "input.json", None),
    ([], '{"op": "state"} {"op": "state"}', "input.json", None),
    ([], " " * (MAX_LINE + 1), "input.line", None),
    ([], {"op": "state", "id": [1]}, "input.id", None),
    ([], {"op": "state", "id": {}}, "input.id", None),
    ([], {}, "input.op", None),
    ([], {"op": 5}, "input.op", None),
    ([], {"op": "Deal"}, "input.op", None),
    ([], {"op": "legal"}, "input.field", None),
    ([], {"op": "legal", "seat": 0, "deep": True}, "input.field", None),
    ([], {**THREE, "ranks": 6}, "input.field", None),
    ([], {**THREE, "players": "3"}, "input.players", None),
    ([], {**THREE, "players": 3.0}, "input.players", None),
    ([], {**THREE, "players": 2}, "input.hands", None),
    ([], {**THREE, "hands": 3}, "input.hands", None),
    ([], {**THREE, "hands": ["1223345566"] * 3}, "input.hands", None),
    ([], {**THREE, "hands": [[0] * 10] * 3}, "input.hands", None),
    ([], {**THREE, "hands": [[10] * 10] * 3}, "input.hands", None),
    ([], {**TWO, "aside": "11122"}, "input.aside", None),
    ([], {**TWO, "aside": None}, "input.aside", None),
    ([], {**THREE, "starter": None}, "input.starter", None),
    ([], {**THREE, "starter": True}, "input.starter", None),
    ([], {**THREE, "face": "mauve"}, "input.face", None),
    ([], {**THREE, "face": ["white"]}, "input.face", None),
    ([THREE], {"op": "legal", "seat": 3}, "input.seat", None),
    ([THREE], {"op": "legal", "seat": -1}, "input.seat", None),
    ([THREE], {"op": "act", "seat": 10**9, "action": "-2"}, "input.seat", None),
    ([THREE], {"op": "act", "seat": 0, "action": "2-"}, "input.action", None),
    ([THREE], {"op": "act", "seat": 0, "action": "0:-2"}, "input.action", None),
    ([THREE], {"op": "act", "seat": 0, "action": 36}, "input.action", None),
    ([], {"op": "result", "rounds": []}, "input.rounds", None),
    ([], {"op": "result", "rounds": [[1]]}, "input.rounds", None),
    ([], {"op": "result", "rounds": [[1, 2], [1, 2, 3]]}, "input.rounds", None),
    ([], {"op": "result", "rounds": [[1] * 6]}, "input.rounds", None),
    ([], {"op": "result", "rounds": [[1, MAX_POINTS + 1]]}, "input.rounds", None),
    ([], {"op": "result", "rounds": [[1, 2]] * (MAX_ROUNDS + 1)}, "input.rounds", None),
    ([], {"op": "result", "rounds": [[1, 0.5]]}, "input.rounds", None),
    ([], {"op": "deal", "players": 6, "hands": [[1]] * 6}, "setup.players", "R1"),
    ([], {"op": "deal", "players": 0, "hands": []}, "setup.players", "R1"),
    ([], {**THREE, "starter": 3}, "setup.starter", "R1"),
    ([], {**THREE, "starter": -1}, "setup.starter", "R1"),
    ([], {**THREE, "hands": [[1], [2], [3]]}, "setup.hand_size", "R5"),
    ([], {**THREE, "hands": [[7] * 5 + [1] * 5, *THREE["hands"][1:]]}, "setup.rank", "R5"),
    ([], {**THREE, "hands": [[1] * 10, *THREE["hands"][1:]]}, "setup.copies", "R5"),
    ([], {**TWO, "aside": []}, "setup.aside", "R6"),
    ([], {**THREE, "aside": [1]}, "setup.aside", "R6"),
    ([], {"op": "state"}, "turn.no_round", "R5"),
    ([], {"op": "score"}, "turn.no_round", "R5"),
    ([], {"op": "legal", "seat": 0}, "turn.no_round", "R5"),
    ([], PLAY, "turn.no_round", "R5"),
    ([THREE, DISCARDS[0]], DISCARDS[0], "turn.already_discarded", "R7"),
    (BID_3, BIDS[1], "turn.not_yours", "R8"),
    (PLAY_3, {**PLAY, "seat": 1}, "turn.not_yours", "R10"),
    (PLAY_3, {"op": "score"}, "turn.not_over", "R23"),
    ([THREE], BIDS[0], "illegal.discard_first", "R7"),
    ([THREE], PLAY, "illegal.discard_first", "R7"),
    ([THREE], {**PLAY, "action": "-9"}, "illegal.not_in_hand", "R7"),
    (BID_3, PLAY, "illegal.bid_first", "R8"),
    (BID_3, {**PLAY, "action": "=2"}, "illegal.bid", "R8"),
    (PLAY_3, {**PLAY, "action": "=1"}, "illegal.play_now", "R11"),
    (PLAY_3, {**PLAY, "action": "-1"}, "illegal.play_now", "R11"),
    (PLAY_3, {**PLAY, "action": "9b"}, "illegal.not_in_hand", "R11"),
    (PLAY_3, {**PLAY, "action": "5r"}, "illegal.red_closed", "R14"),
    ([*PLAY_3, PLAY], {**PLAY, "seat": 1}, "illegal.cell_taken", "R12"),
    ([TWO, *SHORT[:5]], {**PLAY, "seat": 1, "action": "4b"}, "illegal.token_lost", "R13"),
    ([TWO, *SHORT[:2]], {**PLAY, "action": "=1"}, "illegal.no_bids", "R9"),
    ([TWO, *SHORT], PLAY, "illegal.round_over", "R21"),
]


@pytest.mark.parametrize(("before", "request_", "code", "clause"), ERRORS)
def test_error(
    before: list[Request], request_: Request | str | bytes, code: str, clause: str | None
) -> None:
    """Each mistake is answered with its code, its clause, and a sentence that cites it."""
    line = request_ if isinstance(request_, str | bytes) else json.dumps(request_)
    answer = read(at(*before).answer(line))
    assert not answer["ok"]
    assert (answer["error"]["code"], answer["error"]["clause"]) == (code, clause)
    assert answer["error"]["message"]
    assert clause is None or f"({clause})" in answer["error"]["message"]


def test_every_documented_code_is_tested() -> None:
    """The cases above give every code that docs/referee.md lists."""
    page = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\|(.*?)\|", page, flags=re.M)
    listed = {code for cell in cells for code in re.findall(r"`([a-z]+\.[a-z_]+)`", cell)}
    assert listed == {code for _, _, code, _ in ERRORS}


@pytest.mark.clause("R19")
def test_normal_end_is_cited() -> None:
    """After a round without paradox the clause is R19, not R21."""
    for seed in range(100):
        rng = random.Random(seed)
        oracle, referee = begin(2, "white", rng)
        while oracle.phase != "over":
            seat = oracle.to_act()[0]
            action = tidy(oracle, seat, rng)
            oracle.act(seat, action)
            ask(referee, op="act", seat=seat, action=action)
        if oracle.paradox is None:
            assert ask(referee, **PLAY)["error"]["clause"] == "R19"
            return
    pytest.fail("no round ended normally")


def test_every_problem_of_a_deal_is_named() -> None:
    """The message of a bad deal names all of its problems, the code is that of the first."""
    error = ask(Referee(), **{**THREE, "starter": 3, "aside": [1], "hands": [[1], [9], [3]]})[
        "error"
    ]
    assert error["code"] == "setup.starter"
    for words in ("starter 3", "seat 0 has 1 cards", "left aside", "'9' is not a rank"):
        assert words in error["message"]


WRONG: list[Any] = [None, True, 1.5, -1, 10**30, "", "x", [], [[]], {}, {"a": 1}, [None], "5" * 999]


@pytest.mark.parametrize("op", OPERATIONS)
def test_wrong_type_in_each_field(op: str) -> None:
    """A value of the wrong kind in any field is an error of that field, or of the deal."""
    good: dict[str, Request] = {
        "deal": {**TWO, "starter": 0, "face": "white"},
        "legal": {"op": "legal", "seat": 0},
        "act": DISCARDS[0],
        "state": {"op": "state"},
        "score": {"op": "score"},
        "result": {"op": "result", "rounds": [[1, 2]]},
    }
    _, required, optional = OPERATIONS[op]
    for field in required | optional:
        for value in WRONG:
            answer = ask(at(THREE), **{**good[op], field: value})
            assert not answer["ok"], (field, value)
            code = answer["error"]["code"]
            assert code in (f"input.{field}", "input.hands") or code.startswith("setup."), field


# ── Whole rounds against the oracle ──────────────────────────────────────────────────────────


def begin(players: int, face: str, rng: random.Random) -> tuple[Oracle, Referee]:
    """The same shuffled round for both."""
    ranks, size = {2: (5, 10), 3: (6, 10), 4: (8, 10), 5: (9, 9)}[players]
    deck = [rank for rank in range(1, ranks + 1) for _ in range(5)]
    rng.shuffle(deck)
    hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
    aside = deck[players * size :]
    starter = rng.randrange(players)
    request = {"op": "deal", "players": players, "hands": hands, "aside": aside}
    referee = at({**request, "starter": starter, "face": face})
    return Oracle(players, hands, starter=starter, face=face, aside=aside), referee


def tidy(oracle: Oracle, seat: int, rng: random.Random) -> str:
    """Discard a duplicate, follow the led color: such rounds often end normally (F3)."""
    actions = sorted(oracle.legal(seat))
    wanted = actions
    if oracle.phase == "discard":
        wanted = [action for action in actions if oracle.hands[seat][int(action[1])] > 1]
    elif oracle.trick:
        wanted = [action for action in actions if action[1] == oracle.trick[0][2]]
    return rng.choice(wanted or actions)


def expected_state(oracle: Oracle) -> Answer:
    """The state as the oracle sees it."""
    return {
        "ok": True,
        "phase": oracle.phase,
        "board": {f"{color}{rank}": seat for (color, rank), seat in oracle.board.items()},
        "tokens": ["".join(c for c in COLORS if c in tokens) for tokens in oracle.tokens],
        "hands": [sorted(hand.elements()) for hand in oracle.hands],
        "discards": [rank or None for rank in oracle.discards],
        "bids": [bid or None for bid in oracle.bids],
        "won": oracle.won,
        "trick": [{"seat": seat, "action": f"{rank}{color}"} for seat, rank, color in oracle.trick],
        "leader": oracle.leader,
        "red_open": oracle.red_open,
        "paradox": oracle.paradox,
    }


EVERY_ACTION = [
    *(f"{rank}{color}" for rank in range(1, 10) for color in COLORS),
    *(f"-{rank}" for rank in range(1, 10)),
    *(f"={bid}" for bid in range(1, 5)),
]


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_whole_rounds_agree_with_the_oracle(players: int, face: str) -> None:
    """Every answer of a round, refusals included, is what the oracle says."""
    ends = set()
    for seed in range(12):
        rng = random.Random(f"{players} {face} {seed}")
        oracle, referee = begin(players, face, rng)
        while oracle.phase != "over":
            assert ask(referee, op="state") == expected_state(oracle)
            for seat in range(players):
                legal = sorted(oracle.legal(seat)) if seat in oracle.to_act() else []
                assert ask(referee, op="legal", seat=seat)["actions"] == legal
            seat = rng.choice(oracle.to_act())
            refuse_one(oracle, referee, seat, rng)
            action = tidy(oracle, seat, rng) if seed else rng.choice(sorted(oracle.legal(seat)))
            answer = ask(referee, op="act", seat=seat, action=action)
            news = oracle.act(seat, action)
            assert answer == {"ok": True, "phase": oracle.phase, "to_act": oracle.to_act(), **news}
        assert ask(referee, op="state") == expected_state(oracle)
        score = ask(referee, op="score")
        assert score == {"ok": True, "scores": oracle.scores(), "groups": oracle.groups()}
        ends.add(oracle.paradox is None)
    assert ends == {True, False}, "the rounds end in both ways"


def refuse_one(oracle: Oracle, referee: Referee, seat: int, rng: random.Random) -> None:
    """Try an action that the seat to act may not do: the clause is the oracle's."""
    illegal = [action for action in EVERY_ACTION if action not in oracle.legal(seat)]
    action = rng.choice(illegal)
    answer = ask(referee, op="act", seat=seat, action=action)
    assert not answer["ok"]
    assert answer["error"]["clause"] == oracle.reason(seat, action), action


# ── Garbage ──────────────────────────────────────────────────────────────────────────────────


def noise(rng: random.Random) -> bytes:
    """Bytes without a line feed."""
    return bytes(rng.choice([b for b in range(256) if b != 10]) for _ in range(rng.randrange(60)))


def value(rng: random.Random, depth: int = 0) -> Any:
    """Any JSON value, with words that the referee knows among others."""
    kind = rng.randrange(9 if depth < 4 else 7)
    if kind == 7:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 8:
        return {str(value(rng, 9)): value(rng, depth + 1) for _ in range(rng.randrange(4))}
    words = [*OPERATIONS, "op", "seat", "id", "-5", "5b", "=3", "white", "", "\ud800", "\0", "ħ"]
    numbers = [-1, 0, 1, 2, 3, 5, 9, 10**6 + 1, 2**63, -(10**400), 0.5, 1e300]
    return rng.choice([None, True, False, rng.choice(words), *[rng.choice(numbers)] * 3])


def valid(rng: random.Random) -> Request:
    """A request that could be good."""
    seat = rng.randrange(3)
    action = rng.choice(EVERY_ACTION)
    choices: list[Request] = [
        TWO,
        THREE,
        {"op": "legal", "seat": seat},
        *[{"op": "act", "seat": seat, "action": action}] * 4,
        {"op": "state"},
        {"op": "score"},
        {"op": "result", "rounds": [[rng.randrange(9)] * 3]},
    ]
    return {**rng.choice(choices), "id": rng.randrange(99)}


def mutated(rng: random.Random) -> bytes:
    """A valid request with a value changed, a field gone or added, or a byte lost."""
    request = valid(rng)
    field = rng.choice([*request, "extra"])
    if rng.random() < 0.3:
        request.pop(field, None)
    elif rng.random() < 0.6:
        request[field] = value(rng)
    line = json.dumps(request).encode()
    if rng.random() < 0.3:
        at_ = rng.randrange(len(line))
        line = line[:at_] + rng.choice([b"", b'"', b"[", b"\xff", b"9"]) + line[at_ + 1 :]
    return line


def garbage(rng: random.Random, count: int) -> Iterator[bytes]:
    """Lines of every kind."""
    for _ in range(count):
        kind = rng.randrange(6)
        if kind == 0:
            yield noise(rng)
        elif kind == 1:
            yield json.dumps(value(rng)).encode()
        elif kind == 2:
            yield json.dumps(valid(rng)).encode()
        else:
            yield mutated(rng)


@pytest.mark.long
def test_ten_thousand_lines_of_garbage() -> None:
    """10,000 lines of anything get 10,000 answers in JSON, good ones and bad ones."""
    lines = list(garbage(random.Random(10_000), 10_000))
    answers = io.StringIO()
    serve(io.BytesIO(b"".join(line + b"\n" for line in lines)), answers)
    verdicts = [read(line)["ok"] for line in answers.getvalue().splitlines()]
    assert len(verdicts) == len(lines)
    assert 500 < sum(verdicts) < 9_500


def conversation(*lines: bytes) -> list[Answer]:
    """The answers to some lines."""
    answers = io.StringIO()
    serve(io.BytesIO(b"\n".join(lines)), answers)
    return [read(line) for line in answers.getvalue().splitlines()]


GOOD = b'{"op": "result", "rounds": [[1, 2]]}'


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "input.json"),
        (b"\xff\xfe", "input.json"),
        (b"\xef\xbb\xbf" + GOOD, "input.json"),
        (b'{"op": NaN}', "input.json"),
        (b'{"op": "result", "rounds": [[1, Infinity]]}', "input.json"),
        (b'{"op": "result", "rounds": [[1, -Infinity]]}', "input.json"),
        (b"[" * 60_000, "input.json"),
        (b'{"op": ' + b'{"op": ' * 8_000, "input.json"),
        (b"9" * 60_000, "input.json"),
        (b'{"op": "legal", "seat": ' + b"9" * 5_000 + b"}", "input.json"),
        (b'{"op": "result", "rounds": [[1, ' + b"9" * 4_000 + b"]]}", "input.rounds"),
        (b"x" * (MAX_LINE + 1), "input.line"),
        (b"x" * (5 * MAX_LINE), "input.line"),
        (b" " * (MAX_LINE - len(GOOD)) + GOOD, "input.line"),  # with its line feed one too long
    ],
)
def test_broken_line_gets_one_answer(line: bytes, code: str) -> None:
    """A broken line is answered once, and the lines around it as if it were not there."""
    before, broken, after = conversation(GOOD, line, GOOD)
    assert before["ok"]
    assert after["ok"]
    assert broken["error"]["code"] == code


def test_longest_line() -> None:
    """A line of exactly the limit, its line feed included, is read."""
    longest = GOOD[:-1] + b" " * (MAX_LINE - len(GOOD) - 1) + b"}"
    assert [answer["ok"] for answer in conversation(longest, GOOD)] == [True, True]


@pytest.mark.long
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_every_depth_of_nesting(opening: bytes) -> None:
    """However deep a value is nested, in whichever field, the answer is an error."""
    closing = b"]" if opening == b"[" else b"1}"
    fields = (
        b'{"op":%s}',
        b'{"id":%s}',
        b'{"op":"legal","seat":%s}',
        b'{"op":"result","rounds":%s}',
    )
    for depth in [*range(1, 100, 9), *range(900, 1_100), 5_000]:
        for request in fields:
            nested = opening * depth + closing[:-1] + closing[-1:] * depth
            answer = read(at(THREE).answer(request % nested))
            assert not answer["ok"]


def test_end_of_input_without_line_feed() -> None:
    """A last line that is not ended is answered too; no line, no answer."""
    assert len(conversation(GOOD)) == 1
    assert conversation() == []


def test_answer_is_json_for_a_huge_id() -> None:
    """Whatever the id is, the answer is JSON."""
    read(Referee().answer('{"id": 1e400, "op": "state"}'))


def test_id_is_not_a_boolean() -> None:
    """An id is a number or a text; true is neither."""
    assert ask(Referee(), op="state", id=True)["error"]["code"] == "input.id"


@pytest.mark.timing
@pytest.mark.process
def test_the_command() -> None:
    """The process answers each line at once and ends with its input."""
    with subprocess.Popen(
        [sys.executable, "-m", "catinthebox", "referee"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        for _ in range(3):
            process.stdin.write(GOOD + b"\n")
            process.stdin.flush()
            assert read(line_of(process).rstrip("\n"))["winners"] == [1]
        process.stdin.close()
        assert ended(process) == (0, "")
