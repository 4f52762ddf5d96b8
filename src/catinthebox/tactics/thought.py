"""A decision of the player `search`, in slices: the driver of worlds, beliefs and halving.

All state of a decision lies in rows of integers that the caller provides, so it can stop between
two calls, look at a clock, or give up. For a budget of rollouts, the decision depends on the view,
the seed and the parameters alone: not on how the work is sliced, nor on the target.

A caller, in any language, does this:

1. `t` is a row of `THOUGHT` slots, `scratch` a table of `SCRATCH` rows of `RATINGS` slots.
   `prepare_thought(t, seat, seed, proved, rollouts, room)` writes the parameters; see there.
   Others have defaults and may be changed now: `t[POLICY]`, `t[BELIEFS]`, `t[EXPLORATION]`,
   `t[PRIOR]`, `t[AIM]`.
2. `open_thought(t, v, weights, touch, scratch)` rates the legal actions at first sight and returns
   how many are worth trying. With one, that is the answer: go to 5.
3. Allocate, in integers of 64 bits: `worlds`, a table of `thought_worlds(t)` rows of `SIZE` slots;
   `chosen`, a row of `thought_worlds(t)`; `tree`, a row of `thought_tree(t)`; `roots`, a row of
   `thought_roots(t)`; and `likelihoods`, a row of `thought_worlds(t)` floats. They may hold
   anything.
4. Call `think(t, v, seen, totals, weights, touch, worlds, likelihoods, chosen, tree, roots,
   scratch, work)` until it returns true. It does at most `work` units of work; a unit is a world
   that is sampled, or one in which every remaining action is tried. `seen` are the ids of all bids
   and plays so far, in order; `totals` are the seats' totals before this round, or zeros.
   Units take different times in different stages: begin with one whenever `stage_over(t)`.
   Between two calls,
   - a caller with a time limit calls `end_stage(t)` once `time_share(t)` of its time is over;
   - a caller that must answer now stops; but while `untried(t)`, it first calls `end_stage(t)` and
     `think` with one unit of work, which happens twice at most.
5. `best_option(t, tree)` is the id of the action to take.

>>> from catinthebox.rules.actions import FIRST_DISCARD
>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import shuffled_deal
>>> from catinthebox.rules.sight import observe
>>> from .careful import RATINGS
>>> from .weights import WEIGHTS
>>> s, v, t = [0] * SIZE, [0] * SIZE, [0] * THOUGHT
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> observe(s, 1, v)
>>> scratch = [[0] * RATINGS for _ in range(SCRATCH)]
>>> model = WEIGHTS[3], touching(white())
>>> prepare_thought(t, 1, 12345, 0, 20, 20)
>>> open_thought(t, v, *model, scratch)
2
>>> rows = thought_worlds(t)
>>> worlds, likelihoods, chosen = [[0] * SIZE for _ in range(rows)], [0.0] * rows, [0] * rows
>>> tree, roots = [0] * thought_tree(t), [0] * thought_roots(t)
>>> work = worlds, likelihoods, chosen, tree, roots, scratch
>>> while not think(t, v, [], [0, 0, 0], *model, *work, 3):
...     pass
>>> best_option(t, tree) - FIRST_DISCARD + 1, tree[ROOT + VISITS]
(1, 20)
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import legal_actions
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.playout import FOLLOW
from .careful import UNIT, rate_actions
from .ismcts import ONE, RANGE, ROOT, TOTAL, VISITS, root_slots, tree_slots
from .rollout import CAREFUL
from .search import AHEAD, VICTORY, WIN, Table, believe, gather, imagine, open_branches, try_actions
from .weights import Weights

MOST: Final = 1_000_000  # rollouts: a tree of 64 MB
WORLDS: Final = 2048  # at most, for one decision; more rollouts reuse them
BELIEVED: Final = 3  # worlds weighed for each one that is used
WEIGHING: Final = 0.2  # of the time at most
FEW: Final = 16  # rollouts for each action; if there are fewer, the worst-rated actions are dropped
DISLIKE: Final = 3  # points; the lowest prior rating
LOT: Final = 0x5EED_0001  # with LUCK: makes worlds, choices and rollouts independent
LUCK: Final = 0x5EED_0002
NO_LIMIT: Final = -1
AUTO: Final = -1  # policy: the one that suits the number of players

# Slots of a thought: its parameters, …
ME: Final = 0  # the seat that decides
SEED: Final = 1
PROVED: Final = 2  # what a red lead has proved (R14b), as `rules.worlds.bar` returns it
ROLLOUTS: Final = 3  # the limit, or NO_LIMIT
CAPACITY: Final = 4  # rollouts that the tree can hold
POLICY: Final = 5  # plays the round after the tree: `rollout.POLICIES`, or AUTO
BELIEFS: Final = 6  # 1 if worlds are weighed by what the others did, else 0
EXPLORATION: Final = 7  # of the tree, in parts of `ismcts.ONE`; 0: no tree
PRIOR: Final = 8  # how many tries the rating at first sight counts for
AIM: Final = 9  # `search.AHEAD`, `search.POINTS`, or in the last round of a game `search.WIN`
# … what was done, …
STAGE: Final = 10  # UNOPENED, SAMPLING, or the number of a stage of halving
STAGES: Final = 11
DONE: Final = 12  # units of work of this stage
GOAL: Final = 13  # units of work after which it ends
SAMPLED: Final = 14  # worlds
DRAWN: Final = 15  # places of `chosen` that are in use
TRIED: Final = 16  # worlds, in all stages
# … and its options, best at first sight first.
OPTIONS: Final = 17  # how many
REMAINING: Final = 18  # how many are left in this stage
ACTION: Final = 20  # and following: the action id of each option
HUNCH: Final = 56  # its rating at first sight, in parts of `UNIT` of a utility; the best has 0
BRANCH: Final = 92  # its node in the tree
ORDER: Final = 128  # the numbers of the remaining options, in the order in which they are tried
MOST_OPTIONS: Final = 36
THOUGHT: Final = ORDER + MOST_OPTIONS

UNOPENED: Final = -2
SAMPLING: Final = -1

# Rows of the scratch table.
WORLD: Final = 0
ENDS: Final = 1
RATED: Final = 2
TRYING: Final = 3
SCRATCH: Final = 4


# ── Before the first try ─────────────────────────────────────────────────────────────────────


@rule
def prepare_thought(t: State, seat: int, seed: int, proved: int, rollouts: int, room: int) -> None:
    """Write the parameters of a decision, with defaults for those that are not named.

    `seed` is an integer from 0 to 2**62 - 1. `rollouts` is the limit, 0 or more; a caller with a
    time limit alone gives NO_LIMIT. `room` is how many rollouts there is memory for, up to `MOST`;
    with a limit of rollouts it is that limit.
    """
    for slot in range(THOUGHT):
        t[slot] = 0
    t[ME] = seat
    t[SEED] = seed
    t[PROVED] = proved
    t[ROLLOUTS] = rollouts
    t[CAPACITY] = min(room, MOST)
    t[POLICY] = AUTO
    t[BELIEFS] = 1
    t[EXPLORATION] = ONE // 2
    t[PRIOR] = 64
    t[AIM] = AHEAD
    t[STAGE] = UNOPENED


@rule
def add_option(t: State, action: int, hunch: int) -> None:
    """Add an option behind all that look as good or better at first sight."""
    place = t[OPTIONS]
    while place > 0 and t[HUNCH + place - 1] < hunch:
        t[ACTION + place] = t[ACTION + place - 1]
        t[HUNCH + place] = t[HUNCH + place - 1]
        place -= 1
    t[ACTION + place] = action
    t[HUNCH + place] = hunch
    t[OPTIONS] += 1


@rule
def list_options(t: State, rated: Sequence[int], legal: int, point: int) -> None:
    """List the legal actions by their ratings; `point` is the utility of a point."""
    best = rated[popcount((legal & -legal) - 1)]
    rest = legal
    while rest != 0:
        best = max(best, rated[popcount((rest & -rest) - 1)])
        rest &= rest - 1
    while legal != 0:
        action = popcount((legal & -legal) - 1)
        legal &= legal - 1
        add_option(t, action, max(-DISLIKE * UNIT, rated[action] - best) * point)


@rule
def open_thought(t: State, v: State, weights: Weights, touch: Sequence[int], scratch: Table) -> int:
    """Rate the legal actions at first sight; return how many are worth trying.

    The seat must have a legal action.
    """
    players = v[PLAYERS]
    rate_actions(v, t[ME], weights, touch, scratch[WORLD], scratch[RATED])
    point = VICTORY // RANGE if t[AIM] == WIN else players - 1
    t[OPTIONS] = 0
    list_options(t, scratch[RATED], legal_actions(v, t[ME]), point)
    if t[ROLLOUTS] != NO_LIMIT:
        few = t[ROLLOUTS] // FEW if t[ROLLOUTS] >= 2 * FEW else min(t[ROLLOUTS], 2)
        t[OPTIONS] = min(t[OPTIONS], max(few, 1))
    t[CAPACITY] = max(t[CAPACITY], t[OPTIONS])
    t[STAGES] = 0
    while 1 << t[STAGES] < t[OPTIONS]:
        t[STAGES] += 1
    if t[POLICY] == AUTO:  # at two players the tree reaches deep, and more rollouts are better
        t[POLICY] = FOLLOW if players == 2 else CAREFUL
    if v[PHASE] == DISCARDING:
        t[BELIEFS] = 0  # nobody has done anything yet
    return t[OPTIONS]


@rule
def thought_worlds(t: State) -> int:
    """Return how many worlds are sampled at most."""
    wanted = min(WORLDS, max(1, 2 * t[CAPACITY] // max(t[STAGES], 1)))
    return wanted * BELIEVED if t[BELIEFS] != 0 else wanted


@rule
def thought_tree(t: State) -> int:
    """Return how many slots the tree needs."""
    return tree_slots(t[CAPACITY] + t[OPTIONS])


@rule
def thought_roots(t: State) -> int:
    """Return how many slots the table of roots needs."""
    return root_slots(t[CAPACITY] + 1)


# ── What was found ───────────────────────────────────────────────────────────────────────────


@rule
def tries(t: State, tree: Sequence[int], option: int) -> int:
    """How often an option was tried."""
    return tree[t[BRANCH + option] + VISITS]


@rule
def sum_found(t: State, tree: Sequence[int], option: int) -> int:
    """Return the sum of an option's results, its prior included, in parts of `UNIT`."""
    return tree[t[BRANCH + option] + TOTAL] * UNIT + t[PRIOR] * t[HUNCH + option]


