/** A review in the page is the one of Python, where that is recorded (make.py), and stays the same however it is made. */

import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Review } from "../../coach/review";
import { ACTIONS } from "../generated/rules";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import type { Network } from "../network";
import { answering } from "../answering";
import { EngineClient, type WorkerLike } from "../client";
import type { FromWorker, ToWorker } from "../requests";
import { reviewGame, ReviewRefused, type Reviewing, type ReviewWorker } from "../reviewing";
import { startEngine, startNetwork } from "../testing";
import { isDecision, rounded, type Found } from "./assemble";
import recorded from "./reviews.json";
import { Reviewer } from "./review";

let engine: Engine;
const networks = new Map<number, Network>();
const find = (players: number): Promise<Network | null> => Promise.resolve(networks.get(players) ?? null);
beforeAll(async () => {
  for (const players of [2, 3]) networks.set(players, await startNetwork(players));
});
beforeEach(async () => void (engine = await startEngine())); // every worker takes some of its memory

/** What works for a page, and what it was asked. */
class Worker implements ReviewWorker {
  readonly asked: string[] = [];
  open = 0;
  closed = false;
  readonly #reviewer: Reviewer;

  constructor(
    readonly dies: (asked: number) => boolean = () => false,
    network = find,
  ) {
    this.#reviewer = new Reviewer(engine, network);
  }

  async ask(kind: string, request: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> {
    signal.throwIfAborted();
    this.asked.push(`${kind} ${JSON.stringify({ ...(request as object), text: "" })}`);
    if (this.dies(this.asked.length)) throw new Error("the worker is gone");
    this.open += 1;
    try {
      return (await this.#answer(kind, request as never, signal)) as never;
    } finally {
      this.open -= 1;
    }
  }

  #answer(
    kind: string,
    request: { text: string; round: number; step: number },
    signal: AbortSignal,
  ): unknown {
    if (kind === "reviewPlan") return this.#reviewer.plan(request.text);
    if (kind === "reviewParadox") return this.#reviewer.paradox(request.text, request.round);
    return this.#reviewer.decide(request, signal);
  }

  close(): void {
    this.closed = true;
  }
}

const [game] = recorded;
const FEW = { worlds: 4, seed: 3 };

const review = (text: string, reviewing: Reviewing = {}, worker = new Worker()): Promise<Review> =>
  reviewGame(text, { ...reviewing, open: () => worker });

// ── Like Python ───────────────────────────────────────────────────────────────────────────────

/** Numbers agree up to the last digit that is shown; everything else agrees. */
function agree(mine: unknown, python: unknown, where: string): void {
  if (typeof python === "number")
    expect(Math.abs((mine as number) - python), where).toBeLessThan(lastDigit(where));
  else if (python === null || typeof python !== "object") expect(mine, where).toBe(python);
  else
    for (const [name, value] of Object.entries(python))
      if (name !== "english" && name !== "catinthebox_review")
        agree((mine as Record<string, unknown>)[name], value, `${where}.${name}`);
}

const SHARES = /\.(paradox|bid|any_paradox|wins|chance|numbers\.\w+)$/;
const lastDigit = (where: string): number =>
  SHARES.test(where) ? 0.0011 : where.includes("accuracy") ? 0.11 : 0.011;

test.each(recorded.map((one) => [one.review.players, one] as const))(
  "a game of %i is reviewed as in Python",
  async (_, { text, worlds, seed, review: python }) => {
    const mine = await review(text, { worlds, seed });
    agree(mine, python, "");
    for (const [at, { decisions, seats }] of python.rounds.entries()) {
      expect(mine.rounds[at]!.decisions).toHaveLength(decisions.length);
      expect(mine.rounds[at]!.seats).toHaveLength(seats.length);
      for (const [n, { reasons }] of decisions.entries())
        expect(mine.rounds[at]!.decisions[n]!.reasons).toHaveLength(reasons.length);
    }
  },
);

test("the recorded games have faults, paradoxes that could be avoided early and until the end, and reasons", () => {
  const rounds = recorded.flatMap(({ review }) => review.rounds as Review["rounds"]);
  const decisions = rounds.flatMap(({ decisions }) => decisions);
  expect(decisions.filter(({ verdict }) => verdict === "mistake").length).toBeGreaterThan(2);
  expect(decisions.filter(({ reasons }) => reasons.length).length).toBeGreaterThan(2);
  expect(rounds.map((one) => one.paradox_unavoidable_after).filter((after) => after).length).toBeGreaterThan(
    0,
  );
});

test("numbers are rounded as in Python: of two that are equally near, to the even one", () => {
  const pairs = [
    [0.125, 2, 0.12],
    [0.375, 2, 0.38],
    [-0.125, 2, -0.12],
    [0.0625, 3, 0.062],
    [2.675, 2, 2.67],
    [1.005, 2, 1],
    [0.25, 1, 0.2],
    [-0.001, 2, 0],
    [7, 2, 7],
  ] as const;
  for (const [number, digits, near] of pairs) expect(rounded(number, digits)).toBe(near);
});

// ── On the way ────────────────────────────────────────────────────────────────────────────────

test("progress counts every decision once, and what is told is the review", async () => {
  const progress: number[] = [];
  const found: Found[] = [];
  const told = {
    onprogress: (done: number) => void progress.push(done),
    onfound: (one: Found) => void found.push(one),
  };
  const { rounds } = await review(game!.text, { ...FEW, ...told });
  const all = rounds.flatMap(({ decisions }) => decisions);
  expect([...new Set(progress)]).toEqual(Array.from({ length: all.length + 1 }, (_, n) => n));
  expect(new Set(found.filter(isDecision).map(({ decision }) => decision))).toEqual(new Set(all));
});

test("a review that goes on where it was is the one that was made at once, and asks nothing twice", async () => {
  const whole = await review(game!.text, FEW);
  const found: Found[] = [];
  const workers: Worker[] = [];
  for (const last of [5, 20, Infinity]) {
    workers.push(new Worker((asked) => asked > last));
    const again = { ...FEW, known: [...found], onfound: (one: Found) => void found.push(one) };
    const made = review(game!.text, again, workers.at(-1));
    if (last < Infinity) await expect(made).rejects.toThrow("the worker is gone");
    else expect(await made).toEqual(whole);
  }
  const keys = found.map((one) => `${one.round} ${isDecision(one) ? one.decision.step : ""}`);
  expect(keys.length).toBe(new Set(keys).size);
  expect(workers.map(({ closed }) => closed)).toEqual([true, true, true]);
});

/** A worker that answers as the real one does, and dies in place of an answer. */
class Mortal implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  readonly #hear: WorkerLike["postMessage"];
  #left: number;

