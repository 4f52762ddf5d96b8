"""Make the scenes of the gallery: positions of real games, as the server shows them.

    .venv/bin/python web/gallery/fixtures.py

A scene is the first moment that fits what it wants to show, in games from fixed seeds: games of
random players, and others whose actions are written down in games.json, so that no scene changes
when a player learns something.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from catinthebox.game import Action, Color, Game, Phase, Round
from catinthebox.players import Budget, player
from catinthebox.protocol.parts import Seats, SeatShown, Turn
from catinthebox.table import render
from catinthebox.table.live_views import LiveViews
from catinthebox.views import View, mine

NAMES = ("Ada", "Mira", "Tesla", "Jun", "Noether")
BOTS = {"Tesla", "Noether"}
ME = 0

Moment = tuple[Game, Round]
Fits = Callable[[Round], bool]


WRITTEN: dict[str, str] = json.loads(Path(__file__).with_name("games.json").read_text("utf-8"))


def moments(players: int, face: str, seed: int, policy: str = "written") -> Iterator[Moment]:
    """A whole game, moment by moment."""
    rng = Random(seed)
    written = iter(WRITTEN.get(f"{players} {face} {seed}", "").split())
    bot = player("random")
    game = Game.new(players, names=NAMES[:players], face=face, starter=seed % players)
    while not game.over:
        game = game.shuffle(rng)
        yield game, game.current
        while not game.current.over:
            round = game.current
            seat = max(round.to_act)  # the own seat acts last, where the order is free
            if policy == "written":
                rng.getrandbits(32)  # who chose these actions drew a number for each
                action = Action(next(written))
            else:
                action = bot.choose(View.of(round, seat), Budget(), rng)
            game = game.play(action, seat)
            if game.rounds:
                yield game, game.rounds[-1]


def find(
    players: int, face: str, fits: Fits, *, number: int = 1, policy: str = "written"
) -> Moment:
    """The first moment that fits, in the first game that has one."""
    for seed in range(400):
        if policy == "written" and f"{players} {face} {seed}" not in WRITTEN:
            continue
        for game, round in moments(players, face, seed, policy):
            if len(game.rounds) >= number and fits(round):
                return game, round
    raise LookupError(f"no such moment with {players} players on {face}")


def scene(name: str, moment: Moment, seat: int | None = ME, **changes: Any) -> dict[str, Any]:
    """A moment as the server would show it to a seat, or to a spectator."""
    game, round = moment
    seats = tuple(
        SeatShown("bot" if who in BOTS else "person", who, who != changes.get("away"), False)
        for who in game.names
    )
    nobody = (None,) * len(seats), (0,) * len(seats)
    return {
        "name": name,
        "seat": seat,
        "seats": Seats(seats, host=0),
        "game": render.game_of(game, 1),
        "round": render.round_of(LiveViews(round), game.names),
        "turn": Turn(1, round.to_act, *nobody),
        "own": None if seat is None else render.own(mine(round)[seat]),
    }


def following(tricks: int, cards: int, options: int) -> Fits:
    """My turn, after some tricks, with some cards in the trick, and a choice."""
    return lambda round: (
        round.turn == ME
        and round.phase.value == "play"
        and sum(round.won) == tricks
        and len(round.trick) == cards
        and len(round.legal_for(ME)) >= options
        and len(round.tokens[ME]) < 4
    )


def leading(tricks: int) -> Fits:
    """My lead, with red still closed."""
    return lambda round: (
        round.turn == ME
        and round.phase.value == "play"
        and sum(round.won) == tricks
        and not round.trick
        and not round.red_open
    )


def in_phase(phase: str, turn: int = ME) -> Fits:
    """A phase with a seat to act."""
    return lambda round: round.phase.value == phase and turn in round.to_act


def waiting(tricks: int) -> Fits:
    """Somebody else's turn, my card on the table."""
    return lambda round: (
        round.phase.value == "play"
        and round.turn == 2
        and sum(round.won) == tricks
        and any(seat == ME for seat, _ in round.trick)
    )


def paradox_of(seat: int, cards: int) -> Fits:
    """A paradox with a hand worth looking at."""
    return lambda round: (
        round.paradox == seat
        and len(round.hands[seat]) == cards
        and any(
            (color, rank) not in round.board
            for rank in round.hands[seat]
            for color in set(Color) - set(round.tokens[seat])
        )
    )


