/**
 * The page's half of a review: it asks the worker for one decision after another.
 *
 * A review has a worker of its own, which ends with it. Analyses share the memory of a module and follow one another, so
 * in the worker of a local game a hint would wait for the review, and the review for the bots; and what a review has
 * loaded, a network of two megabytes and room for thousands of worlds, is given back at once.
 */

import type { Review } from "../coach/review";
import { EngineClient } from "./client";
import { assembled, isDecision, type Found, type ReviewPlan } from "./coach/assemble";
import type { Problem } from "./records/lines";
import type { AnswerOf, Kind, RequestOf } from "./requests";

/** Why a game is not reviewed: its record is wrong, it is not over, or the coach has no network. */
export type ReviewFault = "record" | "unfinished" | "network";

export class ReviewRefused extends Error {
  override readonly name = "ReviewRefused";

  constructor(
    readonly fault: ReviewFault,
    /** What is wrong with the record, and where. */
    readonly problem: Problem | null = null,
  ) {
    super(problem ? `line ${problem.line}: ${problem.message}` : `no review: ${fault}`);
  }
}

/** As much of an engine as is needed; tests bring their own. */
export interface ReviewWorker {
  ask<K extends Kind>(
    kind: K,
    request: RequestOf<K>,
    options: { readonly signal: AbortSignal },
  ): Promise<AnswerOf<K>>;
  close(): void;
}

type Ask = <K extends Kind>(kind: K, request: RequestOf<K>) => Promise<AnswerOf<K>>;

export interface Reviewing {
  readonly signal?: AbortSignal;
  /** What was found before: it is not looked for again. */
  readonly known?: readonly Found[];
  /** Told once, when the record has been checked. */
  readonly onplan?: (plan: ReviewPlan) => void;
  readonly onprogress?: (done: number, all: number) => void;
  readonly onfound?: (found: Found) => void;
  /** Worlds of the first look, and the seed: as in Python, if none are given. */
  readonly worlds?: number;
  readonly seed?: number;
  readonly open?: () => ReviewWorker;
}

const AT_ONCE = 2; // questions: while the page hears an answer, the worker works on the next one

/** Review a finished game by its record. A record that is wrong, or not over, is refused before anything is analysed. */
export async function reviewGame(text: string, reviewing: Reviewing = {}): Promise<Review> {
  const { signal, known = [], onplan, onprogress, onfound, open = openWorker } = reviewing;
  signal?.throwIfAborted();
  const control = new AbortController();
  const stop = (): void => control.abort(signal?.reason);
  signal?.addEventListener("abort", stop);
  const worker = open();
  const ask: Ask = (kind, request) => worker.ask(kind, request, { signal: control.signal });
  try {
    const plan = await planOf(text, ask);
    onplan?.(plan);
    const found = [...known];
    const tell = (): void => onprogress?.(found.filter(isDecision).length, sizeOf(plan));
    tell();
    const jobs = jobsOf(plan, known, { ...reviewing, text });
    const lane = async (): Promise<void> => {
      for (const job of jobs) {
        const one = await job(ask);
        control.signal.throwIfAborted();
        found.push(one);
        onfound?.(one);
        tell();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    return assembled(plan, found);
  } finally {
    control.abort();
    signal?.removeEventListener("abort", stop);
    worker.close();
  }
}

/** How many decisions there are. */
export const sizeOf = ({ rounds }: ReviewPlan): number =>
  rounds.reduce((all, { actions }) => all + actions.length, 0);

async function planOf(text: string, ask: Ask): Promise<ReviewPlan> {
  const read = await ask("reviewPlan", { text });
  if (!read.ok) throw new ReviewRefused("record", read.problem);
  if (!read.found.over) throw new ReviewRefused("unfinished");
  return read.found;
}

type Job = (ask: Ask) => Promise<Found>;

/** What is still to be found, in order; each lane takes the next one. */
function* jobsOf(
  plan: ReviewPlan,
  known: readonly Found[],
  { text, worlds, seed }: { readonly text: string } & Pick<Reviewing, "worlds" | "seed">,
): Generator<Job> {
  const keys = new Set(known.map(keyOf));
  const chance = { ...(worlds === undefined ? {} : { worlds }), ...(seed === undefined ? {} : { seed }) };
  for (const [at, { actions, hasParadox }] of plan.rounds.entries()) {
    const round = at + 1;
    for (const step of actions.keys()) {
      if (keys.has(`${round} ${step}`)) continue;
      yield async (ask) => {
        const found = await ask("reviewDecision", { text, round, step, ...chance });
        if (!found) throw new ReviewRefused("network");
        return found;
      };
    }
    if (hasParadox && !keys.has(`${round}`)) yield (ask) => ask("reviewParadox", { text, round });
  }
}

const keyOf = (found: Found): string =>
  isDecision(found) ? `${found.round} ${found.decision.step}` : `${found.round}`;

/** A worker for one review. */
function openWorker(): EngineClient {
  return new EngineClient();
}
