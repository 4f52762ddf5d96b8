"""Files of results: they read back, survive a crash anywhere, and belong to one run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import completed

from catinthebox import NotUnderstood
from catinthebox.arena import Match, Results, SeatResult, Terms, complete, read, results, write

MATCH = Match(2, ("follow", "random"))
SETTINGS = {"seed": "7", "face": "white"}
DEALS = [MATCH.play(Terms(seed="7"), number) for number in range(3)]
ROWS = [row for rows in DEALS for row in rows]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_rows_read_back(name: str, tmp_path: Path) -> None:
    """All of them, exactly."""
    write(ROWS, tmp_path / name)
    assert read(tmp_path / name) == ROWS
    write([], tmp_path / name)
    assert read(tmp_path / name) == []


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_file_goes_on(name: str, tmp_path: Path) -> None:
    """A second run finds what the first has finished, whether it ended well or not."""
    path = tmp_path / name
    first = Results(path, SETTINGS)
    first.add(DEALS[1])
    first.close()
    second = Results(path, SETTINGS)
    assert second.done == {(MATCH.key, 1)}
    second.add(DEALS[0])
    second.finish()
    assert read(path) == [*DEALS[0], *DEALS[1]]
    third = Results(path, SETTINGS)
    third.add(DEALS[2])
    third.close()
    assert Results(path, SETTINGS).rows == ROWS
    third.finish()
    assert read(path) == ROWS
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_crash_at_any_byte_costs_one_deal_at_most(tmp_path: Path) -> None:
    """Wherever the file is torn, whole deals remain, and the run can go on."""
    path = tmp_path / "rows.csv"
    results = Results(path, SETTINGS)
    results.add(DEALS[0])
    before = path.stat().st_size
    results.add(DEALS[1])
    results.close()
    whole = path.read_bytes()
    for size in range(before, len(whole), 7):
        path.write_bytes(whole[:size])
        assert read(path) in [ROWS[:count] for count in range(4, 9)]
        again = Results(path, SETTINGS)
        assert again.rows == DEALS[0]
        again.add(DEALS[1])
        again.close()
        assert path.read_bytes() == whole


def test_rows_reach_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is there before it takes another's place; rows are now and then, and at last."""
    synced: list[str] = []
    seconds = [0.0]
    fsync, swap = os.fsync, Path.replace
    folder = tmp_path.stat()

    def noted(handle: int) -> None:
        synced.append("folder" if os.path.samestat(os.fstat(handle), folder) else "file")
        fsync(handle)

    def swapped(self: Path, target: Path) -> Path:
        synced.append("replaced")
        return swap(self, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", swapped)
    monkeypatch.setattr(results, "monotonic", lambda: seconds[0])
    write(ROWS, tmp_path / "whole.csv")
    assert synced == ["file", "replaced", "folder"]
    kept = Results(tmp_path / "rows.csv", SETTINGS)
    kept.add(DEALS[0])
    assert synced[3:] == [*synced[:3], "file"]
    seconds[0] += 0.9
    kept.add(DEALS[1])
    assert len(synced) == 7
    seconds[0] += 0.2
    kept.add(DEALS[2])
    assert len(synced) == 8
    kept.close()
    assert len(synced) == 9


def test_a_full_disk_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept before is still there."""
    kept = Results(tmp_path / "rows.csv", SETTINGS)
    kept.add(DEALS[0])
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", full)
        broken.setattr(results, "SYNC_EVERY", 0.0)
        with pytest.raises(NotUnderstood, match=r"rows\.csv: No space"):
            kept.add(DEALS[1])
    kept.close()
    assert read(tmp_path / "rows.csv")[:4] == DEALS[0]


def full(handle: int) -> None:
    raise OSError(28, "No space left on device")


# ── One run at a time ────────────────────────────────────────────────────────────────────────


posix = pytest.mark.skipif(os.name != "posix", reason="needs locks")


@posix
@pytest.mark.parametrize("end", ["close", "finish"])
@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_two_runs_do_not_mix(name: str, end: str, tmp_path: Path) -> None:
    """The second is refused from the first moment to the last, then welcome; nothing stays."""
    path = tmp_path / name
    first = Results(path, SETTINGS)
    with pytest.raises(NotUnderstood, match="another run is at work on it; let it end"):
        Results(path, SETTINGS)
    first.add(DEALS[0])
    with pytest.raises(NotUnderstood, match="another run is at work on it"):
        Results(path, SETTINGS)
    Results(tmp_path / "other.csv", SETTINGS).close()
    getattr(first, end)()
    second = Results(path, SETTINGS)
    assert second.rows == DEALS[0]
    second.close()
    assert not [*tmp_path.glob(".*")]


@pytest.mark.process
@posix
def test_a_refused_or_crashed_run_blocks_nobody(tmp_path: Path) -> None:
    """A lock that nobody holds is only a file."""
    path = tmp_path / "rows.csv"
    program = (
        "import os, sys; from pathlib import Path; from catinthebox.arena import Results\n"
        "kept = Results(Path(sys.argv[1]), {}); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert [file.name for file in tmp_path.iterdir()] == [".rows.csv.lock"]
    first = Results(path, SETTINGS)
    first.add(DEALS[0])
    first.close()
    with pytest.raises(NotUnderstood, match="seed there 7, here 8") as caught:
        Results(path, {**SETTINGS, "seed": "8"})
    Results(path, SETTINGS).close()
    assert caught.value.code == "input.option"


@posix
def test_a_lock_that_is_just_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anyone who locks a file that has gone meanwhile tries again."""
    import fcntl

    flock, times = fcntl.flock, []

    def late(handle: int, how: int) -> None:
        flock(handle, how)
        times.append(handle)
        if len(times) == 1:
            (tmp_path / ".rows.csv.lock").unlink()

    monkeypatch.setattr(fcntl, "flock", late)
    kept = Results(tmp_path / "rows.csv", SETTINGS)
    assert len(times) == 2
    assert (tmp_path / ".rows.csv.lock").exists()
    kept.close()


@posix
def test_without_locks_nobody_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that knows no locks is no reason not to play."""
    import fcntl

    def unknown(handle: int, how: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", unknown)
    first, second = (Results(tmp_path / "rows.csv", SETTINGS) for _ in range(2))
    first.close()
    second.close()


# ── Files of others ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_another_run_is_refused(name: str, tmp_path: Path) -> None:
    """The error says what differs; the file stays as it was."""
    path = tmp_path / name
    results = Results(path, SETTINGS)
    results.add(DEALS[0])
    results.finish()
    content = path.read_bytes()
    with pytest.raises(NotUnderstood, match=r"seed there 7, here 8$"):
        Results(path, {**SETTINGS, "seed": "8"})
    with pytest.raises(NotUnderstood, match="games there none, here yes"):
        Results(path, {**SETTINGS, "games": "yes"})
    assert path.read_bytes() == content


def test_rows_without_settings_are_nobodys(tmp_path: Path) -> None:
    """They can be read, and no run adds to them."""
    write(ROWS, tmp_path / "rows.csv")
    with pytest.raises(NotUnderstood, match="no settings"):
        Results(tmp_path / "rows.csv", SETTINGS)


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
@pytest.mark.parametrize("content", [b"hello\n", b"match,players\n1,2\n", b"\xff\xfe\n", b"\n"])
def test_other_files_are_not_results(name: str, content: bytes, tmp_path: Path) -> None:
    """A file of another kind is refused, not overwritten."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(NotUnderstood, match="is not a file of results"):
        read(tmp_path / name)
    with pytest.raises(NotUnderstood):
        Results(tmp_path / name, SETTINGS)


def test_a_broken_row_in_the_middle_is_refused(tmp_path: Path) -> None:
    """Only the end of a file can be torn."""
    path = tmp_path / "rows.csv"
    write(ROWS, path)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:3], "2p,2\n", *lines[3:]]), "utf-8")
    with pytest.raises(NotUnderstood, match="is not a file of results"):
        read(path)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """Reading a missing file is an error; a missing folder is made."""
    with pytest.raises(NotUnderstood, match="No such file"):
        read(tmp_path / "none.csv")
    write(ROWS, tmp_path / "new" / "rows.csv")
    assert read(tmp_path / "new" / "rows.csv") == ROWS
    with pytest.raises(NotUnderstood, match=r"Not a directory|File exists"):
        write(ROWS, tmp_path / "new" / "rows.csv" / "rows.csv")


