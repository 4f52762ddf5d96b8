"""Nothing is imported before it is used, and what is missing is named."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from waiting import completed

from catinthebox.optional import MissingLibrary, load, needs

LIBRARIES = ("gymnasium", "numba", "numpy", "pettingzoo", "platformdirs", "pyspiel")


@pytest.mark.process
def test_importing_the_package_imports_no_library() -> None:
    """Neither the game nor the folder of environments."""
    code = f"""
import sys, catinthebox, catinthebox.envs
assert not set({LIBRARIES!r}) & set(sys.modules)
"""
    completed([sys.executable, "-c", code])


@pytest.mark.process
@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("pettingzoo", "pettingzoo", "envs"),
        ("gym", "gymnasium", "envs"),
        ("vector", "numba", "fast"),
        ("openspiel", "pyspiel", "envs"),
        ("observation", "numpy", "envs"),
    ],
)
def test_a_missing_library_is_named(module: str, library: str, extra: str) -> None:
    """The error says which, and how to get it."""
    code = f"""
import sys
sys.modules[{library!r}] = None
try:
    import catinthebox.envs.{module}
except ImportError as error:
    print(error)
"""
    assert f"pip install 'catinthebox[{extra}]'" in completed([sys.executable, "-c", code])


def test_other_errors_are_left_alone() -> None:
    """Only a missing module is explained."""
    with pytest.raises(ZeroDivisionError), needs("numpy", extra="envs"):
        _ = 1 / 0
    with pytest.raises(MissingLibrary, match="this needs nonsuch"), needs("nonsuch", extra="envs"):
        import nonsuch  # type: ignore[import-not-found]  # noqa: F401


def test_a_module_that_needs_a_missing_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library is named, not a part of it."""
    (tmp_path / "needy.py").write_text("import nonsuch.part")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingLibrary) as caught:
        load("needy", extra="serve")
    assert caught.value.message == "this needs nonsuch: pip install 'catinthebox[serve]'"


def test_a_missing_module_of_ours_is_no_missing_library() -> None:
    """No extra would bring it."""
    with pytest.raises(ImportError) as caught:
        load("catinthebox.nonsuch", extra="serve")
    assert not isinstance(caught.value, MissingLibrary)
