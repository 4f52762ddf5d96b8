"""The event log: SQLite by default, PostgreSQL to scale out (docs/storage.md).

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, open_store(Path(folder) / "games.db") as store:
...     store.append("cheshire", 0, [b"sit down"], About("open")).result()
...     store.games(state="open")
1
[Entry(game='cheshire', last=1, about=About(state='open', summary=''))]
"""

from .errors import Busy, Closed, Conflict, Damaged, Full, NotStorable, StoreError, StoreFailed
from .open import default_path, open_store
from .protocol import About, Entry, Store, Stored, Told, Work

__all__ = [
    "About",
    "Busy",
    "Closed",
    "Conflict",
    "Damaged",
    "Entry",
    "Full",
    "NotStorable",
    "Store",
    "StoreError",
    "StoreFailed",
    "Stored",
    "Told",
    "Work",
    "default_path",
    "open_store",
]
