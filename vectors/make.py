"""Write the published vectors again: random and micro files from fixed seeds, tricky.txt in place.

Every number comes from tests/oracle.py, the naive second reading of the rules.  The hand-made
blocks of tricky.txt keep their words and get their computed lines (`depth`, `over`) refilled;
every `refuse` line is verified.  Running it twice gives identical bytes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from oracle import RANKS, Oracle, Row, perft  # noqa: E402 - it lies beside the tests

HAND = {2: 10, 3: 10, 4: 10, 5: 9}  # cards dealt to a seat
FILES = [(2, "white"), (3, "white"), (3, "purple"), (4, "white"), (4, "purple"), (5, "purple")]
SMALL = 5_000  # nodes of a late random position that is searched to the end
MICRO = 8_000  # nodes of a micro deck


@dataclass
class Vector:
    """One block: a round, the moves played from its start, and what is asked about it."""

    name: str
    about: str
    players: int
    hands: list[str]
    dealt: bool = True  # `deal`: before the discards; else `hands`: at the first lead
    face: str = "white"
    starter: int = 0
    aside: str = ""  # `aside` of a deal, `turned` of a first lead
    bids: list[int] = field(default_factory=list)
    ranks: int | None = None
    moves: list[str] = field(default_factory=list)
    refuse: list[str] = field(default_factory=list)  # "5r R14"
    depth: int = 0
    clauses: list[str] = field(default_factory=list)

    def position(self) -> Oracle:
        """The round after the moves."""
        n, hands, at, face, ranks = self.players, self.hands, self.starter, self.face, self.ranks
        if self.dealt:
            table = Oracle(n, hands, starter=at, face=face, ranks=ranks, aside=self.aside)
        else:
            table = Oracle.first_lead(
                n, hands, starter=at, face=face, ranks=ranks, bids=self.bids, turned=self.aside
            )
        for move in self.moves:
            table.act(table.to_act()[0], move)
        return table

    def lines(self) -> Iterator[str]:
        """The whole block, computed lines last."""
        yield f"vector {self.name}"
        yield f"about {self.about}"
        yield f"clauses {' '.join(self.clauses)}"
        yield f"players {self.players}"
        yield f"face {self.face}"
        yield f"starter {self.starter}"
        if self.ranks is not None:
            yield f"ranks {self.ranks}"
        yield f"{'deal' if self.dealt else 'hands'} {' '.join(self.hands)}"
        if self.aside:
            yield f"{'aside' if self.dealt else 'turned'} {self.aside}"
        if self.bids:
            yield f"bids {' '.join(map(str, self.bids))}"
        if self.moves:
            yield f"moves {' '.join(self.moves)}"
        yield from (f"refuse {line}" for line in self.refuse)
        yield from computed(self.position(), self.depth)


def commas(numbers: list[int]) -> str:
    """1,-2,3."""
    return ",".join(map(str, numbers))


def depth_line(row: Row) -> str:
    """One computed line of the search."""
    return (
        f"depth {row.depth} nodes {row.nodes} leads {row.leads} follows {row.follows}"
        f" off {row.off} red {row.red} red-led {row.red_led} tricks {row.tricks}"
        f" paradoxes {row.paradoxes} ended {row.ended} won {commas(row.won)}"
        f" scores {commas(row.scores)} check {row.check}"
    )


def computed(table: Oracle, depth: int) -> Iterator[str]:
    """The `over` line of a finished round, else `depth` lines while sequences remain."""
    if table.phase == "over":
        causer = "-" if table.paradox is None else str(table.paradox)
        scores, groups = commas(table.scores()), commas(table.groups())
        yield f"over paradox {causer} scores {scores} groups {groups}"
    else:
        yield from (depth_line(row) for row in perft(table, depth) if row.nodes)


def verify(vector: Vector) -> None:
    """Complain unless every `refuse` line is refused with its clause."""
    table = vector.position()
    for line in vector.refuse:
        action, clause = line.split()
        found = table.reason(table.to_act()[0], action)
        if found != clause:
            raise ValueError(f"{vector.name}: {action} gives {found}, not {clause}")


def parse(block: str) -> Vector:
    """Read a block; computed lines only tell the depth wanted."""
    lines = [line.split(" ", 1) for line in block.splitlines()]
    word = dict(line for line in lines if len(line) == 2)
    dealt = "deal" in word
    return Vector(
        name=word["vector"],
        about=word["about"],
        clauses=word["clauses"].split(),
        players=int(word["players"]),
        face=word["face"],
        starter=int(word["starter"]),
        ranks=int(word["ranks"]) if "ranks" in word else None,
        dealt=dealt,
        hands=word["deal" if dealt else "hands"].split(),
        aside=word.get("aside" if dealt else "turned", ""),
        bids=[int(bid) for bid in word.get("bids", "").split()],
        moves=word.get("moves", "").split(),
        refuse=[rest for key, rest in lines if key == "refuse"],
        depth=max([int(rest.split()[0]) for key, rest in lines if key == "depth"], default=0),
    )


def refill(text: str) -> str:
    """Compute the lines of every block again; comments stay as they are."""
    chunks = [chunk for chunk in text.strip().split("\n\n") if chunk]
    return "\n\n".join(refilled(chunk) for chunk in chunks) + "\n"


def refilled(chunk: str) -> str:
    """One block with fresh numbers, or the comment as it is."""
    if not chunk.startswith("vector "):
        return chunk
    vector = parse(chunk)
    verify(vector)
    return "\n".join(vector.lines())


# Random rounds


def deal(rng: random.Random, players: int, face: str) -> Vector:
    """A shuffled deck, dealt by the table of player counts."""
    deck = [str(rank) for rank in range(1, RANKS[players] + 1) for _ in range(5)]
    rng.shuffle(deck)
    return dealt(rng, players, face, deck, HAND[players])


def dealt(rng: random.Random, players: int, face: str, deck: list[str], size: int) -> Vector:
    """So many cards to each seat; what two players leave goes aside."""
    hands = ["".join(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(players)]
    aside = "".join(deck[players * size :][:5]) if players == 2 else ""
    starter = rng.randrange(players)
    return Vector("", "", players, hands, face=face, starter=starter, aside=aside)


def tidy(table: Oracle, rng: random.Random) -> str:
    """Discard a duplicate and follow the led color, mostly: many rounds end normally (F3)."""
    seat = table.to_act()[0]
    actions = sorted(table.legal(seat))
    wanted = actions
    if table.phase == "discard":
        new = [a for a in actions if int(a[1]) not in table.discards]  # F2
        wanted = [a for a in new if table.hands[seat][int(a[1])] > 1]
    elif table.trick and rng.random() < 0.95:
        wanted = [a for a in actions if a[1] == table.trick[0][2]]
    return rng.choice(wanted or actions)


def play(vector: Vector, rng: random.Random, stop: Callable[[Oracle], bool]) -> Oracle:
    """Go on by the tidy policy until `stop` or the end; the moves land in the vector."""
    table = vector.position()
    while table.phase != "over" and not stop(table):
        vector.moves.append(tidy(table, rng))
        table.act(table.to_act()[0], vector.moves[-1])
    return table


def left(table: Oracle) -> int:
    """Cards that would still be played in a round without paradox."""
    return sum(hand.total() - 1 for hand in table.hands)


def remaining(table: Oracle, limit: int) -> int:
    """What is left of the limit after counting every sequence; negative when it is too small."""
    for seat in table.to_act()[:1]:
        for action in table.legal(seat):
            after = table.copy()
            after.act(seat, action)
            limit = remaining(after, limit - 1) if limit > 0 else -1
    return limit


def from_deal(rng: random.Random, vector: Vector, number: int) -> str:
    """The deal itself, or a few discards and bids later."""
    stop_after = number % (2 * vector.players - 1) if number > 2 else 0
    play(vector, rng, lambda table: len(vector.moves) >= stop_after or table.phase == "play")
    vector.depth = 2
    return "a fresh deal" if not vector.moves else "during the discards and bids"


def from_first_lead(rng: random.Random, vector: Vector, number: int) -> str:
    """Hands after the discard, three of them searched to depth 3."""
    forget_discards(rng, vector)
    vector.bids = [] if number % 4 == 3 else vector.bids
    vector.depth = 3 if number < 3 else 2
    return "the first lead, discards unknown"


def forget_discards(rng: random.Random, vector: Vector) -> None:
    """Turn a deal into the first lead after some discards and bids."""
    table = play(vector, rng, lambda table: table.phase == "play")
    vector.dealt, vector.moves, vector.aside = False, [], vector.aside[:3]
    vector.bids = [bid for bid in table.bids if bid]
    vector.hands = ["".join(str(r) for r in sorted(hand.elements())) for hand in table.hands]


def from_the_middle(rng: random.Random, vector: Vector, number: int) -> str:
    """Some tricks played, many still to come."""
    cards = vector.players * (HAND[vector.players] - 2)
    least = rng.randrange(cards // 3, cards - 6)
    table = play(vector, rng, lambda table: table.phase == "play" and left(table) <= least)
    vector.depth = 2 + number % 2
    return "" if table.phase == "over" else "the middle of a round"


def from_late(rng: random.Random, vector: Vector, number: int) -> str:
    """A position whose whole future is small enough to be searched."""
    least = rng.randrange(4, 7 + vector.players)
    table = play(vector, rng, lambda table: table.phase == "play" and left(table) <= least)
    if not 0 <= remaining(table, SMALL) < SMALL - 15:
        return ""
    vector.depth = left(table)
    return "late in a round, searched to the end"


def from_whole(rng: random.Random, vector: Vector, number: int) -> str:
    """A complete round: even numbers end normally, odd ones in a paradox."""
    table = play(vector, rng, lambda table: False)
    normal = number % 2 == 0
    if normal != (table.paradox is None):
        return ""
    return "a complete round without paradox" if normal else "a round ended by a paradox"


KINDS = [  # how many of each kind a random file holds
    ("deal", 12, from_deal),
    ("lead", 8, from_first_lead),
    ("middle", 8, from_the_middle),
    ("late", 12, from_late),
    ("round", 12, from_whole),
]


def random_file(players: int, face: str) -> list[Vector]:
    """All vectors of one random file; a kind tries deals until one suits it."""
    vectors = []
    for kind, count, prepare in KINDS:
        rng = random.Random(f"{kind} {players} {face}")
        for number in range(count):
            about = ""
            while not about:
                vector = deal(rng, players, face)
                about = prepare(rng, vector, number)
            vector.name = f"random-{players}p-{face}-{kind}-{number + 1:02}"
            vector.about = f"{players} players, {face}: {about}"
            vectors.append(vector)
    return vectors


# Micro decks: players, ranks, cards dealt, start.  "lead" forgets the discards, "bids" plays
# discards and bids, "late" plays on until the rest is small.
MICROS = """
2 2 3 deal, 2 2 4 deal, 2 3 4 deal, 2 2 5 deal, 2 3 5 deal, 2 4 4 lead, 2 3 5 lead, 2 3 6 lead,
2 3 7 late, 2 4 6 late, 2 2 5 bids, 2 5 5 bids, 3 2 3 deal, 3 3 3 bids, 3 3 4 bids, 3 3 4 lead,
3 3 5 lead, 3 3 5 late, 3 4 5 late, 3 4 6 late, 3 5 5 late, 3 6 5 lead, 4 3 3 bids, 4 3 3 lead,
4 4 3 lead, 4 4 4 late, 4 4 5 late, 4 5 5 late, 4 5 6 late, 4 8 3 lead, 5 3 3 bids, 5 3 3 lead,
5 4 4 late, 5 5 5 late, 5 5 4 late, 5 6 6 late, 5 9 3 bids, 5 9 4 late, 2 4 7 late, 3 3 5 bids"""


def micro_file() -> list[Vector]:
    """Small decks, every sequence of actions to the very end."""
    return [micro(n, spec.split()) for n, spec in enumerate(MICROS.strip().split(","), 1)]


def stacked(rng: random.Random, ranks: int) -> list[str]:
    """A deck with its ranks mostly together, in any order: few choices, many equal cards."""
    order = rng.sample(range(1, ranks + 1), ranks)
    deck = [str(rank) for rank in order for _ in range(5)]
    for _ in range(rng.randrange(4)):
        one, other = rng.randrange(len(deck)), rng.randrange(len(deck))
        deck[one], deck[other] = deck[other], deck[one]
    return deck


def micro(number: int, spec: list[str]) -> Vector:
    """One small deck that fits the limit, its cards barely shuffled to keep it small."""
    players, ranks, size = (int(word) for word in spec[:3])
    rng = random.Random(f"micro {number}")
    while True:
        vector = dealt(rng, players, ("white", "purple")[number % 2], stacked(rng, ranks), size)
        vector.name, vector.ranks, vector.depth = f"micro-{number:02}", ranks, 40
        vector.about = f"{players} players, {ranks} ranks, {size} cards dealt, every line"
        if spec[3] == "lead":
            forget_discards(rng, vector)
        if spec[3] == "bids":
            play(vector, rng, lambda table: table.phase == "play")
        if spec[3] == "late":
            play(vector, rng, lambda t: left(t) < 12 and remaining(t, MICRO) >= 0)
        if MICRO - 30 > remaining(vector.position(), MICRO) >= 0:
            return vector


def write(name: str, vectors: list[Vector]) -> None:
    """Put the vectors into a file, clauses found by playing their moves."""
    for vector in vectors:
        clauses = vector.position().clauses or {"R7"}
        vector.clauses = sorted(clauses, key=lambda c: (int(c[1:].rstrip("ab")), c))
    head = "# Computed by vectors/make.py from tests/oracle.py. CC0-1.0. Format: vectors/README.md"
    blocks = ["\n".join(vector.lines()) for vector in vectors]
    (HERE / name).write_text("\n\n".join([head, *blocks]) + "\n", encoding="ascii")


def main() -> None:
    """Write every file of vectors."""
    for players, face in FILES:
        write(f"random-{players}p-{face}.txt", random_file(players, face))
    write("micro.txt", micro_file())
    tricky = HERE / "tricky.txt"
    tricky.write_text(refill(tricky.read_text(encoding="ascii")), encoding="ascii")


if __name__ == "__main__":
    main()
