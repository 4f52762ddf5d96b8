"""Answers that end too early: at every byte, for every client and every kind of answer.

A server that is killed, or a proxy in between, closes the connection wherever it happens to be.
Clients come again, ask for the same thing with the same id, and the game goes on.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TypeAlias

import pytest
from client.fake_server import (
    FRAMINGS,
    LINK,
    Server,
    Toy,
    command_in,
    cut,
    http,
    served_by,
    serving,
)
from live_tables import snapshot
from server_process import ROOT

from catinthebox import CatInTheBoxError
from catinthebox.client.bot_client import BotClient, Lost
from catinthebox.client.http_client import LONGEST_WAIT, Backoff, HttpClient, RetryLater
from catinthebox.players import player
from catinthebox.protocol.codec import encode
from catinthebox.protocol.messages import Done, Refused
from catinthebox.protocol.stream import Beat, Bye, FromServer
from catinthebox.server.transport.uvicorn_protocols import TOO_LATE
from catinthebox.table import Act, Settings, Sit

DONE = encode(Done("sit", 41))
REFUSED = encode(Refused("sit", "table.seat_taken", "", "seat 0 is taken; free: 1", None))
SLOWLY = encode(Refused("sit", "limit.seat", "", "slowly", 7_000))
ALL = 1 << 20  # bytes; no answer is longer
PAGE = b"<h1>nginx</h1>"


def whole(answer: Iterable[bytes]) -> bytes:
    """All of an answer."""
    return b"".join(answer)


# ── Commands ─────────────────────────────────────────────────────────────────────────────────


def asked(answer: bytes, size: int = ALL, reset: bool = False) -> Done | Exception:
    """What comes of a command, if the answer is cut after so many bytes."""
    with served_by(lambda _: cut(iter([answer]), size, reset)):
        try:
            return HttpClient(LINK, "a token").do("sit", Sit("Robo"))
        except (CatInTheBoxError, RetryLater) as error:
            return error


@pytest.mark.long
@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize(
    ("status", "body", "outcome"),
    [
        ("200 OK", DONE, "Done"),
        ("409 Conflict", REFUSED, "Declined"),
        ("429 Too Many Requests", SLOWLY, "RetryLater"),
        ("503 Service Unavailable", SLOWLY, "RetryLater"),
        ("502 Bad Gateway", PAGE, "RetryLater"),
        ("404 Not Found", PAGE, "NotUnderstood"),
    ],
)
def test_a_cut_answer_to_a_command_is_no_answer(
    status: str, body: bytes, outcome: str, framing: str, reset: bool
) -> None:
    """Whatever the byte: come later, unless all that matters has arrived."""
    answer = whole(http(status, [body[:9], body[9:]], framing))
    full = asked(answer)
    assert type(full).__name__ == outcome
    for size in range(len(answer)):
        said = asked(answer, size, reset)
        assert type(said) is RetryLater or repr(said) == repr(full), (size, said)


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize(("status", "body"), [("200 OK", DONE), ("409 Conflict", REFUSED)])
def test_only_a_whole_message_counts(status: str, body: bytes, framing: str) -> None:
    """Before its last byte has come, nothing was said."""
    head = len(next(http(status, [body], framing)))
    answer = whole(http(status, [body], framing))
    for size in range(head + len(body)):
        assert type(asked(answer, size)) is RetryLater, size


def test_the_server_s_408_is_no_end() -> None:
    """A machine that slept for a while is late with its request: it sends the same again."""
    said = asked(TOO_LATE)
    assert isinstance(said, RetryLater)
    assert str(said) == "HTTP 408"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 520])
@pytest.mark.parametrize(
    ("seconds", "wait"),
    [("7", 7.0), ("0", 0.0), ("9" * 400, LONGEST_WAIT), ("-1", 0.0), ("²", 0.0), ("Mon, …", 0.0)],
)
def test_how_long_to_wait(status: int, seconds: str, wait: float) -> None:
    """`Retry-After` counts, no matter who sent it, within reason."""
    header = f"Retry-After: {seconds}".encode().decode("latin-1")
    for body in (b"", PAGE, SLOWLY):
        said = asked(whole(http(f"{status} Not Now", [body], "length", header)))
        assert isinstance(said, RetryLater)
        assert said.wait == wait


# ── The stream ───────────────────────────────────────────────────────────────────────────────


def received(answer: bytes, size: int = ALL, reset: bool = False) -> list[FromServer]:
    """What a listener hears until it is time to come again."""
    found: list[FromServer] = []
    with served_by(lambda _: cut(iter([answer]), size, reset)), pytest.raises(RetryLater):
        found.extend(HttpClient(LINK, "a token").messages(None))
    return found


@pytest.mark.long
@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_cut_stream_tells_whole_messages(framing: str, reset: bool) -> None:
    """Everything whose last byte has come, nothing else, and then: come again."""
    printed = [snapshot(Toy(Settings(2)).table, None), Beat(1), Bye("server.closing", "…")]
    answer = whole(http("200 OK", [encode(message) + b"\n" for message in printed], framing))
    assert received(answer) == printed
    for size in range(len(answer)):
        some = received(answer, size, reset)
        assert some == printed[: len(some)]
        ends = answer[:size].count(b"}\n")
        assert len(some) in (ends, ends - (framing == "chunked")), size


# ── Bots ─────────────────────────────────────────────────────────────────────────────────────

EXAMPLE = ROOT / "examples" / "bot.py"
PROGRAM = compile(EXAMPLE.read_text("utf-8"), EXAMPLE, "exec")


def our_bot() -> None:
    """Sit down and play, as `catinthebox bot` does; nothing is waited for."""
    patience = Backoff(5.0, sleep=lambda _: None, clock=lambda: 0.0)
    robo = BotClient(HttpClient(LINK, "a token"), patience, player("follow"), 1, print, print)
    robo.sit(["Robo"], None)
    robo.play()


def example_bot() -> None:
    """Run the example, as `python3 examples/bot.py LINK` does; nothing is waited for."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(sys, "argv", ["bot.py", str(LINK)])
        monkeypatch.setattr(time, "sleep", lambda _: None)
        exec(PROGRAM, {"__name__": "__main__"})


