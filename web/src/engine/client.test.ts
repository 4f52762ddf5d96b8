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
  const asked = ask(client, 1);
  workers[0]!.onerror?.({ message: "trap" });
  workers[1]!.onerror?.({ message: "trap" });
  await expect(asked).rejects.toThrow("trap");
});

test("a worker that owes an answer and does not answer a ping is replaced", async () => {
  vi.useFakeTimers();
  const { client, workers } = opened();
  const asked = ask(client, 1);
  vi.advanceTimersByTime(6_000);
  expect(workers[0]!.heard.at(-1)).toEqual({ type: "Ping" });
  vi.advanceTimersByTime(25_000);
  expect(workers[0]!.ended).toBe(true);
  workers[1]!.say({ type: "Answer", id: 1, answer: "here" });
  expect(await asked).toBe("here");
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
  workers[0]!.say({ type: "Broken", message: "404" });
  await expect(asked).rejects.toMatchObject({ lack: "load" });
  await expect(ask(client, 2)).rejects.toMatchObject({ lack: "load" });
  expect(workers).toHaveLength(1);
});
