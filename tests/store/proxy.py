"""A connection to PostgreSQL that can be cut after any number of bytes, in either direction."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Self

TO_SERVER, TO_CLIENT = 0, 1


class Proxy:
    """A socket that passes bytes on. `cut` arms it; once cut, it works again as before."""

    def __init__(self, url: str) -> None:
        match = re.search(r"host=([^&]+)", url)
        assert match, url
        self._server = str(Path(match[1]) / ".s.PGSQL.5432")
        self._folder = TemporaryDirectory(prefix="pg")  # short: the path of a socket has a limit
        self.url = url.replace(match[1], self._folder.name)
        self._lock = Lock()
        self._left: tuple[int, int] | None = None  # direction, bytes
        self.cuts = 0
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(f"{self._folder.name}/.s.PGSQL.5432")
        self._door.listen()
        Thread(target=self._welcome, daemon=True).start()

    def cut(self, direction: int, after: int) -> None:
        """Cut the connection that passes so many bytes in a direction, counted from now."""
        with self._lock:
            self._left = (direction, after)

    def heal(self) -> None:
        """Do not cut any more."""
        with self._lock:
            self._left = None

    def _welcome(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:  # closed
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            for direction, ends in enumerate([(client, server), (server, client)]):
                Thread(target=self._pass_on, args=(direction, *ends), daemon=True).start()

    def _pass_on(self, direction: int, source: socket.socket, sink: socket.socket) -> None:
        with source, suppress(OSError):
            while content := source.recv(65536):
                allowed = self._allowed(direction, len(content))
                sink.sendall(content[:allowed])
                if allowed < len(content):
                    break
            with suppress(OSError):
                source.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)  # which ends the other direction, too

    def _allowed(self, direction: int, size: int) -> int:
        with self._lock:
            if self._left is None or self._left[0] != direction:
                return size
            if size <= self._left[1]:
                self._left = (direction, self._left[1] - size)
                return size
            allowed, self._left = self._left[1], None
            self.cuts += 1
            return allowed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self._folder.cleanup()
