/**
 * Rollouts in which a network decides, side by side in rows of a table (`players/imagined.py`,
 * `coach/network_rollouts.py`). Worlds are weighed under two models of the others, the network and `careful`.
 */

import { BATCH, type NetworkBatch } from "../batch";
import {
  ACTIONS,
  AT_LEGAL,
  BY_CAREFUL,
  BY_NETWORK,
  DISCARDING,
  INPUTS,
  LEFT,
  LOT,
  LUCK,
  PHASE,
  SIZE,
  TURN,
  WON,
  type Floats,
  type Row,
  type Table,
} from "../generated/rules";
import { smallNumbers } from "../network";
import { AT_ONCE, from, type CoachRoom, type Decision } from "./rollouts";
import type { Method, Pause, Rollouts } from "./rollouts";

const ROWS = 256; // worlds that are weighed together
const NOISE = [0.05, 0.03] as const; // the share of actions that a model does not explain
const POWERS = [0.5, 0.35, 0.25, 0.18, 0.125, 0.09, 0]; // of likelihoods, until enough worlds are left:
const ENOUGH = 1 / 3; // of all pairs, effectively
const CAREFUL = 0.25; // the share of careful players, before anything is known

/** Memory for it, used again for the next analysis. */
export class NetworkRoom {
  readonly table: Table;
  readonly rows: Row;
  readonly actions: Row;
  readonly others: Row;
  readonly luck: Row;
  readonly chosen: Row;
  readonly inputs: Table;
  readonly hits: Floats;
  readonly shares: Floats;

  constructor({ engine }: CoachRoom) {
    this.table = engine.table(ROWS, SIZE);
    [this.rows, this.actions, this.others] = [engine.row(ROWS), engine.row(ROWS), engine.row(ROWS)];
    [this.luck, this.chosen] = [engine.row(ROWS), engine.row(AT_ONCE)];
    this.inputs = engine.table(BATCH, INPUTS);
    this.hits = engine.floats(ROWS);
    this.shares = engine.floats(BATCH * ACTIONS);
  }
}

export class NetworkRollouts implements Rollouts {
  readonly size = ROWS;
  readonly least = 32;
  readonly atOnce: number;
  readonly #room: CoachRoom;
  readonly #own: NetworkRoom;
  readonly #batch: NetworkBatch;
  readonly #decision: Decision;
  readonly #method: Method;
  readonly #pause: Pause;
  readonly #view: Row;
  readonly #actions: Row;
  /** Logarithms of likelihoods, by world and model. */
  readonly #logs: Float64Array;
  #pairs: readonly number[] = [];

