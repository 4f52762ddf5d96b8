/**
 * Rounds played on from what a seat sees, as in Python (`coach/rollouts.py`): worlds, weighed; in each of them every
 * action is tried, with the same chance for all. Every call does some milliseconds of work.
 */

import {
  DISCARDING,
  LOT,
  LUCK,
  PHASE,
  PROSPECT,
  RATINGS,
  SIZE,
  WEIGHTS,
  type Floats,
  type Row,
  type Table,
} from "../generated/rules";
import type { Engine } from "../module";
import type { Sight } from "../table/sight";

export const MOST_WORLDS = 3072; // sampled for one decision; more tries use them again
export const MOST_ROWS = 32_768; // a row is a world with an action tried in it
export const AT_ONCE = 64; // rows that are played on together
const MOST_ACTIONS = 64; // a seat has no more to choose from, and a round has no more bids and plays

/** How rounds are played on: as many decisions of each by the network, and the rest by careful seats. */
export interface Method {
  readonly decisions: number;
  /** What a point weighs against the logarithm of the network's probability. */
  readonly trust: number;
  /** A fault needs the network's agreement, since rounds that are played on are off the mark. */
  readonly witness: boolean;
  /** Expectations are corrected (calibration.ts). */
  readonly corrected: boolean;
}

export interface Rollouts {
  /** How many worlds can be tried at once. */
  readonly atOnce: number;
  /** How many worlds are sampled at once, without a limit of time and with one. */
  readonly size: number;
  readonly least: number;
  /** Sample worlds and weigh them. */
  sample(first: number, count: number): Promise<void>;
  /** Choose some of the sampled worlds, by their weights. */
  choose(sampled: number, number: number): void;
  /** The sampled world in which the rounds of a place are played. */
  origin(place: number): number;
  /** Try every action in some of the chosen worlds. */
  play(first: number, count: number): Promise<void>;
}

/** Let the worker hear its messages, and throw if it is told to stop. */
export type Pause = () => Promise<void>;

/** A decision, and what it takes to imagine how it goes on. */
export interface Decision {
  readonly sight: Sight;
  readonly options: readonly number[];
  readonly seed: bigint;
}

/** Memory for one analysis, used again for the next. */
export class CoachRoom {
  readonly engine: Engine;
  readonly worlds: Table;
  readonly ends: Table;
  readonly view: Row;
  readonly scratch: Row;
  readonly ratings: Row;
  readonly seen: Row;
  readonly actions: Row;
  readonly chosen: Row;
  readonly origins: Row;
  readonly sums: Row;
  readonly weights: Floats;
  readonly #models: readonly Row[];

  constructor(engine: Engine) {
    this.engine = engine;
    this.worlds = engine.table(MOST_WORLDS, SIZE);
    this.ends = engine.table(MOST_ROWS, PROSPECT.columns);
    this.view = engine.row(SIZE);
    this.scratch = engine.row(SIZE);
    this.ratings = engine.row(RATINGS);
    this.seen = engine.row(MOST_ACTIONS);
    this.actions = engine.row(MOST_ACTIONS);
    this.chosen = engine.row(MOST_WORLDS);
    [this.origins, this.sums] = [engine.row(MOST_WORLDS), engine.row(MOST_WORLDS)];
    this.weights = engine.floats(2 * MOST_WORLDS);
    this.#models = WEIGHTS.map((weights) => engine.row(weights.length, weights));
  }

  /** How a careful seat thinks. */
  model({ players, touch }: Sight): readonly [Row, Row, Row] {
    return [this.#models[players]!, touch, this.ratings];
  }

  /** The numbers of floats; good until memory is taken. */
  numbers({ ptr, len }: Floats): Float64Array {
    return new Float64Array(this.engine.view(this.view).buffer, ptr, len);
  }

  /** A row of these numbers. */
  filled({ ptr }: Row, values: readonly (number | bigint)[]): Row {
    const row = { ptr, len: values.length };
    this.engine.view(row).set(values.map(BigInt));
    return row;
  }
}

/** The rows of a table from one on. */
export const from = ({ ptr, len, width }: Table, row: number): Table => ({
  ptr: ptr + 8 * width * row,
  len: len - row,
  width,
});

/** Every seat goes on as a careful player. */
export class CarefulRollouts implements Rollouts {
  readonly size = 32;
  readonly least = 32;
  readonly atOnce: number;
  readonly #room: CoachRoom;
  readonly #decision: Decision;
  readonly #weighs: boolean;
  readonly #view: Row;
  readonly #seen: Row;
  readonly #actions: Row;
  readonly #pause: Pause;
  #drawn = 0;

  constructor(room: CoachRoom, decision: Decision, pause: Pause) {
    [this.#room, this.#decision, this.#pause] = [room, decision, pause];
    this.#weighs = Number(decision.sight.view[PHASE]) !== DISCARDING;
    this.atOnce = Math.max(1, Math.floor(AT_ONCE / decision.options.length));
    this.#view = room.filled(room.view, decision.sight.view);
    this.#seen = room.filled(room.seen, decision.sight.seen);
    this.#actions = room.filled(room.actions, decision.options);
  }

  async sample(first: number, count: number): Promise<void> {
    const { engine, worlds, weights, scratch } = this.#room;
    const { sight, seed } = this.#decision;
    engine.imagine(this.#view, sight.proved, seed, worlds, first, count);
    if (this.#weighs) {
      const model = this.#room.model(sight);
      engine.believe(worlds, first, count, weights, scratch, sight.seat, this.#seen, ...model);
    }
    await this.#pause();
  }

  choose(sampled: number, number: number): void {
    const { engine, weights, chosen } = this.#room;
    this.#drawn = number;
    const lot = this.#decision.seed ^ BigInt(LOT);
    if (this.#weighs) engine.gather(weights, sampled, chosen, number, lot);
    else for (let place = 0; place < number; place += 1) engine.view(chosen)[place] = BigInt(place);
  }

  origin(place: number): number {
    const { engine, chosen } = this.#room;
    return Number(engine.view(chosen)[place % this.#drawn]);
  }

  async play(first: number, count: number): Promise<void> {
    const { engine, worlds, chosen, scratch, ends } = this.#room;
    const { sight, options, seed } = this.#decision;
    const where = [worlds, chosen, this.#drawn, first, count, sight.seat] as const;
    const tried = [this.#actions, options.length, ...this.#room.model(sight)] as const;
    const luck = seed ^ BigInt(LUCK);
    engine.try_all(...where, ...tried, luck, scratch, from(ends, first * options.length));
    await this.#pause();
  }
}
