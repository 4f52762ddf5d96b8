"""`catinthebox perft`: count action sequences; compare published vectors (vectors/README.md)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from .. import Face, NotUnderstood, Round, Setup
from ..game.setup import Deck
from ..game.vectors import Vector, check, count, in_words, parse
from ..optional import load
from .files import read_text

CountRows = list[dict[str, str]]
CountFunction = Callable[[Round, int], CountRows]

EXAMPLE = """example:
  catinthebox perft --hands 223345566 223344556 112344566 --depth 4
  catinthebox perft --check vectors/"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: a position, or files of vectors."""
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    position = parser.add_mutually_exclusive_group(required=True)
    position.add_argument(
        "--deal", nargs="+", metavar="HAND", help="count from these hands, before the discard"
    )
    position.add_argument(
        "--hands", nargs="+", metavar="HAND", help="count from these hands, before the first lead"
    )
    position.add_argument(
        "--check",
        nargs="+",
        metavar="PATH",
        help="compare with the vectors in these files or folders",
    )
    position.add_argument(
        "--all-deals", action="store_true", help="sum over every distinct deal at three players"
    )
    parser.add_argument("--depth", type=_depth, default=3, help="how deep to count (default 3)")
    parser.add_argument(
        "--starter", type=int, default=0, metavar="SEAT", help="who leads first (default 0)"
    )
    parser.add_argument(
        "--face", default="white", help="the face of the board: white (default), black or purple"
    )
    parser.add_argument(
        "--aside", default="", metavar="RANKS", help="the cards left aside, with two players"
    )
    parser.add_argument(
        "--bids",
        nargs="+",
        type=int,
        default=[],
        metavar="N",
        help="the bids by seat, with --hands",
    )
    parser.add_argument("--ranks", type=int, help="use a micro deck with this many ranks")
    parser.add_argument("--moves", default="", help="actions to play first, such as '5b 3b 4y'")
    parser.add_argument(
        "--divide", action="store_true", help="print one line for each first action"
    )
    parser.add_argument("--compiled", action="store_true", help="count with compiled rules (numba)")
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="the number of threads for --all-deals (default 1)",
    )


def _depth(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 60:
        raise argparse.ArgumentTypeError(f"{text!r}: the depth is a number from 1 to 60")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Count, divide or check."""
    if arguments.check:
        return check_files([Path(path) for path in arguments.check])
    if arguments.all_deals:
        print(all_deals(arguments.depth, arguments.face, arguments.threads))
        return 0
    counter = compiled_count if arguments.compiled else count
    round = _position(arguments)
    if arguments.divide:
        print(divide(round, arguments.depth, counter))
    else:
        print(table(counter(round, arguments.depth)))
    return 0


def compiled_count(round: Round, depth: int) -> CountRows:
    """Count with compiled rules."""
    return in_words(_fast().count(round.vector, depth, round.face.touch), round.players)


def all_deals(depth: int, face: str, threads: int) -> str:
    """Count every distinct deal at three players (F5)."""
    deals, rows = _fast().all_deals(depth, Face.named(face).name, threads)
    return f"{deals} deals\n{table(in_words(rows, 3))}"


def _fast() -> ModuleType:
    return load("catinthebox.fast.perft", extra="fast")


def _position(arguments: argparse.Namespace) -> Round:
    hands = arguments.hands or arguments.deal
    first_lead = bool(arguments.hands)
    deck = None
    if arguments.ranks is not None:
        deck = Deck(arguments.ranks, len(hands[0]) + first_lead)
    setup = Setup(
        tuple(hands),
        starter=arguments.starter,
        face=Face.named(arguments.face),
        aside=arguments.aside,
        deck=deck,
        discarded=first_lead,
        bids=tuple(arguments.bids),
    )
    return Round(setup).replay(arguments.moves)


def table(rows: CountRows) -> str:
    """Return the counts as an aligned table."""
    names = list(rows[0])
    width = {name: max(len(name), *(len(row[name]) for row in rows)) for name in names}
    lines = [[name.rjust(width[name]) for name in names]]
    lines += [[row[name].rjust(width[name]) for name in names] for row in rows]
    return "\n".join("  ".join(line) for line in lines)


def divide(round: Round, depth: int, counter: CountFunction) -> str:
    """Return the number of sequences after each first action, and their sum."""
    lines, total = [], 0
    for action in round.legal:
        after = round.play(action)
        nodes = 1 if depth == 1 else int(counter(after, depth - 1)[-1]["nodes"])
        total += nodes
        lines.append(f"{action} {nodes}")
    return "\n".join([*lines, f"total {total}"])


def check_files(paths: list[Path]) -> int:
    """Check every vector of the files; return 0 if all agree."""
    vectors = [vector for path in paths for vector in _vectors(path)]
    if not vectors:
        raise NotUnderstood("input.vector", f"no vectors in {' '.join(map(str, paths))}")
    different = [sentence for vector in vectors for sentence in check(vector)]
    for sentence in different:
        print(sentence, file=sys.stderr)
    print(f"{len(vectors)} vectors checked, {len(different)} differences")
    return 1 if different else 0


def _vectors(path: Path) -> list[Vector]:
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    return [vector for file in files for vector in parse(read_text(file))]
