"""The configuration of a server.

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
from .limits import Limits
from .networks import Networks

PORT: Final = 8123
MOST_DAYS: Final = 3_650  # tables of the day are kept no longer
LOOPBACK: Final = ("127.0.0.0/8", "::1")


@dataclass(frozen=True)
class Config:
    """The configuration of a server; invalid values raise a `ValueError` that explains."""

    db: str | Path | None = None  # a file, or postgresql://…; None: in the user's data folder
    host: str = "127.0.0.1"  # the address to listen on
    port: int = PORT  # 0: any that is free
    names: tuple[str, ...] = ()  # host names that the server answers to, besides IP addresses
    addresses: tuple[str, ...] = ()  # http://…, under which others reach it, for invitations
    origins: tuple[str, ...] = ()  # other sites whose pages may use it
    proxies: tuple[str, ...] = ()  # whose X-Forwarded-For is trusted
    metrics: tuple[str, ...] = LOOPBACK  # networks that may read /metrics
    limits: Limits = field(default_factory=Limits)
    pace: Pace = field(default_factory=Pace)
    processes: int = 1  # that compile and choose the bots' moves; 0: only the uncompiled fallback
    free_chat: bool = False  # whether tables may allow free texts besides preset phrases
    daily_days: int = 31  # for which tables of the day are kept; 0: there are none
    logs: Literal["auto", "human", "json"] = "auto"  # auto: human on a terminal, else JSON
    web: Path | None = None  # folder of the built client; None: the one in the package

    def __post_init__(self) -> None:
        if not 0 <= self.port < 65536:
            raise ValueError("port: from 0 to 65535")
        if self.processes < 0:
            raise ValueError("processes: from 0")
        if not 0 <= self.daily_days <= MOST_DAYS:
            raise ValueError(f"daily_days: from 0 to {MOST_DAYS}")
        # Parse them now, so that errors show at the start.
        _ = self.allowed_origins, self.trusted_proxies, self.metrics_readers

    @cached_property
    def allowed_origins(self) -> Origins:
        """The host names that the server answers to, and the origins that may use it."""
        return Origins.of(names=self.names, pages=self.origins)

    @cached_property
    def trusted_proxies(self) -> Networks:
        """The trusted proxies."""
        return Networks.parse(self.proxies)

    @cached_property
    def metrics_readers(self) -> Networks:
        """The networks that may read the metrics."""
        return Networks.parse(self.metrics)
