"""Connections to PostgreSQL whose commits are durable.

>>> hidden("postgresql://ada:secret@db.example/games")
'postgresql://ada:***@db.example/games'
"""

from __future__ import annotations

import re
from typing import Final

import psycopg

from .errors import StoreError
from .postgres_schema import SCHEMA, PostgresConnection

CONNECT_SECONDS: Final = 5
RETRY_AT_ONCE: Final = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
CORRUPTED: Final = (psycopg.errors.DataCorrupted, psycopg.errors.IndexCorrupted)

_DURABLE: Final = """SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'"""
_UNDURABLE: Final = "SELECT 1 WHERE current_setting('fsync') = 'off'"


def connect(url: str, name: str, *, readonly: bool = False) -> PostgresConnection:
    """Connect, and ensure that commits are durable."""
    connection = psycopg.connect(
        url,
        autocommit=True,
        application_name=name,
        connect_timeout=CONNECT_SECONDS,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        tcp_user_timeout=20_000,
    )
    try:
        connection.execute(f"SELECT set_config('search_path', '{SCHEMA}', false)")
        connection.execute("SET idle_in_transaction_session_timeout = '20s'")  # a writer that hangs
        if readonly:
            connection.execute("SET default_transaction_read_only = on")
        elif connection.execute(_UNDURABLE).fetchone():
            raise StoreError("the server runs with fsync = off, so its commits are not durable")
        connection.execute(_DURABLE)
    except BaseException:
        connection.close()
        raise
    return connection


def hidden(url: str) -> str:
    """Return the address with its password hidden."""
    return re.sub(r"(//[^:/@]*:)[^@]*@", r"\1***@", url)
