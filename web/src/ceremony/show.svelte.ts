/** A ceremony as it runs: its steps on the playback, and how many of them are shown. */

import { duration, pace } from "../lib/motion.svelte";
import { Playback } from "./playback";

export interface TimedStep {
  /** In milliseconds, at the usual speed. */
  readonly hold: number;
}

export class Show<Step extends TimedStep> {
  readonly steps: readonly Step[];
  /** So many steps are shown. */
  count = $state(0);
  readonly #playback = new Playback();
  readonly #onstep: (step: Step) => void;

  /** `onstep` hears of every step that somebody can see coming: not of those that are skipped. */
  constructor(steps: readonly Step[], onstep: (step: Step) => void = () => undefined) {
    this.steps = steps;
    this.#onstep = onstep;
  }

  get running(): boolean {
    return this.count < this.steps.length;
  }

  /** Run from the beginning; without motion, go to the end. */
  start(): void {
    this.#playback.clear();
    if (pace() === 0) return this.finish();
    this.count = 0;
    this.#playback.add(
      this.steps.map((step, n) => ({
        show: () => {
          this.count = n + 1;
          this.#onstep(step);
        },
        hold: duration(step.hold),
      })),
    );
  }

  /** Go to the end. */
  finish(): void {
    this.#playback.clear();
    this.count = this.steps.length;
  }

  stop(): void {
    this.#playback.clear();
  }
}
