/** Bots of every level, as on the server: what a level is comes with the rules, and so does how it plays. */

import {
  ACTIONS,
  AIM,
  LEVELS,
  MAX_SEATS,
  NET_KIND,
  NO_LIMIT,
  RATINGS,
  SCRATCH,
  SEARCH_KIND,
  SIZE,
  THOUGHT,
  WEIGHTS,
  WIN,
  type Floats,
  type Row,
  type Table,
} from "../generated/rules";
import type { Engine } from "../module";
import { netAction } from "../network";
import { findNetwork, type FindNetwork } from "../networks";
import { breathe, SLICE_MS } from "../slice";
import { drawnSeed } from "./chance";
import type { Sight } from "./sight";

type Level = (typeof LEVELS)[keyof typeof LEVELS];

/** Choose an action for a seat, by what it may know. */
export type Choose = (sight: Sight, level: string, signal: AbortSignal) => Promise<number>;

const USUAL = LEVELS.sharp;
const STAND_IN = LEVELS.fierce; // for a network that is not there
const MOST_SEEN = ACTIONS; // no bid is made twice by a seat, and no cell taken twice
const FASTEST = 1000; // rollouts per millisecond, at most; sizes the tree
const SLACK = 512; // slots: a tree needs 8 more for each option of a decision, and there are 49 actions

/** The level by its name; a table of an older client may have one that is gone. */
const levelOf = (name: string): Level =>
  Object.hasOwn(LEVELS, name) ? LEVELS[name as keyof typeof LEVELS] : USUAL;

export class Bots {
  readonly #engine: Engine;
  readonly #room: ThoughtRoom;
  readonly #seed: () => bigint;
  readonly #network: FindNetwork;
  /** Whether the last bot that wanted a network had to do without. */
  isWeaker = false;
  /** One thinks at a time: they share the room. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, seed: () => bigint = drawnSeed, network: FindNetwork = findNetwork) {
    this.#engine = engine;
    this.#room = new ThoughtRoom(engine);
    this.#seed = seed;
    this.#network = network;
  }

  readonly choose: Choose = (sight, name, signal) => {
    const level = levelOf(name);
    if (level.kind === NET_KIND) return this.#net(sight, signal);
    if (level.kind !== SEARCH_KIND) return Promise.resolve(this.#quick(sight, level));
    return this.#thought(sight, level, signal);
  };

  /** A bot moves, whatever fails: without its network it searches. */
  async #net(sight: Sight, signal: AbortSignal): Promise<number> {
    const network = await this.#network(sight.players);
    signal.throwIfAborted();
    this.isWeaker = network === null;
    return network ? netAction(this.#engine, network, sight) : this.#thought(sight, STAND_IN, signal);
  }

  #thought(sight: Sight, level: Level, signal: AbortSignal): Promise<number> {
    const thinking = this.#last.then(() => {
      signal.throwIfAborted();
      return this.#search(sight, level, signal);
    });
    this.#last = thinking.catch(() => undefined);
    return thinking;
  }

  #quick({ view, seat, players, touch, seed = this.#seed() }: Sight, { kind, slips }: Level): number {
    const engine = this.#engine;
    return engine.within(() => {
      const weights = WEIGHTS[players]!;
      const model = [engine.row(weights.length, weights), touch, engine.row(RATINGS)] as const;
      return Number(engine.quick_action(kind, engine.row(SIZE, view), seat, slips, ...model, seed));
    });
  }

  /** Decide in slices of about a millisecond; the order of calls is that of `tactics/thought.py`. */
  async #search(sight: Sight, { rollouts, ms }: Level, signal: AbortSignal): Promise<number> {
    const [engine, room, began] = [this.#engine, this.#room, performance.now()];
    const { thought } = room;
    room.begin(sight, sight.seed ?? this.#seed(), rollouts, ms);
    const rows = room.rows();
    let [size, over] = [1, Boolean(engine.thought_over(thought))];
    while (!over) {
      const from = performance.now();
      over = Boolean(engine.think(...rows, size));
      const now = performance.now();
      if (ms !== null && now - began >= Number(engine.time_share(thought)) * ms) {
        engine.end_stage(thought);
        over = Boolean(engine.thought_over(thought));
      }
      size = engine.stage_over(thought) ? 1 : resized(size, now - from);
      await breathe();
      signal.throwIfAborted();
    }
    return Number(engine.best_option(thought, room.tree));
  }
}

