"""How a telling is checked: play it again, compare every claim with what really happened.

What must come next is always known from the game so far, so the checker asks for exactly that
line. A claim (a leader, a winner, a score) may be missing only where the record ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..action import Phase
from ..edition import Edition
from ..errors import BadSetup, CatInTheBoxError, NotLegal, quoted, shortened
from ..face import Face
from ..game import Game
from ..round import Round
from .evidence import PROMISE, digits, known_version, read_promise
from .lines import Line, RecordError, Where, Word, number, one_word
from .tell import HOUSE_FACE, UNKNOWN, VERSION, tell

CLAIMS = {  # what a claim is called, and the clause that decides it
    "leader": ("the leader of this trick", "R10"),
    "winner": ("the winner of this trick", "R18"),
    "paradox": ("the seat and hand of the paradox", "R20"),
    "scores": ("the score", "R23"),
    "result": ("the total", "R3"),
    "winners": ("the list of winners", "R3"),
    "round": ("the number of this round", "R1"),
}


def check(lines: Sequence[Line], cut: bool) -> Game:
    """Play a record again and check every claim in it; any prefix after the header will do.

    `cut` says that the record breaks off in its last line, which then may claim too little.
    """
    telling = Telling(lines, cut)
    telling.game = read_header(telling)
    while telling.rest:
        read_line(telling, telling.take(next_kind(telling)))
    return telling.game


class Telling:
    """A record being read: the lines still to come, and the game so far."""

    def __init__(self, lines: Sequence[Line], cut: bool) -> None:
        self.rest = list(reversed(lines))
        self.breaks_off = cut
        self.last: Line | None = None
        self.game: Game
        self.hands: tuple[str, ...] = ()  # dealt, while the cards left aside are still to come

    def take(self, kind: str) -> Line:
        """Take the next line, which must be of this kind."""
        if not self.rest:
            line, column, path = self.last.where if self.last else Where(1, 1)
            end = Where(line, column, f"after {path}" if path else "")
            raise RecordError(end, f"the record ends before its header does: {kind!r} is missing")
        if not kind:
            raise RecordError(self.rest[-1].where, "the game is over; nothing comes after it")
        if self.rest[-1].kind != kind:
            found = self.rest[-1].kind
            sentence = f"expected {kind!r} here, found {shortened(found)}"
            raise RecordError(self.rest[-1].where, sentence, wrong_end(kind, found))
        self.last = self.rest.pop()
        return self.last

    def take_all(self, kind: str) -> list[Line]:
        """Take all lines of a kind that come next."""
        found = []
        while self.rest and self.rest[-1].kind == kind:
            found.append(self.take(kind))
        return found

    def take_promise(self) -> dict[str, Line]:
        """Take the lines about fair deals, if there are any: all or none."""
        if not self.rest or self.rest[-1].kind != PROMISE[0]:
            return {}
        version = known_version(self.take(PROMISE[0]))
        return {version.kind: version, **{kind: self.take(kind) for kind in PROMISE[1:]}}

    @property
    def round(self) -> Round:
        """The round being told."""
        assert self.game.round is not None
        return self.game.round

    @property
    def ended(self) -> bool:
        """Whether this is the last line: the game may not have gone on yet."""
        return not self.rest

    @property
    def cut(self) -> bool:
        """Whether the record breaks off in the line in hand."""
        return self.ended and self.breaks_off


def wrong_end(expected: str, found: str) -> str:
    """Give the clause that a round breaks which ends too early, too late or for a wrong reason."""
    if "paradox" in (expected, found):
        return "R20"
    return "R19" if {expected, found} == {"trick", "scores"} else ""


def next_kind(telling: Telling) -> str:
    """Give the one kind of line that can follow; '' after the end of the game."""
    game, last = telling.game, telling.last.kind if telling.last else ""
    if last == "round":
        return "deal"
    if telling.hands:
        return "aside"
    if game.round is None or (last == "scores" and not game.over):
        return "round"
    if game.round.over:
        return _kind_at_end(game, game.round, last)
    return {Phase.DISCARD: "discards", Phase.BID: "bids"}.get(game.round.phase, "trick")


def _kind_at_end(game: Game, round: Round, last: str) -> str:
    if last in ("scores", "result", "winners", "secret"):
        secret = "secret" if game.fairness is not None else ""
        return {"scores": "result", "result": "winners", "winners": secret}.get(last, "")
    return "paradox" if round.paradox is not None and last != "paradox" else "scores"


def read_header(telling: Telling) -> Game:
    """Read who plays what, where."""
    version = one_word(telling.take("catinthebox"))
    if version.text != VERSION:
        sentence = f"version {quoted(version.text)} is unknown; this reads {VERSION}"
        raise RecordError(version.where, sentence)
    places = {"setup.players": telling.take("players")}
    places["setup.names"] = names = telling.take("names")
    edition = telling.take("edition")
    places["setup.face"] = face = telling.take("face")
    grid = telling.take_all("row")
    house = telling.take_all("house")
    if [one_word(line).text for line in house] not in ([], [HOUSE_FACE]):
        raise RecordError(house[0].where, f"the only house rule known is {HOUSE_FACE!r}")
    promise = telling.take_promise()
    places |= {f"setup.{kind}": line for kind, line in promise.items()}
    places["setup.starter"] = telling.take("starter")
    try:
        game = Game.new(
            number(one_word(places["setup.players"])),
            names=tuple(word.text for word in names.words),
            edition=read_edition(edition),
            face=read_face(face, grid),
            starter=number(one_word(places["setup.starter"])),
            house_rules=bool(house),
            fairness=read_promise(promise) if promise else None,
        )
    except BadSetup as error:
        raise RecordError(places[error.code].where, str(error), error.clause, error.code) from None
    if house and not game.house_rules:
        raise RecordError(
            house[0].where, "this face is no house rule, it is the printed one", "R31"
        )
    return game


def read_edition(line: Line) -> Edition:
    """Read the edition's name."""
    try:
        return Edition.named(one_word(line).text)
    except CatInTheBoxError as error:
        raise RecordError(line.where, str(error)) from None