@rule
def outranks(t: State, tree: Sequence[int], one: int, other: int) -> bool:
    """Whether an option ranks above another: more tries, then a better result, then a lower id."""
    more = tries(t, tree, one) - tries(t, tree, other)
    if more == 0:  # so the means compare as the sums do
        more = sum_found(t, tree, one) - sum_found(t, tree, other)
    if more == 0:
        more = t[ACTION + other] - t[ACTION + one]
    return more > 0


@rule
def best_option(t: State, tree: Sequence[int]) -> int:
    """Return the best action id: of the options tried most, the one with the best result."""
    best = 0
    for option in range(1, t[OPTIONS]):
        if outranks(t, tree, option, best):
            best = option
    return t[ACTION + best]


# ── Stages ───────────────────────────────────────────────────────────────────────────────────


@rule
def open_tree(t: State, tree: State, actions: State, branches: State) -> None:
    """Make the tree, with a branch for every option; the other rows are scratch."""
    for option in range(t[OPTIONS]):
        actions[option] = t[ACTION + option]
        t[ORDER + option] = option
    t[REMAINING] = t[OPTIONS]
    open_branches(tree, t[ME], actions, branches, t[OPTIONS])
    for option in range(t[OPTIONS]):
        t[BRANCH + option] = branches[option]


