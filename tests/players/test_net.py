"""The player `net`: networks that ship are the known ones, files are checked, play is legal."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from policies import TABLES, moments, random_round

from catinthebox import FACES, NotUnderstood, Round
from catinthebox.players import Budget, engine, player
from catinthebox.players.net import NEAR, Net
from catinthebox.players.network import FOLDER, SHIPPED, checked, from_file, loaded, shipped
from catinthebox.players.network_file import LayerWeights, read_network, write_network
from catinthebox.players.network_layout import FIRST_LINE, NetworkDescription
from catinthebox.players.numpy_network import NumpyNetwork
from catinthebox.players.plain_network import PlainNetwork
from catinthebox.tactics.inputs import INPUTS
from catinthebox.views import View

MOST_BYTES = 2_000_000


def made(rng: np.random.Generator, players: int = 3, outputs: int = 50) -> bytes:
    """The file of a small network with random weights."""
    described = NetworkDescription(players, INPUTS, 8, 1, outputs, {"made": "up"})
    layers = [
        LayerWeights(
            rng.normal(size=(rows, columns)).astype(np.float32),
            rng.normal(size=rows).astype(np.float32) if biased else None,
        )
        for rows, columns, biased in described.shapes()
    ]
    return write_network(described, layers)


# ── Play ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_it_is_always_legal(players: int, face: str) -> None:
    """In every phase, on both faces, with every temperature; and the same again."""
    rng = Random(players)
    for round, seat, _ in moments(random_round(players, face, rng), rng):
        view = View.of(round, seat)
        for who in (Net(), Net(temperature=1), Net(temperature=0.2)):
            choice = who.choose(view, Budget(), Random(5))
            assert choice in round.legal_for(seat)
            assert choice == who.choose(view, Budget(), Random(5))


@pytest.mark.long
def test_without_temperature_it_takes_the_best() -> None:
    """The legal action with the largest output, as far as 32-bit floats can tell."""
    rng = Random(2)
    for round, seat, _ in moments(Round.shuffled(4, rng), rng):
        view = View.of(round, seat)
        logits = Net().logits(view)
        choice = Net().choose(view, Budget(), rng)
        assert logits[choice.id] > max(logits[action.id] for action in view.legal) - NEAR


@pytest.mark.long
def test_interpreted_and_compiled_play_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The inputs are integers: the outputs are the same to the last bit."""
    rng = Random(3)
    views = [View.of(round, seat) for round, seat, _ in moments(Round.shuffled(3, rng), rng)]
    compiled = [Net().logits(view) for view in views]
    for kept in (engine.tactics, engine.touch):
        kept.cache_clear()
    monkeypatch.setattr(engine, "compiled", lambda: False)
    interpreted = [Net().logits(view) for view in views]
    for kept in (engine.tactics, engine.touch):
        kept.cache_clear()
    assert interpreted == compiled


class Torn:
    """A network that cannot decide between two actions, until it computes exactly."""

    players = 4

    def __init__(self, better: int, gap: float) -> None:
        self.better, self.gap = better, gap

    def logits(self, inputs: object) -> list[float]:
        """All the same, but for a gap."""
        return [0.0 if number != self.better else -self.gap for number in range(49)]

    def exact_logits(self, inputs: object) -> list[float]:
        """Here one of them is better."""
        return [0.0 if number != self.better else 1e-9 for number in range(49)]


