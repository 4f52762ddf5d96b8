"""Evidence of fair deals, as a game holds it."""

from __future__ import annotations

import pytest
from fair_games import noise, nonces_of

from catinthebox import BadSetup, Game, NotLegal
from catinthebox.fair import deal, promise
from catinthebox.game import Fairness

SECRET, NONCES = noise("secret"), nonces_of(3)


def test_all_problems_at_once() -> None:
    """Version, commitment, table, nonces and secret."""
    with pytest.raises(BadSetup) as caught:
        Fairness("a b", "ABC", (b"1",), b"2", version=2)
    codes = [problem.code for problem in caught.value.problems]
    assert codes == [f"setup.{w}" for w in ("fair", "commitment", "table", "nonces", "secret")]


@pytest.mark.clause("R33")
def test_the_secret_waits_for_the_end() -> None:
    """A game neither begins with it nor takes it before it is over."""
    evidence = promise(SECRET, "lab-7", NONCES)
    game = Game.new(3, fairness=evidence).deal(*deal(SECRET, "lab-7", NONCES, 1))
    with pytest.raises(NotLegal, match="when the game is over") as refused:
        game.reveal(SECRET)
    assert (refused.value.code, refused.value.clause) == ("illegal.secret", "R33")
    revealed = Fairness("lab-7", evidence.commitment, NONCES, SECRET)
    with pytest.raises(BadSetup, match="when the game is over"):
        Game.new(3, fairness=revealed)
    with pytest.raises(BadSetup, match="3 nonces for 4 players"):
        Game.new(4, fairness=evidence)
    with pytest.raises(NotLegal, match="no fair deals were promised"):
        Game.new(3).reveal(SECRET)


def test_it_is_written_as_code() -> None:
    """`repr` rebuilds it, and a list of nonces is as good as a tuple."""
    evidence = Fairness("lab-7", "0" * 64, [*NONCES], SECRET)  # type: ignore[arg-type]
    assert eval(repr(evidence)) == evidence
    assert (evidence.nonces, evidence.gave) == (NONCES, (0, 1, 2))
