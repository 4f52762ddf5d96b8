"""The law can fail: servers that tell too much, by a byte or by less, are found out."""

from __future__ import annotations

import pytest
from secrecy.canary import Heard
from secrecy.law import ToldApart, compared
from secrecy.leaks import LEAKS, Leak
from secrecy.plots import drawn


@pytest.mark.clause("R33")
@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_the_law_notices(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever leaks is noticed within a few stories that are fine otherwise."""
    leak(monkeypatch)
    with pytest.raises((ToldApart, Heard)):
        for seed in range(8):
            compared(drawn(seed, 3, "white", worlds=2))


def test_without_a_leak_nothing_is_noticed() -> None:
    """The same stories pass, so it is the leak that was noticed."""
    assert sum(compared(drawn(seed, 3, "white", worlds=2)) for seed in range(8)) > 100
