"""`catinthebox wasm`: write the rules as a WebAssembly module, with what TypeScript needs."""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from .. import NotUnderstood
from ..wasm.write import write

EXAMPLE = """example:
  catinthebox wasm rules/     writes rules/rules.wasm, rules/rules.ts and rules/loader.ts"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument: a folder."""
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "folder", metavar="OUT", type=Path, help="the folder to write to, which is made if need be"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print their sizes."""
    folder: Path = arguments.folder
    if folder.exists() and not folder.is_dir():
        raise NotUnderstood("input.file", f"{folder} is a file; OUT is a folder")
    try:
        paths = write(folder)
    except OSError as error:
        raise NotUnderstood("input.file", f"{error.filename or folder}: {error.strerror}") from None
    for path in paths:
        content = path.read_bytes()
        small = len(gzip.compress(content, mtime=0))
        print(f"{path}: {len(content):,} bytes, {small:,} in gzip")
    return 0
