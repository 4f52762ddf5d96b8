"""The event log: SQLite by default, PostgreSQL to scale out (docs/storage.md).

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, open_store(Path(folder) / "games.db") as store:
...     store.append("cheshire", 0, [b"sit down"], About("open")).result()
...     store.games(state="open")
1
[IndexEntry(game='cheshire', last=1, about=About(state='open', summary=''))]
"""

from .errors import Busy, Conflict, Damaged, Full, NotStorable, StoreClosed, StoreError, StoreFailed
from .open import default_path, open_store
from .protocol import About, IndexEntry, ListEntry, Store, Stored, Subscriber, Work

__all__ = [
    "About",
    "Busy",
    "Conflict",
    "Damaged",
    "Full",
    "IndexEntry",
    "ListEntry",
    "NotStorable",
    "Store",
    "StoreClosed",
    "StoreError",
    "StoreFailed",
    "Stored",
    "Subscriber",
    "Work",
    "default_path",
    "open_store",
]