def test_what_is_nearly_equal_is_decided_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where 32-bit floats could differ between machines, 64-bit ones decide; elsewhere not."""
    view = View.of(Round.shuffled(4, Random(1)), 0)
    ids = sorted(action.id for action in view.legal)
    for better in ids[1:]:
        monkeypatch.setattr(Net, "network", staticmethod(partial(_given, Torn(better, 0.0))))
        assert Net().choose(view, Budget(), Random(1)).id == better
    monkeypatch.setattr(Net, "network", staticmethod(partial(_given, Clear(ids[0]))))
    assert Net().choose(view, Budget(), Random(1)).id == ids[0]


def _given(network: Torn, *_: object) -> Torn:
    return network


class Clear(Torn):
    """A network that can decide: nothing is computed twice."""

    def __init__(self, better: int) -> None:
        super().__init__(better, -1.0)

    def exact_logits(self, inputs: object) -> list[float]:
        """Not needed."""
        raise AssertionError("the difference is clear")


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_exact_sums_are_near_the_fast_ones(players: int, face: str) -> None:
    """In 32 bits they differ by far less than what counts as nearly equal; in 64 by nothing."""
    content = (FOLDER / f"{players}-players.net").read_bytes()
    fast, plain = NumpyNetwork(content), PlainNetwork(content)
    rng = Random(players)
    for round, seat, _ in list(moments(random_round(players, face, rng), rng))[::5]:
        inputs = Net().inputs(View.of(round, seat))
        exact = np.array(fast.exact_logits(inputs))
        assert np.abs(np.array(fast.logits(inputs)) - exact).max() < NEAR / 10
        assert np.abs(np.array(plain.logits(inputs)) - exact).max() < 1e-9


@pytest.mark.long
def test_it_plays_without_numpy(
    monkeypatch: pytest.MonkeyPatch, without_compiler: Callable[[], None]
) -> None:
    """On a machine with nothing but Python: the same actions, only slower."""
    rng = Random(6)
    views = [View.of(round, seat) for round, seat, _ in moments(Round.shuffled(3, rng), rng)][::4]
    usual = [Net().choose(view, Budget(), Random(1)) for view in views]
    without_compiler()
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in ("numpy_network", "network_file"):
        monkeypatch.delitem(sys.modules, f"catinthebox.players.{name}")
    shipped.cache_clear()
    try:
        assert isinstance(shipped(3), PlainNetwork)
        assert [Net().choose(view, Budget(), Random(1)) for view in views] == usual
    finally:
        shipped.cache_clear()


@pytest.mark.long
def test_the_face_makes_a_difference() -> None:
    """The same cards on the other face: another input, other outputs."""
    views = [
        View.of(Round.shuffled(4, Random(1), face=FACES[face]), 0) for face in ("white", "purple")
    ]
    assert Net().logits(views[0]) != Net().logits(views[1])


def test_parameters() -> None:
    """By name, as the arena and the command line read them; a path may contain commas."""
    assert player("net") == Net()
    assert player("net:temperature=0.5") == Net(temperature=0.5)
    assert player("net:temperature=1,file=a,b=c.net") == Net(1, "a,b=c.net")
    assert player("net:a.net") == Net(file="a.net")
    with pytest.raises(NotUnderstood, match=r"temperature=-1\.0; 0 or more is possible"):
        player("net:temperature=-1")


# ── Networks that ship ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("players", SHIPPED)
def test_networks_that_ship_are_small_and_known(players: int) -> None:
    """At most two megabytes each, with the hash that the code and its card name."""
    content = (FOLDER / f"{players}-players.net").read_bytes()
    assert len(content) <= MOST_BYTES
    digest = hashlib.sha256(content).hexdigest()
    assert digest == SHIPPED[players]
    assert digest in (Path(__file__).parents[2] / "docs" / "networks.md").read_text("utf-8")
    assert shipped(players).players == players


def test_every_number_of_players_has_one() -> None:
    """And no other file ships."""
    assert {path.name for path in FOLDER.iterdir()} == {f"{n}-players.net" for n in SHIPPED}
    assert set(SHIPPED) == {2, 3, 4, 5}
    with pytest.raises(NotUnderstood, match="no network for 6 players ships"):
        shipped(6)


def test_a_changed_network_is_refused(tmp_path: Path) -> None:
    """One bit is enough."""
    content = bytearray(made(np.random.default_rng(1)))
    path = tmp_path / "some.net"
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    assert checked(path, digest).players == 3
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(NotUnderstood, match=r"some\.net was changed: its SHA-256 is"):
        checked(path, digest)


# ── Files ────────────────────────────────────────────────────────────────────────────────────


def test_a_file_keeps_its_network() -> None:
    """Weights to half a step of their row's scale, biases and description exactly."""
    rng = np.random.default_rng(7)
    described = NetworkDescription(5, 24, 16, 2, 6, {"seed": 1})
    layers = [
        LayerWeights(
            rng.normal(size=(rows, columns)).astype(np.float32),
            rng.normal(size=rows).astype(np.float32) if biased else None,
        )
        for rows, columns, biased in described.shapes()
    ]
    found, back = read_network(write_network(described, layers))
    assert found == described
    for mine, theirs in zip(layers, back, strict=True):
        step = np.abs(mine.weights).max(axis=1, keepdims=True) / 127
        assert (np.abs(mine.weights - theirs.weights) <= step * 0.501).all()
        if mine.bias is not None:
            assert theirs.bias is not None
            assert (mine.bias == theirs.bias).all()
    again = write_network(found, back)
    assert read_network(again)[1][0].weights.tolist() == back[0].weights.tolist()


