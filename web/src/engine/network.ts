/**
 * A neural network as it ships (docs/networks.md, "The file"), and how it decides: in 32-bit floats where one
 * action is clearly the best. Where two are nearly equal, it is computed in 64-bit floats from the integers of its
 * file: then the order of a sum changes nothing that decides between them, and Python chooses the same.
 */

import { NetworkBatch } from "./batch.ts";
import { EPSILON } from "./generated/matrices.ts";
import { INPUTS, SIZE, type Row, type Table } from "./generated/rules.ts";
import type { Engine } from "./module";

export interface Layer {
  readonly scales: Float32Array;
  readonly bias: Float32Array | null;
  /** A row for every output. */
  readonly weights: Int8Array;
  readonly inputs: number;
}

interface Described {
  readonly players: number;
  readonly inputs: number;
  readonly width: number;
  readonly blocks: number;
  readonly outputs: number;
}

const FIRST_LINE = "catinthebox network 1";
const NEWLINE = 10;
const FLOAT = 4; // bytes
const NEAR = 1e-3; // a hundred times what the order of a sum changes in 32-bit floats

export class Network {
  readonly players: number;
  readonly #layers: readonly Layer[];
  readonly #first: Layer;
  readonly #blocks: readonly (readonly [Layer, Layer])[];
  readonly #last: Layer;
  #batch: NetworkBatch | null | undefined;

  /** Read a file; its hash was checked, so it is only made sure that it is for these rules. */
  constructor(content: ArrayBuffer) {
    const bytes = new Uint8Array(content);
    const first = bytes.indexOf(NEWLINE);
    const second = bytes.indexOf(NEWLINE, first + 1);
    const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
    if (text(0, first) !== FIRST_LINE) throw new Error(`not a network: it should begin with ${FIRST_LINE}`);
    const described = JSON.parse(text(first + 1, second)) as Described;
    if (described.inputs !== INPUTS)
      throw new Error(`a network with ${described.inputs} inputs, not ${INPUTS}`);
    const layers = layersOf(content, second + 1, described);
    this.players = described.players;
    this.#layers = layers;
    this.#first = layers[0]!;
    this.#last = layers.at(-1)!;
    this.#blocks = Array.from({ length: described.blocks }, (_, n) => [
      layers[2 * n + 1]!,
      layers[2 * n + 2]!,
    ]);
  }

  /** The same for many positions at once, in 32-bit floats; null where it would not be faster. */
  get batch(): NetworkBatch | null {
    if (this.#batch === undefined) this.#batch = NetworkBatch.of(this.#layers); // once, also if there is none
    return this.#batch;
  }

  /** Compute a number for every action id, the larger the better, and an estimate of the result. */
  outputs(inputs: Float64Array): Float64Array {
    const h = computed(this.#first, inputs);
    for (const [one, two] of this.#blocks) {
      const change = computed(two, positive(computed(one, normalized(h))));
      for (let n = 0; n < h.length; n += 1) h[n]! += change[n]!;
    }
    return computed(this.#last, positive(normalized(h)));
  }
}

function layersOf(
  content: ArrayBuffer,
  begin: number,
  { inputs, width, blocks, outputs }: Described,
): Layer[] {
  let at = begin;
  const take = (size: number): ArrayBuffer => content.slice(at, (at += size)); // floats must be aligned
  const layer = (rows: number, columns: number, isBiased: boolean): Layer => ({
    scales: new Float32Array(take(FLOAT * rows)),
    bias: isBiased ? new Float32Array(take(FLOAT * rows)) : null,
    weights: new Int8Array(take(rows * columns)),
    inputs: columns,
  });
  const layers = [layer(width, inputs, true)];
  for (let n = 0; n < blocks; n += 1) layers.push(layer(width, width, true), layer(width, width, false));
  layers.push(layer(outputs, width, true));
  if (at !== content.byteLength) throw new Error(`not a network: ${content.byteLength} bytes, not ${at}`);
  return layers;
}

/** The outputs of a layer. Inputs that are 0 are left out: most of the first layer's, half of some others'. */
function computed({ scales, bias, weights, inputs }: Layer, values: Float64Array): Float64Array {
  const used = new Int32Array(inputs);
  const chosen = new Float64Array(inputs);
  let count = 0;
  for (let n = 0; n < inputs; n += 1) {
    if (values[n] === 0) continue;
    used[count] = n;
    chosen[count] = values[n]!;
    count += 1;
  }
  const found = new Float64Array(scales.length);
  for (let row = 0, at = 0; row < found.length; row += 1, at += inputs) {
    let sum = 0;
    if (count === inputs) for (let n = 0; n < count; n += 1) sum += weights[at + n]! * chosen[n]!;
    else for (let n = 0; n < count; n += 1) sum += weights[at + used[n]!]! * chosen[n]!;
    found[row] = sum * scales[row]! + (bias ? bias[row]! : 0);
  }
  return found;
}

/** The same values with mean 0 and variance 1. */
function normalized(h: Float64Array): Float64Array {
  const mean = h.reduce((sum, value) => sum + value, 0) / h.length;
  const variance = h.reduce((sum, value) => sum + (value - mean) ** 2, 0) / h.length;
  const deviation = Math.sqrt(variance + EPSILON);
  return h.map((value) => (value - mean) / deviation);
}

const positive = (values: Float64Array): Float64Array => values.map((value) => Math.max(value, 0));

/** What the network would do in a seat, by the view of that seat: the legal action that it likes best. */
export function netAction(
  engine: Engine,
  network: Network,
  { view, seat, touch }: { readonly view: readonly bigint[]; readonly seat: number; readonly touch: Row },
): number {
  const [inputs, legal] = engine.within(() => {
    const [row, numbers] = [engine.row(SIZE, view), engine.row(INPUTS)];
    engine.write_inputs(row, seat, touch, numbers);
    return [Float64Array.from(smallNumbers(engine, numbers)), engine.legal_actions(row, seat)] as const;
  });
  return clearBest(network.batch, inputs, legal) ?? best(network.outputs(inputs), legal)[0];
}

/** The best action by 32-bit floats, where it is far enough ahead that other sums cannot change it. */
function clearBest(batch: NetworkBatch | null, inputs: Float64Array, legal: bigint): number | null {
  if (!batch) return null;
  batch.inputs.set(inputs);
  const [action, ahead] = best(batch.outputs(1), legal);
  return ahead < NEAR ? null : action;
}

/** The legal action with the highest output, the first of equals, and how far it is ahead. */
function best(outputs: ArrayLike<number>, legal: bigint): readonly [number, number] {
  let [found, most, second] = [-1, -Infinity, -Infinity];
  for (let action = 0; legal >> BigInt(action); action += 1) {
    if (!((legal >> BigInt(action)) & 1n)) continue;
    const output = outputs[action]!;
    if (output > most) [found, most, second] = [action, output, most];
    else if (output > second) second = output;
  }
  return [found, most - second];
}

/** The integers of a row or a table, all of which have at most 32 bits; bigints would take much longer. */
export function smallNumbers(engine: Engine, row: Row | Table): Int32Array {
  const { buffer, byteOffset, length } = engine.view(row);
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  const numbers = new Int32Array(length);
  for (let n = 0; n < length; n += 1) numbers[n] = halves[2 * n]!;
  return numbers;
}