def test_only_complete_deals_count() -> None:
    """A deal needs every seat of every seating."""
    assert complete(ROWS[:-1]) == ROWS[:8]
    assert complete([]) == []


def test_names_with_commas_and_quotes(tmp_path: Path) -> None:
    """Parameters are separated by commas."""
    match = Match(2, ('search:a=1,b="x"', "random"))
    row = SeatResult(match.key, 2, 0, 0, 0, match.specs[0], -3, 1 / 3, 1, 0, 0, 1, 9, 0.1, 0.1)
    write([row], tmp_path / "rows.csv")
    assert read(tmp_path / "rows.csv") == [row]


@pytest.mark.process
@pytest.mark.parametrize(
    ("library", "code"),
    [
        ("pyarrow", "from pathlib import Path; Results(Path('rows.parquet'), {})"),
        ("ray", "contest([Match(2, ('random', 'random'))], Terms(), 1, ray=True)"),
    ],
)
def test_a_missing_library_is_named(library: str, code: str, tmp_path: Path) -> None:
    """Before anything is played, and with the way to get it."""
    program = f"""
import sys
sys.modules[{library!r}] = None
from catinthebox.arena import Match, Results, Terms, contest
try:
    {code}
except Exception as error:
    print(error)
"""
    said = completed([sys.executable, "-c", program], cwd=tmp_path)
    extra = "ray" if library == "ray" else "arena"
    assert said == f"this needs {library}: pip install 'catinthebox[{extra}]'\n"
