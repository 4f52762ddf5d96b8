"""A second, naive reading of the rules: slow, plain, and written only from the rule book.

It shares no code with the engine.  Everything is a set, a dict, a Counter or a tuple, and every
rule stands where its clause id is cited.  Tests and the published vectors lean on it.

>>> table = Oracle.first_lead(3, ["223345566", "223344556", "112344566"])
>>> sorted(table.legal(0))[:3]
['2b', '2g', '2y']
>>> [row.nodes for row in perft(table, 2)]
[15, 285]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

COLORS = "rbyg"  # red, blue, yellow, green: the rows of the board from the top
NEUTRAL = -1
Cell = tuple[str, int]
Place = tuple[int, int]
Face = dict[Cell, Place]
Hand = Iterable[int | str]  # [2, 2, 3] or "223"

RANKS = {2: 5, 3: 6, 4: 8, 5: 9}
BIDS = {2: (), 3: (1, 3, 4), 4: (1, 2, 3), 5: (1, 2, 3)}
PHASES = ("discard", "bid", "play", "over")


def white_face(ranks: int = 9) -> Face:
    """Four straight rows, column = rank (R29)."""
    return {(c, r): (row, r) for row, c in enumerate(COLORS) for r in range(1, ranks + 1)}


def purple_face(ranks: int = 9) -> Face:
    """Each row one column to the right of the row above, column = rank + row (R30)."""
    return {(c, r): (row, r + row) for row, c in enumerate(COLORS) for r in range(1, ranks + 1)}


FACES = {"white": white_face(), "purple": purple_face()}


class Refused(Exception):
    """An action that breaks the rule named by `clause`; nothing has changed."""

    def __init__(self, clause: str, message: str) -> None:
        super().__init__(f"{clause}: {message}")
        self.clause = clause
        self.message = message


@cache
def _parse(action: str) -> tuple[str, int, str]:
    """Split an action into (kind, number, color); kind is '-', '=', 'play' or '?'."""
    if len(action) == 2 and action[0] in "-=" and action[1] in "0123456789":
        return action[0], int(action[1]), ""
    if len(action) == 2 and action[0] in "0123456789" and action[1] in COLORS:
        return "play", int(action[0]), action[1]
    return "?", 0, ""


class Oracle:
    """One round, from the deal to the scores."""

    def __init__(
        self,
        players: int,
        hands: Sequence[Hand],
        *,
        starter: int = 0,
        face: str | Face = "white",
        aside: Hand = (),
        ranks: int | None = None,
    ) -> None:
        self.players = players
        self.ranks = RANKS[players] if ranks is None else ranks
        self.starter = starter
        self.face = FACES[face] if isinstance(face, str) else face
        self.phase = "discard"
        self.board: dict[Cell, int] = {}
        self.tokens = [set(COLORS) for _ in range(players)]  # R4
        self.hands = [Counter(int(card) for card in hand) for hand in hands]  # R5
        self.discards = [0] * players
        self.bids = [0] * players
        self.won = [0] * players
        self.trick: list[tuple[int, int, str]] = []
        self.leader = starter  # R10
        self.paradox: int | None = None
        self.clauses: set[str] = set()
        self._check_deal()
        self._turn_up([int(card) for card in aside][:3])

    @classmethod
    def first_lead(
        cls,
        players: int,
        hands: Sequence[Hand],
        *,
        starter: int = 0,
        face: str | Face = "white",
        bids: Sequence[int] = (),
        turned: Hand = (),
        ranks: int | None = None,
    ) -> Oracle:
        """A round just before its first lead: hands after the discards, which are unknown."""
        table = cls(players, hands, starter=starter, face=face, aside=turned, ranks=ranks)
        table.bids = list(bids) or [0] * players
        if len(table.bids) != players or any(b not in (0, *BIDS[players]) for b in table.bids):
            raise ValueError(f"bids {table.bids} are not possible")
        table.phase = "play"
        table._pass_turn()
        return table

    def _check_deal(self) -> None:
        sizes = {hand.total() for hand in self.hands}
        if len(self.hands) != self.players or len(sizes) != 1 or min(sizes) < 2:
            raise ValueError("every seat needs a hand of the same size, two cards or more")
        if any(not 1 <= rank <= self.ranks for hand in self.hands for rank in hand):
            raise ValueError(f"ranks go from 1 to {self.ranks}")
        if not 0 <= self.starter < self.players:
            raise ValueError(f"there is no seat {self.starter}")

    def _turn_up(self, turned: list[int]) -> None:
        """Neutral tokens: first copy of a rank on green, second on yellow, third on blue (R6)."""
        if turned and self.players != 2:
            raise ValueError("only two players leave cards aside")
        for place, rank in enumerate(turned):
            copies_before = turned[:place].count(rank)
            self.board["gyb"[copies_before], rank] = NEUTRAL
            self.clauses.add("R6")

    # What may be done

    @property
    def red_open(self) -> bool:
        """Whether at least one player's token lies in the red row (R14a)."""
        return any(color == "r" and owner != NEUTRAL for (color, _), owner in self.board.items())

    def to_act(self) -> list[int]:
        """The seats that may act now, ascending."""
        if self.phase == "discard":  # R7: all at the same time
            return [seat for seat in range(self.players) if self.discards[seat] == 0]
        if self.phase == "bid":  # R8: clockwise from the starter
            bids_made = sum(1 for bid in self.bids if bid > 0)
            return [(self.starter + bids_made) % self.players]
        if self.phase == "play":  # R10: clockwise from the leader
            return [(self.leader + len(self.trick)) % self.players]
        return []

    def legal(self, seat: int) -> set[str]:
        """Every action the seat may perform now."""
        hand = self.hands[seat]
        actions = {
            "discard": [f"-{rank}" for rank in hand],
            "bid": [f"={bid}" for bid in BIDS[self.players]],
            "play": [f"{rank}{color}" for rank in hand for color in COLORS],
            "over": [],
        }[self.phase]
        return {action for action in actions if self.reason(seat, action) is None}

    def reason(self, seat: int, action: str) -> str | None:
        """The clause the action would break, or None if it is legal."""
        kind, number, color = _parse(action)
        if self.phase == "over":
            return "R19" if self.paradox is None else "R21"
        if self.phase == "discard":
            fits = kind == "-" and seat in self.to_act() and self.hands[seat][number] > 0
            return None if fits else "R7"
        if self.phase == "bid":
            fits = kind == "=" and seat in self.to_act() and number in BIDS[self.players]
            return None if fits else "R8"
        if seat not in self.to_act():
            return "R10"
        if kind != "play":
            return "R9" if kind == "=" and self.players == 2 else "R11"
        return self._fault(seat, number, color)

    def _fault(self, seat: int, rank: int, color: str) -> str | None:
        """The clause that forbids this declaration to the seat whose turn it is."""
        if self.hands[seat][rank] == 0:
            return "R11"
        if (color, rank) in self.board:
            return "R12"
        if color not in self.tokens[seat]:
            return "R13"
        if color == "r" and not self.trick and not self.red_open and self._has_other(seat):
            return "R14"
        return None

    def _has_other(self, seat: int) -> bool:
        """Whether a card in hand could be declared in a color other than red (R14b)."""
        return any(self._can_declare(seat, color) for color in "byg")

    def _can_declare(self, seat: int, color: str) -> bool:
        return any(self._fault(seat, rank, color) is None for rank in self.hands[seat])

    # Acting

    def act(self, seat: int, action: str) -> dict[str, int]:
        """Perform the action and tell what it caused; raise Refused if it is not legal."""
        clause = self.reason(seat, action)
        if clause is not None:
            raise Refused(clause, f"seat {seat} may not {action} in phase {self.phase}")
        kind, number, color = _parse(action)
        if kind == "-":
            return self._discard(seat, number)
        if kind == "=":
            return self._bid(seat, number)
        return self._play(seat, number, color)

    def _discard(self, seat: int, rank: int) -> dict[str, int]:
        self.hands[seat] -= Counter([rank])  # R7: out for the round
        self.discards[seat] = rank
        self.clauses.add("R7")
        if 0 in self.discards:
            return {}
        if self.players > 2:
            self.phase = "bid"
            return {}
        self.phase = "play"  # R9: two players do not bid
        self.clauses.add("R9")
        return self._pass_turn()

    def _bid(self, seat: int, bid: int) -> dict[str, int]:
        self.bids[seat] = bid  # R8
        self.clauses.add("R8")
        if 0 in self.bids:
            return {}
        self.phase = "play"
        return self._pass_turn()

    def _play(self, seat: int, rank: int, color: str) -> dict[str, int]:
        self._note_choice(seat, color)
        self.hands[seat] -= Counter([rank])  # R11
        self.board[color, rank] = seat
        self.trick.append((seat, rank, color))
        self._lose_token(seat, color)
        if len(self.trick) < self.players:
            return self._pass_turn()
        winner = self._end_trick()
        if all(hand.total() == 1 for hand in self.hands):  # R19: the last card is not played
            self._finish()
            return {"trick_winner": winner}
        return {"trick_winner": winner, **self._pass_turn()}

    def _lose_token(self, seat: int, color: str) -> None:
        """A follower of another color loses the token of the led color (R16)."""
        led = self.trick[0][2]
        if color != led and led in self.tokens[seat]:
            self.tokens[seat].remove(led)
            self.clauses.add("R16")
        assert self.tokens[seat], "R17: a seat always keeps at least one color token"
        if len(self.tokens[seat]) == 1:
            self.clauses.add("R17")

    def _end_trick(self) -> int:
        """Highest red, else highest of the led color, wins and leads next (R18, R10)."""
        colors = [color for _, _, color in self.trick]
        winning_color = "r" if "r" in colors else colors[0]
        _, winner = max((rank, seat) for seat, rank, color in self.trick if color == winning_color)
        self.won[winner] += 1
        self.trick = []
        self.leader = winner
        self.clauses.update({"R10", "R11", "R18"})
        return winner

    def _pass_turn(self) -> dict[str, int]:
        """The turn comes to a seat: without a legal declaration it causes a paradox (R20)."""
        seat = self.to_act()[0]
        faults = {
            self._fault(seat, rank, color)
            for rank in self.hands[seat]
            for color in COLORS
            if color in self.tokens[seat] or (color, rank) not in self.board
        }
        self.clauses |= {clause for clause in faults if clause}  # R12, R13, R14 each on its own
        if None in faults:
            return {}
        self.paradox = seat
        self.clauses.add("R20")
        if self.trick:
            self.clauses.add("R21")  # nobody wins the trick, its tokens stay
        self._finish()
        return {"paradox": seat}

    def _finish(self) -> None:
        self.phase = "over"
        self._note_scoring()

    # Scoring

    def groups(self) -> list[int]:
        """The size of each seat's largest group of own tokens (R27)."""
        return [self._largest_group(seat) for seat in range(self.players)]

    def _largest_group(self, seat: int) -> int:
        loose = {cell for cell, owner in self.board.items() if owner == seat}
        largest = 0
        while loose:
            group = {loose.pop()}
            while near := {cell for cell in loose if any(self.touch(cell, own) for own in group)}:
                group |= near
                loose -= near
            largest = max(largest, len(group))
        return largest

    def touch(self, one: Cell, other: Cell) -> bool:
        """Whether two cells share an edge on this face: no diagonals, no wrap-around (R28)."""
        (row, column), (other_row, other_column) = self.face[one], self.face[other]
        return abs(row - other_row) + abs(column - other_column) == 1

    def scores(self) -> list[int]:
        """The points of a finished round, seat by seat."""
        if self.phase != "over":
            raise ValueError("the round is not over")
        return [self._score(seat) for seat in range(self.players)]

    def _score(self, seat: int) -> int:
        if seat == self.paradox:
            return -self.won[seat]  # R24
        bonus = self._largest_group(seat) if self._earns_bonus(seat) else 0
        return self.won[seat] + bonus  # R23

    def _earns_bonus(self, seat: int) -> bool:
        if self.players == 2:
            return self.won[seat] <= 4  # R26
        return self.bids[seat] > 0 and self.won[seat] == self.bids[seat]  # R25

    # Which clauses have decided something so far

    def _note_choice(self, seat: int, color: str) -> None:
        """Note R14a, R14b, R15 where the declaration needs that clause to be legal."""
        led = self.trick[0][2] if self.trick else color
        if not self.trick and color == "r" and not self.red_open:
            self.clauses.update({"R14", "R14b"})
        elif not self.trick and color == "r" and self._has_other(seat):
            self.clauses.update({"R14", "R14a"})
        elif color != led and self._can_declare(seat, led):
            self.clauses.add("R15")

    def _note_scoring(self) -> None:
        """Note the clauses that shaped the scores; R27 where the bonus is not every own token."""
        self.clauses.add("R19" if self.paradox is None else "R24")
        for seat in set(range(self.players)) - {self.paradox}:
            self.clauses.update({"R23"} if self.won[seat] else set())
            if self._earns_bonus(seat):
                self.clauses.add("R26" if self.players == 2 else "R25")
                whole = self._largest_group(seat) == list(self.board.values()).count(seat)
                self.clauses.update(set() if whole else {"R27", "R28"})

    def copy(self) -> Oracle:
        """An independent copy of the whole round."""
        twin = Oracle.__new__(Oracle)
        twin.__dict__.update(self.__dict__)
        twin.board = dict(self.board)
        twin.tokens = [set(colors) for colors in self.tokens]
        twin.hands = [Counter(hand) for hand in self.hands]
        twin.discards, twin.bids, twin.won = list(self.discards), list(self.bids), list(self.won)
        twin.trick = list(self.trick)
        twin.clauses = set(self.clauses)
        return twin


