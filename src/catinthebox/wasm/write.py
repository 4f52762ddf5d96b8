"""Writes the module of the rules and its TypeScript declarations into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..files import replacing
from .exports import program
from .typescript import typescript

MODULE: Final = "rules.wasm"
DECLARATIONS: Final = "rules.ts"


def write(folder: Path) -> list[Path]:
    """Write both files into a folder, which is made if need be; return their paths."""
    whole = program()
    module = whole.build()
    contents = {MODULE: module, DECLARATIONS: typescript(whole, module).encode()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:  # an unchanged file keeps its time
            with replacing(path) as file:
                file.write(content)
    return [folder / name for name in contents]
