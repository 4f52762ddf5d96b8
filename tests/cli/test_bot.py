"""`catinthebox bot`: a player of ours at a table elsewhere, whatever happens in between."""

from __future__ import annotations

import signal
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from client.fake_server import ROBO, Toy
from live_tables import snapshot
from server_process import RUN, Someone, hosting, started

from catinthebox import Action, NotUnderstood
from catinthebox.cli import bot, main
from catinthebox.client.bot_client import BotClient, Lost
from catinthebox.client.http_client import Backoff, Declined, HttpClient, Link, RetryLater
from catinthebox.players import Budget, Player, player
from catinthebox.protocol.stream import Bye, FromServer
from catinthebox.table import (
    Act,
    AgreeUndo,
    AskUndo,
    Close,
    Command,
    Kick,
    Leave,
    Pause,
    Ready,
    Rematch,
    Resume,
    Settings,
    Sit,
    record,
)
from catinthebox.views import View

pytestmark = pytest.mark.timing

# ── A table that can be reached badly ────────────────────────────────────────────────────────


def seated_bot(toy: Toy, games: int = 1, who: Player | None = None) -> tuple[BotClient, list[str]]:
    """A bot that has a seat at a table, and what it says."""
    said: list[str] = []
    patience = Backoff(5.0, sleep=lambda _: None, clock=lambda: 0.0)
    made = BotClient(toy, patience, who or player("follow"), games, said.append, said.append)
    toy.trouble, trouble = 0.0, toy.trouble
    made.sit(["Robo"], None)
    toy.trouble = trouble
    return made, said


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_whole_game(players: int) -> None:
    """It sits down, plays every round, tells the result, and leaves its seat to others."""
    toy = Toy(Settings(players))
    robo, said = seated_bot(toy)
    toy.begin()
    robo.play()
    assert toy.table.stage == "over"
    assert said[-1].startswith("game 1 over: Robo ")
    assert sum(line.startswith("round ") for line in said) == players
    assert toy.table.seat_of(ROBO) is None
    kinds = [type(command) for _, command in toy.sent]
    assert (kinds[0], kinds[-1], kinds.count(Ready)) == (Sit, Leave, players - 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_trouble_changes_nothing(seed: int) -> None:
    """Requests, answers and news are lost, lines break; every decision is made exactly once."""
    toy = Toy(Settings(3), trouble=0.2, seed=seed)
    robo, said = seated_bot(toy, games=2)
    toy.begin()
    robo.play()
    ids = [id for id, _ in toy.sent]
    assert len(ids) == len({*ids})
    assert (toy.table.games, toy.table.stage, toy.did(Rematch)) == (2, "over", 1)
    assert any(line.startswith("connecting again") for line in said)
    over = [line[:12] for line in said if " over: " in line]
    assert over[-1:] == ["game 2 over:"]  # news of the first one may be lost on the way


def test_a_rematch_is_for_those_who_came_for_it() -> None:
    """Anyone who sits down after a game wants the next one."""
    toy = Toy(Settings(3))
    robo, _ = seated_bot(toy)
    toy.begin()
    robo.play()
    robo, said = seated_bot(toy)
    robo.play()
    assert toy.table.games == 2
    assert [line for line in said if " over: " in line] == [said[-1]]
    assert (toy.did(Leave), toy.table.seat_of(ROBO)) == (2, None)  # each time under another id


def test_coming_back_after_the_end() -> None:
    """A bot that was started again when all was over tells how it went, and leaves."""
    toy = Toy(Settings(2))
    first, _ = seated_bot(toy)
    toy.begin()
    toy.steps = [lambda: toy.happen(Leave(), ROBO)]
    first._leave = lambda seen: None  # type: ignore[method-assign]  # it died a moment before
    first.play()
    assert toy.table.seat_of(ROBO) is not None
    again, said = seated_bot(toy)
    again.play()
    assert [line[:12] for line in said] == ["game 1 over:"]
    assert toy.table.seat_of(ROBO) is None


def test_it_waits_while_the_time_stands_still() -> None:
    """A pause is a pause for programs, too."""
    toy = Toy(Settings(2))
    toy.happen(Sit("Ada"))
    robo, _ = seated_bot(toy)
    toy.begin()
    toy.happen(Pause())
    acts: list[int] = []
    toy.steps = [
        lambda: acts.append(toy.did(Act)),
        lambda: toy.happen(Resume()),
        lambda: acts.append(toy.did(Act)),
    ]
    with pytest.raises(Lost, match="nothing happens"):
        robo.play()
    assert acts == [0, 1]


def test_it_agrees_when_others_take_back() -> None:
    """As the server's own bots do; every request anew."""
    toy = Toy(Settings(2), seed=3)
    toy.happen(Sit("Ada"))
    toy.happen(Sit("Robo", nonce="00" * 32), ROBO)  # a known deal, in which Ada begins:
    robo, _ = seated_bot(toy)  # nothing to do after her card comes before her next one
    toy.begin()
    assert toy.table.game is not None
    assert toy.table.game.starter == 0

    def think_better_of_it() -> None:
        own = snapshot(toy.table, 0).own
        assert own is not None
        toy.happen(Act(Action(own.legal[0])))
        toy.happen(AskUndo())

    toy.steps = [think_better_of_it, think_better_of_it]
    with pytest.raises(Lost, match="nothing happens"):
        robo.play()
    assert (toy.did(AgreeUndo), toy.did(Act)) == (2, 1)


@pytest.mark.parametrize(
    ("command", "words"), [(Kick(0), "the seat was given"), (Close(), "the table was closed")]
)
def test_it_goes_when_it_has_to(command: Command, words: str) -> None:
    """Sent away, or the table is closed: an end, not a wait."""
    toy = Toy(Settings(2))
    robo, _ = seated_bot(toy)
    toy.steps = [lambda: toy.happen(command)]
    with pytest.raises(Lost, match=words):
        robo.play()


def test_the_deals_can_be_verified_by_the_command_that_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it stands, once the record lies where the sentence says."""
    toy = Toy(Settings(2))
    robo, said = seated_bot(toy)
    toy.begin()
    robo.play()
    (tmp_path / "game.cat").write_text(record.write(toy.table))
    monkeypatch.chdir(tmp_path)
    program, *words = said[0].partition(" and run: ")[2].split()
    assert (program, main(words)) == ("catinthebox", 0)
    assert "your nonce: it is in" in capsys.readouterr().out


class Slow:
    """A warm-up that takes some looks, and compiles something or not."""

    ready = True

    def __init__(self, looks: int, *, compiling: bool) -> None:
        self.looks = looks
        self.compiling = compiling

    def __enter__(self) -> Slow:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""

    def wait(self, timeout: float) -> bool:
        """Be over after so many calls."""
        self.looks -= 1
        return self.looks < 0


@pytest.mark.parametrize(
    ("looks", "compiling", "times"), [(3, True, 1), (3, False, 0), (0, False, 0)]
)
def test_compiling_is_announced_once_and_loading_is_not(
    monkeypatch: pytest.MonkeyPatch, looks: int, compiling: bool, times: int
) -> None:
    """The message says that it happens once on each machine, so it is only for compiling."""
    monkeypatch.setattr(bot, "Warmup", lambda *_: Slow(looks, compiling=compiling))
    said: list[str] = []
    bot._warm_up(player("follow"), said.append)
    assert [line.startswith("compiling the player") for line in said] == [True] * times


class Parting(Toy):
    """A table whose stream ends at once, with some last words."""

    def __init__(self, *last: Bye) -> None:
        super().__init__(Settings(2))
        self.last = [*last]

    def messages(self, version: int | None) -> Iterator[FromServer]:
        """Say good-bye."""
        yield self.last.pop(0)


def test_last_words() -> None:
    """A server that is restarted is waited for; one that wants nobody to look on is not."""
    toy = Parting(Bye("server.closing", "in a moment"), Bye("table.no_spectators", "not for you"))
    robo, said = seated_bot(toy)
    with pytest.raises(Lost, match="not for you"):
        robo.play()
    assert said[1:] == ["connecting again: in a moment", "connected"]


def test_patience_ends() -> None:
    """A server that never comes back is given up."""
    toy, now = Toy(Settings(2)), [0.0]
    robo, _ = seated_bot(toy)
    toy.trouble = 1.0
    robo._backoff = Backoff(60.0, sleep=lambda s: now.append(now[-1] + s), clock=lambda: now[-1])
    with pytest.raises(Lost, match="localhost:8123 cannot be reached any more: a cable"):
        robo.play()
    assert 60 <= now[-1] < 70


class Curious:
    """A player that notes how much time it is given."""

    def __init__(self) -> None:
        self.budgets: list[Budget] = []

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Do anything."""
        self.budgets.append(budget)
        return min(view.legal)


def test_half_of_the_time_that_is_left() -> None:
    """With a clock it does not think for too long."""
    toy = Toy(Settings(2, move_ms=4_000))
    curious = Curious()
    robo, _ = seated_bot(toy, who=curious)
    toy.begin()
    robo.play()
    times = [budget.ms for budget in curious.budgets]
    assert all(ms is not None and 10 <= ms <= 2_000 for ms in times)


# ── Links ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "path", "host", "secure"),
    [
        ("http://localhost:8123/t/lab7", "/api/v1/tables/lab7", "localhost:8123", False),
        ("localhost:8123/t/lab7", "/api/v1/tables/lab7", "localhost:8123", False),
        ("https://cats.example/t/lab7/", "/api/v1/tables/lab7", "cats.example", True),
        ("http://[::1]:80/api/v1/tables/a_b-c", "/api/v1/tables/a_b-c", "[::1]:80", False),
        ("https://x.example/cats/t/lab7", "/cats/api/v1/tables/lab7", "x.example", True),
    ],
)
def test_links(text: str, path: str, host: str, secure: bool) -> None:
    """What people pass on, and what programs use."""
    link = Link.parse(text)
    assert (link.path, link.host, link.secure) == (path, host, secure)
    assert Link.parse(str(link)) == link


