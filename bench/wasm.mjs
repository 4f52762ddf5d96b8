// The module of the rules in Node, for bench/wasm.py: each line of input is a span of work, each line of output
// says how much was done in how many seconds of CPU time.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const PAGE = 65536;
const [modulePath, jobPath] = process.argv.slice(2);
const job = JSON.parse(readFileSync(jobPath, "utf8"));
const bytes = readFileSync(modulePath);

const begin = performance.now();
const { instance } = await WebAssembly.instantiate(bytes);
const { memory, heap } = instance.exports;
let top = heap.value;

function room(count, values = []) {
  const at = top;
  top += 8 * count;
  const missing = top - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  const row = { at, length: count };
  view(row).fill(0n).set(values.map(BigInt));
  return row;
}
const view = ({ at, length }) => new BigInt64Array(memory.buffer, at, length);
const table = (rows, width) => ({ ...room(rows * width), rows, width });

/** Call a function by the letters of how its arguments are passed (docs/wasm.md). */
function call(name, ...given) {
  const values = [];
  let next = 0;
  for (const letter of job.passed[name]) {
    if (letter === "l") values.push(given[next - 1].rows ?? given[next - 1].length);
    else {
      const argument = given[next++];
      if (letter === "i") values.push(BigInt(argument));
      else if (letter === "t") values.push(argument.at, 8 * argument.width);
      else values.push(letter === "r" ? argument.at : Number(argument));
    }
  }
  return instance.exports[name](...values);
}

function playouts({ players, policy, rounds }) {
  const [touch, s, sums] = [room(64, job.touch), room(job.SIZE), room(12)];
  call("playout_sums", s, sums, 7, 0, rounds, players, policy, touch);
  return Number(view(sums)[10]);
}

/** A whole decision of `search`, in slices, as docs of `tactics/thought.py` describe it. */
function rollouts({ players, seat, vector, proved, seen, limit }) {
  const [v, actions, totals] = [room(job.SIZE, vector), room(seen.length, seen), room(players)];
  const [weights, touch] = [room(job.weights[players].length, job.weights[players]), room(64, job.touch)];
  const [t, scratch] = [room(job.THOUGHT), table(job.SCRATCH, job.RATINGS)];
  call("prepare_thought", t, seat, 12345, proved, limit, limit);
  call("open_thought", t, v, weights, touch, scratch);
  const worlds = table(Number(call("thought_worlds", t)), job.SIZE);
  const [likelihoods, chosen] = [room(worlds.rows), room(worlds.rows)];
  const [tree, roots] = [room(Number(call("thought_tree", t))), room(Number(call("thought_roots", t)))];
  const rows = [t, v, actions, totals, weights, touch, worlds, likelihoods, chosen, tree, roots, scratch];
  while (!call("think", ...rows, 100)); // slices, so that V8 can replace its first code by faster code
  return Number(view(tree)[job.ROOT + job.VISITS]);
}

const KINDS = { playouts, rollouts };
const cpu = () => process.cpuUsage().user / 1e6;

function span({ kind, seconds, ...work }) {
  const before = top;
  const start = cpu();
  let done = 0;
  do {
    done += KINDS[kind](work);
    top = before;
  } while (cpu() - start < seconds);
  return { done, seconds: cpu() - start };
}

playouts({ players: 4, policy: 1, rounds: 1 });
const ready = performance.now() - begin;
top = heap.value;
console.log(JSON.stringify({ ready }));
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(span(JSON.parse(line))));
