"""`python -m catinthebox.wasm FOLDER` writes what the page's worker needs: rules and matrices.

It is for the build and needs nothing but Python: `catinthebox wasm` writes the rules with the
messages of a command.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import matrices
from .source import NotInSubset
from .write import write

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m catinthebox.wasm FOLDER")
    try:
        write(Path(sys.argv[1]))
        matrices.write(Path(sys.argv[1]))
    except NotInSubset as error:
        sys.exit(f"the rules cannot be translated: {error}")