@pytest.mark.parametrize(
    "text",
    [
        *("", "lab7", "http://localhost:8123/", "http://localhost/t/", "ftp://localhost/t/lab7"),
        *("http://localhost:port/t/lab7", "http:///t/lab7", "http://me@host/t/lab7"),
        "http://localhost/t/lab%207",
    ],
)
def test_what_is_no_link(text: str) -> None:
    """The sentence shows one."""
    with pytest.raises(NotUnderstood, match=r"is no link to a table, such as http://"):
        Link.parse(text)


def test_a_link_to_watch_is_not_taken_for_one_to_play() -> None:
    """The bot could not sit down; it says which link is needed."""
    with pytest.raises(NotUnderstood, match="for watching; a player needs the one to play"):
        Link.parse("http://localhost:8123/w/lab7-x7")


# ── Servers and proxies that say something else ──────────────────────────────────────────────


@contextmanager
def canned(answer: bytes) -> Iterator[HttpClient]:
    """A table on a server that always gives the same answer, and hangs up."""

    def serve() -> None:
        with suppress(OSError):  # closed: the test is over
            while True:
                line, _ = door.accept()
                with line:
                    line.recv(65_536)
                    line.sendall(answer)
                    line.shutdown(socket.SHUT_WR)
                    while line.recv(65_536):  # what is closed unread is reset
                        pass

    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = Thread(target=serve)
        thread.start()
        host = f"127.0.0.1:{door.getsockname()[1]}"
        yield HttpClient(Link.parse(f"http://{host}/t/lab7"), "a token")
        door.shutdown(socket.SHUT_RDWR)
        thread.join()


