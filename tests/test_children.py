"""Python processes that the package starts import nothing from the working directory."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from catinthebox.processes import python_module

PACKAGE = Path(__file__).parents[1] / "src" / "catinthebox"
STARTED = {  # modules that are run in other processes, by the file that starts them
    "fast/warm.py": "catinthebox.fast.warm",
    "server/bots/child.py": "catinthebox.server.bots.process",
    "server/ops/workers.py": "catinthebox.server.ops.workers",
}


def test_children_are_started_with_a_safe_path() -> None:
    """`python -m` alone would put the working directory before everything that is installed."""
    assert python_module("a.b") == (sys.executable, "-P", "-m", "a.b")


def test_nobody_else_starts_python() -> None:
    """`program.py` starts what a user names; all others ask `python_module` for the command."""
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "sys.executable" in path.read_text("utf-8")
    }
    assert users - {"players/program.py"} == {"processes.py"}


def test_every_child_is_known() -> None:
    """Those are the modules that are run with `-m`."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "python_module":
                found[path.relative_to(PACKAGE).as_posix()] = ast.unparse(node.args[0]).strip("'")
    assert found == STARTED
