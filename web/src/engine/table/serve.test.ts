/** Tables over ports: errors reach the page, and locks are given back. */

import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Engine } from "../module";
import { startEngine } from "../testing";
import { serveTable } from "./serve";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine()));
afterEach(() => vi.unstubAllGlobals());

const WANTED = {
  face: "white",
  seats: [
    { kind: "person", name: "Ada" },
    { kind: "person", name: "Bo" },
  ],
};

/** A page's end of a port, and what it hears. */
function connected(): { port: MessagePort; heard: { type: string }[] } {
  const { port1, port2 } = new MessageChannel();
  const heard: { type: string }[] = [];
  port1.onmessage = ({ data }: MessageEvent<{ type: string }>) => heard.push(data);
  serveTable(engine, port2);
  return { port: port1, heard };
}

test("an error that nobody expected is reported, so that the page replaces the worker", async () => {
  vi.stubGlobal("navigator", {});
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const { port, heard } = connected();
  port.postMessage({ type: "Open", id: "t", wanted: WANTED });
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ type: "Snapshot" }));
  port.postMessage({ type: "Do", id: "1", command: null });
  await vi.waitFor(() => expect(reported).toHaveBeenCalledWith(expect.any(TypeError)));
  port.close();
});

/** Locks that are granted when the test says so. */
class FakeLocks {
  readonly granted: (() => Promise<void>)[] = [];

  request(_name: string, _options: unknown, held: () => Promise<void>): Promise<void> {
    this.granted.push(held);
    return new Promise(() => undefined);
  }
}

test("a lock that comes when the page has gone is given back at once", async () => {
  const locks = new FakeLocks();
  vi.stubGlobal("navigator", { locks });
  const { port, heard } = connected();
  port.postMessage({ type: "Open", id: "t", wanted: WANTED });
  await vi.waitFor(() => expect(locks.granted).toHaveLength(1));
  const closed = new Promise((resolve) => port.addEventListener("close", resolve));
  port.postMessage({ type: "Close" });
  await closed;
  await expect(locks.granted[0]!()).resolves.toBeUndefined();
  expect(heard).toEqual([]);
});

test("a lock is held until the page goes", async () => {
  const locks = new FakeLocks();
  vi.stubGlobal("navigator", { locks });
  const { port, heard } = connected();
  port.postMessage({ type: "Open", id: "t", wanted: WANTED });
  await vi.waitFor(() => expect(locks.granted).toHaveLength(1));
  const release = vi.fn();
  void locks.granted[0]!().then(release);
  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ type: "Snapshot" }));
  expect(release).not.toHaveBeenCalled();
  port.postMessage({ type: "Close" });
  await vi.waitFor(() => expect(release).toHaveBeenCalled());
});
