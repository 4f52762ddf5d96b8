"""A bot in plain Python: it joins a table on a server and plays anything that is legal.

    python3 examples/bot.py http://localhost:8123/t/KEY [NAME]

The server sends a line of JSON for everything that happens; what to do is sent back by POST. Every
command has an id, so it can be sent again without harm: whatever breaks, the bot just comes again.
"""

import json
import random
import secrets
import sys
import time
from http.client import HTTPException
from socket import gaierror
from urllib.error import HTTPError
from urllib.request import Request, urlopen

if len(sys.argv) < 2 or "/t/" not in sys.argv[1]:
    sys.exit("usage: python3 examples/bot.py http://localhost:8123/t/KEY [NAME]: the link to play")
server, _, table = sys.argv[1].rpartition("/t/")
URL = f"{server}/api/v1/tables/{table}"
TOKEN = secrets.token_urlsafe(32)  # it gives control of the seat
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
PARTS = {"Room": "room", "GameShown": "game", "RoundShown": "round", "Turn": "turn"}


class Refused(Exception):
    """The server has understood, and says no."""


def do(id, **command):
    """Ask for something; it is done once, however often it is sent."""
    body = json.dumps({"id": id, "command": command}).encode()
    try:
        urlopen(Request(f"{URL}/commands", body, HEADERS), timeout=60).close()
    except HTTPError as error:
        later = error.code in (408, 425, 429) or error.code >= 500  # the same may be sent again
        raise (OSError if later else Refused)(reason(error)) from None


def reason(error):
    """What the server says about an error; a server of another kind says nothing that we read."""
    try:
        return json.load(error)["message"]
    except (HTTPException, KeyError, TypeError, ValueError):
        return f"{error.code} {error.reason}"


def play():
    """Follow the stream and do what is to be done; give the game once it is over."""
    for line in urlopen(Request(f"{URL}/events", headers=HEADERS), timeout=60):
        message = json.loads(line)
        if message["type"] == "Snapshot":  # everything, at the beginning
            seen = message
        elif message["type"] == "Frame":  # something happened: the parts that are different now
            seen |= {PARTS[new["type"]]: new for new in message["news"] if new["type"] in PARTS}
            seen["own"] = message["own"] or seen["own"]
        me, stage, turn = seen["seat"], seen["room"]["stage"], seen["turn"]
        if stage == "play" and me in turn["to_act"]:
            action = random.choice(seen["own"]["legal"])
            do(f"act-{turn['turn']}", type="Act", action=action, turn=turn["turn"])
        elif stage == "between" and seen["round"] and me not in seen["room"]["ready"]:
            do(f"ready-{seen['game']['round']}", type="Ready")
        elif stage == "over":
            return seen["game"]
    raise OSError("the stream has ended")


def insist(step, *errors):
    """Try something until it works: nobody may be there, or half of an answer may come."""
    while True:
        try:
            return step()
        except (OSError, HTTPException, ValueError, *errors) as error:
            if isinstance(getattr(error, "reason", None), gaierror):
                sys.exit(f"there is no server by this name: {server}")
            print("again:", error, flush=True)
            time.sleep(1)


name = sys.argv[2] if len(sys.argv) > 2 else "Random"
nonce = secrets.token_hex(32)  # our part of the chance: so nobody else can choose the cards
try:
    insist(lambda: do("sit", type="Sit", name=name, nonce=nonce))
except Refused as error:  # no such table, or no free seat
    sys.exit(f"not at this table: {error}")
game = insist(play, Refused)  # what is refused in a game was too late: look again
print("over:", dict(zip(game["names"], game["totals"], strict=True)))
