"""Change the rules one small thing at a time: some test must notice every change.

A mutant is a copy of the package in which one operator, number, condition or statement of `rules/`
is another. It is killed by the first stage that fails or hangs, from the quickest to the slowest.
Survivors that mean the same as the original stand in `mutants.txt`, each with its reason; the run
fails if another one survives, or if one that is listed does not.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "catinthebox"
KNOWN = Path(__file__).with_name("mutants.txt")
# The files that decide the game. The others (playouts, batches, views, encodings) are compared slot
# by slot with published digests and brute force; `--all` mutates them too.
GAME_RULES = ("marker", "layout", "counts", "round", "actions", "reason", "score", "faces")
COUNTING = ("fingerprint", "perft")

PERFT = ("-m", "catinthebox", "perft", "--check")
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
VIEWS = {"sight": "tests/views/test_view.py", "worlds": "tests/views/test_worlds.py"}
GAME = ("tests/rules", "tests/game", "tests/test_vectors.py")
LAWS = ("tests/laws/test_laws.py", "tests/laws/test_oracle_agreement.py")
COMPILED = "tests/rules/test_compile.py"
Stage = tuple[str, ...]


def stages(module: str) -> list[Stage]:
    """The trials that a mutant of a module has to pass, from the quickest to the slowest."""
    return [
        (*PERFT, "vectors/tricky.txt"),
        (*PYTEST, VIEWS.get(module, f"tests/rules/test_{module}.py")),
        (*PERFT, "vectors/micro.txt"),
        (*PYTEST, *GAME, f"--ignore={COMPILED}", "-k", "not known_node_counts"),
        (*PYTEST, *LAWS, COMPILED, "-k", "not move_by_move or -0]"),  # the oracle: only chunk 0
    ]


# ── Mutants ──────────────────────────────────────────────────────────────────────────────────

SWAPS: dict[type[ast.AST], list[type[ast.AST]]] = {
    **{ast.Eq: [ast.NotEq], ast.NotEq: [ast.Eq], ast.Is: [ast.IsNot], ast.IsNot: [ast.Is]},
    **{ast.Lt: [ast.LtE, ast.GtE], ast.LtE: [ast.Lt, ast.Gt]},
    **{ast.Gt: [ast.GtE, ast.LtE], ast.GtE: [ast.Gt, ast.Lt]},
    **{ast.Add: [ast.Sub], ast.Sub: [ast.Add], ast.Mult: [ast.Add], ast.Mod: [ast.Mult]},
    **{ast.LShift: [ast.RShift], ast.RShift: [ast.LShift], ast.FloorDiv: [ast.Mult]},
    **{ast.BitAnd: [ast.BitOr], ast.BitOr: [ast.BitAnd], ast.BitXor: [ast.BitOr]},
    **{ast.And: [ast.Or], ast.Or: [ast.And], ast.Break: [ast.Continue], ast.Continue: [ast.Break]},
}
UNTOUCHED = {"annotation", "returns", "decorator_list"}


@dataclass(frozen=True)
class Mutant:
    """One file of the rules with one change."""

    module: str
    place: str  # line and column
    name: str  # file, function, kind, statement before → after: stays the same when lines move
    source: str


@dataclass(frozen=True)
class Site:
    """A node of a syntax tree, where it hangs, and the nearest things that have a place."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int
    statement: ast.stmt
    nearest: ast.stmt | ast.expr

    def put(self, node: ast.AST) -> None:
        """Hang a node in this place."""
        held = getattr(self.parent, self.field)
        if isinstance(held, list):
            held[self.index] = node
        else:
            setattr(self.parent, self.field, node)


def sites(node: ast.AST, statement: ast.stmt, nearest: ast.stmt | ast.expr) -> Iterator[Site]:
    """Every node below this one, in the order of the source."""
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and field not in UNTOUCHED:
                around = child if isinstance(child, ast.stmt) else statement
                here = child if isinstance(child, ast.stmt | ast.expr) else nearest
                yield Site(child, node, field, index, around, here)
                yield from sites(child, around, here)


