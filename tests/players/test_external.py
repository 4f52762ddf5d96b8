"""Programs as players: they play whole rounds, learn nothing hidden, and break nothing."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from policies import TABLES
from secrecy.pairs import pairs
from waiting import HANG

from catinthebox import Action, NotUnderstood, Round
from catinthebox.cli.play.opponents import Opponents
from catinthebox.cli.terminal import Terminal
from catinthebox.players import Budget, External, ExternalError, Player, player
from catinthebox.players import external as wire
from catinthebox.players.external import alone
from catinthebox.views import View

pytestmark = pytest.mark.timing

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = f"{sys.executable} {ROOT / 'examples' / 'external_player.py'}"
PAGE = ROOT / "docs" / "external-players.md"
DEAL = ("1223345566", "1123344556", "1122344566")

GREETING = 'import sys, time\ninput()\nprint(\'{"type": "hello", "name": "x"}\', flush=True)\n'
BAD = {  # what a program does → the code, and words of the sentence
    "sys.exit(3)": ("external.ended", "ended with status 3"),
    "import os; os.close(1); time.sleep(600)": ("external.ended", "closed its output"),
    GREETING + "input(); raise SystemExit(1)": ("external.ended", "ended with status 1"),
    GREETING + "input(); print('{', end='')": ("external.ended", "after '{' without an end"),
    GREETING + "input(); print('hm?')": ("external.json", "sent 'hm?': that is not JSON"),
    GREETING + "input(); sys.stdout.buffer.write(b'\\xff\\n')": ("external.json", "UTF-8"),
    GREETING + "input(); print('[' * 9999)": ("external.json", "(shortened)"),
    GREETING + "input(); print('[1]')": ("external.answer", 'a line {"type": "action"'),
    GREETING + 'input(); print(\'{"type": "move"}\')': ("external.answer", "belongs here"),
    GREETING + 'input(); print(\'{"type": "action", "action": 5}\')': (
        "external.answer",
        "action is a text",
    ),
    GREETING + 'input(); print(\'{"type": "action", "action": "5x"}\')': (
        "external.action",
        "is not an action",
    ),
    GREETING + 'input(); print(\'{"type": "action", "action": "5b"}\')': (
        "external.illegal",
        "legal: -1 -2 -3 -4 -5 -6",
    ),
    GREETING + "print('{}', flush=True); time.sleep(600)": ("external.answer", "sent '{}'"),
    GREETING + "input(); print('x' * 70_000)": ("external.line", "longer than 65536 bytes"),
    "sys.stdout.write('x' * 10_000_000)": ("external.line", "longer than 65536 bytes"),
    "print('hello')": ("external.json", """{"type": "hello", "name": "…"}"""),
    'print(\'{"type": "hello"}\')': ("external.answer", "name is a text"),
}


LATE = {
    GREETING + "time.sleep(600)": "did not answer within",
    GREETING + "input(); print('{\"typ', end='', flush=True); time.sleep(600)": (
        """It sent '{"typ' without an end of line"""
    ),
}
FOREVER = 1000 * HANG  # milliseconds


def bot(folder: Path, source: str, timeout_ms: float = FOREVER) -> External:
    """A player that runs a few lines of Python."""
    script = folder / "bot.py"
    script.write_text(source, encoding="utf-8")
    return External(f"{sys.executable} {script}", timeout_ms)


def first_view() -> View:
    """A seat that has ten cards and must set one aside."""
    return View.of(Round.deal(DEAL), 2)


def played(seats: list[Player], rng: Random) -> Round:
    """A whole round."""
    round = Round.shuffled(len(seats), rng)
    while not round.over:
        seat = round.to_act[0]
        round = round.play(seats[seat].choose(View.of(round, seat), Budget(), rng), seat)
    return round


# ── Playing ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_example_plays_whole_rounds(players: int) -> None:
    """Legal to the end, against an opponent of ours; one process is enough."""
    guest = External(EXAMPLE, FOREVER)
    seats: list[Player] = [guest, *(player("follow") for _ in range(players - 1))]
    ends = [played(seats, Random(seed)) for seed in range(3)]
    assert all(round.over for round in ends)
    again = [played(seats, Random(seed)) for seed in range(3)]
    assert again == ends  # chance is in the question, so the same question has the same answer
    guest.close()


@pytest.mark.process
def test_the_program_of_the_page_plays(tmp_path: Path) -> None:
    """The shortest program that the page shows is complete."""
    (source,) = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    guests = [bot(tmp_path, source) for _ in range(2)]
    assert played([*guests, player("follow")], Random(1)).over
    for guest in guests:
        guest.close()


@pytest.mark.process
def test_one_process_is_started_late_and_kept(tmp_path: Path) -> None:
    """Making the player starts nothing; all its decisions go to one process."""
    source = GREETING + (
        "import os\nfor line in sys.stdin:\n"
        "    open(sys.argv[0] + '.pids', 'a').write(f'{os.getpid()}\\n')\n"
        '    print(\'{"type": "action", "action": "-1", "note": 1}\', flush=True)\n'
    )
    guest = bot(tmp_path, source)
    assert not guest.program.started
    for _ in range(5):
        assert guest.choose(first_view(), Budget(), Random(1)) is Action("-1")
    pids = (tmp_path / "bot.py.pids").read_text().split()
    assert len(pids) == 5
    assert len({*pids}) == 1
    guest.close()
    assert not guest.program.started
    assert gone(int(pids[0]))
    guest.close()  # twice is fine


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


STUBBORN = GREETING + (
    "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "input()\nopen(sys.argv[0] + '.pid', 'w').write(str(os.getpid()))\n"
    'print(\'{"type": "action", "action": "-1"}\', flush=True)\n'
    "while True: time.sleep(600)\n"
)


@pytest.mark.process
def test_a_program_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """Neither the end of its input nor a request ends it: it is killed."""
    guest = bot(tmp_path, STUBBORN)
    guest.choose(first_view(), Budget(), Random(1))
    guest.close()
    assert gone(int((tmp_path / "bot.py.pid").read_text()))


@pytest.mark.process
@pytest.mark.parametrize("last", ["del guest", "pass"])
def test_it_ends_with_the_player_and_with_python(last: str, tmp_path: Path) -> None:
    """Nobody has to close it: not when it is forgotten, not when Python exits."""
    (tmp_path / "bot.py").write_text(STUBBORN, encoding="utf-8")
    code = f"""
