/**
 * The analysis of a decision (`coach/analysis.py`): what every legal action is worth, by what its seat may know.
 * With a number of worlds it is the same as in Python, up to the order of sums in 32-bit floats where a network plays.
 */

import type { Analysis, Judged, Verdict } from "../../coach/analysis";
import type { Action } from "../../lib/scene";
import { ACTIONS, FIRST_DISCARD, INPUTS, LANE, LED, MAY, PROSPECT, SIZE } from "../generated/rules";
import type { Engine } from "../module";
import { smallNumbers, type Network } from "../network";
import { LETTERS, notationOf, declared } from "../notation";
import { breathe } from "../slice";
import type { Sight } from "../table/sight";
import { Calibration } from "./calibration";
import { Ends, quantile } from "./ends";
import { NetworkRollouts, NetworkRoom, sharesOf } from "./network_rollouts";
import { reasonsFor } from "./reasons";
import { CarefulRollouts, CoachRoom, MOST_ROWS, MOST_WORLDS, type Method, type Rollouts } from "./rollouts";

/** Every seat goes on as a careful player; or the network makes the next decisions; or all of them. */
export const METHODS = {
  careful: { decisions: 0, trust: 1, witness: true, corrected: true },
  mixed: { decisions: 8, trust: 1, witness: true, corrected: false },
  network: { decisions: 1000, trust: 1, witness: false, corrected: false },
} as const satisfies Record<string, Method>;

const SAMPLED = 3; // worlds weighed for each one that is used
const WEIGHING = 0.25; // of the time, about
const FINE = 0.3; // points; a smaller loss is no fault
const MISTAKE = 1; // points; a loss that is clearly larger is a mistake
const DOUBT = 0.1; // the network's probability above which it does not speak against an action
const LEAST = 1e-12; // the lowest probability that differs from 0

export interface Limits {
  readonly seed: bigint;
  readonly method: Method;
  /** Only these actions are compared. */
  readonly only?: readonly Action[];
  /** The search ends after so many worlds, or so many milliseconds. */
  readonly worlds?: number;
  readonly ms?: number;
  readonly signal?: AbortSignal;
  /** What was found so far is told whenever so many milliseconds are over. */
  readonly tell?: { readonly ms: number; readonly found: (found: Analysis) => void };
}

/** An action with everything that is known about it. */
export interface Measured extends Judged {
  readonly margin_within: number;
  /** Bonus points of all others. */
  readonly denied: number;
  /** Expected points of all seats, as found. */
  readonly scores: readonly number[];
}

export interface FullAnalysis extends Analysis {
  readonly actions: readonly Measured[];
}

