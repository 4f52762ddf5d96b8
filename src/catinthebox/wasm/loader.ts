/**
 * Starts the rules, a WebAssembly module: functions over rows of its memory (docs/wasm.md of catinthebox).
 * It runs in a worker, in a page and in Node alike, and needs nothing but `rules.ts` beside it.
 */
import { PASSED, type Floats, type Int, type Row, type Rules, type Table } from "./rules.ts";

const PAGE = 65536;
const BYTES = 8;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly heap: WebAssembly.Global;
  readonly [name: string]: unknown;
}

type Argument = Row | Floats | Table | Int | boolean;

export interface Engine extends Rules {
  /** Room for integers, 0 each, or with these at its start. */
  row(length: number, values?: readonly Int[]): Row;
  /** Room for floating-point numbers, 0 each. */
  floats(length: number): Floats;
  /** Room for rows of equal width. */
  table(rows: number, width: number): Table;
  /** The integers of a row or a table. Ask again after `row`, `floats` or `table`: the memory may have moved. */
  view(row: Row | Table): BigInt64Array;
  /** A row of a table. */
  rowOf(table: Table, index: number): Row;
  /** Sets of cells without bigints: lane 4 * slot + color has a bit for every rank. */
  lanes(row: Row): Uint16Array;
  /** Do some work in room that is free again afterwards. */
  within<T>(work: () => T): T;
}

/** Start the rules from a response (such as that of `fetch`) or from bytes. */
export async function start(source: Response | Promise<Response> | BufferSource): Promise<Engine> {
  if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly");
  const instance = await instantiate(source instanceof Promise ? await source : source);
  const exports = instance.exports as unknown as Exports;
  return { ...memoryOf(exports), ...functionsOf(exports) };
}

async function instantiate(source: Response | BufferSource): Promise<WebAssembly.Instance> {
  if (!(typeof Response !== "undefined" && source instanceof Response)) {
    return (await WebAssembly.instantiate(source as BufferSource)).instance;
  }
  if (!source.ok) throw new Error(`the rules could not be loaded: status ${source.status}`);
  const streams = source.headers.get("Content-Type")?.startsWith("application/wasm");
  const loaded = streams
    ? WebAssembly.instantiateStreaming(source)
    : WebAssembly.instantiate(await source.arrayBuffer());
  return (await loaded).instance;
}

/** Rows in the module's memory, one after another. */
function memoryOf(exports: Exports): Omit<Engine, keyof Rules> {
  const { memory } = exports;
  let top = Number(exports.heap.value);

  function take(count: number): number {
    const at = top;
    const missing = at + BYTES * count - memory.buffer.byteLength;
    if (missing > 0) grow(memory, missing);
    top += BYTES * count;
    return at;
  }
  const view = (row: Row | Table): BigInt64Array =>
    new BigInt64Array(memory.buffer, row.ptr, "width" in row ? row.len * row.width : row.len);

  return {
    row(length, values = []) {
      const row = { ptr: take(length), len: length };
      view(row).set(values.map(BigInt));
      return row;
    },
    floats: (length) => ({ ptr: take(length), len: length }),
    table: (rows, width) => ({ ptr: take(rows * width), len: rows, width }),
    view,
    rowOf: (table, index) => ({ ptr: table.ptr + BYTES * table.width * index, len: table.width }),
    lanes: (row) => new Uint16Array(memory.buffer, row.ptr, (BYTES / 2) * row.len),
    within(work) {
      const before = top;
      try {
        return work();
      } finally {
        new Uint8Array(memory.buffer, before, top - before).fill(0); // new rows are all 0
        top = before;
      }
    },
  };
}

function grow(memory: WebAssembly.Memory, bytes: number): void {
  try {
    memory.grow(Math.ceil(bytes / PAGE));
  } catch {
    const wanted = Math.ceil((memory.buffer.byteLength + bytes) / 2 ** 20);
    throw new RangeError(`the rules would need ${wanted} MiB of memory, more than they may have`);
  }
}

/** The module's functions, which take rows and numbers. */
function functionsOf(exports: Exports): Rules {
  const typed = Object.entries(PASSED).map(([name, letters]) => {
    const call = exports[name] as (...values: (bigint | number)[]) => unknown;
    return [name, (...given: Argument[]) => call(...passed(letters, given))];
  });
  return Object.fromEntries(typed) as Rules;
}

/** Arguments as the values that the module takes, by the letters of `PASSED`. */
function passed(letters: string, given: readonly Argument[]): (bigint | number)[] {
  const values: (bigint | number)[] = [];
  let next = 0;
  for (const letter of letters) {
    if (letter === "l") values.push((given[next - 1] as Row).len);
    else values.push(...one(letter, given[next++]!));
  }
  return values;
}

function one(letter: string, given: Argument): (bigint | number)[] {
  if (letter === "i") return [BigInt(given as Int)];
  if (letter === "r") return [(given as Row).ptr];
  if (letter === "t") return [(given as Table).ptr, BYTES * (given as Table).width];
  return [Number(given)];
}
