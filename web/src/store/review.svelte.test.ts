/** The review that a page shows: what it is at every moment, and what is kept of it. */

import { beforeEach, expect, it, vi } from "vitest";
import type { Review } from "../coach/review";
import type { Found, FoundDecision, ReviewPlan } from "../engine/coach/assemble";
import { assembled } from "../engine/coach/assemble";
import recorded from "../engine/coach/reviews.json";
import { ReviewRefused, type Reviewing } from "../engine/reviewing";
import { keyOfText } from "./records";
import { GameReview, type ReviewState } from "./review.svelte";
import { KeptReviews } from "./reviews";
import { MemoryShelf } from "./testing";

const TEXT = "catinthebox 1\n";
const PLAN: ReviewPlan = {
  ...{ players: 2, names: ["Ada", "Bob"], totals: [3, 1], over: true },
  rounds: [{ points: [3, 1], hasParadox: false, actions: [0, 1, 0].map((seat) => ({ seat, action: "1r" })) }],
};

function decision(step: number, loss = 0): FoundDecision {
  const judged = recorded[0]!.review.rounds[0]!
    .decisions[0] as unknown as Review["rounds"][0]["decisions"][0];
  const { seat, action } = PLAN.rounds[0]!.actions[step]!;
  const [first, second] = judged.actions;
  const actions = [{ ...first!, action }, second!];
  const exact = { loss, best: 1, expected: 2 };
  return { round: 1, decision: { ...judged, step, seat, action, loss, actions }, exact };
}

/** Reviews that go on when they are told to. */
class Reviews {
  readonly asked: Reviewing[] = [];
  readonly #ends: { readonly resolve: (found: Review) => void; readonly reject: (error: unknown) => void }[] =
    [];

  readonly review = (_: string, reviewing: Reviewing = {}): Promise<Review> => {
    this.asked.push(reviewing);
    return new Promise((resolve, reject) => {
      this.#ends.push({ resolve, reject });
      reviewing.signal!.addEventListener("abort", () => reject(reviewing.signal!.reason as Error));
    });
  };

  /** The last review has been asked for: tell what it found. */
  async tell(...found: readonly Found[]): Promise<void> {
    await vi.waitFor(() => expect(this.asked.length).toBeGreaterThan(0));
    const last = this.asked.at(-1)!;
    last.onplan?.(PLAN);
    last.onprogress?.(0, 3);
    for (const one of found) {
      last.onfound?.(one);
      last.onprogress?.(0, 3);
    }
  }

  end(): void {
    const all = [decision(0), decision(1, 1), decision(2)];
    this.#ends.at(-1)!.resolve(assembled(PLAN, all));
  }

  fail(error: unknown): void {
    this.#ends.at(-1)!.reject(error);
  }
}

let reviews: Reviews;
let shelves: [MemoryShelf, MemoryShelf];
let page: GameReview;
beforeEach(() => {
  reviews = new Reviews();
  shelves = [new MemoryShelf(), new MemoryShelf()];
  page = new GameReview({ review: reviews.review, kept: new KeptReviews(...shelves, 1) });
});

const done = (state: ReviewState): number | null => ("done" in state ? state.done : null);

it("is read, grows decision by decision, is done, and then is there at once", async () => {
  const opened = page.open(TEXT);
  expect(page.state.kind).toBe("reading");
  await reviews.tell(decision(0), decision(1));
  expect([page.state.kind, done(page.state)]).toEqual(["running", 2]);
  reviews.end();
  await opened;
  if (page.state.kind !== "done") throw new Error(page.state.kind);
  const { review } = page.state;
  expect(review.accuracy).toEqual([100, 50]);
  page.close();
  expect(page.state.kind).toBe("idle");
  await page.open(TEXT);
  expect(page.state).toEqual({ kind: "done", review });
  expect(reviews.asked).toHaveLength(1);
});

it("stops when it is told to, and goes on where it was", async () => {
  const opened = page.open(TEXT);
  await reviews.tell(decision(0));
  const [first] = reviews.asked;
  page.cancel();
  await opened;
  expect([page.state.kind, done(page.state), first!.signal!.aborted]).toEqual(["stopped", 1, true]);
  first!.onfound?.(decision(1)); // too late
  first!.onprogress?.(2, 3);
  expect([page.state.kind, done(page.state)]).toEqual(["stopped", 1]);
  const resumed = page.resume();
  expect([page.state.kind, done(page.state)]).toEqual(["running", 1]);
  await vi.waitFor(() => expect(reviews.asked.length).toBe(2));
  expect(reviews.asked[1]!.known).toEqual([decision(0)]);
  reviews.end();
  await resumed;
  expect(page.state.kind).toBe("done");
});

