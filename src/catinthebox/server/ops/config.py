"""Everything that can be chosen when a server is started.

>>> Config(port=8123, origins=("https://club.example",)).allowed_origins.pages
frozenset({Origin(scheme='https', host=HostName(name='club.example', port=443))})
>>> Config(processes=-1)
Traceback (most recent call last):
    ...
ValueError: processes: from 0
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from ..http.origins import Origins
from ..live.scheduler import Pace
from .limits import Limits, Trusted

PORT: Final = 8123
HERE: Final = ("127.0.0.0/8", "::1")


@dataclass(frozen=True)
class Config:
    """The choices of whoever runs a server. What cannot be is a `ValueError` that says so."""

    db: str | Path | None = None  # a file, or postgresql://…; None: in the user's data folder
    host: str = "127.0.0.1"  # the address to listen on
    port: int = PORT  # 0: any that is free
    names: tuple[str, ...] = ()  # under which the server may be called, besides addresses
    addresses: tuple[str, ...] = ()  # http://…, where others find it, for invitations
    origins: tuple[str, ...] = ()  # of pages elsewhere that may talk to it
    proxies: tuple[str, ...] = ()  # in front of it, which are believed about addresses
    metrics: tuple[str, ...] = HERE  # who may read /metrics
    limits: Limits = field(default_factory=Limits)
    pace: Pace = field(default_factory=Pace)
    processes: int = 1  # in which bots think; 0: they think in the one that stands in
    free_chat: bool = False  # whether tables may allow texts, and not just phrases
    logs: Literal["auto", "human", "json"] = "auto"  # auto: for people on a terminal
    web: Path | None = None  # the built client; None: the one that comes with the package

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65536:
            raise ValueError("port: from 0 to 65535")
        if self.processes < 0:
            raise ValueError("processes: from 0")
        _ = self.allowed_origins, self.trusted, self.readers  # each says what is wrong with it

    @cached_property
    def allowed_origins(self) -> Origins:
        """Under which names, and to which pages, the server is open."""
        return Origins.of(names=self.names, pages=self.origins)

    @cached_property
    def trusted(self) -> Trusted:
        """The proxies that are believed."""
        return Trusted.parse(self.proxies)

    @cached_property
    def readers(self) -> Trusted:
        """The addresses that may read the metrics."""
        return Trusted.parse(self.metrics)
