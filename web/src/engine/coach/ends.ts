/** How rounds ended that were played on, and what can be told from it. */

import { MOST_WORLDS, type CoachRoom } from "./rollouts";

const CONFIDENCE = 0.95; // of the intervals contain the truth

/**
 * How the rounds ended that were played on. Worlds are chosen by their weights, so one of them may come more than once, and
 * then its rows are alike. An error counts them together.
 */
export class Ends {
  readonly options: readonly number[];
  readonly players: number;
  worlds = 0;
  /** How many of them differ. */
  #different = 0;
  readonly #seen = new Uint8Array(MOST_WORLDS);
  readonly #room: CoachRoom;
  readonly #places: ReadonlyMap<number, number>;

  constructor(room: CoachRoom, options: readonly number[], players: number) {
    [this.#room, this.options, this.players] = [room, options, players];
    this.#places = new Map(options.map((action, place) => [action, place]));
  }

  /** More worlds were tried; `origin` tells which of the sampled ones. */
  add(count: number, origin: (place: number) => number): void {
    const origins = this.#room.engine.view(this.#room.origins);
    for (let place = this.worlds; place < this.worlds + count; place += 1) {
      const world = origin(place);
      origins[place] = BigInt(world);
      if (!this.#seen[world]) this.#different += 1;
      this.#seen[world] = 1;
    }
    this.worlds += count;
  }

  /** The mean of a column over all worlds. */
  mean(action: number, column: number): number {
    return this.#sum(action, column) / this.worlds;
  }

  /** The standard error of a mean. */
  error(action: number, column: number): number {
    return this.#error(this.#sum(action, column), [this.#place(action), -1, column]);
  }

  /** The mean difference between two actions in the same worlds, and its standard error. */
  difference(one: number, other: number, column: number): readonly [number, number] {
    const sum = this.#sum(one, column) - this.#sum(other, column);
    return [sum / this.worlds, this.#error(sum, [this.#place(one), this.#place(other), column])];
  }

  #sum(action: number, column: number): number {
    const { engine, ends } = this.#room;
    return Number(engine.sum_column(ends, this.worlds, this.options.length, this.#place(action), column));
  }

  #place(action: number): number {
    return this.#places.get(action)!;
  }

  /** The error of a mean: tries of one world are alike, and no better than others. */
  #error(sum: number, [one, other, column]: readonly [number, number, number]): number {
    const [tries, different] = [this.worlds, this.#different];
    if (tries < 2) return Infinity;
    const { engine, ends, origins, sums } = this.#room;
    const given = [ends, tries, this.options.length, one, other, column] as const;
    const apart = (tries * Number(engine.sum_squares(...given)) - sum * sum) / (tries - 1);
    const alike = Number(engine.sum_by_world(...given, BigInt(sum), origins, sums)) / tries / tries;
    const together = different > 1 ? (alike * different) / (different - 1) : 0;
    return Math.sqrt(Math.max(apart, together, 0)) / tries;
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
