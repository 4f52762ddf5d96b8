"""Making puzzles: the same ones however often it was interrupted, in whatever order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from catinthebox import NotUnderstood
from catinthebox.arena import Terms
from catinthebox.arena.table import Stopped
from catinthebox.cli.puzzles import read_puzzles
from catinthebox.players.player import never
from catinthebox.puzzles import Puzzle, PuzzleFile
from catinthebox.puzzles.collect import collect
from catinthebox.puzzles.make import Made, Maker
from catinthebox.puzzles.working_file import WorkingFile, chosen

SHIPPED = read_puzzles(None).puzzles
FEW = 5
SETTINGS = PuzzleFile("7", 4, 40, ("gentle",))


def given(deal: int) -> Puzzle | None:
    """What a deal gives in these tests: a puzzle now and then."""
    return replace(SHIPPED[deal // 2 % len(SHIPPED)], deal=deal) if deal % 2 else None


@dataclass(frozen=True)
class Quick(Maker):
    """Makes puzzles of those that ship; it may be interrupted at some deals, once each."""

    falters: set[int] = field(default_factory=set)
    asked: list[int] = field(default_factory=list)

    def play(self, terms: Terms, deal_number: int, stop: Callable[[], bool] = never) -> list[Made]:
        """Return what a deal gives."""
        if deal_number in self.falters:
            self.falters.remove(deal_number)
            raise KeyboardInterrupt
        self.asked.append(deal_number)
        return [Made(deal_number, given(deal_number))]


def made(work: Path, *falters: int) -> tuple[str, list[int]]:
    """The file that comes out after all interruptions, and the deals that were worked on."""
    maker = Quick(4, set(falters))
    for _ in falters:
        with pytest.raises(KeyboardInterrupt):
            collect(FEW, "7", maker, work)
    return collect(FEW, "7", maker, work).text, maker.asked


def test_interruptions_change_nothing(tmp_path: Path) -> None:
    """The same file as in one run, and no deal is worked on twice."""
    whole, asked = made(tmp_path / "a.work")
    parts, again = made(tmp_path / "b.work", 0, 3, 4, 7)
    assert parts == whole
    assert again == asked == sorted(set(asked))
    assert len(PuzzleFile.of_text(whole).puzzles) == FEW


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    """A finished run answers at once; more puzzles go on from there, with the same first ones."""
    work = tmp_path / "a.work"
    first, _ = made(work)
    maker = Quick(4)
    assert collect(FEW, "7", maker, work).text == first
    assert maker.asked == []


def test_a_line_that_was_cut_off_is_made_again(tmp_path: Path) -> None:
    """As after a power cut; everything before it is kept."""
    work = tmp_path / "a.work"
    whole, _ = made(work)
    content = work.read_bytes()
    for size in (len(content) - 1, len(content) // 2, 10):
        work.write_bytes(content[:size])
        assert made(work)[0] == whole


def test_the_order_in_which_deals_are_done_does_not_matter(tmp_path: Path) -> None:
    """Puzzles count only once all deals before them are done."""
    kept = WorkingFile(tmp_path / "a.work", SETTINGS)
    try:
        for deal in (5, 3, 1):
            kept.add([Made(deal, given(deal))])
            assert kept.chosen(FEW) == []
        for deal in (4, 2, 0):
            kept.add([Made(deal, given(deal))])
        assert [puzzle.deal for puzzle in kept.chosen(2)] == [1, 3]
    finally:
        kept.close()


@pytest.mark.parametrize("settings", [replace(SETTINGS, seed="8"), replace(SETTINGS, worlds=5)])
def test_a_file_of_another_run_is_refused(tmp_path: Path, settings: PuzzleFile) -> None:
    """Puzzles of different seeds or budgets are never mixed."""
    WorkingFile(tmp_path / "a.work", SETTINGS).close()
    with pytest.raises(NotUnderstood, match="belongs to another run"):
        WorkingFile(tmp_path / "a.work", settings)


@pytest.mark.parametrize("text", ["what?\n", "what?", "{}", "[]\n{}\n", "[]\n", '{}\n{"deal":1}\n'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    """A file that is something else is not written to."""
    path = tmp_path / "a.work"
    path.write_text(text)
    with pytest.raises(NotUnderstood):
        WorkingFile(path, SETTINGS)
    assert path.read_text() == text


def test_no_main_theme_takes_over() -> None:
    """At most three of ten have the same main theme, and no position comes twice."""
    same = [replace(puzzle, themes=("paradox",)) for puzzle in SHIPPED]
    assert len(chosen(same, 4)) == 2
    assert chosen([*SHIPPED[:1], *SHIPPED[:1]], 10) == [SHIPPED[0]]


# ── Real puzzles ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.process
def test_processes_change_nothing(tmp_path: Path) -> None:
    """Two workers find the same puzzle as one process; a deal of this seed soon gives one."""
    alone = collect(1, "2", Maker(4), tmp_path / "a.work")
    assert collect(1, "2", Maker(4), tmp_path / "b.work", jobs=2).text == alone.text
    assert len(alone.puzzles) == 1


@pytest.mark.long
def test_a_deal_can_be_given_up() -> None:
    """So that a run ends soon when it is told to."""
    with pytest.raises(Stopped):
        Maker(4).play(Terms("7"), 0, lambda: True)
