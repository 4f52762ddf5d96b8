"""Build the browser client for a host that has nothing but files: `make site OUT=folder`.

`make web` comes first: it brings Node's packages and the compiled rules, needed here, too.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import hatch_build  # in the root of the repository, which has to be on the path

MARK = ".site-built-from"  # not the mark of the server's client: `OUT` must not be its folder
STAYS = (MARK, ".git")  # in a folder that is built into again
NO_JEKYLL = ".nojekyll"  # otherwise GitHub Pages leaves out files whose names begin with `_`


def main(words: list[str]) -> str:
    """Build into a folder, and return what to tell; exit with a sentence if that is impossible."""
    out = Path(words[0] if words else "site").expanduser().resolve()
    problem = problem_with(out)
    if problem:
        raise SystemExit(f"make site: {problem}")
    if not up_to_date(out):
        try:
            build(out)
        except subprocess.CalledProcessError:
            raise SystemExit("make site: the client could not be built, as said above") from None
    files = [path for path in out.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    return f"{out}: {len(files)} files, {size // 1000} kB; docs/site.md says how to put it online"


def problem_with(out: Path) -> str:
    """Return why a folder cannot be written to; an empty text if it can. Its content is lost."""
    if not hatch_build.STAMP.exists():
        return "the browser client is not built; run `make web` first"
    if out.exists() and not out.is_dir():
        return f"{out} is a file; OUT has to be a folder"
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).exists():
        return f"{out} is not empty, and not from an earlier `make site`; choose another OUT"
    return ""


def up_to_date(out: Path) -> bool:
    """Whether a folder was built from the sources that the server's client was built from."""
    mark = out / MARK
    return mark.exists() and mark.read_text() == hatch_build.STAMP.read_text()


def empty(out: Path) -> None:
    """Make an empty folder with a mark, so that after a build that fails the next one may go on."""
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text("")
    for path in out.iterdir():
        if path.name in STAYS:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def build(out: Path) -> None:
    """Run Vite in its mode `site` (`web/vite.config.ts`)."""
    print("building the site …", file=sys.stderr)
    node, _ = hatch_build.find_node()
    vite = hatch_build.WEB / "node_modules" / "vite" / "bin" / "vite.js"
    empty(out)
    where = ("--outDir", str(out), "--emptyOutDir=false")
    hatch_build.run(node, vite, "build", "--mode", "site", "--logLevel", "warn", *where)
    (out / NO_JEKYLL).touch()
    (out / MARK).write_text(hatch_build.STAMP.read_text())


if __name__ == "__main__":
    print(main(sys.argv[1:]))