def test_a_row_of_zeros_stays_one() -> None:
    """Its scale is not 0: nothing is divided by it."""
    described = NetworkDescription(2, 3, 2, 1, 1, {})
    layers = [
        LayerWeights(np.zeros((rows, columns), np.float32), np.zeros(rows, np.float32))
        for rows, columns, _ in described.shapes()
    ]
    for layer in read_network(write_network(described, layers))[1]:
        assert not layer.weights.any()


def described_as(**changes: object) -> bytes:
    """The first two lines of a file that describes something else."""
    usual = {"players": 3, "inputs": INPUTS, "width": 8, "blocks": 1, "outputs": 50, "about": {}}
    return FIRST_LINE + b"\n" + json.dumps({**usual, **changes}).encode() + b"\n"


def with_nan() -> bytes:
    """A file whose first scale is no number."""
    content = made(np.random.default_rng(1))
    begin = content.index(b"\n", len(FIRST_LINE) + 1) + 1
    return content[:begin] + np.array([np.nan], "<f4").tobytes() + content[begin + 4 :]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "it should begin with"),
        (b"catinthebox network 2\n{}\n", "it should begin with"),
        (FIRST_LINE, "its second line does not describe one"),
        (FIRST_LINE + b"\n{\n", "its second line does not describe one"),
        (FIRST_LINE + b"\n{}\n", "its second line does not describe one"),
        (FIRST_LINE + b"\n" + b"[" * 100_000 + b"\n", "its second line does not describe one"),
        (FIRST_LINE + b"\n\xff\n", "its second line does not describe one"),
        (described_as(players=6), "its second line does not describe one"),
        (described_as(width=0), "its second line does not describe one"),
        (described_as(width=10**9), "its second line does not describe one"),
        (described_as(width="8"), "its second line does not describe one"),
        (described_as(blocks=True), "its second line does not describe one"),
        (described_as(more=1), "its second line does not describe one"),
        (described_as(), "bytes where"),
        (made(np.random.default_rng(1)) + b"x", "bytes where"),
        (with_nan(), "some of its weights are no numbers"),
        (made(np.random.default_rng(1), outputs=49), "this version of the rules has 656 and 50"),
    ],
)
@pytest.mark.parametrize("reader", [loaded, NumpyNetwork, PlainNetwork])
def test_bad_files_are_explained(
    content: bytes, complaint: str, reader: Callable[[bytes], object]
) -> None:
    """No file crashes the reader, or makes it allocate what it only claims."""
    with pytest.raises(NotUnderstood, match=complaint) as caught:
        reader(content)
    assert caught.value.code == "input.network"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """With what would be right."""
    with pytest.raises(
        NotUnderstood, match="No such file or directory; name the file of a network"
    ):
        from_file(str(tmp_path / "none.net"))