it("says why there is none, and tries again with what it had", async () => {
  const problem = { line: 7, column: 3, code: "record.lie", clause: "R18", message: "no" };
  for (const [error, why, told] of [
    [new ReviewRefused("record", problem), "record", problem],
    [new ReviewRefused("unfinished"), "unfinished", null],
    [new Error("gone"), "engine", null],
  ] as const) {
    const opened = page.open(TEXT);
    await expect
      .poll(() => page.state.kind === "reading" && reviews.asked.at(-1)?.signal?.aborted)
      .toBe(false);
    await reviews.tell(decision(0));
    reviews.fail(error);
    await opened;
    expect(page.state).toEqual({ kind: "failed", why, problem: told });
    const resumed = page.resume();
    await vi.waitFor(() => expect(reviews.asked.at(-1)!.known?.length).toBe(1));
    page.close();
    await resumed;
    expect(page.state.kind).toBe("idle");
  }
});

it("shows the game that was opened last", async () => {
  const one = page.open("one");
  await vi.waitFor(() => expect(reviews.asked.length).toBe(1));
  const other = page.open("other");
  await vi.waitFor(() => expect(reviews.asked.length).toBe(2));
  expect(reviews.asked.map(({ signal }) => signal!.aborted)).toEqual([true, false]);
  reviews.end();
  await Promise.all([one, other]);
  expect(page.state.kind).toBe("done");
  expect([...shelves[0].values.keys()]).toEqual([keyOfText("other")]);
});

it("does nothing where there is nothing to stop, or to go on with", async () => {
  page.cancel();
  await page.resume();
  expect([page.state.kind, reviews.asked.length]).toEqual(["idle", 0]);
});

// ── What is kept ──────────────────────────────────────────────────────────────────────────────

const REVIEW = recorded[0]!.review as unknown as Review;

it("keeps a review small, and as it was; not one of another coach", async () => {
  const kept = new KeptReviews(...shelves, 2);
  await kept.keep(TEXT, REVIEW, 5);
  expect(await kept.find(TEXT)).toEqual(REVIEW);
  expect(await kept.accuracies()).toEqual(new Map([[keyOfText(TEXT), REVIEW.accuracy]]));
  const { review } = shelves[0].values.get(keyOfText(TEXT)) as { review: Uint8Array };
  expect(review.length).toBeLessThan(JSON.stringify(REVIEW).length / 3);
  const newer = new KeptReviews(...shelves, 3);
  expect(await newer.find(TEXT)).toBeNull();
  expect(await newer.accuracies()).toEqual(new Map());
});

it("does without what is damaged, and where nothing can be kept", async () => {
  const kept = new KeptReviews(...shelves, 2);
  await kept.keep(TEXT, REVIEW);
  const key = keyOfText(TEXT);
  for (const damage of [
    null,
    7,
    {},
    { coach: 2 },
    { coach: 2, review: "{" },
    { coach: 2, review: new Uint8Array(9) },
  ]) {
    shelves[0].values.set(key, damage);
    shelves[1].values.set(key, damage);
    expect(await kept.find(TEXT)).toBeNull();
    expect((await kept.accuracies()).size).toBe(0);
  }
  for (const shelf of shelves) shelf.trouble = "forbidden";
  await kept.keep(TEXT, REVIEW);
  expect(await kept.find(TEXT)).toBeNull();
  expect((await kept.accuracies()).size).toBe(0);
});

it("lets the oldest reviews go", async () => {
  const kept = new KeptReviews(...shelves, 2);
  for (let n = 0; n < 203; n += 1) await kept.keep(`game ${n}`, { ...REVIEW, rounds: [] }, n);
  for (const shelf of shelves) {
    expect(shelf.values.size).toBe(200);
    expect(shelf.values.has(keyOfText("game 2"))).toBe(false);
    expect(shelf.values.has(keyOfText("game 3"))).toBe(true);
  }
});

// ── What is read off it ───────────────────────────────────────────────────────────────────────

it("has its decisions in order, also before it is complete", () => {
  const part = assembled(PLAN, [decision(1, 1), decision(0)]);
  expect(part.rounds[0]!.seats).toEqual([]);
  expect(part.rounds[0]!.decisions.map(({ step }) => step)).toEqual([0, 1]);
});
