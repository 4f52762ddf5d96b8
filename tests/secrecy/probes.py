"""Everything that an audience can ask for, one question after the other.

A question may be impolite, or nonsense; it never leads a game away from its plot.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from secrecy.people import API, EVERYBODY, Person
from secrecy.simulated_server import HERE, SimulatedServer, Wire

from catinthebox import ACTIONS, Phase
from catinthebox.table import Table

METRICS: Final = "metrics"  # anyone who reads the numbers
RECORD: Final = "record"  # anyone who reads the record of a game that is over: it tells every hand

NONSENSE: Final = (
    *("", "{", "[]", "null", '{"type":"Peek"}', '{"type":"Do","id":"x"}', "\x00", "[" * 99),
    '{"type":"Ask","id":"x","action":"5x"}',
    '{"type":"Do","id":"odd","command":{"type":"Gone"}}',
    '{"type":"Do","id":"odd","command":{"type":"Act","action":"5b","seat":99}}',
    '{"type":"Do","id":"odd","command":{"type":"Act","action":"5b","hand":"all"}}',
    '{"type":"Do","id":"odd odd","command":{"type":"Start"}}',
    '{"type":"Hello","token":"again"}',
)
IMPOLITE: Final[tuple[dict[str, object], ...]] = (
    {"type": "Start"},
    {"type": "Close"},
    {"type": "Kick", "seat": 9},
    {"type": "Readmit", "name": "Ada"},
    {"type": "Host", "seat": 9},
    {"type": "RemoveBot", "seat": 9},
    {"type": "AddBot", "seat": 0, "level": "external:cat"},
    {"type": "AddBot", "seat": 0, "level": "gentle"},
    {"type": "Sit", "name": "Ada", "nonce": "0"},
    {"type": "Sit", "name": "a|b", "seat": 1},
    {"type": "Sit", "name": "Zoe", "seat": 1, "nonce": "xyz"},
    {"type": "Rematch", "nonce": "no"},
    {"type": "Say", "text": "rude"},
    {"type": "Say", "text": "x" * 201, "preset": False},
)


class Prober:
    """Asks on behalf of the audience and of everybody else; `ask` draws what."""

    def __init__(self, server: SimulatedServer, table: str, me: Person | None, rng: Random) -> None:
        self.server = server
        keys = server.parts.hub.links
        self.table_id = table
        self.key, watch = keys.play(table), keys.watch(table)
        self.me = me  # the person whose seat the audience has, if it is a person's
        self.rng = rng
        self.watcher = Person(server, "", to=EVERYBODY, table=watch)
        self.reader = Person(server, "", to=EVERYBODY, table=watch, streams=True)
        # Somebody who sits at another table, and may sit down here: they never ask for the links.
        self.stranger = Person(server, "Stranger", to=EVERYBODY, table=self.key)
        self._there = rng.sample((self.watcher, self.reader, self.stranger), 2)
        self.passing: list[tuple[Wire, str]] = []  # connections that are closed again in a moment
        self.table: Table | None = None

    @property
    def crowd(self) -> tuple[Person, ...]:
        """Everybody without a seat here."""
        return self.watcher, self.reader, self.stranger

    def gather(self, version: int | None = None) -> None:
        """Let those look all the time who do not."""
        for person in self._there:
            if not person.connected:
                person.come(person.key, version)

    def look(self, table: Table, many: int) -> None:
        """Ask a few things about a table."""
        self.table = table
        for wire, kind in self.passing:
            wire.hang_up(kind)
        self.passing.clear()
        seated = self.me is not None and table.seat_of(self.me.who) is not None
        own = OWN if seated and table.games else ()  # too many questions cost a seat before a game
        for question in self.rng.choices([*own, *PUBLIC], k=many):
            question(self)
        if table.stage == "over":  # which is seldom, and then there is a record to be read
            read_what_is_over(self)

    # ── What questions need ──────────────────────────────────────────────────────────────────

    def mine(self) -> Person:
        """The person whose seat it is."""
        assert self.me is not None
        return self.me

    def seen(self) -> Table:
        """The table that is looked at."""
        assert self.table is not None
        return self.table

    def version(self) -> int:
        """Some version, mostly one that may be told again."""
        now = self.seen().version
        return self.rng.choice((now, max(0, now - self.rng.randrange(12)), 0, now + 7))

    def action(self) -> str:
        """Any action in notation."""
        return str(self.rng.choice(ACTIONS))

    def illegal(self) -> dict[str, object]:
        """Something that the audience's seat may not do now.

        The decision is named unless the card was never the seat's: a moment later it may be legal,
        and a card that was played comes back when that is taken back.
        """
        table, seat = self.seen(), self.seen().seat_of(self.mine().who)
        assert seat is not None
        round = table.round if table.stage == "play" else None
        legal = round.legal_for(seat) if round else ()
        action = self.rng.choice([action for action in ACTIONS if action not in legal])
        command: dict[str, object] = {"action": str(action), "turn": table.turn}
        if (
            round
            and action.phase is not Phase.BID
            and str(action.rank) not in round.setup.hands[seat]
        ):
            del command["turn"]
        return command


# ── The audience's own questions ─────────────────────────────────────────────────────────────


def ask_everything(prober: Prober) -> None:
    """Ask why not, for every action that there is."""
    for action in ACTIONS:
        prober.mine().talk("Ask", id=f"q{action.id}", action=str(action))


def ask(prober: Prober) -> None:
    """Ask why not."""
    prober.mine().talk("Ask", id="q", action=prober.action())


def ask_by_request(prober: Prober) -> None:
    """Ask the same over HTTP."""
    person = prober.mine()
    person.get(f"{person.path}/why?action={prober.action()}")


def resync(prober: Prober) -> None:
    """Ask for everything."""
    prober.mine().talk("Resync")


def ping(prober: Prober) -> None:
    """Ask for a sign of life."""
    prober.mine().talk("Ping")


def snapshot(prober: Prober) -> None:
    """Ask for everything over HTTP."""
    prober.mine().get(prober.mine().path)


def break_the_rules(prober: Prober) -> None:
    """Do what is not legal."""
    command: dict[str, Any] = prober.illegal()
    prober.mine().do("Act", post=prober.rng.random() < 0.3, **command)


def be_late(prober: Prober) -> None:
    """Answer an earlier question, or another seat's."""
    turn = max(0, prober.seen().turn - 1)
    prober.mine().do("Act", action=prober.action(), turn=turn)
    prober.mine().do("Act", action=prober.action(), seat=prober.rng.randrange(6), turn=turn)


