"""Training on the CPU, all of it in small: losses fall, interruptions do no harm, files play."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("torch", reason="torch is not installed (pip install torch)")

import numpy as np
import torch

from catinthebox import NotUnderstood, Round
from catinthebox.cli import main
from catinthebox.learn.duel import Duel
from catinthebox.learn.exploit import BestResponse
from catinthebox.learn.export import export, imported
from catinthebox.learn.log import read_log
from catinthebox.learn.model import Perceptron, policy
from catinthebox.learn.opponents import CAREFUL, FROZEN, LEARNER, OpponentPool, Target
from catinthebox.learn.plan import TrainingPlan, plan_for
from catinthebox.learn.rounds import check_device, rounds_on
from catinthebox.learn.train import Training
from catinthebox.learn.trainer import Trainer, rewards
from catinthebox.players import Budget
from catinthebox.players.net import Net
from catinthebox.players.numpy_network import NumpyNetwork
from catinthebox.tactics.inputs import INPUTS
from catinthebox.views import View

pytestmark = pytest.mark.long


def tiny(players: int, iterations: int = 4, **changes: object) -> TrainingPlan:
    """A plan of a second."""
    plan = plan_for(players, device="cpu", minutes=1, iterations=iterations)
    small = {"rows": 64, "minibatch": 256, "width": 32, "critic_width": 32, "measured_rows": 40}
    return replace(plan, **{**small, **changes})  # type: ignore[arg-type]


def quiet(line: str) -> None:
    """Show nothing."""


def train(plan: TrainingPlan, folder: Path, rivals: list[Perceptron] | None = None) -> Path:
    """Train a network; return its file."""
    return Training(plan, "cpu", folder, rivals=rivals or [], show=quiet).run()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_action_of_self_play_is_legal(players: int, tmp_path: Path) -> None:
    """Learners, earlier selves and careful players; every round comes to its end."""
    training = Training(tiny(players, 3), "cpu", tmp_path, show=quiet)
    training.run()
    assert training.trainer.rounds.refused() == 0
    assert not training.trainer.rounds.legal.any()
    assert training.trainer.decisions > 0


def test_the_critic_learns() -> None:
    """Its loss falls, on deals that it has not seen."""
    plan = tiny(2, rows=128, average=0.9)
    trainer = Trainer(plan, "cpu", OpponentPool(plan, "cpu", []))
    found = []
    for _ in range(50):
        trainer.iterate(0.0)
        found.append(trainer.figures()["critic_loss"])
    assert np.mean(found[-10:]) < 0.9 * np.mean(found[:5])


def test_the_policy_learns() -> None:
    """A learner among careful players gets better against them."""
    plan = tiny(2, rows=256, minibatch=512, average=0.9, measured_rows=400)
    torch.manual_seed(3)
    trainer = Trainer(plan, "cpu", Target(plan, "cpu", None, draws=False))
    duel = Duel(plan, "cpu")
    before = duel.play(trainer.averaged, None)
    for _ in range(40):
        trainer.iterate(0.0)
    after = duel.play(trainer.averaged, None)
    clear = before.difference_within + after.difference_within
    assert after.difference > before.difference + clear


def test_the_same_plan_trains_the_same_network(tmp_path: Path) -> None:
    """A counted training on a CPU repeats to the byte, but for the minutes that it took."""
    first, second = (imported(train(tiny(3), tmp_path / name), "cpu")[0] for name in "ab")
    for mine, theirs in zip(first.parameters(), second.parameters(), strict=True):
        assert torch.equal(mine, theirs)


def test_an_interrupted_training_goes_on(tmp_path: Path) -> None:
    """With the same weights, moments, opponents and chance as one that was not interrupted."""
    whole = Training(tiny(3, 6), "cpu", tmp_path / "whole", show=quiet)
    whole.run()
    part = Training(tiny(3, 6), "cpu", tmp_path / "parts", show=quiet)
    for _ in range(3):
        part._remember(part.progress)
        part.trainer.iterate(part.progress)
    part.save()
    rest = Training(tiny(3, 6), "cpu", tmp_path / "parts", show=quiet)
    assert rest.trainer.iterations == 3
    assert len(rest.pool.snapshots) == len(part.pool.snapshots) > 0
    rest.run()
    assert rest.trainer.decisions == whole.trainer.decisions
    both = zip(rest.trainer.averaged.parameters(), whole.trainer.averaged.parameters(), strict=True)
    for mine, theirs in both:
        assert torch.equal(mine, theirs)


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    """It says what differs; a longer training of the same kind goes on."""
    train(tiny(3), tmp_path)
    with pytest.raises(NotUnderstood, match="seed differ; name another folder with --out"):
        train(tiny(3, seed=2), tmp_path)
    train(tiny(3, 5), tmp_path)
    rows = read_log(tmp_path / "log.jsonl")
    assert [row["iterations"] for row in rows if "seconds" in row] == [4, 5]


def test_a_file_computes_what_was_trained(tmp_path: Path) -> None:
    """NumPy and torch agree on the file, and the file is near to the network before rounding."""
    plan = tiny(4, blocks=2)
    net = policy(plan, "cpu")
    for layer in net.second:
        torch.nn.init.normal_(layer.weight, std=0.2)
    path = tmp_path / "some.net"
    export(net, 4, {}, path)
    back, described = imported(path, "cpu")
    assert (described.players, described.width, described.blocks) == (4, plan.width, 2)
    played = NumpyNetwork(path.read_bytes())
    for seed in range(20):
        generator = torch.Generator().manual_seed(seed)
        inputs = (torch.rand(INPUTS, generator=generator) < 0.12).float()
        with torch.no_grad():
            exact, rounded = net(inputs[None])[0].numpy(), back(inputs[None])[0].numpy()
        assert np.allclose(played(inputs.numpy()), rounded, atol=1e-5)
        assert np.allclose(exact, rounded, atol=0.02)


def test_a_trained_network_plays(tmp_path: Path) -> None:
    """As a player of its number of players, and of no other."""
    player = Net(file=str(train(tiny(3), tmp_path)))
    view = View.of(Round.deal(("1223345566", "1123344556", "1122344566")), seat=0)
    assert player.choose(view, Budget(), Random(1)) in view.legal
    four = View.of(Round.shuffled(4, Random(1)), seat=0)
    with pytest.raises(NotUnderstood, match="plays with 3 players, not 4"):
        player.choose(four, Budget(), Random(1))


def test_a_best_response_is_trained_and_measured(tmp_path: Path) -> None:
    """Against a network that draws its actions, and against careful players."""
    path = train(tiny(2), tmp_path / "net")
    net, _ = imported(path, "cpu")
    kept = [weight.clone() for weight in net.parameters()]
    plan = tiny(2, 3)
    for target, name in ((net, "x"), (None, "y")):
        draws = target is not None
        found = BestResponse(plan, "cpu", tmp_path / name, target, draws=draws, show=quiet).run()
        assert found.difference_within > 0
        assert imported(tmp_path / name / "exploiter.net", "cpu")[1].players == 2
    for mine, before in zip(net.parameters(), kept, strict=True):
        assert torch.equal(mine, before)  # the target does not learn


def test_rivals_join_the_pool(tmp_path: Path) -> None:
    """A rival plays from the beginning, before there are earlier selves."""
    net, _ = imported(train(tiny(3), tmp_path), "cpu")
    plan = tiny(3)
    pool = OpponentPool(plan, "cpu", [net])
    kinds = pool.seats()
    assert pool.frozen is not None
    assert torch.equal(pool.frozen.net.input.weight, net.input.weight)
    assert {LEARNER, FROZEN, CAREFUL} == set(kinds.flatten().tolist())
    assert FROZEN not in OpponentPool(plan, "cpu", []).seats()


def test_old_snapshots_thin_out() -> None:
    """The pool stays small, and the newest are all kept."""
    plan = tiny(3)
    pool, net = OpponentPool(plan, "cpu", []), policy(plan, "cpu")
    for number in range(100):
        with torch.no_grad():
            net.head.bias.fill_(number)
        pool.add(net)
    newest = [int(weights[-1][0]) for weights in pool.snapshots[-8:]]
    assert len(pool.snapshots) <= 32
    assert newest == list(range(92, 100))
    assert pool.kept == 100


def test_rewards_add_up_to_nothing() -> None:
    """The margin over the others' mean, and a share of the victory."""
    points = torch.tensor([[5, 1, 3], [2, 2, -1]])
    found = rewards(points, victory_points=0.0) * 4
    assert torch.allclose(found, torch.tensor([[3.0, -3.0, 0.0], [1.5, 1.5, -3.0]]))
    shared = rewards(points, victory_points=3.0) * 4 - found
    assert torch.allclose(shared, torch.tensor([[2.0, -1.0, -1.0], [0.5, 0.5, -1.0]]))


