"""What is written to the log as an error has gone wrong, even if the code that wrote it went on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LOGGERS: Final = ("catinthebox", "asyncio", "concurrent.futures")

Trouble = tuple[str, BaseException | None]


class _Alarm(logging.Handler):
    def __init__(self, received: Callable[[Trouble], None]) -> None:
        super().__init__(logging.ERROR)
        self._received = received

    def emit(self, record: logging.LogRecord) -> None:
        self._received((record.getMessage(), record.exc_info[1] if record.exc_info else None))


@contextmanager
def alarm(received: Callable[[Trouble], None]) -> Iterator[None]:
    """Hear of every error that is written to a log meanwhile."""
    handler = _Alarm(received)
    for name in LOGGERS:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        for name in LOGGERS:
            logging.getLogger(name).removeHandler(handler)