def result(rounds: list[list[int]]) -> tuple[list[int], list[int]]:
    """Totals and the winning seats of a game: the final round breaks ties (R3)."""
    totals = [sum(scores) for scores in zip(*rounds, strict=True)]
    tied = [seat for seat, total in enumerate(totals) if total == max(totals)]
    best_final = max(rounds[-1][seat] for seat in tied)
    return totals, [seat for seat in tied if rounds[-1][seat] == best_final]


def _cells_number(cells: Iterable[Cell]) -> int:
    return sum(2 ** (16 * COLORS.index(color) + rank - 1) for color, rank in cells)


def _header(o: Oracle) -> int:
    turn = o.to_act()[0] + 1 if o.phase in ("bid", "play") else 0
    led = COLORS.index(o.trick[0][2]) + 1 if o.trick else 0
    paradox = 0 if o.paradox is None else o.paradox + 1
    low = PHASES.index(o.phase) + 4 * turn + 32 * o.leader + 256 * led
    return low + 2048 * int(o.red_open) + 4096 * paradox


def _seat_numbers(o: Oracle, seat: int) -> list[int]:
    own = _cells_number(cell for cell, owner in o.board.items() if owner == seat)
    hand = sum(count * 8 ** (rank - 1) for rank, count in o.hands[seat].items())
    tokens = sum(2 ** COLORS.index(color) for color in o.tokens[seat])
    return [own, hand, o.won[seat] + 16 * o.bids[seat] + 128 * o.discards[seat] + 2048 * tokens]


