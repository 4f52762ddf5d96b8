"""Checks a record: plays it again and compares every claim with what really happened.

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
from .serialize import HOUSE_FACE, UNKNOWN, VERSION, record_lines

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
    reader = RecordReader(lines, cut)
    reader.game = read_header(reader)
    while reader.rest:
        read_line(reader, reader.take(next_kind(reader)))
    return reader.game


class RecordReader:
    """Reads a record: the remaining lines, and the game so far."""

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
        """The round being read."""
        assert self.game.round is not None
        return self.game.round

    @property
    def ended(self) -> bool:
        """Whether this is the last line: the game may not have gone on yet."""
        return not self.rest

    @property
    def cut(self) -> bool:
        """Whether the record breaks off in the current line."""
        return self.ended and self.breaks_off


def wrong_end(expected: str, found: str) -> str:
    """Return the clause that is broken if a round ends at the wrong time or for a wrong reason."""
    if "paradox" in (expected, found):
        return "R20"
    return "R19" if {expected, found} == {"trick", "scores"} else ""


def next_kind(reader: RecordReader) -> str:
    """Return the one kind of line that can follow; '' after the end of the game."""
    game, last = reader.game, reader.last.kind if reader.last else ""
    if last == "round":
        return "deal"
    if reader.hands:
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


def read_header(reader: RecordReader) -> Game:
    """Read the header: who plays which edition on which face."""
    version = one_word(reader.take("catinthebox"))
    if version.text != VERSION:
        sentence = f"version {quoted(version.text)} is unknown; this reads {VERSION}"
        raise RecordError(version.where, sentence)
    places = {"setup.players": reader.take("players")}
    places["setup.names"] = names = reader.take("names")
    edition = reader.take("edition")
    places["setup.face"] = face = reader.take("face")
    grid = reader.take_all("row")
    house = reader.take_all("house")
    if [one_word(line).text for line in house] not in ([], [HOUSE_FACE]):
        raise RecordError(house[0].where, f"the only house rule known is {HOUSE_FACE!r}")
    promise = reader.take_promise()
    places |= {f"setup.{kind}": line for kind, line in promise.items()}
    places["setup.starter"] = reader.take("starter")
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
    name = one_word(line).text
    try:
        return Edition.named(name)
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


def read_line(reader: RecordReader, line: Line) -> None:
    """Read a line of a round: play what it says, check what it claims."""
    game = reader.game
    if line.kind == "round":
        claim("round", [str(game.number + 1)], line, reader.cut)
    elif line.kind == "deal":
        read_deal(reader, line)
    elif line.kind == "aside":
        if line.words or not reader.cut:
            deal(reader, line, one_word(line).text)
    elif line.kind == "trick":
        read_trick(reader, line)
    elif line.kind in ("discards", "bids"):
        read_open_phase(reader, line)
    elif line.kind == "scores":
        read_scores(reader, line)
    elif line.kind == "secret":
        if line.words or not reader.cut:
            reader.game = game.reveal(digits(one_word(line)))
    else:
        claim(line.kind, truth(game, line.kind), line, reader.cut)


def read_scores(reader: RecordReader, line: Line) -> None:
    """Check the scores seat by seat; each has its own clause."""
    true = truth(reader.game, "scores")
    for seat, (word, expected) in enumerate(zip(line.words, true, strict=False)):
        if word.text != expected:
            sentence = f"the score of seat {seat} is {expected}, not {quoted(word.text)}"
            raise RecordError(word.where, sentence, score_clause(reader.round, seat))
    claim("scores", true, line, reader.cut)


def score_clause(round: Round, seat: int) -> str:
    """Return the clause that decides a seat's score."""
    if round.paradox == seat:
        return "R24"
    if not round.bonus_earned(seat):
        return "R23"
    return "R26" if round.players == 2 else "R25"


def read_deal(reader: RecordReader, line: Line) -> None:
    """Read the hands; a deal that the end of the record cuts short has not begun."""
    hands = tuple(word.text for word in line.words)
    if len(hands) < reader.game.players and reader.cut:
        return
    if len(hands) != reader.game.players:
        sentence = f"{len(hands)} hands for {reader.game.players} players"
        raise RecordError(line.where, sentence, "R5", "setup.players")
    reader.hands = hands
    if reader.game.players != 2:
        deal(reader, line, "")


def deal(reader: RecordReader, line: Line, aside: str) -> None:
    """Begin the round."""
    hands, reader.hands = reader.hands, ()
    try:
        reader.game = reader.game.deal(hands, aside)
    except CatInTheBoxError as error:
        raise RecordError(line.where, str(error), error.clause, error.code) from None


def read_open_phase(reader: RecordReader, line: Line) -> None:
    """Read the discards, by seat, or the bids, from the starter on."""
    phase = reader.round.phase
    for seat, word in enumerate(line.words):
        if reader.round.phase is not phase or seat >= reader.game.players:
            raise RecordError(word.where, f"{line.kind} are complete; a new line begins here")
        if phase is Phase.BID:
            act(reader, word, None)
        elif word.text != UNKNOWN:
            act(reader, word, seat)
    if reader.round.phase is phase and not reader.ended:
        raise RecordError(line.where, f"{line.kind} of every seat are needed before the next line")


def read_trick(reader: RecordReader, line: Line) -> None:
    """Read a trick: leader, plays, winner."""
    words = list(line.words)
    tricks = sum(reader.round.won)
    if words:
        claim_word("leader", f"{reader.round.leader}:", words.pop(0))
    winner = words.pop() if words and words[-1].text.startswith(">") else None
    for word in words:
        if sum(reader.round.won) > tricks:
            raise RecordError(word.where, "the trick is complete; a new line begins here", "R10")
        act(reader, word, None)
    complete = sum(reader.round.won) > tricks
    if winner and complete:
        claim_word("winner", f">{reader.round.leader}", winner)
    elif winner:
        raise RecordError(winner.where, "nobody wins a trick that is not complete", "R18")
    elif complete and not reader.cut:
        raise RecordError(line.where, "the winner of this trick is missing", "R18")
    elif not reader.ended and not reader.round.over:
        raise RecordError(line.where, "this trick must be complete before the next line", "R10")


def act(reader: RecordReader, word: Word, seat: int | None) -> None:
    """Play an action of the record."""
    try:
        reader.game = reader.game.play(word.text, seat)
    except NotLegal as error:
        code = f"record.{error.code}"
        raise RecordError(word.where, error.refusal.message, error.clause, code) from None
    except CatInTheBoxError as error:
        raise RecordError(word.where, str(error)) from None


def truth(game: Game, kind: str) -> list[str]:
    """Return the words a claim should have."""
    return dict(record_lines(game))[kind]  # lines of a later round replace earlier ones


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
        found, true = word.text.strip(">:"), expected.strip(">:")
        if found == true:
            found, true = word.text, f"written {expected}"
        raise RecordError(word.where, f"{subject}{whose} is {true}, not {quoted(found)}", clause)
