"""A disk that fails on demand, and that can lose power: a VFS of SQLite, by `ctypes`.

SQLite does all its I/O through a table of functions. Here is a copy of the system's own table in
which opening, reading, writing, cutting, syncing and deleting ask this module first. So tests can
fail any single call of the real library, and can tell what would be on the disk had the power gone
at any moment: what was synced, and of the rest as little or as much as a disk likes.
"""

from __future__ import annotations

import _sqlite3
import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, cast
from pathlib import Path
from random import Random

import pytest

OK, IOERR, FULL = 0, 10, 13
NAME = "faulty"
FAULTS = ("error", "late error", "short", "full")

# Names stay addresses: SQLite keeps what it gives, and has more behind the end of the text.
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)
Move = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)  # read or write
Cut = CFUNCTYPE(c_int, c_void_p, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)
Close = CFUNCTYPE(c_int, c_void_p)


class Vfs(Structure):
    """`sqlite3_vfs`."""

    _fields_ = [
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("app", c_void_p),
        ("open", Open),
        ("delete", Delete),
        ("others", c_void_p * 14),
    ]


class Methods(Structure):
    """`sqlite3_io_methods`."""

    _fields_ = [
        ("version", c_int),
        ("close", Close),
        ("read", Move),
        ("write", Move),
        ("truncate", Cut),
        ("sync", Sync),
        ("others", c_void_p * 13),
    ]


class Disk:
    """What the files hold for sure, what was written since, and which call is to fail."""

    def __init__(self) -> None:
        self.files: dict[int, str] = {}  # by the address of SQLite's own file object
        self.synced: dict[str, bytes] = {}
        self.since: dict[str, list[tuple[int, bytes | None]]] = {}  # place, content (None: cut)
        self.calls = 0
        self.failing: Callable[[int], str] = lambda _: ""

    # ── Faults ───────────────────────────────────────────────────────────────────────────────

    def heal(self) -> None:
        """Fail nothing any more, and count calls from here."""
        self.calls, self.failing = 0, lambda _: ""

    def fail(self, number: int, fault: str) -> None:
        """Fail one call, the n-th from now on."""
        self.calls, self.failing = 0, lambda call: fault if call == number else ""

    def fail_from(self, number: int, fault: str) -> None:
        """Fail every call from the n-th on."""
        self.calls, self.failing = 0, lambda call: fault if call >= number else ""

    def go(self, act: Callable[[], int], part: Callable[[], int] | None = None) -> int:
        """Do a call, or fail it: before, after, half-way, or for want of room."""
        self.calls += 1
        fault = self.failing(self.calls)
        if not fault:
            return act()
        if fault == "late error":
            act()
        if fault == "short" and part is not None:
            part()
        return FULL if fault == "full" else IOERR

    # ── Power ────────────────────────────────────────────────────────────────────────────────

    def wrote(self, file: int, place: int, content: bytes | None) -> int:
        """Remember what is not synced yet."""
        self.since.setdefault(self.files[file], []).append((place, content))
        return OK

    def settle(self, file: int) -> int:
        """Everything written to this file is safe from now on."""
        name = self.files[file]
        self.synced[name] = played(self.synced.get(name, b""), self.since.pop(name, []))
        return OK

    def after_power_cut(self, folder: Path, rng: Random | None = None) -> Path:
        """Make the folder as it would be found: unsynced writes are lost, or any of them kept."""
        folder.mkdir()
        for name in {*self.synced, *self.since}:
            writes = self.since.get(name, [])
            kept = [write for write in writes if rng is not None and rng.random() < rng.random()]
            (folder / name).write_bytes(played(self.synced.get(name, b""), kept))
        return folder


def played(content: bytes, writes: list[tuple[int, bytes | None]]) -> bytes:
    """Return a content after some writes."""
    found = bytearray(content)
    for place, piece in writes:
        if piece is None:
            del found[place:]
        else:
            found.extend(bytes(max(0, place - len(found))))
            found[place : place + len(piece)] = piece
    return bytes(found)


# ── The table of functions ───────────────────────────────────────────────────────────────────


def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = POINTER(Vfs)
        library.sqlite3_libversion.restype = c_char_p
        same = library.sqlite3_libversion().decode() == sqlite3.sqlite_version
    except (AttributeError, OSError):
        same = False
    if not same:
        pytest.skip("SQLite is built into this Python; its I/O cannot be reached from here")
    return library


@contextmanager
def faulty() -> Iterator[Disk]:
    """Register the VFS for a while, under the name `faulty`."""
    library = _library()
    system = library.sqlite3_vfs_find(None).contents
    ours = Vfs.from_buffer_copy(system)
    disk = Disk()
    tables: dict[int, Methods] = {}  # ours, by the address of the system's
    ours.name = NAME.encode()
    ours.open, ours.delete = _opening(disk, system, tables), _deleting(disk, system)
    library.sqlite3_vfs_register(ctypes.byref(ours), 0)
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(ours))


def _name(path: int) -> str:
    return Path(ctypes.string_at(path).decode()).name


def _opening(disk: Disk, system: Vfs, tables: dict[int, Methods]) -> object:
    def opening(vfs: int, path: int | None, file: int, flags: int, out: int) -> int:
        def act() -> int:
            status: int = system.open(vfs, path, file, flags, out)
            place = cast(file, POINTER(c_void_p))
            if status == OK and path is not None and place[0]:
                theirs = place[0]
                tables.setdefault(theirs, _methods(disk, Methods.from_address(theirs)))
                place[0] = ctypes.addressof(tables[theirs])
                disk.files[file] = _name(path)
                disk.synced.setdefault(disk.files[file], b"")
            return status

        late = disk.failing(disk.calls + 1) == "late error"  # nobody would close it
        return disk.go((lambda: OK) if late else act)

    return Open(opening)


def _deleting(disk: Disk, system: Vfs) -> object:
    def deleting(vfs: int, path: int, sync: int) -> int:
        def act() -> int:
            name = _name(path)
            disk.synced.pop(name, None)
            disk.since.pop(name, None)
            return int(system.delete(vfs, path, sync))

        return disk.go(act)

    return Delete(deleting)


def _methods(disk: Disk, theirs: Methods) -> Methods:
    def read(file: int, into: int, size: int, place: int) -> int:
        return disk.go(lambda: int(theirs.read(file, into, size, place)))

    def write(file: int, content: int, size: int, place: int) -> int:
        def act(size: int) -> int:
            disk.wrote(file, place, ctypes.string_at(content, size))
            return int(theirs.write(file, content, size, place))

        return disk.go(lambda: act(size), lambda: act(size // 2))

    def truncate(file: int, size: int) -> int:
        return disk.go(lambda: disk.wrote(file, size, None) or int(theirs.truncate(file, size)))

    def sync(file: int, _flags: int) -> int:
        return disk.go(lambda: disk.settle(file))  # our word is enough, and quicker

    ours = Methods.from_buffer_copy(theirs)
    ours.version = 2  # without memory-mapped reading and writing
    ours.read, ours.write = Move(read), Move(write)
    ours.truncate, ours.sync = Cut(truncate), Sync(sync)
    return ours
