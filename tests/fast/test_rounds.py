"""Compiled rounds are the interpreted rounds: every slot, every score, on any number of threads."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from policies import TABLES
from waiting import completed

from catinthebox import FACES
from catinthebox.fast import cpu, sources
from catinthebox.fast.rounds import POLICIES, Batch, ends, playouts
from catinthebox.rules import batch as plain
from catinthebox.rules import encode
from catinthebox.rules.layout import NOBODY, PARADOX, SIZE, TURN

DIGESTS = Path(__file__).parents[2] / "vectors" / "playouts.sha256"
ROUNDS = 40_000 // (len(TABLES) * len(POLICIES)) + 1
CASES = [(players, face, policy) for players, face in TABLES for policy in POLICIES]


@pytest.mark.long
@pytest.mark.parametrize(("players", "face", "policy"), CASES)
def test_compiled_rounds_are_the_interpreted_rounds(players: int, face: str, policy: str) -> None:
    """40,000 rounds in all, slot by slot and score by score."""
    table, scores = ends(ROUNDS, players=players, face=face, policy=policy, seed=11)
    touch, number = FACES[face].touch, POLICIES[policy]
    s, points = [0] * SIZE, [0] * players
    for index in range(ROUNDS):
        plain.playout_row(s, 11, index, players, number, points, touch)
        assert table[index].tolist() == s
        assert scores[index].tolist() == points


def test_enough_rounds_end_normally() -> None:
    """At least 30 % of the rounds under `follow`, so that normal scoring is compared too."""
    normal = [
        float(
            (
                ends(ROUNDS, players=n, face=face, policy="follow", seed=11)[0][:, PARADOX]
                == NOBODY
            ).mean()
        )
        for n, face in TABLES
    ]
    assert sum(normal) / len(normal) >= 0.3


@pytest.mark.long
@pytest.mark.parametrize(("players", "face", "policy"), CASES)
def test_digests_are_the_published_ones(players: int, face: str, policy: str) -> None:
    """One SHA-256 over 100,000 rounds per table and policy, in the repository for every target."""
    table, scores = ends(100_000, players=players, face=face, policy=policy, seed=2020)
    digest = hashlib.sha256(table.astype("<i8").tobytes() + scores.astype("<i8").tobytes())
    published = dict(line.split()[::-1] for line in DIGESTS.read_text("utf-8").splitlines())
    assert digest.hexdigest() == published[f"{players}-{face}-{policy}"]


def test_threads_change_nothing() -> None:
    """The same rounds, however the work is cut."""
    one = playouts(3_001, players=4, policy="follow", seed=3)
    assert one == playouts(3_001, players=4, policy="follow", seed=3, threads=5)
    table, scores = ends(301, players=3, seed=3)
    again, points = ends(301, players=3, seed=3, threads=4)
    assert np.array_equal(table, again)
    assert np.array_equal(scores, points)


def test_a_later_start_gives_the_later_rounds() -> None:
    """Rounds are known by their number."""
    table, _ = ends(30, players=5, face="purple", seed=3)
    later, _ = ends(10, players=5, face="purple", seed=3, first=20)
    assert np.array_equal(table[20:], later)


def test_sums_agree_with_the_rounds() -> None:
    """Totals of a run are those of its rounds."""
    totals = playouts(500, players=3, policy="follow", seed=9)
    table, scores = ends(500, players=3, policy="follow", seed=9)
    assert totals.points == tuple(scores.sum(axis=0).tolist())
    assert totals.paradoxes == int((table[:, PARADOX] != NOBODY).sum())
    assert totals.rounds == 500


def test_a_batch_plays_like_its_rows_alone() -> None:
    """Legal sets, observations, scores and new deals are those of the interpreted rules."""
    rows, players = 50, 4
    batch = Batch(rows, players=players, seed=4, observe=True, threads=2)
    table = [[0] * SIZE for _ in range(rows)]
    numbers = list(range(rows))
    plain.deal_rows(table, numbers, 4, players)
    scores, over = [[0] * players for _ in range(rows)], [False] * rows
    ended = 0
    for _ in range(80):
        assert batch.states.tolist() == table
        assert batch.legal.tolist() == [plain.legal_row(s) for s in table]
        assert batch.seats.tolist() == [s[TURN] for s in table]
        assert [sum(1 << i for i, legal in enumerate(row) if legal) for row in batch.masks] == [
            *batch.legal
        ]
        observed = [[0] * encode.WIDTH for _ in range(rows)]
        plain.observe_rows(table, [[0] * SIZE], observed)
        assert batch.observations is not None
        assert batch.observations.tolist() == observed
        actions = batch.choose("follow")
        points, done = batch.step(actions)
        plain.step_rows(
            table, actions.tolist(), scores, over, numbers, rows, 4, FACES["white"].touch
        )
        assert points.tolist() == scores
        assert done.tolist() == over
        ended += int(done.sum())
    assert ended > rows


def test_an_illegal_action_refuses_the_whole_step() -> None:
    """Nothing has happened, and the error says what would be legal."""
    batch = Batch(3, players=4, seed=4)
    before = batch.states.copy()
    actions = batch.choose()
    actions[1] = 0
    with pytest.raises(ValueError, match=r"row 1: action 0 is not legal; legal: \[3[6-9]"):
        batch.step(actions)
    with pytest.raises(ValueError, match=r"\(2,\) actions for 3 rows"):
        batch.step(actions[:2])
    assert np.array_equal(batch.states, before)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 6}, "6 players; 2 to 5 can play"),
        ({"players": 3, "policy": "wild"}, "no policy 'wild'; there are uniform, follow"),
        ({"players": 3, "face": "pink"}, "no face 'pink'; there are white, black, purple"),
        ({"players": 3, "threads": 0}, "1 to 256 threads"),
    ],
)
def test_bad_arguments_are_explained(options: dict[str, int], sentence: str) -> None:
    """What was wrong, and what would be right."""
    with pytest.raises(ValueError, match=sentence):
        playouts(10, **options)  # type: ignore[arg-type]  # on purpose


def test_the_cache_depends_on_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed rule never meets an old compilation."""
    before = cpu.cache_folder()
    for path in sources.RULES.glob("*.py"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(sources, "RULES", tmp_path)
    assert cpu.cache_folder() == before
    (tmp_path / "round.py").write_text("# changed")
    assert cpu.cache_folder() != before


@pytest.mark.process
def test_a_first_start_says_that_it_compiles(tmp_path: Path) -> None:
    """The wait has a reason, told once."""
    code = "from catinthebox.fast import cpu; cpu.rules()"
    environ = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, check=True)
        for _ in range(2)
    ]
    assert b"compiling the rules for this machine, once" in runs[0].stderr
    assert runs[1].stderr == b""