def read_face(line: Line, grid: list[Line]) -> Face:
    """Read a face by its name, or from the rows that follow it."""
    name = one_word(line)
    try:
        if not grid:
            return Face.named(name.text)
        return Face.from_grid(name.text, [[word.text for word in row.words] for row in grid])
    except CatInTheBoxError as error:
        raise RecordError(name.where, str(error)) from None


def read_line(telling: Telling, line: Line) -> None:
    """Read a line of a round: play what it says, check what it claims."""
    game = telling.game
    if line.kind == "round":
        claim("round", [str(game.number + 1)], line, telling.cut)
    elif line.kind == "deal":
        read_deal(telling, line)
    elif line.kind == "aside":
        if line.words or not telling.cut:
            deal(telling, line, one_word(line).text)
    elif line.kind == "trick":
        read_trick(telling, line)
    elif line.kind in ("discards", "bids"):
        read_open_phase(telling, line)
    elif line.kind == "scores":
        read_scores(telling, line)
    elif line.kind == "secret":
        if line.words or not telling.cut:
            telling.game = game.reveal(digits(one_word(line)))
    else:
        claim(line.kind, truth(game, line.kind), line, telling.cut)


def read_scores(telling: Telling, line: Line) -> None:
    """Check the scores seat by seat; each has a clause of its own."""
    true = truth(telling.game, "scores")
    for seat, (word, expected) in enumerate(zip(line.words, true, strict=False)):
        if word.text != expected:
            sentence = f"the score of seat {seat} is {expected}, not {quoted(word.text)}"
            raise RecordError(word.where, sentence, score_clause(telling.round, seat))
    claim("scores", true, line, telling.cut)


def score_clause(round: Round, seat: int) -> str:
    """Give the clause that decides a seat's score."""
    if round.paradox == seat:
        return "R24"
    if not round.bonus_earned(seat):
        return "R23"
    return "R26" if round.players == 2 else "R25"