def http(status: str, body: str = "", *headers: str) -> bytes:
    """An answer."""
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", body]
    return "\r\n".join(lines).encode()


REFUSED = (
    '{"type":"Refused","id":"","code":"limit.seat","clause":"","message":"slowly","retry_ms":9}'
)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (http("502 Bad Gateway", "<h1>nginx</h1>"), RetryLater, "HTTP 502"),
        (http("429 Too Many Requests", REFUSED, "Retry-After: 7"), RetryLater, "slowly"),
        (http("409 Conflict", REFUSED), Declined, "slowly"),
        (http("404 Not Found", "<h1>nginx</h1>"), NotUnderstood, "no table of catinthebox"),
        (
            http("301 Moved", "", "Location: https://x/t/lab7"),
            NotUnderstood,
            "try https://x/t/lab7",
        ),
        (http("200 OK", "[]\n"), NotUnderstood, "belongs here"),
        (b"SSH-2.0-OpenSSH", RetryLater, "SSH"),
        (b"", RetryLater, "without response"),
    ],
)
@pytest.mark.parametrize("listening", [False, True])
def test_other_answers(answer: bytes, error: type[Exception], words: str, listening: bool) -> None:
    """What may be better in a moment is tried again, the rest is told."""

    def talk(table: HttpClient) -> None:
        if listening:
            list(table.messages(41))
        else:
            table.do("sit", Sit("Robo"))

    with canned(answer) as table, pytest.raises(error, match=words) as caught:
        talk(table)
    if isinstance(caught.value, RetryLater):
        assert caught.value.wait == (7.0 if words == "slowly" else 0.0)


