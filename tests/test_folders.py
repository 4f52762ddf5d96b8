"""The user's folders: on Linux as ever, elsewhere where the system has them."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from catinthebox.folders import APPLICATION, user_cache_folder, user_data_folder

LINUX = Unix(APPLICATION, appauthor=False)
MACOS = MacOS(APPLICATION, appauthor=False)
WINDOWS = Windows(APPLICATION, appauthor=False)
LOCAL = r"C:\Users\schroedinger\AppData\Local"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home that nobody has used yet."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("WIN_PD_OVERRIDE_LOCAL_APPDATA", LOCAL)
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.mark.parametrize("value", [None, "", "/srv/cats", "relative/cats"])
@pytest.mark.parametrize("used", [False, True])
def test_linux_keeps_its_folders(
    value: str | None, used: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was kept before there was `platformdirs` is found where it was, whatever is set."""
    if value is not None:
        monkeypatch.setenv("XDG_DATA_HOME", value)
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    if used:
        (home / ".local/share/catinthebox").mkdir(parents=True)
    assert user_data_folder(LINUX) == Path(value or home / ".local/share") / "catinthebox"
    assert user_cache_folder(LINUX) == Path(value or home / ".cache") / "catinthebox"


def test_macos_has_folders_of_its_own(home: Path) -> None:
    """In the user's library."""
    assert user_data_folder(MACOS) == home / "Library/Application Support/catinthebox"
    assert user_cache_folder(MACOS) == home / "Library/Caches/catinthebox"


def test_windows_has_folders_of_its_own() -> None:
    """In the application data that stay on this machine; the cache can be deleted alone."""
    folders = user_data_folder(WINDOWS), user_cache_folder(WINDOWS)
    assert [PureWindowsPath(str(folder)) for folder in folders] == [
        PureWindowsPath(LOCAL, "catinthebox"),
        PureWindowsPath(LOCAL, "catinthebox", "Cache"),
    ]


@pytest.mark.parametrize("system", [MACOS, WINDOWS])
def test_games_of_early_versions_are_found(system: MacOS | Windows, home: Path) -> None:
    """They were in `~/.local/share` on every system."""
    early = home / ".local/share/catinthebox"
    assert user_data_folder(system) != early
    early.mkdir(parents=True)
    assert user_data_folder(system) == early


@pytest.mark.parametrize("system", [LINUX, MACOS, WINDOWS])
def test_a_variable_names_another_folder_on_every_system(
    system: Unix | MacOS | Windows, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As docs/storage.md and docs/hosting.md say; also if an early version left a folder."""
    (home / ".local/share/catinthebox").mkdir(parents=True)
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/data")
    monkeypatch.setenv("XDG_CACHE_HOME", "/srv/cache")
    assert user_data_folder(system) == Path("/srv/data/catinthebox")
    assert user_cache_folder(system) == Path("/srv/cache/catinthebox")
