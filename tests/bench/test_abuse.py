"""The abuse bench runs: every scenario against a small server, at sizes that take no time."""

from __future__ import annotations

import asyncio
from collections import Counter
from math import isnan
from pathlib import Path

import pytest
from server.harness import running_server

from bench import abuse, abuse_attacks, abuse_player, abuse_visitor
from bench.abuse_attacks import ATTACKS, Sizes
from bench.abuse_player import Report

SECONDS = 0.3  # for a few moves; how many does not matter


async def all_of_them(url: str) -> list[abuse.Row]:
    """Every scenario at once, which a small server can bear."""
    rows = (abuse.scenario(attack, url, Sizes().tiny(), SECONDS) for attack in ATTACKS)
    return await asyncio.gather(*rows)


@pytest.mark.process
@pytest.mark.timing
def test_every_scenario_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It ends by itself, and prints what was tried, what came of it, and what players saw."""
    with running_server(tmp_path, proxies=("127.0.0.1",)) as server:
        rows = asyncio.run(all_of_them(f"http://127.0.0.1:{server.port}"))
    outcomes = {row.attack.name: row.outcome for row in rows}
    assert "4 tables opened, 0 refused" in outcomes["bots"]
    assert outcomes["spectators"].endswith("host back 3 of 3, friend in 3 of 3")
    assert outcomes["chat"].startswith("15 lines accepted; 5 of the host's 5 kept")
    for row in rows:
        abuse.print_row(row)
        printed = capsys.readouterr().out
        assert all(words in printed for words in (row.tried, row.outcome, "alone", "meanwhile"))


def test_figures_of_no_moves_are_none() -> None:
    """A player who was shut out all the time has no latency."""
    report = Report.of([], moves=0, tries=5)
    assert isnan(report.p50)
    assert "nan" in abuse.figures(report)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["replay"], "no scenario replay; there are replays, pauses, bots, spectators, chat"),
        (["--url", "http://games.example"], "not on this machine; add --mine"),
    ],
)
def test_options_that_cannot_be_are_explained(
    words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is attacked."""
    with pytest.raises(SystemExit):
        abuse.parsed(words)
    assert wrong in capsys.readouterr().err


def test_servers_elsewhere_are_attacked_by_their_owners_only() -> None:
    """Who says so."""
    assert abuse.parsed(["--url", "http://games.example", "--mine"]).url == "http://games.example"
    assert abuse.parsed(["chat"]).scenarios == ["chat"]


def test_addresses_are_nobodys() -> None:
    """All of those that the attacks use are different, and reserved for documentation."""
    addresses = [abuse_visitor.address(number) for number in range(700)]
    assert len({*addresses, abuse_player.HERE}) == 701
    assert {one.rpartition(".")[0] for one in addresses} == {"198.51.100", "203.0.113", "192.0.2"}
    assert abuse_attacks.counts(Counter({429: 2})) == "429 ×2"
