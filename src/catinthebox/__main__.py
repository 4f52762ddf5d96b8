"""`python -m catinthebox` is the command `catinthebox`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