  constructor(
    room: CoachRoom,
    own: NetworkRoom,
    batch: NetworkBatch,
    decision: Decision,
    method: Method,
    pause: Pause,
  ) {
    [this.#room, this.#own, this.#batch] = [room, own, batch];
    [this.#decision, this.#method, this.#pause] = [decision, method, pause];
    this.atOnce = Math.max(1, Math.floor(AT_ONCE / decision.options.length));
    this.#view = room.filled(room.view, decision.sight.view);
    this.#actions = room.filled(room.actions, decision.options);
    this.#logs = new Float64Array(2 * room.worlds.len);
  }

  // ── Worlds ───────────────────────────────────────────────────────────────────────────────────

  async sample(first: number, count: number): Promise<void> {
    const { engine, worlds } = this.#room;
    const { table, rows, actions } = this.#own;
    const { sight, seed } = this.#decision;
    engine.imagine(this.#view, sight.proved, seed, worlds, first, count);
    this.#logs.fill(0, 2 * first, 2 * (first + count));
    engine.rewind_rows(worlds, first, count, table, rows);
    for (const [number, action] of this.#past().entries()) {
      const seat = Number(engine.view(table)[TURN]);
      engine.past_actions(worlds, first, count, action, actions);
      if (seat !== sight.seat) await this.#weigh(first, count, seed + BigInt(number));
      engine.act_rows(table, rows, count, actions);
    }
    await this.#pause();
  }

  /** All actions before this one; a discard is -1 - seat. Nobody saw what others had when they set a card aside. */
  #past(): readonly number[] {
    const { sight } = this.#decision;
    if (Number(sight.view[PHASE]) === DISCARDING) return [];
    return [...Array.from({ length: sight.players }, (_, seat) => -1 - seat), ...sight.seen];
  }

  /** Weigh some worlds by the chance that both models do what another seat did. */
  async #weigh(first: number, count: number, seed: bigint): Promise<void> {
    const { engine } = this.#room;
    const { table, actions, hits } = this.#own;
    const legals = new Int32Array(count);
    await this.#look(count, (row, shares, legal) => {
      legals[row] = legal;
      const chance = shares[Number(engine.view(actions)[row])]!;
      this.#explain(2 * (first + row) + BY_NETWORK, chance, legal);
    });
    engine.count_careful(table, count, actions, ...this.#room.model(this.#decision.sight), seed, hits);
    this.#room.numbers(hits).forEach((chance, row) => {
      if (row < count) this.#explain(2 * (first + row) + BY_CAREFUL, chance, legals[row]!);
    });
    await this.#pause();
  }

  #explain(pair: number, chance: number, legal: number): void {
    const noise = NOISE[(pair % 2) as 0 | 1];
    this.#logs[pair]! += Math.log((1 - noise) * chance + noise / legal);
  }

  choose(sampled: number, number: number): void {
    const { engine, weights, chosen } = this.#room;
    // Places are drawn at even distances. A model that had every other place could be drawn every time, or never, so all
    // pairs of a model stand together.
    const all = this.#weightsOf(sampled);
    const numbers = this.#room.numbers(weights);
    for (const model of [BY_NETWORK, BY_CAREFUL])
      numbers.set(
        all.filter((_, pair) => pair % 2 === model),
        model * sampled,
      );
    engine.draw_pairs(weights, 2 * sampled, chosen, number, this.#decision.seed ^ BigInt(LOT));
    const places = [...engine.view(chosen).subarray(0, number)].map(Number);
    this.#pairs = places.map((place) => 2 * (place % sampled) + Math.floor(place / sampled));
  }

  /** Pairs of a world and a model: twice the number of the world, and one more if the others are careful. */
  get pairs(): readonly number[] {
    return this.#pairs;
  }

  /** Weigh all pairs of the first worlds and a model. */
  #weightsOf(count: number): Float64Array {
    const logs = this.#logs.subarray(0, 2 * count);
    for (const power of POWERS) {
      const scaled = logs.map((log, pair) => power * log + Math.log(pair % 2 ? CAREFUL : 1 - CAREFUL));
      const most = scaled.reduce((one, other) => Math.max(one, other));
      const weights = scaled.map((log) => Math.exp(log - most));
      const [sum, squares] = [total(weights), total(weights.map((weight) => weight ** 2))];
      if (sum ** 2 / squares >= ENOUGH * weights.length) return weights;
    }
    return new Float64Array(2 * count).fill(1);
  }

  // ── What follows ─────────────────────────────────────────────────────────────────────────────

  origin(place: number): number {
    return this.#pairs[place % this.#pairs.length]! >> 1;
  }

  async play(first: number, count: number): Promise<void> {
    const { engine, worlds } = this.#room;
    const { table, rows, others, luck, chosen } = this.#own;
    const { sight, options } = this.#decision;
    const pairs = Array.from({ length: count }, (_, n) => this.#pairs[(first + n) % this.#pairs.length]!);
    const all = count * options.length;
    engine.view(chosen).set(pairs.map((pair) => BigInt(pair >> 1)));
    engine.branch(worlds, chosen, count, table, sight.seat, this.#actions, options.length);
    const models = pairs.flatMap((pair) => options.map(() => BigInt(pair % 2)));
    engine.view(others).set(models);
    this.#openLuck(first, count);
    const ends = from(this.#room.ends, first * options.length);
    const [left, won] = [this.#left(), Number(sight.view[WON + sight.seat])];
    const model = this.#room.model(sight);
    const note = (): void => engine.note_rows(table, all, sight.seat, left, won, ends);
    engine.open_ends(ends, all);
    for (let decision = 0; decision < this.#method.decisions; decision += 1) {
      note();
      engine.careful_rows(table, all, sight.seat, others, luck, ...model);
      note();
      const waiting = Number(engine.list_rows(table, all, rows));
      if (waiting === 0) break;
      await this.#decide(waiting);
    }
    note();
    await this.#pause();
    engine.finish_rows(table, all, sight.seat, left, won, luck, ...model, ends);
    engine.close_rows(table, all, sight.seat, won, sight.touch, ends);
    await this.#pause();
  }

  /** All actions meet the same chance in a world, by its number. */
  #openLuck(first: number, count: number): void {
    const { engine } = this.#room;
    const { options, seed } = this.#decision;
    const luck = Array.from({ length: count }, (_, n) => engine.seeded(seed ^ BigInt(LUCK), first + n));
    engine.view(this.#own.luck).set(luck.flatMap((g) => options.map(() => g)));
  }

  /** Tricks that are still to be completed. */
  #left(): number {
    return Number(this.#decision.sight.view[LEFT]);
  }

  /** Let the network decide in the rows that are listed. */
  async #decide(waiting: number): Promise<void> {
    const { engine } = this.#room;
    const { table, rows, luck, shares } = this.#own;
    await this.#look(
      waiting,
      (row, found) => this.#room.numbers(shares).set(found, ACTIONS * (row % BATCH)),
      (row, count) => engine.draw_and_act(table, part(rows, row), count, shares, luck),
    );
  }

  /** Compute the network's probabilities for the first rows that are listed, some at a time. */
  async #look(
    count: number,
    use: (row: number, shares: Float64Array, legal: number) => void,
    then: (first: number, count: number) => void = () => undefined,
  ): Promise<void> {
    const { engine, scratch } = this.#room;
    const { table, rows, inputs } = this.#own;
    const { width } = this.#batch;
    for (let first = 0; first < count; first += BATCH) {
      const some = Math.min(BATCH, count - first);
      engine.look(table, part(rows, first), some, scratch, this.#decision.sight.touch, inputs);
      const numbers = smallNumbers(engine, inputs);
      this.#batch.inputs.set(numbers.subarray(0, INPUTS * some));
      const outputs = this.#batch.outputs(some);
      for (let row = 0; row < some; row += 1) {
        const at = INPUTS * row + AT_LEGAL;
        const legal = numbers.subarray(at, at + ACTIONS);
        use(first + row, sharesOf(outputs.subarray(width * row), legal), total(legal));
      }
      then(first, some);
      await this.#pause();
    }
  }
}

/** The rest of a row from one place on. */
const part = ({ ptr, len }: Row, first: number): Row => ({ ptr: ptr + 8 * first, len: len - first });

const total = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let n = 0; n < values.length; n += 1) sum += values[n]!;
  return sum;
};

/** Probabilities, by action, from the outputs of a network; 0 for what is not legal. */
export function sharesOf(outputs: ArrayLike<number>, legal: ArrayLike<number>): Float64Array {
  const shares = new Float64Array(ACTIONS);
  let most = -Infinity;
  for (let action = 0; action < ACTIONS; action += 1)
    if (legal[action]) most = Math.max(most, outputs[action]!);
  for (let action = 0; action < ACTIONS; action += 1)
    if (legal[action]) shares[action] = Math.exp(outputs[action]! - most);
  const sum = total(shares);
  return shares.map((share) => share / sum);
}