# ── The command ──────────────────────────────────────────────────────────────────────────────


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says that could not be understood."""
    assert main(["bot", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is told in a sentence, before anybody is bothered with it."""
    link = "http://127.0.0.1:1/t/lab7"
    bad = tmp_path / "bad.key"
    bad.write_text("swordfish")
    assert "no player nobody" in complaint(capsys, link, "--player", "nobody")
    assert "it holds no token" in complaint(
        capsys, link, "--player", "follow", "--token-file", str(bad)
    )
    missing = str(tmp_path / "no" / "such.key")
    assert "No such file" in complaint(capsys, link, "--player", "follow", "--token-file", missing)
    assert "127.0.0.1:1: Connection refused" in complaint(capsys, link, "--player", "follow")
    for games in ("0", "-1", "many", "10001"):
        with pytest.raises(SystemExit):
            main(["bot", link, "--player", "follow", "--games", games])


@pytest.mark.process
def test_refusals_of_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such table, no free seat, a name that is taken: in the words of the server."""
    with hosting(tmp_path) as host:
        ada = Someone(host)
        link = ada.open("gentle", players=2)
        nowhere = f"{host.url}/t/nowhere"
        assert "there is no table" in complaint(capsys, nowhere, "--player", "follow")
        words = (link, "--player", "follow", "--name", "gentle")
        assert "somebody here is called gentle already" in complaint(capsys, *words)
        words = (link, "--player", "follow", "--seat", "0")
        assert "seat 0 is taken; free: 1" in complaint(capsys, *words)
        ada.do("sit", type="Sit", name="Ada")
        assert "every seat is taken" in complaint(capsys, link, "--player", "follow")
        ada.do("start", type="Start")
        assert "the game has started" in complaint(capsys, link, "--player", "follow")


@pytest.mark.process
def test_a_bot_that_is_started_again_continues(tmp_path: Path) -> None:
    """With its token it has its seat again; two games, and two of a name are two."""
    key = tmp_path / "robo.key"
    with hosting(tmp_path) as host:
        ada = Someone(host)
        link = ada.open(players=3)
        ada.do("sit", type="Sit", name="Ada")
        words = (*RUN, "bot", link, "--player", "follow", "--quiet", "--games", "2")
        with started(*words) as other, started(*words, "--token-file", str(key)) as first:
            ada.start(other, first)
            ada.play(other, first, version=15)
            first.send_signal(signal.SIGKILL)
            first.wait()
            assert stat.S_IMODE(key.stat().st_mode) == 0o600
            with started(*words, "--token-file", str(key)) as again:
                ada.play(other, games=2)
                status, said = host.outlived(again)
            assert host.outlived(other) == (status, said)
        assert status == 0
        assert [line[:12] for line in said.splitlines()] == ["game 1 over:", "game 2 over:"]
        assert "follow bot 2" in said
        assert [ada.record(game)[:11] for game in (1, 2)] == [b"catinthebox"] * 2
