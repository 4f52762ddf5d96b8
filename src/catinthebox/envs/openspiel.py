"""OpenSpiel: a sequential game with chance nodes. Importing this registers "catinthebox".

>>> game = pyspiel.load_game("catinthebox(players=2,ranks=2,dealt=3,reward=margin)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), game.get_type().utility
(True, <Utility.ZERO_SUM: 0>)

Discards are simultaneous (R7): they are requested by seat, and no information state contains
another seat's discard, so the order does not matter.
"""

from __future__ import annotations

from typing import Any

from ..game import ACTIONS
from ..optional import needs
from ..rules.layout import COPIES
from .observer import Observer
from .tree_game import CHANCE, FINISHED, Rules, TreeTable

with needs("open_spiel", extra="envs"):
    import pyspiel

NAME = "catinthebox"
GameType = pyspiel.GameType


def game_type(utility: Any = GameType.Utility.GENERAL_SUM) -> Any:
    """Describe the game to OpenSpiel."""
    return GameType(
        short_name=NAME,
        long_name="Cat in the Box",
        dynamics=GameType.Dynamics.SEQUENTIAL,
        chance_mode=GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=GameType.RewardModel.TERMINAL,
        max_num_players=5,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        default_loadable=True,
        parameter_specification={
            name: field.default for name, field in Rules.__dataclass_fields__.items()
        },
    )


def utility_of(rules: Rules) -> tuple[Any, float | None]:
    """Return the kind of the utilities' sum."""
    if rules.players == 2 and rules.reward == "margin":
        return GameType.Utility.ZERO_SUM, 0.0
    if rules.players == 2 and rules.reward == "win":
        return GameType.Utility.CONSTANT_SUM, 1.0
    return GameType.Utility.GENERAL_SUM, None


def extremes(rules: Rules) -> tuple[float, float]:
    """Return the bounds of a player's utility."""
    least, most = (points * rules.rounds for points in rules.points)
    if rules.reward == "win":
        return 0.0, 1.0
    return (least - most, most - least) if rules.reward == "margin" else (least, most)


class CatInTheBoxGame(pyspiel.Game):
    """The game under some rules: players, face, length, reward, and the deck."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = Rules(**params)
        utility, total = utility_of(self.rules)
        least, most = extremes(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(ACTIONS),
            max_chance_outcomes=COPIES + 1,
            num_players=self.rules.players,
            min_utility=float(least),
            max_utility=float(most),
            utility_sum=total,
            max_game_length=self.rules.longest,
        )
        super().__init__(game_type(utility), info, params)

    def new_initial_state(self) -> CatInTheBoxState:
        """Return a state before the first deal."""
        return CatInTheBoxState(self)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """Return an observer of one kind; by default, of the present moment."""
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.rules, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum: every pile and rank is decided at most once a round."""
        return self.rules.rounds * len(self.rules.piles) * self.rules.deck[0]


class CatInTheBoxState(pyspiel.State):
    """A state of the game; the names of the methods are OpenSpiel's."""

    def __init__(self, game: CatInTheBoxGame) -> None:
        super().__init__(game)
        self.table = TreeTable(game.rules)
        self._player = self.table.player

    def current_player(self) -> int:
        """The seat to act, or chance, or nobody."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == FINISHED

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal() if player == self._player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return how many copies of a rank the next pile may get, with probabilities."""
        return self.table.outcomes()

    def _apply_action(self, action: int) -> None:
        if self._player == CHANCE:
            self.table.deal(action)
        else:
            self.table.act(action)
        self._player = self.table.player

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return ACTIONS[action].notation
        pile, rank = self.table.next_pile()
        where = f"seat {pile}" if pile < self.table.rules.players else "turned up"
        return f"{where} gets {action} of rank {rank}"

    def returns(self) -> list[float]:
        """Return every player's utility, which is 0 until the end."""
        if self._player != FINISHED:
            return [0.0] * self.table.rules.players
        return self.table.returns()

    def __str__(self) -> str:
        """Describe the whole state, for debugging."""
        seats = range(self.table.rules.players)
        return "\n".join(self.table.history(seat) for seat in seats)


pyspiel.register_game(game_type(), CatInTheBoxGame)