def be_impolite(prober: Prober) -> None:
    """Ask for what is not one's own to ask, or not now."""
    command: dict[str, Any] = dict(prober.rng.choice(IMPOLITE))
    host = prober.seen().host == prober.mine().who
    if not (host and command["type"] in ("Close", "AddBot", "Start")):
        prober.mine().do(str(command.pop("type")), post=prober.rng.random() < 0.3, **command)


def talk_nonsense(prober: Prober) -> None:
    """Send what nobody understands."""
    person, text = prober.mine(), prober.rng.choice(NONSENSE)
    if person.line is not None and prober.rng.random() < 0.6:
        person.line.say(text)
    else:
        body = text.encode()
        person.get(f"{person.path}/commands", method="POST", body=body)


def come_twice(prober: Prober) -> None:
    """Look from another device that has seen a part of it."""
    prober.passing.append((prober.mine().socket(prober.version()), "websocket"))


def stream(prober: Prober) -> None:
    """Read a stream of lines for a moment."""
    prober.passing.append((prober.mine().streamed(prober.version()), "http"))


def say_it_again(prober: Prober) -> None:
    """Send a command that was carried out once more."""
    person = prober.mine()
    known = list(prober.seen().answered.get(person.who, ()))
    if known:
        person.do("Act", id=prober.rng.choice(known), action=prober.action())


def pass_on(prober: Prober) -> None:
    """Ask for the links that others may be given."""
    prober.mine().get(f"{prober.mine().path}/links")


OWN: Final[tuple[Callable[[Prober], None], ...]] = (
    *(ask, ask, ask_by_request, resync, ping, snapshot, snapshot, break_the_rules),
    *(break_the_rules, break_the_rules, be_late, be_impolite, talk_nonsense, come_twice, stream),
    *(say_it_again, ask_everything, talk_nonsense, pass_on),
)


# ── Everybody's questions ────────────────────────────────────────────────────────────────────


def watch(prober: Prober) -> None:
    """Look at the table without a seat."""
    person = prober.rng.choice(prober.crowd)
    person.get(person.path)


def watch_again(prober: Prober) -> None:
    """Come as a spectator who has seen a part of it."""
    if prober.rng.random() < 0.5:
        prober.passing.append((prober.watcher.socket(prober.version()), "websocket"))
    else:
        prober.passing.append((prober.watcher.streamed(prober.version()), "http"))