Bot: TypeAlias = Callable[[], None]
BOTS = pytest.mark.parametrize("bot", [our_bot, example_bot])


class Beginning:
    """The beginning of a game, played once and then played back: a seat, and one card set aside.

    After that nothing happens any more, which the stream says by raising `Lost`.
    """

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._answers: dict[str, bytes] = {}
        toy = Toy(Settings(2))
        toy.happen(Sit("Ada"))  # she sets nothing aside, so that is all
        toy.steps = [toy.begin]
        self._live = serving(toy)
        self.commands = self._play(self._recorded)
        assert [type(command) for _, command in toy.sent] == [Sit, Act]

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Every way to cut one of the answers."""
        for kind, answer in self._answers.items():
            yield from ((kind, size) for size in range(len(answer)))

    def again(self, cut_kind: str, size: int) -> list[tuple[str, str]]:
        """Play it back with the first answer of a kind cut; return the commands that were sent."""
        cuts = {cut_kind: size}

        def answer(request: bytes) -> Iterator[bytes]:
            kind = kind_of(request)
            return cut(self._played_back(kind), cuts.pop(kind, ALL))

        return self._play(answer)

    def _play(self, server: Server) -> list[tuple[str, str]]:
        """Let the bot play; return the type and the id of every command, in order."""
        sent: list[tuple[str, str]] = []

        def noted(request: bytes) -> Iterator[bytes]:
            if (command := command_in(request)) is not None:
                sent.append((kind_of(request), command.id))
            return server(request)

        with served_by(noted), pytest.raises(Lost, match="nothing happens"):
            self._bot()
        return sent

    def _recorded(self, request: bytes) -> Iterator[bytes]:
        kind = kind_of(request)
        self._answers[kind] = b""
        for piece in self._live(request):
            self._answers[kind] += piece
            yield piece

    def _played_back(self, kind: str) -> Iterator[bytes]:
        yield self._answers[kind]
        if kind == STREAM:
            raise Lost("nothing happens any more")


STREAM = "events"


def kind_of(request: bytes) -> str:
    """The type of the command that a request sends, or STREAM."""
    command = command_in(request)
    return STREAM if command is None else type(command.command).__name__


@pytest.mark.long
@BOTS
@pytest.mark.long
def test_a_bot_goes_on_whatever_the_byte(bot: Bot) -> None:
    """One answer is cut; the same commands are sent, again only under the same id."""
    game = Beginning(bot)
    assert [kind for kind, _ in game.commands] == ["Sit", "Act"]
    for kind, size in game.sizes():
        sent = game.again(kind, size)
        assert [*dict.fromkeys(kind for kind, _ in sent)] == ["Sit", "Act"], (kind, size)
        assert len({*sent}) == 2, (kind, size)  # ids are the same, however often it was sent


@pytest.mark.timing
@BOTS
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_of_cut_answers(bot: Bot, seed: int) -> None:
    """Most answers are cut somewhere; everything is done once, and the game comes to an end."""
    toy, chance = Toy(Settings(2), seed=seed), Random(seed)
    live = serving(toy)

    def answer(request: bytes) -> Iterator[bytes]:
        size = chance.choice([chance.randrange(200), chance.randrange(9_000)])
        return cut(live(request), size, reset=chance.random() < 0.5)

    toy.steps = [toy.begin]
    with served_by(answer):
        bot()
    ids = [id for id, _ in toy.sent]
    assert len(ids) == len({*ids})
    assert toy.table.stage == "over"
