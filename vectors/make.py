"""Write the published vectors again: random and micro files from fixed seeds, tricky.txt in place.

Every number comes from tests/oracle.py, the naive second reading of the rules.  The hand-made
blocks of tricky.txt keep their words and get their computed lines (`depth`, `over`) refilled;
every `refuse` line is verified.  Running it twice gives identical bytes.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))

from oracle import RANKS, Oracle, Row, perft  # noqa: E402 - it lies beside the tests

HAND = {2: 10, 3: 10, 4: 10, 5: 9}  # cards dealt to a seat
FILES = [(2, "white"), (3, "white"), (3, "purple"), (4, "white"), (4, "purple"), (5, "purple")]
SMALL = 5_000  # nodes of a late random position that is searched to the end
MICRO = 8_000  # nodes of a micro deck
HEAD = "# Computed by vectors/make.py from tests/oracle.py. CC0-1.0. Format: vectors/README.md"
KEYS = (  # of a block, in order; `deal` starts before the discards, `hands` at the first lead
    *("vector", "about", "clauses", "players", "face", "starter", "ranks"),
    *("deal", "aside", "hands", "turned", "bids", "moves"),
)


@dataclass
class Vector:
    """One block: its words by key, the actions to be refused, and how deep to search."""

    words: dict[str, str]
    refuse: list[str] = field(default_factory=list)  # "5r R14"
    depth: int = 0

    def position(self) -> Oracle:
        """The round after the moves."""
        word = {key: self.words.get(key, "") for key in KEYS}
        seats, at, face = int(word["players"]), int(word["starter"]), word["face"]
        ranks = int(word["ranks"]) if word["ranks"] else None
        hands, aside = (word["deal"] or word["hands"]).split(), word["aside"] or word["turned"]
        bids = [int(bid) for bid in word["bids"].split()]
        if word["deal"]:
            table = Oracle(seats, hands, starter=at, face=face, aside=aside, ranks=ranks)
        else:
            table = Oracle.first_lead(
                seats, hands, starter=at, face=face, turned=aside, ranks=ranks, bids=bids
            )
        for move in word["moves"].split():
            table.act(table.to_act()[0], move)
        return table

    def text(self) -> str:
        """The whole block, computed lines last."""
        lines = [f"{key} {self.words[key]}" for key in KEYS if self.words.get(key)]
        lines += [f"refuse {refusal}" for refusal in self.refuse]
        return "\n".join([*lines, *computed(self.position(), self.depth)])


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


def computed(table: Oracle, depth: int) -> list[str]:
    """The `over` line of a finished round, else `depth` lines while sequences remain."""
    if table.phase != "over":
        return [depth_line(row) for row in perft(table, depth) if row.nodes]
    causer = "-" if table.paradox is None else table.paradox
    scores, groups = commas(table.scores()), commas(table.groups())
    return [f"over paradox {causer} scores {scores} groups {groups}"]


def verified(vector: Vector) -> Vector:
    """Complain unless every `refuse` line is refused with its clause."""
    table = vector.position()
    for action, clause in (refusal.split() for refusal in vector.refuse):
        found = table.reason(table.to_act()[0], action)
        if found != clause:
            raise ValueError(f"{vector.words['vector']}: {action} gives {found}, not {clause}")
    return vector


def parse(block: str) -> Vector:
    """Read a block; computed lines only tell the depth wanted."""
    lines = [line.split(" ", 1) for line in block.splitlines()]
    words = {key: rest for key, rest in lines if key in KEYS}
    refuse = [rest for key, rest in lines if key == "refuse"]
    depths = [int(rest.split()[0]) for key, rest in lines if key == "depth"]
    return Vector(words, refuse, max(depths, default=0))


def refill(chunk: str) -> str:
    """A block with its lines computed again, or a comment as it is."""
    return verified(parse(chunk)).text() if chunk.startswith("vector ") else chunk


def full_deck(ranks: int) -> list[str]:
    """Five copies of each rank."""
    return [str(rank) for rank in range(1, ranks + 1) for _ in range(5)]


def deal(rng: random.Random, players: int, face: str, deck: list[str], size: int) -> Vector:
    """So many cards to each seat; what two players leave goes aside."""
    hands = ["".join(sorted(deck[seat * size : (seat + 1) * size])) for seat in range(players)]
    starter = str(rng.randrange(players))
    words = {"players": str(players), "face": face, "starter": starter, "deal": " ".join(hands)}
    words["aside"] = "".join(deck[players * size :][:5]) if players == 2 else ""
    return Vector(words)


def tidy(table: Oracle, rng: random.Random) -> str:
    """Discard a duplicate and follow the led color, mostly: many rounds end normally (F3)."""
    seat = table.to_act()[0]
    actions = wanted = sorted(table.legal(seat))
    if table.phase == "discard":
        new = [a for a in actions if int(a[1]) not in table.discards]  # F2
        wanted = [a for a in new if table.hands[seat][int(a[1])] > 1]
    elif table.trick and rng.random() < 0.95:
        wanted = [a for a in actions if a[1] == table.trick[0][2]]
    return rng.choice(wanted or actions)


def play(vector: Vector, rng: random.Random, stop: Callable[[Oracle], bool]) -> Oracle:
    """Go on by the tidy policy until `stop` or the end; the moves land in the vector."""
    table, moves = vector.position(), []
    while table.phase != "over" and not stop(table):
        moves.append(tidy(table, rng))
        table.act(table.to_act()[0], moves[-1])
    vector.words["moves"] = " ".join(moves)
    return table


def forget_discards(rng: random.Random, vector: Vector) -> None:
    """Turn a deal into the first lead after some discards and bids."""
    table, words = play(vector, rng, lambda t: t.phase == "play"), vector.words
    hands = ["".join(str(rank) for rank in sorted(hand.elements())) for hand in table.hands]
    words["hands"], words["bids"] = " ".join(hands), " ".join(str(b) for b in table.bids if b)
    words["turned"] = words["aside"][:3]
    words["deal"] = words["aside"] = words["moves"] = ""


def left(table: Oracle) -> int:
    """Cards that would still be played in a round without paradox."""
    return sum(hand.total() - 1 for hand in table.hands)


def spare(table: Oracle, limit: int) -> int:
    """The limit less the number of sequences of any length; negative when there are more."""
    for action in table.legal(table.to_act()[0]) if table.to_act() else ():
        after = table.copy()
        after.act(after.to_act()[0], action)
        limit = spare(after, limit - 1) if limit > 0 else -1
    return limit


def from_deal(rng: random.Random, vector: Vector, number: int) -> str:
    """The deal itself, or some discards and bids later."""
    acts = number % 6
    play(vector, rng, lambda t: t.phase == "play" or sum(map(bool, t.discards + t.bids)) >= acts)
    vector.depth = 2
    return "during the discards and bids" if acts else "a fresh deal"


def from_first_lead(rng: random.Random, vector: Vector, number: int) -> str:
    """Hands after the discard, three of them searched to depth 3, two without bids."""
    forget_discards(rng, vector)
    vector.words["bids"] = "" if number % 4 == 3 else vector.words["bids"]
    vector.depth = 3 if number < 3 else 2
    return "the first lead, discards unknown"


def from_the_middle(rng: random.Random, vector: Vector, number: int) -> str:
    """Some tricks played, many still to come."""
    cards = left(vector.position())
    least = rng.randrange(cards // 3, cards - 6)
    table = play(vector, rng, lambda t: t.phase == "play" and left(t) <= least)
    vector.depth = 2 + number % 2
    return "" if table.phase == "over" else "the middle of a round"


def from_late(rng: random.Random, vector: Vector, _: int) -> str:
    """A position whose whole future is small enough to be searched."""
    least = rng.randrange(4, 12)
    table = play(vector, rng, lambda t: t.phase == "play" and left(t) <= least)
    vector.depth = left(table)
    suits = 0 <= spare(table, SMALL) < SMALL - 15
    return "late in a round, searched to the end" if suits else ""


def from_whole(rng: random.Random, vector: Vector, number: int) -> str:
    """A complete round: even numbers end normally, odd ones in a paradox."""
    table = play(vector, rng, lambda _: False)
    kind = "a complete round without paradox" if table.paradox is None else "ended by a paradox"
    return kind if (table.paradox is None) == (number % 2 == 0) else ""


KINDS = {  # how many, and who prepares a deal and tells what it is, or nothing if it does not suit
    "deal": (12, from_deal),
    "lead": (8, from_first_lead),
    "middle": (8, from_the_middle),
    "late": (12, from_late),
    "round": (12, from_whole),
}


def random_vector(players: int, face: str, kind: str, number: int) -> Vector:
    """Try shuffled decks until one suits the kind."""
    name = f"random-{players}p-{face}-{kind}-{number + 1:02}"
    rng, about = random.Random(name), ""
    while not about:
        deck = full_deck(RANKS[players])
        rng.shuffle(deck)
        vector = deal(rng, players, face, deck, HAND[players])
        about = KINDS[kind][1](rng, vector, number)
    vector.words |= {"vector": name, "about": f"{players} players, {face}: {about}"}
    return vector


# Micro decks: players, ranks, cards dealt, start.  "lead" forgets the discards, "bids" plays
# discards and bids, "late" plays on until the rest is small.
MICROS = """
2 2 3 deal, 2 2 4 deal, 2 3 4 deal, 2 2 5 deal, 2 3 5 deal, 2 4 4 lead, 2 3 5 lead, 2 3 6 lead,
2 3 7 late, 2 4 6 late, 2 2 5 bids, 2 5 5 bids, 3 2 3 deal, 3 3 3 bids, 3 3 4 bids, 3 3 4 lead,
3 3 5 lead, 3 3 5 late, 3 4 5 late, 3 4 6 late, 3 5 5 late, 3 6 5 lead, 4 3 3 bids, 4 3 3 lead,
4 4 3 lead, 4 4 4 late, 4 4 5 late, 4 5 5 late, 4 5 6 late, 4 8 3 lead, 5 3 3 bids, 5 3 3 lead,
5 4 4 late, 5 5 5 late, 5 5 4 late, 5 6 6 late, 5 9 3 bids, 5 9 4 late, 2 4 7 late, 3 3 5 bids"""


def stacked(rng: random.Random, ranks: int) -> list[str]:
    """A deck with its ranks mostly together, in any order: few choices, many equal cards."""
    order = rng.sample(range(1, ranks + 1), ranks)
    deck = sorted(full_deck(ranks), key=lambda rank: order.index(int(rank)))
    for _ in range(rng.randrange(4)):
        one, other = rng.randrange(len(deck)), rng.randrange(len(deck))
        deck[one], deck[other] = deck[other], deck[one]
    return deck


def micro_vector(number: int, spec: str) -> Vector:
    """One small deck, searched to the very end, that fits the limit."""
    players, ranks, size = (int(word) for word in spec.split()[:3])
    about = f"{players} players, {ranks} ranks, {size} cards dealt, every line"
    rng = random.Random(f"micro {number}")
    while True:
        vector = deal(rng, players, ["white", "purple"][number % 2], stacked(rng, ranks), size)
        vector.words |= {"vector": f"micro-{number:02}", "ranks": str(ranks), "about": about}
        vector.depth = players * size
        if "lead" in spec:
            forget_discards(rng, vector)
        elif "bids" in spec:
            play(vector, rng, lambda t: t.phase == "play")
        elif "late" in spec:
            play(vector, rng, lambda t: left(t) < 12 and spare(t, MICRO) >= 0)
        if 0 <= spare(vector.position(), MICRO) < MICRO - 30:
            return vector


def with_clauses(vector: Vector) -> Vector:
    """Name the clauses that decide something while the moves are played."""
    clauses = vector.position().clauses or {"R7"}
    ids = sorted(clauses, key=lambda clause: (int(clause[1:].rstrip("ab")), clause))
    vector.words["clauses"] = " ".join(ids)
    return vector


def save(name: str, chunks: list[str]) -> None:
    """Blocks and comments, blank lines between them."""
    (HERE / name).write_text("\n\n".join(chunks) + "\n", encoding="ascii", newline="\n")


def main() -> None:
    """Write every file of vectors."""
    for players, face in FILES:
        numbered = [(kind, n) for kind, (count, _) in KINDS.items() for n in range(count)]
        vectors = [random_vector(players, face, kind, n) for kind, n in numbered]
        save(f"random-{players}p-{face}.txt", [HEAD, *(with_clauses(v).text() for v in vectors)])
    vectors = [micro_vector(n, spec) for n, spec in enumerate(MICROS.split(","), 1)]
    save("micro.txt", [HEAD, *(with_clauses(v).text() for v in vectors)])
    tricky = (HERE / "tricky.txt").read_text(encoding="ascii")
    save("tricky.txt", [refill(chunk) for chunk in tricky.strip().split("\n\n")])


if __name__ == "__main__":
    main()
