"""What needs no torch: reports of logs, plans, and the errors of the command."""

from __future__ import annotations

import doctest
import json
import sys
from pathlib import Path

import pytest

from catinthebox import NotUnderstood
from catinthebox.cli import main
from catinthebox.learn import plan as plans
from catinthebox.learn.log import TrainingLog, read_log
from catinthebox.learn.plan import plan_for
from catinthebox.learn.report import CURVES, report

LOGS = Path(__file__).parents[2] / "docs" / "networks"


@pytest.mark.parametrize("log", sorted(LOGS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_logs_of_the_networks_that_ship_have_a_report(log: Path, tmp_path: Path) -> None:
    """A page with a curve for every figure, the plan and the hash, that loads nothing."""
    out = tmp_path / "report.html"
    report(log, out)
    page = out.read_text("utf-8")
    rows = read_log(log)
    wanted = [curve for curve in CURVES if any(curve.key in row for row in rows)]
    assert page.count("<svg") == len(wanted) >= 7
    assert page.count("<polyline") == len(wanted)
    assert rows[-1]["sha256"] in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert "nan" not in page


def test_the_examples_of_plans_are_true() -> None:
    """They are not collected as others are, since most modules beside them need torch."""
    found = doctest.testmod(plans)
    assert found.attempted > 0
    assert found.failed == 0


def test_logs_are_of_the_plans_that_we_have() -> None:
    """A card is honest only as long as the command trains in the same way."""
    for log in LOGS.glob("*.jsonl"):
        plan = read_log(log)[0]["plan"]
        now = plan_for(plan["players"], device="cuda", minutes=plan["minutes"], seed=plan["seed"])
        assert now.data() == plan


def test_a_figure_that_never_changes_can_be_drawn(tmp_path: Path) -> None:
    """Also one that was measured once, at the very beginning."""
    log = TrainingLog(tmp_path, lambda line: None)
    log.write({"seconds": 0.0, "iterations": 1, "decisions": 5, "entropy": 1.0})
    report(log.path, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8").count("<svg") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "nothing was measured yet"),
        ('{"plan": {}}\n', "nothing was measured yet"),
        ('{"a": 1}\nnonsense\n', "line 2 is not a JSON object"),
        ("[1]\n", "line 1 is not a JSON object"),
    ],
)
def test_bad_logs_are_explained(text: str, complaint: str, tmp_path: Path) -> None:
    """With the line that is wrong."""
    log = tmp_path / "log.jsonl"
    log.write_text(text, "utf-8")
    with pytest.raises(NotUnderstood, match=complaint):
        report(log, tmp_path / "page.html")


def test_a_log_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """As is one that is not there."""
    (tmp_path / "log.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(NotUnderstood, match="not a text"):
        read_log(tmp_path / "log.jsonl")
    with pytest.raises(NotUnderstood, match="name the log of a training"):
        read_log(tmp_path / "none.jsonl")


def test_figures_are_rounded(tmp_path: Path) -> None:
    """A line is read by people, too."""
    shown: list[str] = []
    log = TrainingLog(tmp_path, shown.append)
    log.write({"a": 1 / 3, "b": 2})
    assert read_log(log.path) == [{"a": 0.33333, "b": 2}]
    assert json.loads(shown[0]) == {"a": 0.33333, "b": 2}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--players", "6"], "6 players; 2 to 5 can play"),
        (["--minutes", "0"], "0.0 minutes; more than 0"),
        (["--minutes", "nan"], "nan minutes; more than 0"),
        (["--iterations", "0"], "0 iterations; 1 to"),
        (["--seed", "-1"], "seed -1; 0 to"),
        (["train", "more"], "a training needs no 'more'"),
        (["--draws"], "--draws is for exploit"),
        (["exploit"], "exploit needs a network"),
        (["exploit", "careful", "--rivals", "a.net"], "--rivals is for a training"),
        (["exploit", "careful", "--players", "1"], "1 players; 2 to 5 can play"),
        (["report"], "report needs the folder of a training"),
        (["report", "nowhere"], "name the log of a training"),
    ],
)
def test_errors_explain(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was wrong, and what would be right."""
    assert main(["learn", *words]) == 2
    assert complaint in capsys.readouterr().err


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without torch the command says how to get it."""
    for name in [name for name in sys.modules if name.startswith("catinthebox.learn.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["learn", "--players", "3"]) == 2
    assert "this needs torch: pip install 'catinthebox[learn]'" in capsys.readouterr().err