def paradox_after_kept_bid(seat: int) -> Fits:
    """A paradox that costs a group although the bid was kept; two cards of the hand are equal."""
    return lambda round: (
        round.paradox == seat
        and round.won[seat] == round.bids[seat]
        and round.groups[seat] > 2
        and len(set(round.hands[seat])) < len(round.hands[seat])
    )


def ended(round: Round) -> bool:
    """A round that ended without a paradox, with a bonus for somebody."""
    return (
        round.over and round.paradox is None and any(map(round.bonus_earned, range(round.players)))
    )


def final(players: int, face: str) -> Moment:
    """The end of a game."""
    *_, last = moments(players, face, seed=3)
    return last


def scenes() -> list[dict[str, Any]]:
    """Everything the gallery shows."""
    return [
        scene("4-follow", find(4, "white", following(3, 3, 4), number=2)),
        scene("4-lead", find(4, "white", leading(1))),
        scene("4-discard", find(4, "white", in_phase("discard"), number=2)),
        scene("4-bid", find(4, "white", in_phase("bid"), number=2)),
        scene("4-wait", find(4, "purple", waiting(3), number=2), away="Mira"),
        scene("4-purple", find(4, "purple", following(4, 2, 4), number=3)),
        scene("3-follow", find(3, "white", following(3, 2, 4))),
        scene("3-purple", find(3, "purple", following(4, 1, 4), number=2)),
        scene("5-follow", find(5, "purple", following(3, 3, 4), number=3)),
        scene("5-discard", find(5, "purple", in_phase("discard"))),
        scene("2-follow", find(2, "white", following(3, 1, 3))),
        scene("2-discard", find(2, "white", in_phase("discard"))),
        scene("4-watch", find(4, "white", waiting(3), number=2), seat=None),
        scene("3-paradox-mine", find(3, "white", paradox_of(ME, 3), policy="random")),
        scene("5-paradox", find(5, "purple", paradox_of(3, 3), number=2, policy="random")),
        scene("4-paradox-kept", find(4, "white", paradox_after_kept_bid(ME), policy="random")),
        scene("4-result", find(4, "white", ended, number=2)),
        scene("2-result", find(2, "white", ended)),
        scene("4-final", final(4, "white")),
        scene("5-final", final(5, "purple")),
    ]


def film() -> list[dict[str, Any]]:
    """Some moves of a game one after the other, to look at the motion."""
    game = list(moments(4, "white", seed=5))
    start = next(n for n, (_, round) in enumerate(game) if sum(round.won) == 2)
    return [scene(f"film-{n}", moment) for n, moment in enumerate(game[start : start + 14])]


def reasons() -> list[dict[str, Any]]:
    """Moments of random games, and the server's own word about every card as every color."""
    return [
        scene(f"{players}-{face}-{n}", moment, moment[1].turn) | {"told": told(moment[1])}
        for players, face in ((2, "white"), (3, "purple"), (4, "white"), (5, "purple"))
        for n, moment in enumerate(list(moments(players, face, players, "random"))[::7])
        if moment[1].phase is Phase.PLAY
    ]


def told(round: Round) -> list[dict[str, Any]]:
    """Why not, what it costs, and the largest group afterwards."""
    seat = round.turn
    assert seat is not None
    actions = [Action.play(rank, color) for rank in sorted({*round.hands[seat]}) for color in Color]
    return [_told(round, seat, action) for action in actions]


def _told(round: Round, seat: int, action: Action) -> dict[str, Any]:
    why = round.why(action, seat)
    legal = why is None
    lost = round.gives_up(action) if legal else None
    return {
        "action": action.notation,
        "code": "" if why is None else why.code,
        "sentence": "" if why is None else why.message,
        "gives_up": "" if lost is None else lost.letter,
        "group": round.play(action).groups[seat] if legal else None,
    }


MADE = {
    "fixtures.json": lambda: {"scenes": scenes(), "film": film()},
    "reasons.json": lambda: {"moments": reasons()},
}

if __name__ == "__main__":
    for name, make in MADE.items():
        text = json.loads(msgspec.json.encode(make()))
        path = Path(__file__).with_name(name)
        path.write_text(json.dumps(text, ensure_ascii=False, separators=(",", ":")), "utf-8")