/** Memory for one decision, used again for the next; it grows with the largest. */
class ThoughtRoom {
  readonly #engine: Engine;
  readonly thought: Row;
  readonly #view: Row;
  readonly #scratch: Table;
  readonly #weights: readonly Row[];
  #seen: Row;
  #totals: Row;
  #touch: Row | null = null;
  #players = 0;
  #worlds: Table;
  #likelihoods: Floats;
  #chosen: Row;
  #tree: Row;
  #roots: Row;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.thought = engine.row(THOUGHT);
    this.#view = engine.row(SIZE);
    this.#scratch = engine.table(SCRATCH, RATINGS);
    this.#weights = WEIGHTS.map((weights) => engine.row(weights.length, weights));
    this.#seen = engine.row(MOST_SEEN);
    this.#totals = engine.row(MAX_SEATS);
    this.#worlds = engine.table(0, SIZE);
    this.#likelihoods = engine.floats(0);
    this.#chosen = engine.row(0);
    this.#tree = engine.row(0);
    this.#roots = engine.row(0);
  }

  get tree(): Row {
    return this.#tree;
  }

  /** Write down what is known, and make room for what will be found. */
  begin(sight: Sight, seed: bigint, rollouts: number | null, ms: number | null): void {
    const engine = this.#engine;
    const room = rollouts ?? Math.ceil((ms ?? 0) * FASTEST);
    engine.view(this.#view).set(sight.view);
    this.#seen = this.#filled(this.#seen, sight.seen);
    this.#totals = this.#filled(this.#totals, sight.totals);
    [this.#touch, this.#players] = [sight.touch, sight.players];
    engine.prepare_thought(this.thought, sight.seat, seed, sight.proved, rollouts ?? NO_LIMIT, room);
    if (sight.last) engine.view(this.thought)[AIM] = BigInt(WIN);
    engine.open_thought(this.thought, this.#view, ...this.#model, this.#scratch);
    this.#grow();
  }

  get #model(): readonly [Row, Row] {
    return [this.#weights[this.#players]!, this.#touch!];
  }

  /** The arguments of `think`, but for the amount of work. */
  rows(): readonly [Row, Row, Row, Row, Row, Row, Table, Floats, Row, Row, Row, Table] {
    const [thought, view] = [this.thought, this.#view];
    const worlds = [this.#worlds, this.#likelihoods, this.#chosen, this.#tree, this.#roots] as const;
    return [thought, view, this.#seen, this.#totals, ...this.#model, ...worlds, this.#scratch];
  }

  #grow(): void {
    const [engine, thought] = [this.#engine, this.thought];
    const worlds = Number(engine.thought_worlds(thought));
    if (worlds > this.#worlds.len) {
      this.#worlds = engine.table(worlds, SIZE);
      this.#likelihoods = engine.floats(worlds);
      this.#chosen = engine.row(worlds);
    }
    this.#tree = this.#atLeast(this.#tree, Number(engine.thought_tree(thought)));
    this.#roots = this.#atLeast(this.#roots, Number(engine.thought_roots(thought)));
  }

  /** A row that is too short is not given back, so the next one has some room to spare. */
  #atLeast(row: Row, length: number): Row {
    return row.len >= length ? row : this.#engine.row(length + SLACK);
  }

  /** A row of these values; its length tells how many there are. */
  #filled({ ptr }: Row, values: readonly number[]): Row {
    const row = { ptr, len: values.length };
    this.#engine.view(row).set(values.map(BigInt));
    return row;
  }
}

/** How much work the next slice does, after one that took some milliseconds. */
function resized(size: number, took: number): number {
  if (took < SLICE_MS / 2) return size * 2;
  return took > SLICE_MS ? Math.max(1, Math.floor(size / 2)) : size;
}
