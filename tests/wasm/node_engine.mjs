// The module of the rules in Node: a line of JSON for each call, an answer as a line and bytes (engines.py).
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const PAGE = 65536;
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { memory, heap } = instance.exports;

function send(bytes) {
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // the pipe is full
    }
  }
}

function answer(value) {
  const result = typeof value === "bigint" ? String(value) : (value ?? null);
  send(Buffer.from(`${JSON.stringify({ result })}\n`));
}

function run({ name, values, writes, reads, end }) {
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  const bytes = new Uint8Array(memory.buffer);
  for (const [at, content] of writes) bytes.set(Buffer.from(content, "base64"), at);
  answer(instance.exports[name](...values.map((value) => (typeof value === "string" ? BigInt(value) : value))));
  for (const [at, size] of reads) send(bytes.subarray(at, at + size));
  bytes.fill(0, heap.value, end);
}

send(Buffer.from(`${JSON.stringify({ heap: heap.value })}\n`));
for await (const line of createInterface({ input: process.stdin })) run(JSON.parse(line));
