"""Records of finished games, as they are downloaded and checked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from server.harness import House, house

from catinthebox.fair import proven, verify
from catinthebox.game import record


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("records")) as running:
        yield running


def finish(here: House, table: str) -> None:
    """Play a game of Ada against bots to its end."""
    moves = 0
    with here.line(table, "Ada") as line:
        while True:
            message = line.hear("Snapshot", "Frame")
            happened = {one["type"] for one in message.get("news", ())}
            if "GameOver" in happened:
                return
            moves += 1
            id = f"{message['version']}-{moves}"
            if "RoundOver" in happened:
                line.do(id, type="Ready")
            elif message["own"] and message["own"]["legal"]:
                line.do(id, type="Act", action=message["own"]["legal"][0])


def path(table: str, number: int | str, ending: str = "cat") -> str:
    return f"/api/v1/tables/{table}/games/{number}/record.{ending}"


def test_a_record_only_after_the_game(here: House) -> None:
    """It tells every hand, so it is for afterwards; then it is for everybody."""
    table = here.game()
    early = here.get(path(table, 1), "Ada")
    assert (early.status_code, early.json()["code"]) == (409, "table.not_over")
    finish(here, table)
    answer = here.get(path(table, 1))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert f'filename="{table}-1.cat"' in answer.headers["content-disposition"]
    game = record.read(answer.text)
    assert game.over
    assert game.names == ("Ada", "gentle", "gentle")


def test_the_deals_can_be_checked(here: House) -> None:
    """By whoever has the record; one card changed, and it shows."""
    bots = [{"level": "gentle"}] * 2
    table = here.open("Ada", bots=bots, start=True, nonce="ab" * 32)
    commitment = here.snapshot(table)["game"]["commitment"]
    finish(here, table)
    text = here.get(path(table, 1)).text
    game = record.read(text)
    assert game.fairness is not None
    assert game.fairness.commitment == commitment
    assert proven(verify(game))
    secret = game.fairness.secret.hex() if game.fairness.secret else ""
    tampered = text.replace(secret, ("0" if secret[0] != "0" else "1") + secret[1:])
    assert not proven(verify(record.read(tampered)))


def test_both_forms_tell_the_same(here: House) -> None:
    """For people, and for programs."""
    table = here.game()
    finish(here, table)
    cat, json = here.get(path(table, 1)), here.get(path(table, 1, "json"))
    assert json.headers["content-type"] == "application/json"
    assert record.read(cat.text) == record.read_json(json.text)


def test_earlier_games_keep_their_records(here: House) -> None:
    """A rematch does not take the first game's record away."""
    table = here.game()
    finish(here, table)
    first = here.get(path(table, 1)).text
    here.do(table, "Ada", "again", type="Rematch")
    assert here.snapshot(table)["room"]["stage"] == "play"
    assert here.get(path(table, 1)).text == first
    assert here.get(path(table, 2)).status_code == 409
    finish(here, table)
    second = here.get(path(table, 2)).text
    assert second != first
    assert here.get(path(table, 1)).text == first
    assert record.read(second).over


@pytest.mark.parametrize(
    ("number", "status"), [("0", 400), ("x", 400), ("-1", 400), ("01", 400), ("7", 409)]
)
def test_games_are_counted_from_one(here: House, number: str, status: int) -> None:
    """Others do not exist."""
    assert here.get(path(here.game(), number)).status_code == status


def test_before_the_first_game_there_is_no_record(here: House) -> None:
    """Nor at a table that nobody knows."""
    assert here.get(path(here.open("Ada"), 1)).status_code == 409
    assert here.get(path("nowhere", 1)).status_code == 404