import sys, time
from random import Random
from catinthebox import Round
from catinthebox.players import Budget, player
from catinthebox.views import View
guest = player("external:{sys.executable} bot.py")
guest.choose(View.of(Round.deal({DEAL!r}), 2), Budget(), Random(1))
{last}
"""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert gone(int((tmp_path / "bot.py.pid").read_text()))


@pytest.mark.process
def test_a_copy_starts_its_own_program() -> None:
    """A player travels as its parameters; so do its errors."""
    guest = External(EXAMPLE, FOREVER)
    guest.choose(first_view(), Budget(), Random(1))
    copy = pickle.loads(pickle.dumps(guest))
    assert copy == guest
    assert hash(copy) == hash(guest)
    assert not copy.program.started
    guest.close()
    error = pickle.loads(pickle.dumps(ExternalError("external.late", "too late")))
    assert (error.code, error.message) == ("external.late", "too late")


@pytest.mark.process
def test_what_it_writes_to_its_error_output_is_shown(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A program's own complaints are not swallowed."""
    guest = bot(tmp_path, "import sys\nsys.stderr.write('oh dear')\nsys.exit(1)")
    with pytest.raises(ExternalError):
        guest.choose(first_view(), Budget(), Random(1))
    assert capfd.readouterr().err == "oh dear"


# ── Programs that go wrong ───────────────────────────────────────────────────────────────────


@pytest.mark.process
@pytest.mark.parametrize("source", BAD)
def test_a_bad_program_is_named(source: str, tmp_path: Path) -> None:
    """The error has a code, names the program, quotes it, says what would be right; no hanging."""
    code, words = BAD[source]
    error = mistake(bot(tmp_path, f"import sys, time\n{source}\n"))
    assert error.code == code
    assert words in error.message


