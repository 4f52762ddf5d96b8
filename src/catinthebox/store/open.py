"""Opens the store that the option `--db` names.

>>> default_path().name
'games.db'
>>> is_postgres("postgresql://db.example/games"), is_postgres("games.db")
(True, False)
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from ..folders import user_data_folder
from .errors import NotStorable, StoreError
from .protocol import Store
from .sqlite import SqliteStore


def default_path() -> Path:
    """Return the default file, in the user's data folder."""
    return user_data_folder() / "games.db"


def is_postgres(where: str) -> bool:
    """Whether an address is a PostgreSQL URL."""
    return where.startswith(("postgresql://", "postgres://"))


def open_store(where: str | Path | None = None, *, readonly: bool = False) -> Store:
    """Open a store: an SQLite file, or an address `postgresql://…`.

    >>> open_store("mysql://db.example/games")
    Traceback (most recent call last):
        ...
    catinthebox.store.errors.NotStorable: mysql://db.example/games is neither a file nor an \
address postgresql://…
    """
    if where is None:
        where = default_path()
    if isinstance(where, Path):
        return SqliteStore(where, readonly=readonly)
    if is_postgres(where):
        return _postgres(where, readonly=readonly)
    if "://" in where:
        raise NotStorable(f"{where} is neither a file nor an address postgresql://…")
    return SqliteStore(Path(where), readonly=readonly)


def _postgres(url: str, *, readonly: bool) -> Store:
    try:
        module = import_module("catinthebox.store.postgres")
    except ImportError as error:
        missing = error.name or "psycopg"
        raise StoreError(f"{missing} is missing; install catinthebox[postgres]") from None
    store: Store = module.PostgresStore(url, readonly=readonly)
    return store