/** Analyses on one instance of the rules, one at a time: they share its memory. */
export class Analyst {
  readonly #engine: Engine;
  #room: CoachRoom | null = null;
  #networkRoom: NetworkRoom | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Analyse the decision that a seat has to make; a network that is not there has no opinion. */
  analyse(sight: Sight, network: Network | null, limits: Limits): Promise<FullAnalysis> {
    const found = this.#last.then(() => this.#analyse(sight, network, limits));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async #analyse(sight: Sight, network: Network | null, limits: Limits): Promise<FullAnalysis> {
    const { signal, tell, ms = Infinity } = limits;
    const began = performance.now();
    const isLate = (share = 1): boolean => performance.now() - began >= share * ms;
    const pause = async (): Promise<void> => {
      await breathe();
      signal?.throwIfAborted();
    };
    signal?.throwIfAborted();
    const room = (this.#room ??= new CoachRoom(this.#engine));
    const { legal, shares } = firstLook(this.#engine, sight, network);
    const { only } = limits;
    const options = only ? legal.filter((action) => only.includes(notationOf(action))) : legal;
    const most = Math.min(limits.worlds ?? MOST_WORLDS, MOST_WORLDS, Math.floor(MOST_ROWS / options.length));
    const decision = { sight, options, seed: limits.seed };
    const source = this.#source(room, network, decision, limits.method, pause);
    const sampled = await sample(
      source,
      Math.min(SAMPLED * most, MOST_WORLDS),
      () => isLate(WEIGHING),
      limits,
    );
    source.choose(sampled, Math.ceil(sampled / SAMPLED));
    const ends = new Ends(room, options, sight.players);
    const calibration = new Calibration(this.#engine, sight, limits.method.corrected);
    const findings = { sight, method: limits.method, ends, shares, calibration };
    let told = began;
    while (ends.worlds < most && (ends.worlds < 2 || !isLate())) {
      const count = Math.min(source.atOnce, most - ends.worlds);
      await source.play(ends.worlds, count);
      ends.add(count, (place) => source.origin(place));
      if (tell && performance.now() - told >= tell.ms && ends.worlds > 1) {
        tell.found(judged(findings));
        told = performance.now();
      }
    }
    return judged(findings);
  }

  #source(
    room: CoachRoom,
    network: Network | null,
    decision: { readonly sight: Sight; readonly options: readonly number[]; readonly seed: bigint },
    method: Method,
    pause: () => Promise<void>,
  ): Rollouts {
    const batch = method.decisions ? network?.batch : null;
    if (!batch) return new CarefulRollouts(room, decision, pause);
    this.#networkRoom ??= new NetworkRoom(room);
    return new NetworkRollouts(room, this.#networkRoom, batch, decision, method, pause);
  }
}

/** Sample worlds until there is no room or no time for more; return how many. */
async function sample(
  source: Rollouts,
  room: number,
  isLate: () => boolean,
  { ms }: Limits,
): Promise<number> {
  let sampled = 0;
  while (sampled < room && (sampled === 0 || !isLate())) {
    const size = Math.min(ms === undefined ? source.size : source.least, room - sampled);
    await source.sample(sampled, size);
    sampled += size;
  }
  return sampled;
}

interface FirstLook {
  /** The legal actions. */
  readonly legal: readonly number[];
  /** The network's probabilities, by action. */
  readonly shares: Float64Array | null;
}

/** The legal actions, and how much a network likes them. */
function firstLook(engine: Engine, { view, seat, touch }: Sight, network: Network | null): FirstLook {
  const [inputs, legal] = engine.within(() => {
    const [row, numbers] = [engine.row(SIZE, view), engine.row(INPUTS)];
    engine.write_inputs(row, seat, touch, numbers);
    return [Float64Array.from(smallNumbers(engine, numbers)), engine.legal_actions(row, seat)] as const;
  });
  const isLegal = Array.from({ length: ACTIONS }, (_, action) => Number((legal >> BigInt(action)) & 1n));
  const actions = isLegal.flatMap((is, action) => (is ? [action] : []));
  return { legal: actions, shares: network && sharesOf(network.outputs(inputs), isLegal) };
}

// ── Judgements ────────────────────────────────────────────────────────────────────────────────

interface Findings {
  readonly sight: Sight;
  readonly method: Method;
  readonly ends: Ends;
  /** The network's probabilities, by action. */
  readonly shares: Float64Array | null;
  readonly calibration: Calibration;
}

/** What was found so far. */
function judged(findings: Findings): FullAnalysis {
  const { ends, sight, calibration } = findings;
  const best = bestOf(findings);
  const actions = ends.options.map((action) => judgedOne(findings, best, action));
  const cost = ({ verdict, loss }: Judged): number => (verdict === "best" ? -1 : loss);
  actions.sort((one, other) => cost(one) - cost(other) || other.margin - one.margin);
  const reasons = actions.map((other) => [
    other.action,
    reasonsFor({ ends, sight, calibration }, actions[0]!, other),
  ]);
  return { worlds: ends.worlds, actions, why: Object.fromEntries(reasons) as Analysis["why"] };
}

/**
 * The action that others are judged against: the strongest player's choice. Where rounds that were played on say little,
 * the network decides.
 */
function bestOf({ ends, shares, method }: Findings): number {
  const scores = ends.options.map((action) => {
    const opinion = shares ? Math.log(Math.max(shares[action]!, LEAST)) : 0;
    return opinion + (method.trust * ends.mean(action, PROSPECT.ahead)) / (ends.players - 1);
  });
  return ends.options[scores.indexOf(Math.max(...scores))]!;
}

/** Judge an action against the best; the network may be a witness for it. */
function verdictAbout(method: Method, loss: number, noise: number, chance: number | null): Verdict {
  const verdict = verdictOf(loss, noise);
  const isFault = verdict === "slip" || verdict === "mistake";
  return isFault && method.witness && chance !== null && chance > DOUBT ? "close" : verdict;
}

function judgedOne(
  { ends, sight, shares, method, calibration }: Findings,
  best: number,
  action: number,
): Measured {
  const others = ends.players - 1;
  const mean = (column: number): number => ends.mean(action, column);
  const [lost, error] = ends.difference(best, action, PROSPECT.ahead);
  const loss = Math.max(0, lost / others);
  const noise = (quantile(ends.options.length - 1) * error) / others;
  const chance = shares?.[action] ?? null;
  return {
    action: notationOf(action),
    points: calibration.points(mean(PROSPECT.points)),
    within: calibration.width(quantile(1) * ends.error(action, PROSPECT.points)),
    loss,
    loss_within: (quantile(1) * error) / others,
    margin: mean(PROSPECT.ahead) / others,
    margin_within: (quantile(1) * ends.error(action, PROSPECT.ahead)) / others,
    paradox: calibration.chance(PROSPECT.caused, mean(PROSPECT.caused), ends.worlds),
    any_paradox: mean(PROSPECT.paradox_seen),
    bid: calibration.chance(PROSPECT.kept, mean(PROSPECT.kept), ends.worlds),
    tricks: mean(PROSPECT.tricks),
    group: mean(PROSPECT.group),
    wins: mean(PROSPECT.wins),
    dead: mean(PROSPECT.dead),
    denied: mean(PROSPECT.denied),
    scores: Array.from({ length: ends.players }, (_, seat) => mean(PROSPECT.score + seat)),
    chance,
    verdict: action === best ? "best" : verdictAbout(method, loss, noise, chance),
    gives: givenUp(sight, action),
  };
}

/** Judge an action that is not the best by its loss and the noise of the comparison. */
export function verdictOf(loss: number, noise: number): Verdict {
  if (loss <= noise) return "close";
  if (loss < FINE) return "fine";
  return loss - noise > MISTAKE ? "mistake" : "slip";
}

/** The letter of the color that an action gives up (R16). */
function givenUp({ view, seat }: Sight, action: number): string | null {
  const [led, may] = [view[LED]!, view[MAY + seat]!];
  if (action >= FIRST_DISCARD || !(led & may)) return null;
  const isIn = (color: number): boolean => Boolean((led >> BigInt(LANE * color)) & 1n);
  return isIn(declared(action).color) ? null : LETTERS.find((_, color) => isIn(color))!;
}
