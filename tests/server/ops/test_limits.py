"""The numbers that the documentation promises, and that none of them is zero."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from catinthebox.server.ops.limits import Limits, Rate


def test_the_numbers_that_are_promised() -> None:
    """Those that the documentation names."""
    limits = Limits()
    assert (limits.frame_bytes, limits.body_bytes) == (8192, 16384)
    assert (limits.queue_frames, limits.queue_bytes) == (256, 524_288)
    assert (limits.hello_s, limits.heartbeat_s) == (10, 20)
    assert limits.socket_moves == Rate(10, 20)
    assert limits.address_moves == Rate(50, 200)
    assert limits.address_tables.rate * 3600 == pytest.approx(120)


@pytest.mark.parametrize("name", [f.name for f in fields(Limits)])
def test_every_limit_is_above_zero(name: str) -> None:
    """A limit of nothing would be a server for nobody; a missing one is no limit."""
    nothing = Rate(0, 0) if isinstance(getattr(Limits(), name), Rate) else 0
    with pytest.raises(ValueError, match=name):
        replace(Limits(), **{name: nothing})  # type: ignore[arg-type]


def test_unlimited_keeps_sizes_and_times() -> None:
    """For load tests from one address: free is what is counted per visitor."""
    usual, free = Limits(), Limits.unlimited()
    same = {f.name for f in fields(Limits) if getattr(usual, f.name) == getattr(free, f.name)}
    assert {name for name in same if name.endswith("_s")} >= {"hello_s", "body_s", "idle_s"}
    assert {"frame_bytes", "body_bytes", "queue_frames", "queue_bytes"} <= same
    assert not {"sockets", "sockets_per_address", "socket_moves", "address_tables"} & same