def mistake(guest: External) -> ExternalError:
    """What a program did wrong; it is ended, and the sentence names it."""
    with pytest.raises(ExternalError) as caught:
        guest.choose(first_view(), Budget(), Random(1))
    assert "bot.py" in caught.value.message
    assert len(caught.value.message) < 600
    assert not guest.program.started
    return caught.value


@pytest.mark.process
@pytest.mark.parametrize("source", LATE)
def test_a_program_that_says_nothing_in_time_is_named(source: str, tmp_path: Path) -> None:
    """It is quoted as far as it came; on a busy machine it needs longer to come so far."""
    for ms in (400, 4_000, 40_000):
        error = mistake(bot(tmp_path, source, ms))
        assert error.code == "external.late"
        if LATE[source] in error.message:
            return
    raise AssertionError(error.message)


@pytest.mark.process
def test_after_an_error_it_is_started_anew(tmp_path: Path) -> None:
    """One bad answer does not spoil the next round."""
    marker = tmp_path / "once"
    guest = bot(
        tmp_path,
        GREETING + f"import os\ninput()\nfirst = not os.path.exists({str(marker)!r})\n"
        f"open({str(marker)!r}, 'w')\n"
        'print(\'?\' if first else \'{"type": "action", "action": "-1"}\')\n',
    )
    with pytest.raises(ExternalError):
        guest.choose(first_view(), Budget(), Random(1))
    assert guest.choose(first_view(), Budget(), Random(1)) is Action("-1")
    guest.close()


def ask_often(guest: External) -> None:
    """Ask more than fits into a pipe, and not so fast that a slow program could keep up."""
    for _ in range(2_000):
        guest.choose(first_view(), Budget(), Random(1))
        time.sleep(0.005)


@pytest.mark.process
def test_a_program_that_never_reads_cannot_fill_the_pipe(tmp_path: Path) -> None:
    """It talks without listening; sooner or later that is an error, and never a wait."""
    talk = 'while True:\n    print(\'{"type": "action", "action": "-1"}\', flush=True)\n'
    guest = bot(tmp_path, GREETING + talk)
    with pytest.raises(ExternalError, match="before it was asked"):
        ask_often(guest)


@pytest.mark.process
def test_a_program_that_is_not_there() -> None:
    """The sentence says so."""
    with pytest.raises(ExternalError, match="nonsuch-bot cannot be started") as caught:
        External("nonsuch-bot").choose(first_view(), Budget(), Random(1))
    assert caught.value.code == "external.start"


# ── Specs ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("spec", "command", "timeout"),
    [
        ("external:python3 bot.py", "python3 bot.py", 10_000),
        ("external:bot --a=1,2 --b", "bot --a=1,2 --b", 10_000),
        ("external:command=bot --a=1", "bot --a=1", 10_000),
        ("external:timeout_ms=500,bot a=b,timeout_ms=7", "bot a=b,timeout_ms=7", 500),
        ("external:timeout_ms=500,command=bot", "bot", 500),
        ("external:C:bot 'two words'", "C:bot 'two words'", 10_000),
    ],
)
def test_a_command_goes_on_to_the_end(spec: str, command: str, timeout: float) -> None:
    """Commas, colons and equals signs are the command's own."""
    assert player(spec) == External(command, timeout)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("external", "a command is needed"),
        ("external:", "a command is needed"),
        ("external:timeout_ms=500", "a command is needed"),
        ("external:timeout_ms=soon,bot", "should be a number"),
        ("external:timeout_ms=0,bot", "more than 0"),
        ("external:timeout_ms=nan,bot", "more than 0"),
        ("external:bot 'unclosed", "quotation"),
    ],
)
def test_a_bad_spec_is_explained(spec: str, words: str) -> None:
    """Before anything is started."""
    with pytest.raises(NotUnderstood, match=words) as caught:
        player(spec)
    assert caught.value.code == "input.player"


# ── Secrecy ──────────────────────────────────────────────────────────────────────────────────