@pytest.mark.process
@pytest.mark.parametrize("home", ["/proc/nope", "/dev/null"])
def test_a_cache_that_cannot_be_written_is_done_without(home: str) -> None:
    """One line says so, and nothing stays behind."""
    code = """if True:
        from catinthebox.fast import cpu, sources
        assert cpu.rules().layout.after(1, 3) == 2
        assert cpu.tactics().reachable.led_number(0) == 0
        print(sources.temporary_home(""))
        assert any(sources.temporary_home("").rglob("*.nbc"))
    """
    environ = {**os.environ, "XDG_CACHE_HOME": home}
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, env=environ, capture_output=True, check=True, text=True)
    assert run.stderr.count("\n") == 1
    assert "nothing can be kept in the cache" in run.stderr
    assert "compiling for this run only" in run.stderr
    assert not Path(run.stdout.strip()).exists()


def test_half_a_copy_is_not_taken_for_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone who is interrupted while loading can load again."""
    (tmp_path / "broken.py").write_text("raise KeyboardInterrupt")
    with monkeypatch.context() as patch:
        patch.setattr(sources, "RULES", tmp_path)
        with pytest.raises(KeyboardInterrupt):
            sources.load_rules("broken")
    assert hasattr(sources.load_rules("broken", rule=id, popcount=id, nth_bit=id), "layout")
    for name in [name for name in sys.modules if ".broken_copy" in name]:
        del sys.modules[name]


@pytest.mark.process
def test_the_package_itself_does_not_import_numba() -> None:
    """Starting is quick for those who do not need the compiler."""
    code = "import catinthebox, sys; assert not {'numba', 'numpy'} & set(sys.modules)"
    completed([sys.executable, "-c", code])


@pytest.mark.process
def test_a_small_case_on_the_simulated_device() -> None:
    """Playouts, steps, legal sets and observations of CUDA's simulator are those of the CPU."""
    environ = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    program = Path(__file__).with_name("gpu_case.py")
    run = subprocess.run(
        [sys.executable, str(program)], env=environ, capture_output=True, check=False
    )
    assert run.stdout == b"the simulated device agrees\n", run.stderr.decode()


@pytest.mark.process
def test_without_a_device_the_error_says_so() -> None:
    """Nothing but a clear sentence where there is no GPU."""
    code = "from catinthebox.fast import gpu; gpu.playouts(1, players=2)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert run.returncode == 0 or b"NoDevice: no CUDA device here" in run.stderr
