"""The secrecy law for players: what a seat cannot know changes nothing that it does (R33)."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from policies import TABLES, cooperative
from sample_rounds import finish
from secrecy.pairs import Pair, pairs, redealt

from catinthebox import Action, Phase, Round
from catinthebox.players import LEVELS, PLAYERS, Budget, Player, player
from catinthebox.players.external import line, question
from catinthebox.views import View, opening, visible

PACKAGE = Path(__file__).parents[2] / "src" / "catinthebox"
CHEAP = (
    "random",
    "follow",
    "modest",
    "careful",
    "careful:slips=0.5",
    "net",
    "net:temperature=1",
)
COSTLY = (
    "search:rollouts=20",
    "search:rollouts=20,beliefs=no",
    "search:rollouts=60,explore=0",
    "search:rollouts=20,policy=follow",
    "search:rollouts=20,policy=random,beliefs=no",
    "search:rollouts=200",
    "net:worlds=3",
    "ismcts:iterations=30",
    "ismcts:iterations=30,policy=careful",
    "ismcts:iterations=30,policy=random",
)
ASKED = 500  # decisions at each of six tables
COSTLY_ASKED = 60


class Decision(NamedTuple):
    """What a seat sees at one moment of two rounds; the hidden cards of the rounds differ."""

    phase: Phase
    left: View
    right: View


def watched(round: Round, seat: int, totals: tuple[int, ...]) -> Iterator[View]:
    """What a seat sees of a round, moment by moment."""
    view = View(opening(round, seat, totals))
    yield view
    before = Round(round.setup)
    for played in round.actions:
        after = before.play(played.action, played.seat)
        view = view.see(*visible(before, played, after, seat))
        yield view
        before = after


def decisions(players: int, face: str, rng: Random, number: int) -> list[Decision]:
    """Moments at which the seat of a pair decides; some of them in the last round of a game."""
    found: list[Decision] = []
    while len(found) < number:
        for pair in pairs(players, face, rng, 8):
            found += asked(pair, rng) if pair.seat is not None else []
    return found


def asked(pair: Pair, rng: Random) -> Iterator[Decision]:
    """The moments of a pair at which its seat decides."""
    seat, left, right = pair
    assert seat is not None
    totals = rng.choice([(), tuple(rng.randrange(9) for _ in range(left.players))])
    seen = zip(watched(left, seat, totals), watched(right, seat, totals), strict=True)
    for mine, other in seen:
        if seat in mine.to_act:
            yield Decision(mine.phase, mine, other)


def answer(who: Player, view: View, chance: int) -> Action:
    """What a player does, with chance that is known."""
    return who.choose(view, Budget(), Random(chance))


def all_phases(players: int) -> set[Phase]:
    """The phases in which somebody decides."""
    return set(Phase) - {Phase.OVER} - ({Phase.BID} if players == 2 else set())


@pytest.mark.clause("R33")
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_a_player_that_the_law_covers(level: str) -> None:
    """Whatever people may choose is one of the players below, with other numbers."""
    assert type(player(level)) in {type(player(spec)) for spec in (*CHEAP, *COSTLY)}


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_simple_players_do_the_same_in_both_rounds_of_a_pair(players: int, face: str) -> None:
    """Same view, same chance, same action; so are the vector and what a program is told."""
    seats = [player(spec) for spec in CHEAP]
    phases = Counter[Phase]()
    for chance, (phase, left, right) in enumerate(
        decisions(players, face, Random(f"{players} {face}"), ASKED)
    ):
        assert repr(left.vector).encode() == repr(right.vector).encode()
        assert left.proved == right.proved
        for who in seats:
            choice = answer(who, left, chance)
            assert choice == answer(who, right, chance), who
            assert choice in left.legal
        received = [line(question(view, Budget(), chance)) for view in (left, right)]
        assert received[0] == received[1]
        phases[phase] += 1
    assert phases.total() >= ASKED
    assert set(phases) == all_phases(players)


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_searching_players_do_the_same_in_both_rounds_of_a_pair(players: int, face: str) -> None:
    """They imagine the hidden cards from the view alone, and weigh them by it alone."""
    seats = [player(spec) for spec in COSTLY]
    phases = Counter[Phase]()
    some = decisions(players, face, Random(f"{face} {players}"), 4 * COSTLY_ASKED)[::4]
    for chance, (phase, left, right) in enumerate(some):
        for who in seats:
            choice = answer(who, left, chance)
            assert choice == answer(who, right, chance), who
            assert choice in left.legal
        phases[phase] += 1
    assert phases.total() >= COSTLY_ASKED
    assert set(phases) == all_phases(players)


def test_every_player_of_the_registry_is_under_the_law() -> None:
    """A new player has to be named here; a program is told the same bytes, see above."""
    assert {spec.partition(":")[0] for spec in (*CHEAP, *COSTLY)} == set(PLAYERS) - {"external"}


class Cheat:
    """A player that looks where a view keeps its cards, and finds the truth there."""

    def __init__(self, truth: dict[View, Round]) -> None:
        self.truth = truth

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Decide by the cards of the next seat."""
        assert view.seat is not None
        legal = sorted(view.legal)
        hidden = self.truth[view].hands[(view.seat + 1) % view.players]
        return legal[sum(hidden) % len(legal)]


