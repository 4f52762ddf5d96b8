/** A page and its worker: answers, cancelling, a worker that dies, a browser that lacks something. */

import { afterEach, expect, test, vi } from "vitest";
import { EngineClient, EngineFailed, EngineMissing, type WorkerLike } from "./client";
import type { FromWorker, ToWorker } from "./requests";

class Fake implements WorkerLike {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  readonly heard: ToWorker[] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }

  terminate(): void {
    this.ended = true;
  }

  say(data: FromWorker): void {
    this.onmessage?.({ data });
  }
}

function opened(): { client: EngineClient; workers: Fake[] } {
  const workers: Fake[] = [];
  const open = (): Fake => (workers.push(new Fake()), workers.at(-1)!);
  return { client: new EngineClient(open, () => null), workers };
}

/** The kinds do not matter here. */
const ask = (client: EngineClient, request: unknown, options = {}): Promise<unknown> =>
  (client.ask as (kind: string, request: unknown, options: object) => Promise<unknown>).call(
    client,
    "any",
    request,
    options,
  );

afterEach(() => vi.useRealTimers());

test("answers find their questions, in any order", async () => {
  const { client, workers } = opened();
  const [one, two] = [ask(client, 1), ask(client, 2)];
  workers[0]!.say({ type: "Answer", id: 2, answer: "b" });
  workers[0]!.say({ type: "Answer", id: 1, answer: "a" });
  expect(await one).toBe("a");
  expect(await two).toBe("b");
  expect(workers).toHaveLength(1);
});

test("an aborted question is stopped in the worker, and its late answer goes nowhere", async () => {
  const { client, workers } = opened();
  const control = new AbortController();
  const asked = ask(client, 1, { signal: control.signal });
  control.abort(new Error("no longer"));
  await expect(asked).rejects.toThrow("no longer");
  expect(workers[0]!.heard.at(-1)).toEqual({ type: "Cancel", id: 1 });
  workers[0]!.say({ type: "Answer", id: 1, answer: "late" });
});

test("a question that is aborted before it is asked never reaches the worker", async () => {
  const { client, workers } = opened();
  await expect(ask(client, 1, { signal: AbortSignal.abort(new Error("never")) })).rejects.toThrow("never");
  expect(workers).toHaveLength(0);
});

test("a failure says what the worker said", async () => {
  const { client, workers } = opened();
  const asked = ask(client, 1);
  workers[0]!.say({ type: "Failed", id: 1, message: "no such seat" });
  await expect(asked).rejects.toThrow(EngineFailed);
});

test("a worker that died is replaced, and the open question asked again; tables are told", async () => {
  const { client, workers } = opened();
  const lost = vi.fn();
  const { port1 } = new MessageChannel();
  client.connect(port1, lost);
  const asked = ask(client, 1);
  workers[0]!.onerror?.({ message: "out of memory" });
  expect(workers[0]!.ended).toBe(true);
  expect(lost).toHaveBeenCalledOnce();
  expect(workers[1]!.heard).toEqual([{ type: "Ask", id: 1, kind: "any", request: 1 }]);
  workers[1]!.say({ type: "Answer", id: 1, answer: "again" });
  expect(await asked).toBe("again");
});

test("a question that kills its workers is given up", async () => {
  const { client, workers } = opened();
  const [asked, other] = [ask(client, 1), ask(client, 2)];
  for (const turn of [0, 1]) {
    workers[turn]!.say({ type: "Pong" });
    workers[turn]!.onerror?.({ message: "trap" });
  }
  await expect(asked).rejects.toThrow("trap");
  await expect(other).rejects.toThrow("trap");
});

test("a worker whose script never arrives: who waits for the rules, or asks something, hears of it", async () => {
  const { client, workers } = opened();
  const [ready, asked] = [client.ready(), ask(client, 1)];
  for (let start = 0; start < 5; start += 1) workers[start]!.onerror?.({});
  await expect(ready).rejects.toMatchObject({ lack: "load" });
  await expect(asked).rejects.toMatchObject({ lack: "load" });
  expect(workers).toHaveLength(5);
});

