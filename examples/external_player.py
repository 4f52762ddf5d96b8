"""A player in plain Python: a line of JSON in, a line of JSON out (docs/external-players.md).

    catinthebox arena --a "external:python3 examples/external_player.py" --b follow

It sets aside what it holds most of, bids its fair share, follows when it can, and plays high while
it needs tricks, low once it has them.
"""

import json
import sys
from random import Random


def choose(asked):
    """Choose one of the legal actions, written as texts: "-3", "=2", "5b"."""
    legal, hand = asked["legal"], asked["hand"]
    Random(asked["seed"]).shuffle(legal)  # equals are taken by lot, and the same lot every time
    if asked["phase"] == "discard":
        return max(legal, key=lambda action: hand.count(int(action[1])))
    if asked["phase"] == "bid":
        share = (len(hand) - 1) / asked["players"]
        return min(legal, key=lambda action: abs(int(action[1]) - share))
    led = asked["trick"][0]["action"][1] if asked["trick"] else None
    following = [action for action in legal if action[1] == led]
    return max(following or legal, key=lambda action: worth(asked, action))


def worth(asked, action):
    """Rate a card: high and red win tricks, which is welcome only up to the bid."""
    bid = asked["bids"][asked["seat"]] or 4  # two players do not bid; four tricks are fine
    strength = int(action[0]) + asked["ranks"] * (action[1] == "r")
    return strength if asked["won"][asked["seat"]] < bid else -strength


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "name": "example"}
    else:
        answer = {"type": "action", "action": choose(message)}
    print(json.dumps(answer), flush=True)