def test_a_duel_between_equals_is_fair() -> None:
    """Every seating of a deal is played: a network is exactly even with itself."""
    plan = tiny(3)
    net = policy(plan, "cpu")
    found = Duel(plan, "cpu").play(net, net)
    assert abs(found.difference) < 1e-6
    assert abs(found.share - 1 / 3) < 1e-6
    assert found.deals == 13


def test_both_faces_are_played() -> None:
    """The inputs say which one; the usual one more often."""
    plan = tiny(4, rows=512)
    trainer = Trainer(plan, "cpu", OpponentPool(plan, "cpu", []))
    share = float(trainer.rounds.faces.float().mean())
    assert 0.2 < share < 0.4
    rounds = rounds_on("cpu", plan, 2)
    rounds.faces.copy_(torch.tensor([0, 1]))
    rounds.begin_numbered(1, torch.tensor([4, 4]))
    rounds.look()
    assert not torch.equal(*rounds.inputs())
    assert torch.equal(*rounds.hidden())


def test_a_missing_device_is_explained() -> None:
    """And the way out is named."""
    if not torch.cuda.is_available():
        with pytest.raises(NotUnderstood, match="--device cpu trains something small"):
            check_device("cuda")


# ── The command ──────────────────────────────────────────────────────────────────────────────