test("a worker that dies before the rules are there is replaced, though nobody has asked anything", async () => {
  const { client, workers } = opened();
  const ready = client.ready();
  workers[0]!.onerror?.({});
  workers[1]!.say({ type: "Ready" });
  await expect(ready).resolves.toBeUndefined();
});

test("a browser that refuses to start another worker is a reason as well", async () => {
  const worker = new Fake();
  let starts = 0;
  const open = (): Fake => {
    starts += 1;
    if (starts > 1) throw new Error("forbidden");
    return worker;
  };
  const ready = new EngineClient(open, () => null).ready();
  worker.onerror?.({});
  await expect(ready).rejects.toMatchObject({
    lack: "load",
    message: expect.stringContaining("forbidden") as string,
  });
});

test("a worker that owes an answer and does not answer a ping is replaced", async () => {
  vi.useFakeTimers();
  const { client, workers } = opened();
  const asked = ask(client, 1);
  workers[0]!.say({ type: "Pong" });
  vi.advanceTimersByTime(6_000);
  expect(workers[0]!.heard.at(-1)).toEqual({ type: "Ping" });
  vi.advanceTimersByTime(25_000);
  expect(workers[0]!.ended).toBe(true);
  workers[1]!.say({ type: "Answer", id: 1, answer: "here" });
  expect(await asked).toBe("here");
});

test("a script that takes long to arrive is waited for", async () => {
  vi.useFakeTimers();
  const { client, workers } = opened();
  const asked = ask(client, 1);
  vi.advanceTimersByTime(60_000);
  expect(workers[0]!.ended).toBe(false);
  workers[0]!.say({ type: "Answer", id: 1, answer: "at last" });
  expect(await asked).toBe("at last");
});

test("without the means of the browser there is an error that says what is missing", async () => {
  const client = new EngineClient(
    () => new Fake(),
    () => "wasm",
  );
  await expect(ask(client, 1)).rejects.toMatchObject({ name: "EngineMissing", lack: "wasm" });
  await expect(client.ready()).rejects.toThrow(EngineMissing);
});

test("rules that cannot be loaded are not tried again and again", async () => {
  const { client, workers } = opened();
  const asked = ask(client, 1);
  workers[0]!.say({ type: "Broken", lack: "load", message: "404" });
  await expect(asked).rejects.toMatchObject({ lack: "load" });
  await expect(ask(client, 2)).rejects.toMatchObject({ lack: "load" });
  expect(workers).toHaveLength(1);
});

test("WebAssembly that is forbidden only in the worker is missing for good", async () => {
  vi.useFakeTimers();
  const { client, workers } = opened();
  const first = client.ready();
  workers[0]!.say({ type: "Broken", lack: "wasm", message: "no WebAssembly" });
  await expect(first).rejects.toMatchObject({ lack: "wasm" });
  vi.advanceTimersByTime(60_000);
  await expect(client.ready()).rejects.toMatchObject({ lack: "wasm" });
  expect(workers).toHaveLength(1);
});

test("rules that could not be loaded are asked for again after a while", async () => {
  vi.useFakeTimers();
  const { client, workers } = opened();
  const first = client.ready();
  workers[0]!.say({ type: "Broken", lack: "load", message: "503" });
  await expect(first).rejects.toMatchObject({ lack: "load" });
  await expect(client.ready()).rejects.toMatchObject({ lack: "load" });
  vi.advanceTimersByTime(10_000);
  const second = client.ready();
  workers[1]!.say({ type: "Ready" });
  await expect(second).resolves.toBeUndefined();
  const asked = ask(client, 1);
  vi.advanceTimersByTime(31_000); // the new worker is looked after like any other
  expect(workers[1]!.ended).toBe(true);
  workers[2]!.say({ type: "Answer", id: 1, answer: "here" });
  expect(await asked).toBe("here");
});

test("a client that is closed has no worker any more; the next question starts another one", async () => {
  vi.useFakeTimers();
  const { client, workers } = opened();
  const asked = ask(client, 1);
  client.close();
  await expect(asked).rejects.toThrow(EngineFailed);
  expect(workers[0]!.ended).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  const again = ask(client, 2);
  workers[1]!.say({ type: "Answer", id: 2, answer: "b" });
  expect(await again).toBe("b");
  client.close();
  client.close();
  expect(workers.map(({ ended }) => ended)).toEqual([true, true]);
});
