/** How rounds ended that were played on, and what can be told from it. */

import type { CoachRoom } from "./rollouts";

const CONFIDENCE = 0.95; // of the intervals contain the truth

/** How the rounds ended that were played on. */
export class Ends {
  readonly options: readonly number[];
  readonly players: number;
  worlds = 0;
  readonly #room: CoachRoom;
  readonly #places: ReadonlyMap<number, number>;

  constructor(room: CoachRoom, options: readonly number[], players: number) {
    [this.#room, this.options, this.players] = [room, options, players];
    this.#places = new Map(options.map((action, place) => [action, place]));
  }

  /** The mean of a column over all worlds. */
  mean(action: number, column: number): number {
    return this.#sum(action, column) / this.worlds;
  }

  /** The standard error of a mean. */
  error(action: number, column: number): number {
    return this.#error(this.#sum(action, column), this.#squares(action, null, column));
  }

  /** The mean difference between two actions in the same worlds, and its standard error. */
  difference(one: number, other: number, column: number): readonly [number, number] {
    const sum = this.#sum(one, column) - this.#sum(other, column);
    return [sum / this.worlds, this.#error(sum, this.#squares(one, other, column))];
  }

  #sum(action: number, column: number): number {
    const { engine, ends } = this.#room;
    return Number(engine.sum_column(ends, this.worlds, this.options.length, this.#place(action), column));
  }

  #squares(one: number, other: number | null, column: number): number {
    const { engine, ends } = this.#room;
    const places = [this.#place(one), other === null ? -1 : this.#place(other)] as const;
    return Number(engine.sum_squares(ends, this.worlds, this.options.length, ...places, column));
  }

  #place(action: number): number {
    return this.#places.get(action)!;
  }

  #error(sum: number, squares: number): number {
    if (this.worlds < 2) return Infinity;
    const variance = (squares - (sum * sum) / this.worlds) / (this.worlds - 1);
    return Math.sqrt(Math.max(variance, 0) / this.worlds);
  }
}

/** How many standard errors cover all of some comparisons, so often as intervals contain the truth. */
export function quantile(comparisons: number): number {
  const share = 1 - (1 - CONFIDENCE) / 2 / Math.max(comparisons, 1);
  let [low, high] = [0, 8];
  while (high - low > 1e-12) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return low;
}

/** The share of a normal distribution below so many deviations, by its series. */
function normalShare(deviations: number): number {
  let [term, sum] = [deviations, 0];
  for (let n = 3; term > 1e-17; n += 2) {
    sum += term;
    term *= deviations ** 2 / n;
  }
  return 0.5 + (sum * Math.exp(-(deviations ** 2) / 2)) / Math.sqrt(2 * Math.PI);
}
