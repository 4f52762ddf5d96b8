/**
 * The review of a finished game in the worker (`coach/review.py`): every decision, judged by what its seat could know.
 * The page asks for one decision after another, so it knows how far the review is, can stop it, and goes on where it
 * was when a worker has died. With a number of worlds it finds what Python finds.
 */

import type { Analysis } from "../../coach/analysis";
import type { JudgedDecision } from "../../coach/review";
import type { Action } from "../../lib/scene";
import { ESCAPE, PHASE, PLAYING, SIZE, type Row, type Table } from "../generated/rules";
import type { Engine } from "../module";
import { findNetwork, type FindNetwork } from "../networks";
import { isDiscard, notationOf } from "../notation";
import type { Game } from "../records/game";
import { reading, type Reading } from "../records/read";
import { Round } from "../round";
import { provedWith, viewOf, type Sight } from "../table/sight";
import { Analyst, METHODS, type FullAnalysis, type Measured } from "./analyse";
import { rounded, type FoundDecision, type FoundParadox, type ReviewPlan } from "./assemble";

export const REVIEW_WORLDS = 128; // of the first look
const MORE = 4; // times as many in the second one
const RIVALS = 3; // the best actions, with which the one that was taken is compared
const POSITIONS = 200_000; // of the search for a way around a paradox
const AGAIN = 0x5eed_0004n << 20n; // the second look has another seed

/** Which decision is to be judged, in how many worlds, with which chance. */
export interface DecisionAsked {
  readonly text: string;
  /** From 1. */
  readonly round: number;
  readonly step: number;
  readonly worlds?: number;
  readonly seed?: number;
}

/** A moment of a round: what was done, and what its seat could know; in the play phase, the whole position. */
interface Moment {
  readonly action: Action;
  readonly sight: Sight;
  readonly state: readonly bigint[] | null;
}

/** A game that was read and checked. */
interface Prepared {
  readonly text: string;
  readonly plan: ReviewPlan;
  readonly rounds: readonly (readonly Moment[])[];
}

export class Reviewer {
  readonly #engine: Engine;
  readonly #find: FindNetwork;
  readonly #analyst: Analyst;
  readonly #faces = new Map<string, Row>();
  #search: { readonly state: Row; readonly stack: Table; readonly untried: Row } | null = null;
  #last: Prepared | null = null;

  constructor(engine: Engine, find: FindNetwork) {
    [this.#engine, this.#find, this.#analyst] = [engine, find, new Analyst(engine)];
  }

  /** Read a record and check it: what there is to review. */
  plan(text: string): Reading<ReviewPlan> {
    const read = this.#read(text);
    return read.ok ? { ok: true, found: read.found.plan } : read;
  }

  /** Judge a decision; null without the network, whose word a verdict needs. */
  async decide(asked: DecisionAsked, signal: AbortSignal): Promise<FoundDecision | null> {
    const { round, step, worlds = REVIEW_WORLDS, seed = 0 } = asked;
    const { action, sight } = this.#prepared(asked.text).rounds[round - 1]![step]!;
    const network = await this.#find(sight.players);
    if (!network) return null;
    const lot = BigInt(seed + 1000 * round + step);
    const limits = { method: METHODS.careful, signal };
    const first = await this.#analyst.analyse(sight, network, { ...limits, seed: lot, worlds });
    const only = rivalsOf(first, action);
    const again = { ...limits, seed: lot ^ AGAIN, worlds: MORE * worlds };
    const second = only && (await this.#analyst.analyse(sight, network, { ...again, only }));
    return foundDecision(round, step, sight.seat, action, first, second);
  }

  /** Search for the action after which no plays could avoid a round's paradox; null if the search gives up. */
  paradox(text: string, round: number): FoundParadox {
    const moments = this.#prepared(text).rounds[round - 1]!;
    let latest = moments.length;
    for (let step = moments.length - 1; step >= 0; step -= 1) {
      const { state } = moments[step]!;
      if (!state) break;
      const found = this.#escape(state);
      if (found !== ESCAPE.none) return { round, unavoidable: found === ESCAPE.found ? latest : null };
      latest = step;
    }
    return { round, unavoidable: latest };
  }

  #escape(position: readonly bigint[]): number {
    const engine = this.#engine;
    const { state, stack, untried } = (this.#search ??= {
      state: engine.row(SIZE),
      stack: engine.table(ESCAPE.plays, SIZE),
      untried: engine.row(ESCAPE.plays),
    });
    engine.view(state).set(position);
    return Number(engine.escape(state, stack, untried, POSITIONS));
  }

  // ── The game ────────────────────────────────────────────────────────────────────────────────

