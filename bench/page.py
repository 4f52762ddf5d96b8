"""What Lighthouse says of the browser client, page by page: at least 95 of 100 everywhere.

    python -m bench.page [PAGE …]

It looks at every page of the built client through a real server, as a slow telephone would, three
times each, and prints the look in the middle. The points for speed depend on how busy this machine
is: "CPU benchmark" is how fast Lighthouse found it, and "load" how many processes wanted to run.
"blocking CPU" does not: milliseconds that tasks take beyond 50, by four times their CPU time. It
needs a Chromium.
"""

from __future__ import annotations

import os
import subprocess
import sys

from bench.npm import Programs

LIGHTHOUSE = Programs.beside("Lighthouse", "lighthouse")


def main() -> int:
    """Print a line for each page; 1 if one of them has too few points."""
    if not LIGHTHOUSE.prepare():
        return 0
    env = os.environ | {"CATINTHEBOX_PYTHON": sys.executable}
    command = LIGHTHOUSE.command("measure.mjs", *sys.argv[1:])
    return subprocess.run(command, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