def read_deal(telling: Telling, line: Line) -> None:
    """Read the hands; a deal that the end of the record cuts short has not begun."""
    hands = tuple(word.text for word in line.words)
    if len(hands) < telling.game.players and telling.cut:
        return
    if len(hands) != telling.game.players:
        sentence = f"{len(hands)} hands for {telling.game.players} players"
        raise RecordError(line.where, sentence, "R5", "setup.players")
    telling.hands = hands
    if telling.game.players != 2:
        deal(telling, line, "")


def deal(telling: Telling, line: Line, aside: str) -> None:
    """Begin the round."""
    hands, telling.hands = telling.hands, ()
    try:
        telling.game = telling.game.deal(hands, aside)
    except CatInTheBoxError as error:
        raise RecordError(line.where, str(error), error.clause, error.code) from None


def read_open_phase(telling: Telling, line: Line) -> None:
    """Read the discards, by seat, or the bids, from the starter on."""
    phase = telling.round.phase
    for seat, word in enumerate(line.words):
        if telling.round.phase is not phase or seat >= telling.game.players:
            raise RecordError(word.where, f"{line.kind} are complete; a new line begins here")
        if phase is Phase.BID:
            act(telling, word, None)
        elif word.text != UNKNOWN:
            act(telling, word, seat)
    if telling.round.phase is phase and not telling.ended:
        raise RecordError(line.where, f"{line.kind} of every seat are needed before the next line")


def read_trick(telling: Telling, line: Line) -> None:
    """Read a trick: leader, plays, winner."""
    words = list(line.words)
    tricks = sum(telling.round.won)
    if words:
        claim_word("leader", f"{telling.round.leader}:", words.pop(0))
    winner = words.pop() if words and words[-1].text.startswith(">") else None
    for word in words:
        if sum(telling.round.won) > tricks:
            raise RecordError(word.where, "the trick is complete; a new line begins here", "R10")
        act(telling, word, None)
    complete = sum(telling.round.won) > tricks
    if winner and complete:
        claim_word("winner", f">{telling.round.leader}", winner)
    elif winner:
        raise RecordError(winner.where, "nobody wins a trick that is not complete", "R18")
    elif complete and not telling.cut:
        raise RecordError(line.where, "the winner of this trick is missing", "R18")
    elif not telling.ended and not telling.round.over:
        raise RecordError(line.where, "this trick must be complete before the next line", "R10")


def act(telling: Telling, word: Word, seat: int | None) -> None:
    """Play an action of the record."""
    try:
        telling.game = telling.game.play(word.text, seat)
    except NotLegal as error:
        code = f"record.{error.code}"
        raise RecordError(word.where, error.refusal.message, error.clause, code) from None
    except CatInTheBoxError as error:
        raise RecordError(word.where, str(error)) from None


def truth(game: Game, kind: str) -> list[str]:
    """Give the words a claim should have."""
    return dict(tell(game))[kind]  # a later round's line takes the place of an earlier one's


def claim(kind: str, true: list[str], line: Line, cut: bool) -> None:
    """Check the words of a claim one by one."""
    for seat, (word, expected) in enumerate(zip(line.words, true, strict=False)):
        claim_word(kind, expected, word, f" of seat {seat}" if kind == "result" else "")
    if len(line.words) > len(true) or (len(line.words) < len(true) and not cut):
        subject, clause = CLAIMS[kind]
        raise RecordError(line.where, f"{subject} should be: {' '.join(true)}", clause)


def claim_word(kind: str, expected: str, word: Word, whose: str = "") -> None:
    """Check one word of a claim."""
    if word.text != expected:
        subject, clause = CLAIMS[kind]
        told, true = word.text.strip(">:"), expected.strip(">:")
        if told == true:
            told, true = word.text, f"written {expected}"
        raise RecordError(word.where, f"{subject}{whose} is {true}, not {quoted(told)}", clause)
