"""What the module of the rules exports: the functions of `rules/` and `tactics/` by module."""

from __future__ import annotations

from typing import Final

from .. import rules, tactics
from .module import WasmModule
from .source import Rule, rules_of_packages

EXPORTS: Final = {
    "rules.actions": "act legal_actions",
    "rules.batch": "deal_rows legal_rows playout_rows playout_sums",
    "rules.chance": "seeded step",
    "rules.encode": "encode",
    "rules.explain": "group_cells group_with lost_in_trick open_cells play_effects",
    "rules.faces": "touch_places",
    "rules.fingerprint": "fingerprint",
    "rules.perft": "walk",
    "rules.playout": "choose_action random_round shuffled_deal",
    "rules.reason": "broken broken_play",
    "rules.round": "give_hand open_round open_tricks turn_up",
    "rules.score": "bid_kept bonus_earned largest_group next_starter seat_score winners",
    "rules.sight": "could_be hand_size observe",
    "rules.worlds": "bar cards complete uncertain unseen",
    "tactics.careful": "careful_action rate_actions slipping_action",
    "tactics.endgame": "begin run",
    "tactics.escape": "escape",
    "tactics.inputs": "write_inputs",
    "tactics.ismcts": "chosen search",
    "tactics.kinds": "quick_action",
    "tactics.lookahead": """
        act_rows branch careful_rows count_careful draw_and_act draw_pairs list_rows look
        past_actions rewind_rows""",
    "tactics.prospects": """
        bonus_lost close_rows finish_rows note_rows open_ends sum_by_world sum_column sum_squares
        try_all""",
    "tactics.rollout": "act_once finish",
    "tactics.search": "believe gather imagine open_branches try_actions",
    "tactics.simple": "follow_action modest_action",
    "tactics.thought": """
        best_option end_stage open_thought prepare_thought stage_over sum_found think
        thought_over thought_roots thought_tree thought_worlds time_share tries untried""",
}
RENAMED: Final = {"tactics.ismcts.search": "ismcts"}  # `search` alone would be tactics.search


def exported(found: list[Rule]) -> dict[str, Rule]:
    """The rules that the module exports, by the names that it gives them."""
    by_path = {f"{rule.path.parent.name}.{rule.name}": rule for rule in found}
    wanted = [f"{module}.{name}" for module, names in EXPORTS.items() for name in names.split()]
    return {RENAMED.get(path, path.rpartition(".")[2]): by_path[path] for path in wanted}


def program() -> WasmModule:
    """All rules and tactics, ready to be built."""
    found = rules_of_packages([rules, tactics])
    return WasmModule(found, exported(found))