def asked(round: Round, seat: int) -> bytes:
    """The line that a seat's program would get."""
    return wire.line(wire.question(View.of(round, seat), Budget(ms=50), 7)).encode()


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_hidden_cards_change_no_byte(players: int, face: str) -> None:
    """Two rounds that a seat cannot tell apart give it the same lines."""
    compared = 0
    for pair in pairs(players, face, Random(f"external {players} {face}"), 60):
        if pair.seat is not None:
            assert asked(pair.left, pair.seat) == asked(pair.right, pair.seat)
            compared += 1
    assert compared >= 20


@pytest.mark.process
@pytest.mark.clause("R33")
def test_opponents_of_a_person_are_processes_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One program for two seats of `play` is two processes; none hears what another was dealt."""
    source = GREETING + (
        "import os, json\nfor line in sys.stdin:\n"
        "    seat = json.loads(line)['seat']\n"
        "    open(f'{sys.argv[0]}.{os.getpid()}', 'a').write(f'{seat} ')\n"
        '    print(\'{"type": "action", "action": "-1"}\', flush=True)\n'
    )
    (tmp_path / "bot.py").write_text(source, encoding="utf-8")
    # Nothing is compiled here.
    monkeypatch.setattr("catinthebox.cli.play.opponents.Warmup", lambda *_: None)
    opponents = Opponents([f"external:{sys.executable} {tmp_path / 'bot.py'}"], me=1, players=3)
    for seat in (2, 0, 2, 0):
        opponents.choose(seat, View.of(Round.deal(DEAL), seat), Random(1), Terminal())
    received = [file.read_text() for file in tmp_path.glob("bot.py.*")]
    assert sorted(received) == ["0 0 ", "2 2 "]
    assert alone(External("bot"))
    assert not any(alone(player(name)) for name in ("random", "careful", "sharp", "ismcts"))


@pytest.mark.clause("R33")
def test_questions_are_made_of_public_words() -> None:
    """Nothing that begins with an underscore is read from a view."""
    source = Path(wire.__file__).read_text(encoding="utf-8")
    assert not re.search(r"view\.(_|vector|sample|dealt)", source)


# ── The page ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.process
def test_the_conversation_of_the_page_is_true() -> None:
    """Word for word what is said between a round and the example program."""
    page = PAGE.read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```conversation\n(.*?)^```", page, flags=re.M | re.S)
    guest = External(EXAMPLE)
    said = conversation(guest)
    guest.close()
    assert shown == said


def conversation(guest: External) -> str:
    """A greeting, a discard, a bid and a play, as lines that go out and come in."""
    lines: list[str] = []
    ask = guest.program.ask

    def got(line: str) -> str:
        answer = ask(line)
        lines.extend((f"→ {line}\n", f"← {answer}\n"))
        return answer

    guest.program.ask = got  # type: ignore[method-assign]
    rng = Random(1)
    for moves in ("", "-2 -3 -4 =1 =3", "-2 -3 -4 =1 =3 =3 5b 6b"):
        view = View.of(Round.deal(DEAL).replay(moves), 2, totals=(4, 7, 2), rounds_left=1)
        guest.choose(view, Budget(ms=500), rng)
    return "".join(lines)


def test_every_field_and_code_is_described() -> None:
    """The tables of the page name all of them, and nothing else."""
    page = PAGE.read_text(encoding="utf-8")
    fields = wire.question(first_view(), Budget(), 1)
    rows = re.findall(r"^\| (`[^|]*`) \|", page, flags=re.M)
    words = {word for cell in rows for word in re.findall(r"`([^`]+)`", cell)}
    assert {word for word in words if not word.startswith("external.")} == set(fields)
    sources = "".join(
        (ROOT / "src/catinthebox/players" / name).read_text(encoding="utf-8")
        for name in ("external.py", "program.py")
    )
    codes = set(re.findall(r'"(external\.[a-z]+)"', sources))
    assert {word for word in words if word.startswith("external.")} == codes
    assert {code for code, _ in BAD.values()} | {"external.start", "external.late"} == codes


def test_a_line_is_one_line() -> None:
    """Plain ASCII without line breaks, far below the limit of a line."""
    line = asked(Round.deal(DEAL), 2)
    assert json.loads(line)["type"] == "choose"
    assert line.isascii()
    assert b"\n" not in line
    assert len(line) < 4096