def watch_on(prober: Prober) -> None:
    """Ask as a spectator, over the connection."""
    person = prober.rng.choice((prober.watcher, prober.stranger))
    person.talk("Resync")
    person.talk("Ask", id="q", action=prober.action())
    person.talk("Do", id="d", command={"type": "Act", "action": prober.action()})


def intrude(prober: Prober) -> None:
    """Ask with the token of another table."""
    person, path, rng = prober.stranger, prober.stranger.path, prober.rng
    if rng.random() < 0.3:
        person.get(f"{path}/why?action={prober.action()}")
        return
    act = {"type": "Act", "action": prober.action(), "seat": rng.randrange(5)}
    command = rng.choice((act, dict(rng.choice(IMPOLITE))))
    person.post(f"{path}/commands", {"id": "intruder", "command": command})


def forge(prober: Prober) -> None:
    """Ask without a token, or with something that is none."""
    path, server, rng = prober.watcher.path, prober.server, prober.rng
    if rng.random() < 0.3:
        wire = server.connect(EVERYBODY, f"{path}/socket")
        Person.say(wire, "Hello", token=rng.choice(("A" * 43, "swordfish")))
        prober.passing.append((wire, "websocket"))
        return
    token, end = rng.choice((("swordfish", ""), ("", "/why?action=5b"), ("", "/commands")))
    method = "POST" if end == "/commands" else "GET"
    server.ask(EVERYBODY, f"{path}{end}", token, method=method, body=b"{}")


def read_the_record(prober: Prober) -> None:
    """Ask for the record of a game, which is refused while it goes on."""
    table, rng = prober.seen(), prober.rng
    number = rng.choice((table.games, table.games, table.games - 1, table.games + 1, "x"))
    over = isinstance(number, int) and number < table.games + (table.stage == "over")
    path = f"{API}/tables/{prober.key}/games/{number}/record.{rng.choice(('cat', 'json'))}"
    to = RECORD if over and number else EVERYBODY
    prober.server.ask(to, path, method=rng.choice(("GET", "GET", "HEAD", "POST")))


def read_what_is_over(prober: Prober) -> None:
    """Ask for the record of the game that is over, in both forms and as a replay."""
    path = f"{API}/tables/{prober.key}/games/{prober.seen().games}"
    for name in ("record.cat", "record.json", "replay.json"):
        prober.server.ask(RECORD, f"{path}/{name}")


def read_the_lobby(prober: Prober) -> None:
    """Look for tables."""
    prober.stranger.get(f"{API}/tables")


def read_the_numbers(prober: Prober) -> None:
    """Read the metrics, from here or from elsewhere."""
    if prober.rng.random() < 0.5:
        prober.server.ask(METRICS, "/metrics", address=HERE)
    else:
        prober.server.ask(EVERYBODY, "/metrics")


def look_elsewhere(prober: Prober) -> None:
    """Ask for tables that are none, or at doors that are none."""
    rng, table = prober.rng, prober.watcher.path
    end = rng.choice(("_keys", "nobody", "..", prober.key[:-1], prober.table_id))
    strange = f"{table}{rng.choice(('', '/events', '/socket', '/why', '/hands'))}"
    door = rng.choice(("/readyz", "/healthz", f"{API}/levels", "/", f"/t/{prober.key}", "/etc"))
    method = rng.choice(("OPTIONS", "HEAD", "PUT"))
    path, method = rng.choice(((f"{API}/tables/{end}", "GET"), (door, "GET"), (strange, method)))
    prober.stranger.get(path, method=method)


def pass_on_what_is_seen(prober: Prober) -> None:
    """Ask as a spectator for the links that others may be given: none of them is to play."""
    prober.watcher.get(f"{prober.watcher.path}/links")


def open_tables(prober: Prober) -> None:
    """Ask for a table that cannot be, or for a token."""
    bad = {"settings": {"players": prober.rng.choice((1, 3)), "face": "black"}}
    path, body = prober.rng.choice(((f"{API}/tables", json.dumps(bad)), (f"{API}/token", "{}")))
    prober.stranger.get(path, method="POST", body=body.encode())


PUBLIC: Final[tuple[Callable[[Prober], None], ...]] = (
    *(watch, watch, watch_again, watch_on, intrude, forge, read_the_record, read_the_lobby),
    *(read_the_numbers, look_elsewhere, open_tables, pass_on_what_is_seen),
)