  constructor(answers: number) {
    this.#left = answers;
    const worker = new Worker();
    const handle =
      (kind: string) =>
      (_: Engine, request: unknown, signal: AbortSignal): unknown =>
        worker.ask(kind, request, { signal });
    const kinds = ["reviewPlan", "reviewDecision", "reviewParadox"];
    const handlers = Object.fromEntries(kinds.map((kind) => [kind, handle(kind)]));
    const parts = { connect: () => undefined, die: () => undefined };
    const post = (data: FromWorker): void => this.#post(data);
    this.#hear = answering({ engine: Promise.resolve(engine), handlers, post, ...parts });
    queueMicrotask(() => this.#post({ type: "Ready" }));
  }

  #post(data: FromWorker): void {
    if (data.type === "Answer" && (this.#left -= 1) < 0) this.onerror?.({ message: "out of memory" });
    else this.onmessage?.({ data });
  }

  postMessage(message: ToWorker): void {
    this.#hear(message);
  }

  terminate(): void {
    this.#left = 0;
  }
}

test("a worker that dies on the way is replaced, and the review is the same", async () => {
  const whole = await review(game!.text, FEW);
  let workers = 0;
  const open = (): EngineClient =>
    new EngineClient(
      () => new Mortal((workers += 1) * 7),
      () => null,
    );
  const progress: number[] = [];
  const onprogress = (done: number): void => void progress.push(done);
  expect(await reviewGame(game!.text, { ...FEW, open, onprogress })).toEqual(whole);
  expect(workers).toBeGreaterThan(2);
  expect(progress).toEqual([...progress].sort((one, other) => one - other));
});

test("one that is cancelled stops its worker, and tells nothing more", async () => {
  const control = new AbortController();
  const worker = new Worker();
  let told = 0;
  const onfound = (): void => {
    if ((told += 1) === 3) control.abort(new Error("no longer"));
  };
  const stopped = review(game!.text, { ...FEW, signal: control.signal, onfound }, worker);
  await expect(stopped).rejects.toThrow("no longer");
  const asked = worker.asked.length;
  await vi.waitFor(() => expect(worker.open).toBe(0));
  expect([told, worker.closed, worker.asked.length]).toEqual([3, true, asked]);
  const before = { signal: AbortSignal.abort(new Error("never")) };
  await expect(review(game!.text, before, worker)).rejects.toThrow("never");
  expect(worker.asked).toHaveLength(asked);
});

// ── What cannot be reviewed ───────────────────────────────────────────────────────────────────

/** The refusal of a text, and what its worker was asked. */
async function refusal(
  text: string,
  worker = new Worker(),
): Promise<readonly [ReviewRefused, readonly string[]]> {
  const error = await review(text, FEW, worker).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ReviewRefused);
  expect(worker.closed).toBe(true);
  return [error as ReviewRefused, worker.asked];
}

test("a record that does not check is refused with its line, and nothing is analysed", async () => {
  const lines = game!.text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("trick") && !line.startsWith("scores")) continue;
    const last = line.at(-1) === "0" ? "1" : "0";
    const damaged = [...lines.slice(0, at), line.slice(0, -1) + last, ...lines.slice(at + 1)].join("\n");
    const [{ fault, problem }, asked] = await refusal(damaged);
    expect([fault, problem!.line, asked.length]).toEqual(["record", at + 1, 1]);
  }
});

test("a game that is not over is refused", async () => {
  const [{ fault, problem }, asked] = await refusal(game!.text.slice(0, game!.text.indexOf("round 2")));
  expect([fault, problem, asked.length]).toEqual(["unfinished", null, 1]);
});

test("without the network no verdict is given", async () => {
  const [{ fault }] = await refusal(game!.text, new Worker(undefined, () => Promise.resolve(null)));
  expect(fault).toBe("network");
});

// ── Secrecy ───────────────────────────────────────────────────────────────────────────────────

test("a decision is judged by what its seat could know: legal actions, each with its chance", async () => {
  const { rounds } = await review(game!.text, FEW);
  const known = new Set(Array.from({ length: ACTIONS }, (_, action) => notationOf(action)));
  for (const { actions, action, worlds } of rounds.flatMap(({ decisions }) => decisions)) {
    expect(actions.map((one) => one.action)).toContain(action);
    expect(actions.every((one) => known.has(one.action))).toBe(true);
    expect(actions.reduce((sum, { chance }) => sum + chance!, 0)).toBeCloseTo(1, 1);
    expect([FEW.worlds, 4 * FEW.worlds]).toContain(worlds);
  }
});
