"""Run worlds by hand.

`python tests/simulation/run.py 17 --trace` shows one, `run.py 0-999` runs many and counts, and
`run.py 17 crashes lines` names the kinds of trouble instead of drawing them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulation.loop import SimLoop
from simulation.world import STEPS, World


def main() -> int:
    """Run what was asked for; the answer is whether a world failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", help="a seed, or a range such as 0-999")
    parser.add_argument("kinds", nargs="*", help="kinds of trouble")
    parser.add_argument("--trace", action="store_true", help="show everything that happened")
    options = parser.parse_args()
    first, _, last = options.seeds.partition("-")
    figures: Counter[str] = Counter()
    began, failed = time.process_time(), []
    for seed in range(int(first), int(last or first) + 1):
        if error := lived(seed, options.kinds, figures, trace=options.trace):
            failed.append(seed)
            print(f"seed {seed}: {error}", flush=True)
    for name, many in sorted(figures.items()):
        print(f"{many:9} {name}")
    print(f"{time.process_time() - began:.1f} s; {len(failed)} failed: {failed}")
    return bool(failed)


def lived(seed: int, kinds: list[str], figures: Counter[str], *, trace: bool) -> str:
    """Run a world; return what went wrong there."""
    with SimLoop(seed) as loop:
        world = World(loop, frozenset(kinds) if kinds else None)
        try:
            loop.run(world.run(), STEPS)
        except Exception as error:
            return f"{error!r} {' '.join(error.__notes__)}"
        finally:
            figures.update(world.laws.figures, worlds=1, steps=loop.steps)
            if trace:
                print(world.plan, loop.trace.tail(100_000), sep="\n")
    return ""


if __name__ == "__main__":
    sys.exit(main())
