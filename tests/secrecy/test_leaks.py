"""The law can fail: servers that tell too much, by a byte or by less, are found out."""

from __future__ import annotations

import pytest
from secrecy.canary import Canary, LeakedSecret
from secrecy.law import ToldApart, compared
from secrecy.leaks import SECRET, UNEQUAL, Leak
from secrecy.scenarios import drawn


def stories(many: int) -> int:
    """Live through a few short plots; return how many pairs there were."""
    return sum(compared(drawn(seed, 3, "white", worlds=2)) for seed in range(many))


def name(leak: Leak) -> str:
    return leak.__name__


@pytest.mark.long
@pytest.mark.clause("R33")
@pytest.mark.parametrize("leak", UNEQUAL, ids=name)
def test_leaks_make_worlds_distinguishable(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever depends on a hidden card is noticed, also without looking for the card."""
    leak(monkeypatch)
    monkeypatch.setattr(Canary, "look", lambda *_: None)
    with pytest.raises(ToldApart):
        stories(8)


@pytest.mark.long
@pytest.mark.clause("R33")
@pytest.mark.parametrize("leak", SECRET, ids=name)
def test_leaked_secrets_are_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is never to be told is noticed, also if it is the same in all worlds."""
    leak(monkeypatch)
    with pytest.raises(LeakedSecret):
        stories(8)


def test_without_a_leak_nothing_is_noticed() -> None:
    """The same stories pass, so it is the leak that was noticed."""
    assert stories(3) > 50
