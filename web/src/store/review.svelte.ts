/** The review of one game, as a page shows it: it is read, judged decision by decision, stopped, gone on with, kept. */

import type { Review } from "../coach/review";
import { assembled, isDecision, type Found, type ReviewPlan } from "../engine/coach/assemble";
import type { Problem } from "../engine/records/lines";
import { reviewGame, ReviewRefused, sizeOf, type ReviewFault as Fault } from "../engine/reviewing";
import { keptReviews, type KeptReviews } from "./reviews";

export { keptReviews } from "./reviews";

/** Why there is no review: also, because there is no engine, or it failed again and again. */
export type ReviewFault = Fault | "engine";

/** A review that is not finished: decisions that were judged, of all. */
interface Part {
  readonly done: number;
  readonly all: number;
  readonly review: Review;
}

export type ReviewState =
  | { readonly kind: "idle" | "reading" }
  | ({ readonly kind: "running" | "stopped" } & Part)
  | { readonly kind: "done"; readonly review: Review }
  | { readonly kind: "failed"; readonly why: ReviewFault; readonly problem: Problem | null };

interface Parts {
  readonly review?: typeof reviewGame;
  readonly kept?: KeptReviews;
}

export class GameReview {
  state = $state.raw<ReviewState>({ kind: "idle" });
  #text = "";
  #plan: ReviewPlan | null = null;
  #found: Found[] = [];
  #control: AbortController | null = null;
  readonly #review: typeof reviewGame;
  readonly #kept: KeptReviews;

  constructor({ review = reviewGame, kept = keptReviews }: Parts = {}) {
    [this.#review, this.#kept] = [review, kept];
  }

  /** Show the review of a game: the kept one, or begin one. */
  async open(text: string): Promise<void> {
    this.close();
    this.#text = text;
    await this.#run();
  }

  /** Stop the work; what was found stays. */
  cancel(): void {
    if (!this.#control) return;
    this.#stop();
    this.state = this.#plan ? { kind: "stopped", ...this.#part(this.#plan) } : { kind: "idle" };
  }

  /** Go on after a stop or a failure. */
  async resume(): Promise<void> {
    if (this.#text && !this.#control && this.state.kind !== "done") await this.#run();
  }

  /** Stop, and forget the game. */
  close(): void {
    this.#stop();
    [this.#text, this.#plan, this.#found] = ["", null, []];
    this.state = { kind: "idle" };
  }

  #stop(): void {
    this.#control?.abort();
    this.#control = null;
  }

  async #run(): Promise<void> {
    const [text, control] = [this.#text, new AbortController()];
    this.#control = control;
    this.state = this.#plan ? { kind: "running", ...this.#part(this.#plan) } : { kind: "reading" };
    try {
      const kept = this.#found.length ? null : await this.#kept.find(text);
      const review = kept ?? (await this.#judged(text, control.signal));
      if (control.signal.aborted) return;
      this.state = { kind: "done", review };
      if (!kept) await this.#kept.keep(text, review);
    } catch (error) {
      if (!control.signal.aborted) this.state = failed(error);
    } finally {
      if (this.#control === control) this.#control = null;
    }
  }

  /** Make the review. A run that was stopped has nothing to say any more. */
  #judged(text: string, signal: AbortSignal): Promise<Review> {
    const news =
      <T>(hear: (told: T) => void) =>
      (told: T): void => {
        if (!signal.aborted) hear(told);
      };
    return this.#review(text, {
      signal,
      known: this.#found,
      onplan: news((plan) => (this.#plan = plan)),
      onfound: news((found) => (this.#found = [...this.#found, found])),
      onprogress: news(() => (this.state = { kind: "running", ...this.#part(this.#plan!) })),
    });
  }

  #part(plan: ReviewPlan): Part {
    const done = this.#found.filter(isDecision).length;
    return { done, all: sizeOf(plan), review: assembled(plan, this.#found) };
  }
}

function failed(error: unknown): ReviewState {
  if (error instanceof ReviewRefused) return { kind: "failed", why: error.fault, problem: error.problem };
  return { kind: "failed", why: "engine", problem: null };
}
