"""Writes the module of the rules, its TypeScript declarations and a loader into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ..files import replacing
from .exports import program
from .typescript import typescript

MODULE: Final = "rules.wasm"
DECLARATIONS: Final = "rules.ts"
LOADER: Final = Path(__file__).with_name("loader.ts")


def write(folder: Path) -> list[Path]:
    """Write the files into a folder, which is made if need be; return their paths."""
    whole = program()
    module = whole.build()
    contents = {
        MODULE: module,
        DECLARATIONS: typescript(whole, module).encode(),
        LOADER.name: LOADER.read_bytes(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != content:  # an unchanged file keeps its time
            with replacing(path) as file:
                file.write(content)
    return [folder / name for name in contents]