def test_the_law_notices_a_cheat() -> None:
    """A player that knew another hand would do something else in the other round."""
    caught = 0
    for seat, left, right in pairs(3, "white", Random(3), 150):
        if seat in left.to_act:
            view = View.of(left, seat)
            choices = {
                Cheat({view: truth}).choose(view, Budget(), Random(1)) for truth in (left, right)
            }
            caught += len(choices) > 1
    assert caught > 10


@pytest.mark.long
def test_the_law_holds_to_the_last_trick() -> None:
    """Late in long rounds little is hidden, and a leak would be worth most."""
    rng = Random(9)
    seats = [player(spec) for spec in ("careful", "search:rollouts=60", "ismcts:iterations=40")]
    compared = 0
    while compared < 60:
        players, face = rng.choice(TABLES)
        end = finish(next(pairs(players, face, rng, 1)).left, rng, cooperative)
        late = Round(end.setup)
        for played in end.actions[: len(end.actions) - rng.randrange(1, 2 * players)]:
            late = late.play(played.action, played.seat)
        seat = late.turn
        other = redealt(late, seat, rng) if end.paradox is None else None
        if seat is not None and other is not None:
            views = View.of(late, seat), View.of(other, seat)
            for who in seats:
                assert answer(who, views[0], compared) == answer(who, views[1], compared)
            compared += 1


# ── What cannot be read cannot be leaked ─────────────────────────────────────────────────────

PLAYING = sorted([*(PACKAGE / "players").glob("*.py"), PACKAGE / "arena" / "table.py"])
ALL = sorted([*(PACKAGE / "players").glob("*.py"), *(PACKAGE / "arena").glob("*.py")])
BACK_DOORS = {  # names by which an attribute is reached without being written down
    *("eval", "exec", "compile", "globals", "locals", "vars", "dir", "__import__"),
    *("attrgetter", "methodcaller", "getattr_static", "_getframe", "get_objects", "get_referrers"),
    *("pickle", "gc", "inspect", "ctypes", "marshal", "copyreg", "operator"),
}
OF_ERRORS = {"__traceback__", "__name__"}  # an arena says in words what a player did wrong


def private(tree: ast.AST) -> list[str]:
    """Attributes that begin with an underscore, of anything but the object itself."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            found += [] if own else [ast.unparse(node)]
    return found


def back_doors(tree: ast.AST) -> list[str]:
    """Other ways to an attribute: by a name that is a text, or through the whole object."""
    found = []
    for node in ast.walk(tree):
        names = {
            *({node.id} if isinstance(node, ast.Name) else ()),
            *({node.attr} if isinstance(node, ast.Attribute) else ()),
            *((alias.name for alias in node.names) if isinstance(node, ast.Import) else ()),
            *((alias.name for alias in node.names) if isinstance(node, ast.ImportFrom) else ()),
            *({node.module or ""} if isinstance(node, ast.ImportFrom) else ()),
        }
        found += sorted(names & BACK_DOORS)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"getattr", "hasattr"}:
            name = node.args[1]
            plain = isinstance(name, ast.Constant) and not str(name.value).startswith("_")
            found += [] if plain else [ast.unparse(node)]
        if isinstance(node, ast.MatchClass):
            found += [name for name in node.kwd_attrs if name.startswith("_")]
    return found


def of_self(tree: ast.AST) -> list[str]:
    """Classes that derive from what holds cards: their `self` would be no longer their own."""
    return [
        ast.unparse(base)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
        if ast.unparse(base).rpartition(".")[2] in {"View", "Facts", "Round", "Game", "Dealt"}
    ]


@pytest.mark.clause("R33")
@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_nobody_who_plays_reads_what_is_private(path: Path) -> None:
    """Views are asked by their public words only, in everything that plays or lets play."""
    tree = ast.parse(path.read_text("utf-8"))
    assert [name for name in private(tree) if name.rpartition(".")[2] not in OF_ERRORS] == []
    assert of_self(tree) == []
    if path in PLAYING:
        assert back_doors(tree) == []


def test_the_static_law_notices_back_doors() -> None:
    """Each of these would be a way to a hidden card."""
    for leak in ("view._v", "view._table.vector", "self.view._v", "View._v.fget(view)", "x()._v"):
        assert private(ast.parse(leak)), leak
    for leak in (
        'getattr(view, "_v")',
        'getattr(view, "_" + "v")',
        "vars(view)",
        "import gc",
        "from operator import attrgetter",
        "import pickle",
        "match view:\n    case View(_v=v):\n        pass",
    ):
        assert back_doors(ast.parse(leak)), leak
    assert of_self(ast.parse("class Mine(views.View):\n    pass"))
    assert not private(ast.parse("self._room"))


def test_a_players_answer_leaves_its_view_as_it_was() -> None:
    """Thinking changes nothing that others look at: neither the view nor its vector."""
    rng = Random(4)
    for players, face in TABLES:
        for _phase, left, _right in decisions(players, face, rng, 20)[:20]:
            before = left.vector, repr(left)
            for spec in ("careful", "search:rollouts=8", "ismcts:iterations=8"):
                answer(player(spec), left, 1)
            assert (left.vector, repr(left)) == before


def test_pairs_show_the_same_moment_by_moment() -> None:
    """The views compared here are those that playing on would give, in both rounds."""
    for pair in pairs(4, "white", Random(5), 20):
        if pair.seat is not None:
            views = list(watched(pair.left, pair.seat, ()))
            assert views[-1] == View.of(pair.left, pair.seat)
            assert all(len(a.actions) <= len(b.actions) for a, b in pairwise(views))
