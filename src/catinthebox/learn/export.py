"""Networks as files that players read (`players.network_file`), and back as tensors."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import torch

from ..files import replacing
from ..game import NotUnderstood
from ..players.network import FOLDER, SHIPPED
from ..players.network_file import LayerWeights, read_network, write_network
from ..players.network_layout import NetworkDescription
from ..tactics.inputs import INPUTS
from .model import OUTPUTS, Perceptron, computing_type
from .rounds import check_device


def layers_of(net: Perceptron) -> list[torch.nn.Linear]:
    """Return the layers in the order of a file."""
    inner = [layer for both in zip(net.first, net.second, strict=True) for layer in both]
    return [net.input, *inner, net.head]


def export(net: Perceptron, players: int, about: dict[str, Any], path: Path) -> str:
    """Write a network to a file; return the SHA-256 of the file."""
    layers = [
        LayerWeights(
            layer.weight.detach().float().cpu().numpy(),
            None if layer.bias is None else layer.bias.detach().float().cpu().numpy(),
        )
        for layer in layers_of(net)
    ]
    shape = net.input.in_features, net.input.out_features, len(net.first), net.head.out_features
    content = write_network(NetworkDescription(players, *shape, about), layers)
    with replacing(path) as file:
        file.write(content)
    return hashlib.sha256(content).hexdigest()


def imported(path: Path, device: str) -> tuple[Perceptron, NetworkDescription]:
    """Read a network from a file, ready for a device."""
    check_device(device)
    try:
        content = path.read_bytes()
    except OSError as error:
        sentence = f"{path}: {error.strerror}; name the file of a network"
        raise NotUnderstood("input.network", sentence) from None
    described, layers = read_network(content)
    if (described.inputs, described.outputs) != (INPUTS, OUTPUTS):
        sentence = f"{path}: {described.inputs} inputs; this version of the rules has {INPUTS}"
        raise NotUnderstood("input.network", sentence)
    low = computing_type(device)
    net = Perceptron(INPUTS, described.width, described.blocks, OUTPUTS, low)
    with torch.no_grad():
        for layer, weights in zip(layers_of(net), layers, strict=True):
            layer.weight.copy_(torch.tensor(weights.weights))
            if weights.bias is not None:
                layer.bias.copy_(torch.tensor(weights.bias))
    return net.to(device), described


def shipped_path(players: int) -> Path:
    """Return the file of the network that ships for a number of players."""
    if players not in SHIPPED:
        raise NotUnderstood("input.option", f"{players} players; 2 to 5 can play")
    return FOLDER / f"{players}-players.net"