def changes(site: Site) -> Iterator[tuple[str, ast.AST]]:
    """Everything that could stand here instead, with the name of its kind."""
    if site.field == "test":
        yield "condition", ast.Constant(False)
        if not isinstance(site.parent, ast.While):  # a loop without end would only cost time
            yield "condition", ast.Constant(True)
    match site.node:
        case ast.Constant(bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(int(value)):
            yield from (("constant", ast.Constant(value + step)) for step in (1, -1))
        case ast.UnaryOp(_, operand):
            yield "sign", operand
        case ast.IfExp(test, body, other):
            yield "choice", ast.IfExp(test, other, body)
        case ast.Call(ast.Name("max" | "min" as function), arguments):
            yield "extreme", ast.Call(ast.Name({"max": "min"}.get(function, "max")), arguments, [])
        case ast.Return(ast.expr()):
            yield from (("result", ast.Return(ast.Constant(value))) for value in (0, 1))
        case ast.Assign() | ast.AugAssign() | ast.Expr(ast.Call()):
            yield "drop", ast.Pass()
        case node:
            yield from (("operator", other()) for other in SWAPS.get(type(node), []))


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file; those that read the same only once."""
    tree = ast.parse(path.read_text("utf-8"))
    seen = Counter([ast.unparse(tree)])
    for top in tree.body:
        where = f"{path.name} {getattr(top, 'name', '-')}"
        for site in list(sites(top, top, top)):
            before = ast.unparse(site.statement).split("\n")[0]  # without the block below it
            place = f"{site.nearest.lineno}:{site.nearest.col_offset}"
            for kind, node in changes(site):
                site.put(node)
                source = ast.unparse(tree)
                changed = node if isinstance(node, ast.stmt) else site.statement
                after = ast.unparse(changed).split("\n")[0]
                site.put(site.node)
                name = f"{where} {kind}: {before} → {after}"
                if source not in seen:
                    seen.update([source, name])
                    again = f" #{seen[name]}" if seen[name] > 1 else ""
                    yield Mutant(path.stem, place, name + again, source)


# ── Judging ──────────────────────────────────────────────────────────────────────────────────


@contextmanager
def package(file: str, source: str) -> Iterator[Path]:
    """A folder with a copy of the package in which one file is another."""
    with TemporaryDirectory() as folder:
        copied = copytree(PACKAGE, f"{folder}/catinthebox", ignore=ignore_patterns("__pycache__"))
        Path(copied, file).write_text(source, "utf-8")
        yield Path(folder)


def passes(stage: Stage, folder: Path, limit: float | None = None) -> bool:
    """Whether a stage passes with the package of a folder; TimeoutExpired if it hangs."""
    env = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    env |= {"HYPOTHESIS_STORAGE_DIRECTORY": str(folder), "CATINTHEBOX_SOAK": ""}
    command, null = [sys.executable, *stage], subprocess.DEVNULL
    return not subprocess.call(command, cwd=ROOT, env=env, stdout=null, stderr=null, timeout=limit)


def rehearse(trials: Iterable[Stage]) -> Iterator[tuple[Stage, float]]:
    """Time limits of stages, which must pass as things are and notice a broken package."""
    with package("rules/__init__.py", "") as good, package("rules/__init__.py", "1 / 0") as broken:
        for stage in trials:
            start = time.monotonic()
            if not passes(stage, good):
                sys.exit(f"the unchanged rules fail: python {' '.join(stage)}")
            yield stage, 10 + 4 * (time.monotonic() - start)
            if passes(stage, broken):
                sys.exit(f"the copy is not what is imported by: python {' '.join(stage)}")


def judge(mutant: Mutant, limits: Mapping[Stage, float]) -> str:
    """Say what becomes of a mutant."""
    with package(f"rules/{mutant.module}.py", mutant.source) as folder:
        try:
            passed = all(passes(stage, folder, limits[stage]) for stage in stages(mutant.module))
        except subprocess.TimeoutExpired:
            return "timed out"
    return "survived" if passed else "killed"


def judge_all(mutants: Sequence[Mutant], jobs: int) -> dict[Mutant, str]:
    """Judge mutants, some at a time, and tell how it goes."""
    fates: dict[Mutant, str] = {}
    limits = dict(rehearse({stage for mutant in mutants for stage in stages(mutant.module)}))
    with ThreadPoolExecutor(jobs) as pool:
        judged = pool.map(lambda mutant: judge(mutant, limits), mutants)
        for mutant, fate in zip(mutants, judged, strict=True):
            fates[mutant] = fate
            print(f"{len(fates)} of {len(mutants)}: {summary(fates)}", end="\r", flush=True)
    return fates


def summary(fates: Mapping[Mutant, str]) -> str:
    """How many of each fate."""
    count = Counter(fates.values())
    return ", ".join(f"{count[fate]} {fate}" for fate in ("killed", "timed out", "survived"))


def known_survivors(text: str) -> Iterator[str]:
    """Read blocks of mutants, one a line; indented below them why no test can tell."""
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if lines and not lines[-1].startswith(" "):
            sys.exit(f"{KNOWN.name}: no reason below {lines[-1]}")
        yield from (line for line in lines if not line.startswith(" "))


def surprises(mutants: Sequence[Mutant], fates: Mapping[Mutant, str]) -> Iterator[str]:
    """A sentence for each mutant whose fate is not the known one."""
    known = set(known_survivors(KNOWN.read_text("utf-8")))
    for name in sorted(known - {mutant.name for mutant in mutants}):
        yield f"listed, but there is no such mutant: {name}"
    for mutant, fate in fates.items():
        if (fate == "survived") != (mutant.name in known):
            listed = "listed" if mutant.name in known else "not listed"
            yield f"{listed}, but {fate} at {mutant.place}: {mutant.name}"


def main() -> int:
    """Judge the mutants that are asked for; 1 if the list of survivors is not right."""
    parser = argparse.ArgumentParser(description="Mutate the rules: do the tests notice?")
    parser.add_argument("--only", default="", metavar="PATTERN", help="mutants with this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--limit", type=int, metavar="N", help="no more than N mutants")
    parser.add_argument("--all", action="store_true", help="also files that do not decide the game")
    asked = parser.parse_args()
    files = sorted(PACKAGE.glob("rules/*.py"))
    if not asked.all:
        files = [path for path in files if path.stem in (*GAME_RULES, *COUNTING)]
    mutants = [mutant for path in files for mutant in mutants_of(path)]
    chosen = [mutant for mutant in mutants if asked.only in mutant.name][: asked.limit]
    fates = judge_all(chosen, asked.jobs)
    found = list(surprises(mutants, fates))
    print("", *found, f"{len(fates)} mutants: {summary(fates)}", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
