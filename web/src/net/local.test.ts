/** The page's half of a local table: answers, a worker that is replaced, and ends with their reasons. */

import { expect, test, vi } from "vitest";
import { EngineMissing } from "../engine/client";
import type { FromTable, ToTable } from "../engine/table/ports";
import type { LineState } from "./connection";
import type { NewTable } from "../engine/table/saved";
import { LocalConnection, type HintTold } from "./local";

/** An engine whose ports are in the test's hands. */
class Engine {
  readonly ports: MessagePort[] = [];
  readonly heard: ToTable[][] = [];
  lost: () => void = () => undefined;

  connect(port: MessagePort, onlost: () => void): () => void {
    const heard: ToTable[] = [];
    port.onmessage = ({ data }: MessageEvent<ToTable>) => heard.push(data);
    this.ports.push(port);
    this.heard.push(heard);
    this.lost = onlost;
    return () => undefined;
  }
}

function connected(
  engine: Pick<Engine, "connect"> = new Engine(),
  wanted: NewTable | null = null,
): {
  connection: LocalConnection;
  states: LineState[];
  damaged: string[];
  hints: HintTold[];
  offered: boolean[];
} {
  const [states, damaged, hints] = [[] as LineState[], [] as string[], [] as HintTold[]];
  const offered: boolean[] = [];
  const connection = new LocalConnection(engine, {
    ...{
      id: "l1",
      wanted,
      version: () => null,
      onmessage: () => undefined,
      onkept: () => undefined,
      onweaker: () => undefined,
      onhints: (now) => offered.push(now),
      onhint: (hint) => hints.push(hint),
    },
    onstate: (state) => states.push(state),
    ondamaged: (text) => damaged.push(text),
  });
  connection.start();
  return { connection, states, damaged, hints, offered };
}

const types = (heard: readonly ToTable[] = []): string[] => heard.map(({ type }) => type);

test("another worker goes on where the last one died: the table, the pace, and who looks", async () => {
  const engine = new Engine();
  const { connection, states } = connected(engine);
  connection.pace(5);
  connection.look(1, true);
  const waiting = connection.do({ type: "Ready" });
  engine.lost();
  expect(await waiting).toMatchObject({ type: "Refused", code: "engine.lost" });
  await vi.waitFor(() => expect(types(engine.heard[1])).toEqual(["Pace", "Open", "Look"]));
  expect(states.map(({ kind }) => kind)).toEqual(["connecting", "lost"]);
  connection.close();
});

const WANTED: NewTable = { face: "white", seats: [{ kind: "person", name: "Ada" }] };
const SNAPSHOT = { type: "Snapshot" } as FromTable;

/** What each worker was asked to begin. */
const wantedOf = (engine: Engine): (NewTable | null)[] =>
  engine.heard.flat().flatMap((message) => (message.type === "Open" ? [message.wanted] : []));

test("a game that has begun is not dealt again by another worker", async () => {
  const engine = new Engine();
  const { connection, states } = connected(engine, WANTED);
  engine.lost(); // nobody has seen a card: it begins once more
  engine.ports[1]!.postMessage(SNAPSHOT);
  await vi.waitFor(() => expect(states.at(-1)).toEqual({ kind: "live" }));
  engine.lost();
  await vi.waitFor(() => expect(wantedOf(engine)).toEqual([WANTED, WANTED, null]));
  connection.close();
});

/** A worker shows the table, says something more, and dies. */
async function die(engine: Engine, states: LineState[], last: FromTable = SNAPSHOT): Promise<void> {
  engine.ports.at(-1)!.postMessage(last);
  engine.ports.at(-1)!.postMessage(SNAPSHOT);
  await vi.waitFor(() => expect(states.at(-1)).toEqual({ kind: "live" }));
  engine.lost();
}

test("a table whose workers die again and again is given up; one that gets on is not", async () => {
  const engine = new Engine();
  const { states } = connected(engine);
  await die(engine, states);
  await die(engine, states);
  await die(engine, states, { type: "Frame" } as FromTable);
  await die(engine, states);
  expect(states.at(-1)).toMatchObject({ kind: "lost" });
  await die(engine, states);
  expect(states.at(-1)).toMatchObject({ kind: "closed", code: "engine.lost" });
});

test("a game that cannot go on closes the line with the reason, and what is left of it", async () => {
  const engine = new Engine();
  const { connection, states, damaged } = connected(engine);
  const waiting = connection.do({ type: "Ready" });
  const ended: FromTable = { type: "Ended", code: "local.damaged", message: "no", text: "{}" };
  engine.ports[0]!.postMessage(ended);
  expect(await waiting).toMatchObject({ type: "Refused", code: "local.damaged" });
  expect(states.at(-1)).toEqual({ kind: "closed", code: "local.damaged", message: "no" });
  expect(damaged).toEqual(["{}"]);
  connection.close();
});

test("without an engine the line says what the browser lacks", () => {
  const { states } = connected({
    connect: () => {
      throw new EngineMissing("wasm");
    },
  });
  expect(states.at(-1)).toMatchObject({ kind: "closed", code: "engine.wasm" });
});

test("a table says that it has hints", async () => {
  const engine = new Engine();
  const { offered } = connected(engine);
  engine.ports[0]!.postMessage({ type: "Hints", offered: true } satisfies FromTable);
  await vi.waitFor(() => expect(offered).toEqual([true]));
});

test("a hint is told as long as nobody has asked again, or stopped, and ends with its worker", async () => {
  const engine = new Engine();
  const { connection, hints } = connected(engine);
  const told = (id: string, last = false): void => {
    engine.ports.at(-1)!.postMessage({ type: "Hint", id, found: null, last } satisfies FromTable);
  };
  const asked = async (): Promise<string> => {
    const before = engine.heard.at(-1)!.length;
    connection.askHint();
    await vi.waitFor(() => expect(engine.heard.at(-1)!.length).toBeGreaterThan(before));
    const last = engine.heard.at(-1)!.findLast((message) => message.type === "AskHint");
    return (last as Extract<ToTable, { type: "AskHint" }>).id;
  };
  const one = await asked();
  const two = await asked();
  for (const id of [one, two]) told(id);
  await vi.waitFor(() => expect(hints.map(({ id }) => id)).toEqual([two]));
  connection.endHint();
  told(two);
  const three = await asked();
  engine.lost();
  expect(hints.map(({ id, last }) => [id, last])).toEqual([
    [two, false],
    [three, true],
  ]);
});
