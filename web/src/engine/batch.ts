/**
 * A network for many positions at once, in 32-bit floats, by a small module of vector instructions
 * (`wasm/matrices.py`). Where a browser has none, callers do with `Network.outputs`.
 */

import { MATRICES, TILE, type Matrices } from "./generated/matrices.ts";
import type { Layer } from "./network.ts";

export const BATCH = 16; // positions at once: some milliseconds of work
const FLOAT = 4; // bytes
const ENTRY = 8; // a place and a number
const ALIGNED = 64;
const PAGE = 65536;
const ANY = 0; // numbers below it are listed, too …
const NONE = -Infinity; // … or none: negative ones count as 0

/** A layer in the memory of the module; all are addresses or counts. */
interface Placed {
  readonly inputs: number;
  readonly tiles: number;
  readonly weights: number;
  readonly scales: number;
  readonly bias: number;
}

export class NetworkBatch {
  readonly #matrices: Matrices;
  readonly #layers: readonly Placed[];
  readonly #floats: Float32Array;
  readonly #inputs: number;
  readonly #hidden: number;
  readonly #normal: number;
  readonly #entries: number;
  readonly #counts: number;
  readonly #sums: number;

  private constructor(matrices: Matrices, layers: readonly Layer[]) {
    let top = ALIGNED;
    const take = (bytes: number): number => {
      const at = top;
      top = Math.ceil((top + bytes) / ALIGNED) * ALIGNED;
      return at;
    };
    this.#matrices = matrices;
    this.#layers = layers.map(({ inputs, scales }) => {
      const tiles = Math.ceil(scales.length / TILE);
      const row = FLOAT * TILE * tiles;
      return { inputs, tiles, weights: take(row * inputs), scales: take(row), bias: take(row) };
    });
    const width = Math.max(...this.#layers.map(({ tiles }) => TILE * tiles));
    const most = Math.max(...layers.map(({ inputs }) => inputs));
    this.#inputs = take(FLOAT * BATCH * layers[0]!.inputs);
    this.#hidden = take(FLOAT * BATCH * width);
    this.#normal = take(FLOAT * BATCH * width);
    this.#sums = take(FLOAT * BATCH * width);
    this.#entries = take(ENTRY * BATCH * most);
    this.#counts = take(FLOAT * BATCH);
    const { memory } = matrices;
    memory.grow(Math.ceil(top / PAGE) - memory.buffer.byteLength / PAGE);
    this.#floats = new Float32Array(memory.buffer);
    layers.forEach((layer, n) => this.#place(layer, this.#layers[n]!));
  }

  /** Prepare the layers of a network; null where there are no such instructions, or no memory. */
  static of(layers: readonly Layer[]): NetworkBatch | null {
    try {
      if (layers.slice(0, -1).some(({ scales }) => scales.length % TILE)) return null;
      const bytes = Uint8Array.from(atob(MATRICES), (letter) => letter.charCodeAt(0));
      if (!WebAssembly.validate(bytes)) return null;
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
      return new NetworkBatch(exports as unknown as Matrices, layers);
    } catch {
      return null;
    }
  }

  /** Write the weights of a layer: tile by tile, in each a row for every input. */
  #place({ inputs, scales, bias, weights }: Layer, placed: Placed): void {
    const floats = this.#floats;
    const begin = placed.weights / FLOAT;
    for (let output = 0, from = 0; output < scales.length; output += 1) {
      const column = output % TILE;
      let to = begin + (output - column) * inputs + column;
      for (const end = from + inputs; from < end; from += 1, to += TILE) floats[to] = weights[from]!;
    }
    floats.set(scales, placed.scales / FLOAT);
    if (bias) floats.set(bias, placed.bias / FLOAT);
  }

  /** Where the inputs of the next positions belong, one position after another. */
  get inputs(): Float32Array {
    return this.#floats.subarray(this.#inputs / FLOAT, this.#hidden / FLOAT);
  }

  /** Compute the first positions: their outputs, `width` numbers for each, good until the next call. */
  outputs(count: number): Float32Array {
    const [first, ...inner] = this.#layers as [Placed, ...Placed[]];
    const last = inner.pop()!;
    const [hidden, normal, sums] = [this.#hidden, this.#normal, this.#sums];
    this.#multiply(first, this.#inputs, ANY, count, hidden);
    for (let n = 0; n < inner.length; n += 2) {
      this.#normalize(count, inner[n]!.inputs);
      this.#multiply(inner[n]!, normal, ANY, count, sums);
      this.#multiply(inner[n + 1]!, sums, NONE, count, hidden, true);
    }
    this.#normalize(count, last.inputs);
    this.#multiply(last, normal, NONE, count, sums);
    return this.#floats.subarray(sums / FLOAT, sums / FLOAT + count * this.width);
  }

  /** How many numbers the outputs of a position take; those beyond the network's own mean nothing. */
  get width(): number {
    return TILE * this.#layers.at(-1)!.tiles;
  }

  #normalize(count: number, width: number): void {
    this.#matrices.normalize(this.#hidden, count, width, this.#normal);
  }

  /** Multiply rows with a layer, and add what is there already, or the biases. */
  #multiply(layer: Placed, values: number, below: number, count: number, sums: number, adds = false): void {
    const { inputs, tiles, weights, scales, bias } = layer;
    const [entries, counts] = [this.#entries, this.#counts];
    this.#matrices.list_values(values, count, inputs, below, entries, counts);
    const base = adds ? [sums, FLOAT * TILE * tiles] : [bias, 0];
    const [from, step] = base as [number, number];
    this.#matrices.multiply(entries, counts, count, inputs, weights, tiles, scales, from, step, sums);
  }
}