def test_the_command_trains_exploits_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the page about networks shows it."""
    out = str(tmp_path / "run")
    short = ["--iterations", "2", "--device", "cpu", "--quiet"]
    assert main(["learn", "--players", "2", *short, "--out", out]) == 0
    net = capsys.readouterr().out.strip()
    assert net.endswith("2-players.net")
    assert main(["learn", "exploit", net, *short, "--out", str(tmp_path / "x")]) == 0
    assert "a best response to" in capsys.readouterr().out
    assert main(["learn", "report", out]) == 0
    page = Path(capsys.readouterr().out.strip()).read_text("utf-8")
    assert page.count("<svg") > 4
    assert "script" not in page
    rows = (tmp_path / "run" / "log.jsonl").read_text("utf-8").splitlines()
    assert json.loads(rows[-1])["sha256"] in page


def test_a_network_of_another_number_of_players_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a rival and as a target; so is a file that is not there."""
    path = str(train(tiny(3, 1), tmp_path))
    capsys.readouterr()
    for words in (["--rivals", path], ["exploit", path]):
        assert main(["learn", *words, "--players", "2", "--device", "cpu"]) == 2
        assert "plays with 3 players, not 2" in capsys.readouterr().err
    assert main(["learn", "--rivals", path, "--players", "3", "--device", "cpu"]) == 2
    assert "a rival must have the same" in capsys.readouterr().err
    assert main(["learn", "exploit", "net", "--players", "6", "--device", "cpu"]) == 2
    assert "6 players; 2 to 5 can play" in capsys.readouterr().err
    assert main(["learn", "exploit", "nowhere.net", "--device", "cpu"]) == 2
    assert "nowhere.net: No such file" in capsys.readouterr().err
