// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame, FromClient, FromServer } from "../lib/wire";
import recorded from "./frames.json";
import { noted, note } from "./games";
import { settings } from "./settings.svelte";
import { TableStore } from "./table.svelte";

const received = (recorded as unknown as { readonly me: FromServer[] }).me;

/** The server side of a connection. */
class Line {
  static last: Line;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: FromClient[] = [];
  constructor() {
    Line.last = this;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient);
  }
  close(): void {}
  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let store: TableStore;
const commands = (): unknown[] =>
  Line.last.sent.flatMap((message) => (message.type === "Do" ? [message.command] : []));
const frames = received.filter((message): message is Frame => message.type === "Frame");
const wins = (frame: Frame): boolean => frame.news.some((news) => news.type === "TrickWon");
const trick = frames.findIndex(wins);
/** Everything up to and including a frame. */
const upTo = (frame: Frame): FromServer[] => received.slice(0, received.indexOf(frame) + 1);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Line);
  store = new TableStore("t1", "secret");
  store.open();
  Line.last.onopen?.();
});

afterEach(() => {
  store.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a table, live", () => {
  it("follows frame by frame", () => {
    received.slice(0, 10).forEach((message) => Line.last.say(message));
    expect(store.line.kind).toBe("live");
    expect(store.scene?.me).toBe(2);
  });

  it("looks at a trick that was won before it goes on", () => {
    upTo(frames[trick]!).forEach((message) => Line.last.say(message));
    const { version } = store.state!;
    expect(store.scene!.trick).toHaveLength(3);
    Line.last.say(frames[trick + 1]!);
    expect(store.state!.version).toBe(version);
    vi.advanceTimersByTime(3_000);
    expect(store.state!.version).toBe(version + 1);
  });

  it("goes on at once when the player is in a hurry", () => {
    upTo(frames[trick]!).forEach((message) => Line.last.say(message));
    Line.last.say(frames[trick + 1]!);
    store.hurry();
    expect(store.state!.version).toBe(frames[trick + 1]!.version);
  });

  it("shows everything in the end, however it came", () => {
    received.slice(0, -1).forEach((message) => Line.last.say(message));
    vi.advanceTimersByTime(60_000);
    expect(store.state!.version).toBe(frames.at(-1)!.version);
  });

  it("asks for everything if something is missing, once", () => {
    received.slice(0, 8).forEach((message) => Line.last.say(message));
    Line.last.say(frames.at(-2)!);
    Line.last.say(frames.at(-1)!);
    expect(Line.last.sent.filter((message) => message.type === "Resync")).toHaveLength(1);
    Line.last.say(received.at(-1)!);
    expect(store.state!.version).toBe(frames.at(-1)!.version);
  });

  it("sends an action once, with the question it answers, and says why it was refused", async () => {
    received.slice(0, 8).forEach((message) => Line.last.say(message));
    const done = store.act("-1");
    void store.act("-2");
    const sent = Line.last.sent.flatMap((message) => (message.type === "Do" ? [message] : []));
    expect(sent.map((message) => message.command)).toEqual([
      { type: "Act", action: "-1", turn: store.state!.turn.turn },
    ]);
    Line.last.say({
      type: "Refused",
      id: sent[0]!.id,
      code: "table.stale",
      clause: "",
      message: "",
      retry_ms: null,
    });
    await done;
    expect(store.slow).toBe(false);
    expect(store.toasts.map((toast) => toast.text)).toEqual([
      "The table changed just before your move. Take another look.",
    ]);
    vi.advanceTimersByTime(6_000);
    expect(store.toasts).toEqual([]);
  });

  it("drops an action if its question was answered while the player looked at a trick", () => {
    upTo(frames[trick]!).forEach((message) => Line.last.say(message));
    const { turn, version } = store.state!;
    const later: Frame = {
      ...frames[trick]!,
      version: version + 1,
      news: [{ ...turn, turn: turn.turn + 1 }],
      own: null,
    };
    Line.last.say(later);
    expect(store.state!.turn.turn).toBe(turn.turn);
    void store.act("5b");
    expect(store.state!.turn.turn).toBe(turn.turn + 1);
    expect(commands()).toEqual([]);
    vi.advanceTimersByTime(1_000); // time enough to see the new one
    void store.act("5b");
    expect(commands()).toEqual([{ type: "Act", action: "5b", turn: turn.turn + 1 }]);
  });

  it("shows that a command takes its time, and notes what the table took", async () => {
    received.slice(0, 8).forEach((message) => Line.last.say(message));
    const { table } = store.state!; // its id, which is not the key of its link
    note(table, 9, { commitment: "c", nonce: "n" });
    const done = store.do({ type: "Rematch", nonce: "n" });
    vi.advanceTimersByTime(500);
    expect(store.slow).toBe(false);
    vi.advanceTimersByTime(200);
    expect(store.slow).toBe(true);
    const sent = Line.last.sent.at(-1) as { id: string };
    Line.last.say({ type: "Done", id: sent.id, version: 9 });
    await done;
    expect(store.slow).toBe(false);
    expect(noted(table, 9)).toEqual({ commitment: "c", nonce: "n", taken: true });
  });

  it("is waited for on the own turn, but not during a pause", () => {
    received.find((message) => (Line.last.say(message), store.mine));
    const { state } = store;
    expect(state!.turn.to_act).toContain(2);
    Line.last.say({
      type: "Frame",
      version: state!.version + 1,
      at: 0,
      news: [{ ...state!.room, paused: 0 }],
      own: null,
      ack: "",
    });
    expect(store.mine).toBe(false);
  });

  it("asks for nothing during a pause, and does not lose the question", () => {
    received.find((message) => (Line.last.say(message), store.mine));
    const { state, scene } = store;
    expect(scene!.ask.kind).not.toBe("wait");
    const room = { type: "Frame", at: 0, own: null, ack: "" } as const;
    Line.last.say({ ...room, version: state!.version + 1, news: [{ ...state!.room, paused: 0 }] });
    expect(store.paused).toBe(true);
    expect(store.scene!.ask).toMatchObject({ kind: "wait", seats: [] });
    expect(store.scene!.hand.some((card) => card.playable)).toBe(false);
    Line.last.say({ ...room, version: state!.version + 2, news: [state!.room] });
    expect(store.scene!.ask).toEqual(scene!.ask);
  });

  it("says that a move waits for the line", () => {
    received.slice(0, 8).forEach((message) => Line.last.say(message));
    Line.last.onclose?.();
    void store.act("-1");
    expect(store.stuck).toBe(false);
    vi.advanceTimersByTime(700);
    expect(store.stuck).toBe(true);
    Line.last.onopen?.();
    Line.last.say({ type: "Beat", at: 0 });
    expect(store.stuck).toBe(false);
  });

  it("does not keep for later what was said to deaf ears", () => {
    received.slice(0, 8).forEach((message) => Line.last.say(message));
    const { version } = store.state!;
    const spoken = { type: "Spoken", seat: 0, name: "Ben", text: "hello", preset: true, at: 0 } as const;
    store.spoken = null;
    settings.mute = true;
    Line.last.say({ type: "Frame", version: version + 1, at: 0, news: [spoken], own: null, ack: "" });
    settings.mute = false;
    expect(store.spoken).toBeNull();
    Line.last.say({ type: "Frame", version: version + 2, at: 0, news: [spoken], own: null, ack: "" });
    expect(store.spoken).toEqual(spoken);
  });

  it("takes the latest clock of the server for its own, and on every line anew", () => {
    vi.setSystemTime(1_000_000);
    Line.last.say({ type: "Beat", at: 1_000_500 });
    Line.last.say({ type: "Beat", at: 1_000_300 });
    expect(store.skew).toBe(500);
    Line.last.onclose?.();
    vi.advanceTimersByTime(1_000);
    Line.last.onopen?.();
    Line.last.say({ type: "Beat", at: Date.now() - 2_000 });
    expect(store.skew).toBe(-2_000);
  });

  it("takes the last event of a snapshot for the least that the server's clock can show", () => {
    vi.setSystemTime((received[0] as { at: number }).at - 5_000);
    Line.last.say(received[0]!);
    expect(store.skew).toBe(5_000);
    vi.setSystemTime((received[0] as { at: number }).at + 60_000);
    Line.last.say(received[0]!);
    expect(store.skew).toBe(5_000);
  });

  it("has ended when the table is closed, or nobody knows it", () => {
    received.slice(0, 8).forEach((message) => Line.last.say(message));
    expect(store.ended).toBe(false);
    const { version, room } = store.state!;
    Line.last.say({
      type: "Frame",
      version: version + 1,
      at: 0,
      news: [{ ...room, stage: "closed" }],
      own: null,
      ack: "",
    });
    expect(store.ended).toBe(true);
  });
});