@rule
def choose_worlds(t: State, likelihoods: Sequence[float], chosen: State) -> None:
    """Choose which of the sampled worlds are used: all, or those that explain the view best."""
    t[DRAWN] = t[SAMPLED]
    if t[BELIEFS] != 0:
        t[DRAWN] = (t[SAMPLED] + BELIEVED - 1) // BELIEVED
        gather(likelihoods, t[SAMPLED], chosen, t[DRAWN], t[SEED] ^ LOT)
    else:
        for world in range(t[DRAWN]):
            chosen[world] = world


@rule
def halve(t: State, tree: Sequence[int]) -> None:
    """Sort the remaining options by rank, and drop the worse half."""
    for number in range(1, t[REMAINING]):
        option = t[ORDER + number]
        place = number
        while place > 0 and outranks(t, tree, option, t[ORDER + place - 1]):
            t[ORDER + place] = t[ORDER + place - 1]
            place -= 1
        t[ORDER + place] = option
    t[REMAINING] = (t[REMAINING] + 1) // 2


@rule
def share_of_stage(t: State, tree: Sequence[int]) -> int:
    """Return how many worlds a stage may use, by its rollouts and the size of the tree."""
    room = (t[CAPACITY] - tree[ROOT + VISITS]) // t[REMAINING]
    if t[ROLLOUTS] == NO_LIMIT:
        return room
    return min(room, max(1, t[ROLLOUTS] // (t[STAGES] * t[REMAINING])))


@rule
def next_stage(
    t: State, likelihoods: Sequence[float], chosen: State, tree: State, scratch: Table
) -> None:
    """End a stage, and begin the next one."""
    t[STAGE] += 1
    t[DONE] = 0
    if t[STAGE] == SAMPLING:
        open_tree(t, tree, scratch[WORLD], scratch[TRYING])
        t[GOAL] = thought_worlds(t)
    else:
        if t[STAGE] == 0:
            choose_worlds(t, likelihoods, chosen)
        else:
            halve(t, tree)
        t[GOAL] = share_of_stage(t, tree)


@rule
def end_stage(t: State) -> None:
    """End the current stage with what was done in it: its time is over."""
    t[GOAL] = t[DONE]


@rule
def time_share(t: State) -> float:
    """Return the part of a decision's time that is over when the current stage should end."""
    if t[STAGE] < 0:
        return WEIGHING
    return (t[STAGE] + 1) / t[STAGES]


@rule
def stage_over(t: State) -> bool:
    """Whether nothing is left to do in the current stage."""
    return t[DONE] >= t[GOAL]


@rule
def thought_over(t: State) -> bool:
    """Whether nothing is left to do at all."""
    return t[OPTIONS] <= 1 or (t[STAGE] + 1 == t[STAGES] and stage_over(t))


@rule
def untried(t: State) -> bool:
    """Whether there are options, but none was tried yet."""
    return t[OPTIONS] > 1 and t[TRIED] == 0


# ── Work ─────────────────────────────────────────────────────────────────────────────────────


@rule
def list_branches(t: State, branches: State) -> int:
    """Write the branches of the remaining options, in their order; return how many there are."""
    for number in range(t[REMAINING]):
        branches[number] = t[BRANCH + t[ORDER + number]]
    return t[REMAINING]


@rule
def think(
    t: State,
    v: State,
    seen: Sequence[int],
    totals: Sequence[int],
    weights: Weights,
    touch: Sequence[int],
    worlds: Table,
    likelihoods: list[float],
    chosen: State,
    tree: State,
    roots: State,
    scratch: Table,
    work: int,
) -> bool:
    """Do up to `work` units of a decision, all in one stage; return whether it is over."""
    if thought_over(t):
        return True
    if stage_over(t):
        next_stage(t, likelihoods, chosen, tree, scratch)
    count = min(max(work, 1), t[GOAL] - t[DONE])
    seat = t[ME]
    u = scratch[WORLD]
    ratings = scratch[RATED]
    # Both kinds of work are called from here: numba would compile them again for a rule between.
    if t[STAGE] == SAMPLING:
        first = t[SAMPLED]
        imagine(v, t[PROVED], t[SEED], worlds, first, count)
        if t[BELIEFS] != 0:
            believe(worlds, first, count, likelihoods, u, seat, seen, weights, touch, ratings)
        t[SAMPLED] += count
    else:
        branches = scratch[TRYING]
        options = list_branches(t, branches)
        try_actions(
            worlds, chosen, t[DRAWN], t[TRIED], count, seat, branches, options,
            t[POLICY], weights, touch, totals, t[AIM], t[EXPLORATION], t[SEED] ^ LUCK,
            tree, roots, u, scratch[ENDS], ratings,
        )  # fmt: skip
        t[TRIED] += count
    t[DONE] += count
    return thought_over(t)
