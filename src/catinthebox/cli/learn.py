"""`catinthebox learn`: train a neural player, exploit one, report a training (docs/networks.md)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from types import ModuleType

from .. import NotUnderstood
from ..optional import load

EXAMPLE = """examples:
  catinthebox learn --players 4 --minutes 8 --seed 1 --out runs/four
  catinthebox learn report runs/four
  catinthebox learn exploit runs/four/4-players.net --minutes 2 --out runs/against-four"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a training, and the other two things that the command does."""
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "what",
        nargs="?",
        choices=("train", "exploit", "report"),
        default="train",
        help="train a network (default), train a best response to a player, or write a report",
    )
    parser.add_argument(
        "subject",
        nargs="?",
        metavar="NET|FOLDER",
        help="exploit: a file of a network, `net` (the one that ships) or `careful`; "
        "report: the folder of a training",
    )
    parser.add_argument(
        "--players", type=int, metavar="N", help="the table size, 2 to 5 (default 4)"
    )
    parser.add_argument(
        "--minutes", type=float, default=8.0, metavar="M", help="how long to train (default 8)"
    )
    parser.add_argument(
        "--iterations", type=int, metavar="N", help="how long to train, instead of --minutes"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="decides weights and cards (default 1)"
    )
    parser.add_argument(
        "--device",
        choices=("cuda", "cpu"),
        default="cuda",
        help="a CUDA device, or the CPU for something small (default cuda)",
    )
    parser.add_argument(
        "--rivals",
        nargs="+",
        type=Path,
        default=[],
        metavar="NET",
        help="networks of the same shape that sit at some of the tables",
    )
    parser.add_argument(
        "--draws", action="store_true", help="exploit: the target draws actions from its policy"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="where log, checkpoint and network are kept; a training goes on from there "
        "(default: learn-N-players, learn-exploit-N-players); "
        "report: the file of the page (default: FOLDER/report.html)",
    )
    parser.add_argument("--quiet", action="store_true", help="show no figures")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for."""
    if arguments.what == "report":
        return _report(arguments)
    if arguments.what == "exploit":
        return _exploit(arguments)
    if arguments.subject is not None:
        raise NotUnderstood("input.option", f"a training needs no {arguments.subject!r}")
    if arguments.draws:
        raise NotUnderstood("input.option", "--draws is for exploit, not for a training")
    return _train(arguments)


def _learn(module: str) -> ModuleType:
    return load(f"catinthebox.learn.{module}", extra="learn")


def _train(arguments: argparse.Namespace) -> int:
    players = 4 if arguments.players is None else arguments.players
    plan = _learn("plan").plan_for(
        players,
        device=arguments.device,
        minutes=arguments.minutes,
        iterations=arguments.iterations,
        seed=arguments.seed,
    )
    folder = arguments.out or Path(f"learn-{players}-players")
    export = _learn("export")
    rivals = [export.imported(path, arguments.device) for path in arguments.rivals]
    for path, (_, described) in zip(arguments.rivals, rivals, strict=True):
        _check_players(str(path), described.players, players)
        _check_shape(path, (described.width, described.blocks), (plan.width, plan.blocks))
    nets = [net for net, _ in rivals]
    training = _learn("train").Training(
        plan, arguments.device, folder, rivals=nets, show=_printer(arguments)
    )
    print(training.run())
    return 0


def _exploit(arguments: argparse.Namespace) -> int:
    if arguments.subject is None:
        raise NotUnderstood("input.option", "exploit needs a network: a file, net or careful")
    if arguments.rivals:
        raise NotUnderstood("input.option", "--rivals is for a training, not for exploit")
    net, players = _target(arguments)
    plan = _learn("plan").plan_for(
        players,
        device=arguments.device,
        minutes=arguments.minutes,
        iterations=arguments.iterations,
        seed=arguments.seed,
    )
    folder = arguments.out or Path(f"learn-exploit-{players}-players")
    response = _learn("exploit").BestResponse(
        plan, arguments.device, folder, net, draws=arguments.draws, show=_printer(arguments)
    )
    found = response.run()
    low = found.difference - found.difference_within
    high = found.difference + found.difference_within
    print(
        f"a best response to {arguments.subject} gains {found.difference:+.2f} points per round, "
        f"95 % interval {low:+.2f} to {high:+.2f}, over {found.deals:,} deals; "
        f"a longer training may find more"
    )
    return 0


def _target(arguments: argparse.Namespace) -> tuple[object, int]:
    """Read the player to exploit, and the number of players."""
    players = 4 if arguments.players is None else arguments.players
    if arguments.subject == "careful":
        return None, players
    export = _learn("export")
    shipped = arguments.subject == "net"
    path = export.shipped_path(players) if shipped else Path(arguments.subject)
    net, described = export.imported(path, arguments.device)
    if arguments.players is not None:
        _check_players(arguments.subject, described.players, players)
    return net, described.players


def _check_players(name: str, found: int, wanted: int) -> None:
    if found != wanted:
        raise NotUnderstood("input.option", f"{name} plays with {found} players, not {wanted}")


def _check_shape(path: Path, found: tuple[int, int], wanted: tuple[int, int]) -> None:
    if found != wanted:
        sentence = (
            f"{path} has {found[0]} units and {found[1]} blocks, and this training "
            f"{wanted[0]} and {wanted[1]}: a rival must have the same"
        )
        raise NotUnderstood("input.option", sentence)


def _report(arguments: argparse.Namespace) -> int:
    if arguments.subject is None:
        raise NotUnderstood("input.option", "report needs the folder of a training")
    folder = Path(arguments.subject)
    out = arguments.out or folder / "report.html"
    _learn("report").report(folder / "log.jsonl", out)
    print(out)
    return 0


def _printer(arguments: argparse.Namespace) -> object:
    """Return how figures are shown."""
    if arguments.quiet:
        return lambda line: None
    return lambda line: print(line, file=sys.stderr, flush=True)