def fingerprint(o: Oracle) -> int:
    """A number for the whole state that any representation can compute (vectors/README.md)."""
    numbers = [_header(o), _cells_number((color, rank) for _, rank, color in o.trick)]
    for seat in range(o.players):
        numbers += _seat_numbers(o, seat)
    folded = 0
    for number in numbers:
        folded = (folded * 1000003 + number + 1) % 2147483647
    return folded


@dataclass
class Row:
    """What all action sequences of one length add up to."""

    depth: int
    nodes: int = 0
    leads: int = 0
    follows: int = 0
    off: int = 0
    red: int = 0
    red_led: int = 0
    tricks: int = 0
    paradoxes: int = 0
    ended: int = 0
    won: list[int] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    check: int = 0


def perft(o: Oracle, depth: int) -> list[Row]:
    """Walk every sequence of up to `depth` actions; one row for each length."""
    rows = [Row(d, won=[0] * o.players, scores=[0] * o.players) for d in range(1, depth + 1)]
    _walk(o, rows)
    return rows


def _walk(o: Oracle, rows: list[Row]) -> None:
    if rows and o.phase != "over":
        seat = o.to_act()[0]  # in the discard phase the lowest waiting seat
        for action in o.legal(seat):
            after = o.copy()
            _count(rows[0], o, action, after.act(seat, action), after)
            _walk(after, rows[1:])


def _count(row: Row, before: Oracle, action: str, news: dict[str, int], after: Oracle) -> None:
    row.nodes += 1
    if before.phase == "play":
        led = before.trick[0][2] if before.trick else None
        row.leads += led is None
        row.follows += action[1] == led
        row.off += led is not None and action[1] != led
        row.red += action[1] == "r"
        row.red_led += led is None and action[1] == "r"
    row.tricks += "trick_winner" in news
    row.paradoxes += "paradox" in news
    row.won = [a + b for a, b in zip(row.won, after.won, strict=True)]
    if after.phase == "over":
        row.ended += after.paradox is None
        row.scores = [a + b for a, b in zip(row.scores, after.scores(), strict=True)]
    row.check += fingerprint(after)