  /** A game that was read before; a worker that has just started reads it again. */
  #prepared(text: string): Prepared {
    const read = this.#read(text);
    if (!read.ok) throw new Error(read.problem.message);
    return read.found;
  }

  #read(text: string): Reading<Prepared> {
    if (this.#last?.text === text) return { ok: true, found: this.#last };
    const read = reading(this.#engine, text, (game) => ({ plan: planOf(game), moments: momentsOf(game) }));
    if (!read.ok) return read;
    const { plan, moments } = read.found;
    const rounds = moments.map((all) =>
      all.map(({ touch, ...moment }) => ({
        ...moment,
        sight: { ...moment.sight, touch: this.#touchRow(touch) },
      })),
    );
    return { ok: true, found: (this.#last = { text, plan, rounds }) };
  }

  /** The rows of a record are gone after it was read; those of its face stay. */
  #touchRow(touch: readonly bigint[]): Row {
    const key = touch.join(" ");
    const row = this.#faces.get(key) ?? this.#engine.row(touch.length, touch);
    this.#faces.set(key, row);
    return row;
  }
}

/** One for each module: what it has read is used again. */
const reviewers = new WeakMap<Engine, Reviewer>();

export function reviewerOf(engine: Engine, find: FindNetwork = findNetwork): Reviewer {
  const reviewer = reviewers.get(engine) ?? new Reviewer(engine, find);
  reviewers.set(engine, reviewer);
  return reviewer;
}

const planOf = (game: Game): ReviewPlan => ({
  players: game.players,
  names: game.header.names,
  totals: game.totals,
  over: game.over,
  rounds: game.rounds.map((round) => ({
    points: round.scores ?? [],
    hasParadox: round.paradox !== null,
    actions: round.log.map(({ seat, action }) => ({ seat, action: notationOf(action) })),
  })),
});

/** A moment before the rows of the record are gone. */
interface RawMoment extends Omit<Moment, "sight"> {
  readonly sight: Omit<Sight, "touch">;
  readonly touch: readonly bigint[];
}

/** The moments before every action, round by round. */
function momentsOf(game: Game): readonly (readonly RawMoment[])[] {
  const { scores, players } = game;
  return game.rounds.map((whole, at) => {
    const before = scores.slice(0, at);
    const totals = game.totals.map((_, seat) => before.reduce((total, points) => total + points[seat]!, 0));
    return momentsOfRound(whole, { totals, last: at === players - 1 });
  });
}

function momentsOfRound(
  { engine, deal, touch, log }: Round,
  game: Pick<Sight, "totals" | "last">,
): readonly RawMoment[] {
  const again = new Round(engine, deal, touch);
  const touching = [...engine.view(touch)];
  let proved = 0n;
  return log.map((play, step) => {
    const { seat, action } = play;
    const seen = log.slice(0, step).flatMap((done) => (isDiscard(done) ? [] : [done.action]));
    const sight = { seat, players: again.players, view: viewOf(again, seat), proved, seen, ...game };
    const state = again.slot(PHASE) === PLAYING ? [...engine.view(again.state)] : null;
    proved = provedWith(again, play, proved);
    again.act(play);
    return { action: notationOf(action), sight, state, touch: touching };
  });
}

// ── A decision ────────────────────────────────────────────────────────────────────────────────

const actionOf = (analysis: FullAnalysis, action: Action): Measured =>
  analysis.actions.find((one) => one.action === action)!;

/** What a second look compares an action with: the best others, and the network's favourite; null if none is needed. */
function rivalsOf(first: FullAnalysis, action: Action): readonly Action[] | null {
  const { verdict } = actionOf(first, action);
  if (verdict === "best" || verdict === "close") return null;
  const others = first.actions.filter((one) => one.action !== action).slice(0, RIVALS);
  const chance = ({ chance }: Measured): number => chance ?? 0;
  const favourite = first.actions.reduce((best, one) => (chance(one) > chance(best) ? one : best));
  return [action, favourite.action, ...others.map((one) => one.action)];
}

function foundDecision(
  round: number,
  step: number,
  seat: number,
  action: Action,
  first: FullAnalysis,
  second: FullAnalysis | null,
): FoundDecision {
  const analysis = second ?? first;
  const [taken, best] = [actionOf(analysis, action), analysis.actions[0]!];
  const isLost = taken.verdict !== "best" && taken.verdict !== "close";
  const [loss, within] = isLost ? [taken.loss, taken.loss_within] : [0, 0];
  const exact = { loss, best: best.margin, expected: actionOf(first, action).points };
  const decision = {
    ...{ step, seat, action },
    ...{ verdict: taken.verdict, loss: rounded(loss, 2), loss_within: rounded(within, 2) },
    ...{ best: best.action, worlds: analysis.worlds },
    reasons: reasonsOf(analysis, action),
    actions: first.actions.map(roundedAction),
  };
  return { round, decision, exact };
}

/** What speaks for the best action and against it. */
const reasonsOf = ({ why }: Analysis, action: Action): JudgedDecision["reasons"] =>
  why[action]!.map((reason) => {
    const numbers = Object.entries(reason.numbers).map(([name, number]) => [name, rounded(number, 3)]);
    return { ...reason, numbers: Object.fromEntries(numbers) as Record<string, number> };
  });

/** Points to hundredths, shares to thousandths (`coach/data.py`). */
function roundedAction(one: Measured): Measured {
  const points = ["points", "within", "margin", "margin_within", "loss", "loss_within"] as const;
  const counts = ["tricks", "group", "dead", "denied"] as const;
  const shares = ["paradox", "bid", "any_paradox", "wins", "chance"] as const;
  return {
    ...one,
    ...Object.fromEntries([...points, ...counts].map((name) => [name, rounded(one[name], 2)])),
    ...Object.fromEntries(shares.map((name) => [name, rounded(one[name] ?? 0, 3)])),
    scores: one.scores.map((score) => rounded(score, 2)),
  };
}
