r"""Describes what happens at the table, and what the person on turn should know.

>>> from catinthebox.game import Game
>>> game = Game.new(3).deal(("1223345566", "1123344556", "1122344566"))
>>> before = game.play("-2").play("-3").play("-4").play("=1").play("=3").play("=4")
>>> after = before.play("5b")
>>> print(*happened(Screen.of(game), before.rounds[0], after.rounds[0]), sep="\n")
Ψ Ada leads blue 5.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...game import Action, Color, Game, Phase, Play, Round
from ...game.color import color_words
from ...game.round import Seat
from ...game.why import Cause, bid_words
from ..terminal import flow
from .screen import Screen

CAT = (r" /\_/\ ", r"( o.x )", r" > ^ < ")


def happened(screen: Screen, before: Round, after: Round, open_discards: bool = False) -> list[str]:
    """Describe the last action of a round and its consequences."""
    seat, action = newest(before, after)
    if action.phase is Phase.DISCARD:
        return [
            f"{screen.does(seat, 'set')} {f'a {action.rank}' if open_discards else 'a card'} aside."
        ]
    if action.phase is Phase.BID:
        return [f"{screen.does(seat, 'bid')} {action.number}."]
    return [_play(screen, before, Play(seat, action)), *_red(before, after), *_won(screen, after)]


def newest(before: Round, after: Round) -> Play:
    """Return the action between two states of a round; discards are stored by seat."""
    return next(play for play in reversed(after.actions) if play not in before.actions)


def _play(screen: Screen, before: Round, played: Play) -> str:
    seat, action = played
    if not before.trick:
        return f"{screen.does(seat, 'lead')} {screen.card(action)}."
    lost = before.gives_up(action)
    text = f"{screen.does(seat, 'play')} {screen.card(action)}"
    if lost is None:
        return f"{text}."
    return f"{text} and {'give' if seat == screen.me else 'gives'} up {lost}."


def _red(before: Round, after: Round) -> list[str]:
    opened = after.red_open and not before.red_open
    return ["  Red is open now: it may be led."] if opened and not after.over else []


def _won(screen: Screen, after: Round) -> list[str]:
    last = after.tricks[-1]
    if last.winner is None:
        return []
    card = next(action for seat, action in last.plays if seat == last.winner)
    arrow = "" if screen.terminal.plain else screen.terminal.pick("  → ", "  => ")
    who = screen.does(last.winner, "win")
    return [f"{arrow}{who} trick {len(after.tricks)} with {screen.card(card)}."]


def last_trick(screen: Screen, round: Round) -> str:
    """Describe the last complete trick."""
    complete = [trick for trick in round.tricks if trick.winner is not None]
    if not complete:
        return screen.wrap("No trick is complete yet.")
    plays, winner = complete[-1]
    assert winner is not None
    cards = [f"{screen.name(seat)} {screen.card(action)}," for seat, action in plays]
    pieces = [f"Trick {len(complete)}:", *cards, f"won by {screen.name(winner)}."]
    return flow(pieces, screen.terminal.width - 1, " ")


def paradox(screen: Screen, round: Round) -> list[str]:
    """Describe a paradox: whose it is, the revealed hand, why each card is impossible (R22)."""
    found = round.explain_paradox()
    if found is None:
        return []
    me = found.seat == screen.me
    who = "You" if me else screen.names[found.seat]
    hand = " ".join(map(str, found.hand))
    title = f"PARADOX! {who} cannot play. {'Your' if me else 'The'} hand is open: {hand}"
    lines = ["", screen.headline(title)]
    for card in found.cards:
        reasons = ", ".join(_short(screen, cause, "you" if me else who) for cause in card.causes)
        lines.append(screen.wrap(f"{card.rank}: {reasons}."))
    lines.append(screen.wrap("The round ends here. Nobody wins this trick; the tokens stay (R21)."))
    return lines


def _short(screen: Screen, cause: Cause, who: str) -> str:
    """Write a cause briefly, so that four fit on a line."""
    if cause.owner is None:
        return cause.sentence(screen.people, who)
    token = "a neutral token" if cause.owner < 0 else screen.name(cause.owner)
    return f"{cause.action.color} is taken ({token})"


def beginning(screen: Screen, game: Game, board: bool = True) -> list[str]:
    """Describe how a round begins; with two players the board already has tokens."""
    round = game.current
    starter = screen.does(round.starter, "start")
    lines = [screen.headline(f"Round {game.number} of {game.players}"), f"{starter} this round."]
    if round.setup.turned_up:
        blocked = [f"{c} {rank}" for (c, rank), owner in round.board.items() if owner < 0]
        lines.append(
            f"Turned up: {' '.join(round.setup.turned_up)}. Nobody can use {', '.join(blocked)}."
        )
        lines += [screen.board(round)] if board and not screen.terminal.plain else []
    return lines


def turn(screen: Screen, game: Game, seat: Seat) -> list[str]:
    """Return everything a person needs for the next action."""
    round = game.current
    if round.phase is not Phase.PLAY:
        return [screen.hand(round, seat), *_advice(screen, game, seat)]
    title = f"Round {game.number} of {game.players}, trick {_number(round)} of {_tricks(round)}"
    parts = ["" if screen.terminal.plain else " ", screen.headline(title)]
    if not screen.terminal.plain:
        parts += [screen.board(round, round.legal_for(seat)), " ", screen.seats(game)]
    parts += [screen.trick(round), screen.hand(round, seat), *_advice(screen, game, seat)]
    return [part for part in parts if part]


def _number(round: Round) -> int:
    return sum(trick.winner is not None for trick in round.tricks) + 1


def _tricks(round: Round) -> int:
    return round.setup.cards.tricks


def _advice(screen: Screen, game: Game, seat: Seat) -> list[str]:
    round = game.current
    if round.phase is Phase.DISCARD:
        text = "Set one card aside, unseen, for this round; best one of several equals."
    elif round.phase is Phase.BID:
        question = f"How many of the {_tricks(round)} tricks will you win"
        text = f"{_bids_so_far(screen, round)}{question} ({bid_words(round.players)})?"
    else:
        text = _following(round, seat, round.trick) if round.trick else _leading(round)
        text = f"{_promise(round, seat)} {text}" if screen.terminal.plain else text
    return [screen.wrap(text), *_danger(screen, round, seat)]


def _promise(round: Round, seat: Seat) -> str:
    bid = f"You bid {round.bids[seat]} and" if round.bids[seat] else "You"
    return f"{bid} have won {round.won[seat]} so far."


def _bids_so_far(screen: Screen, round: Round) -> str:
    bids = [f"{screen.names[s]} bid {bid}" for s, bid in enumerate(round.bids) if bid]
    return f"{', '.join(bids)}. " if bids else ""


def _leading(round: Round) -> str:
    if round.red_open:
        return "You lead: any color you like, red too."
    if all(action.color is Color.RED for action in round.legal):
        return "You lead, and have nothing but red left: so you may lead red."
    return "You lead: any color but red, which nobody has played yet."


def _following(round: Round, seat: Seat, trick: Sequence[Play]) -> str:
    led = trick[0].action.color
    assert led is not None
    if led not in round.tokens[seat]:
        return f"{led} is led, which you gave up before: play any color you have.".capitalize()
    if any(action.color is led for action in round.legal):
        return f"{led} is led: playing {led} is free, another color gives up {led}.".capitalize()
    return f"{led} is led, and no card of yours can be {led}: you will give up {led}.".capitalize()


def _danger(screen: Screen, round: Round, seat: Seat) -> list[str]:
    """Warn of cards that cannot be played any more; one may stay in hand at the end (R19)."""
    if round.phase is not Phase.PLAY:
        return []
    stuck = [str(rank) for rank in round.hands[seat] if not round.could_be(seat, rank)]
    if len(stuck) <= (len(round.hands[seat]) == 2):  # the last trick: one card stays in hand anyway
        return []
    text = f"Careful: no color is left for your {' '.join(stuck)}"
    return [screen.wrap(f"{text} (only one card may stay in hand).")]


def cost(round: Round, seat: Seat, action: Action) -> str:
    """Say what a legal play would cost."""
    lost = round.gives_up(action)
    possible = f"{action.words} is possible".capitalize()
    if lost is None:
        return f"{possible}, and costs you no color."
    left = [color for color in round.tokens[seat] if color is not lost]
    return f"{possible}, and gives up {lost}; you keep {color_words(left, 'and')}."
