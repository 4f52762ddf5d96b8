// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame, FromClient, FromServer } from "../lib/wire";
import recorded from "./frames.json";
import { TableStore } from "./table.svelte";

const heard = (recorded as unknown as { readonly me: FromServer[] }).me;

/** The server's end of a line. */
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
const frames = heard.filter((message): message is Frame => message.type === "Frame");
const wins = (frame: Frame): boolean => frame.news.some((news) => news.type === "TrickWon");
const trick = frames.findIndex(wins);
/** Everything up to and including a frame. */
const upTo = (frame: Frame): FromServer[] => heard.slice(0, heard.indexOf(frame) + 1);

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
    heard.slice(0, 10).forEach((message) => Line.last.say(message));
    expect(store.line.kind).toBe("live");
    expect(store.scene?.me).toBe(2);
    expect(store.news).not.toBe("");
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
    heard.slice(0, -1).forEach((message) => Line.last.say(message));
    vi.advanceTimersByTime(60_000);
    expect(store.state!.version).toBe(frames.at(-1)!.version);
  });

  it("asks for everything if something is missing, once", () => {
    heard.slice(0, 8).forEach((message) => Line.last.say(message));
    Line.last.say(frames.at(-2)!);
    Line.last.say(frames.at(-1)!);
    expect(Line.last.sent.filter((message) => message.type === "Resync")).toHaveLength(1);
    Line.last.say(heard.at(-1)!);
    expect(store.state!.version).toBe(frames.at(-1)!.version);
  });

  it("sends an action once, with the question it answers, and says why it was refused", async () => {
    heard.slice(0, 8).forEach((message) => Line.last.say(message));
    const done = store.act("-1");
    void store.act("-2");
    const sent = Line.last.sent.flatMap((message) => (message.type === "Do" ? [message] : []));
    expect(sent.map((message) => message.command)).toEqual([
      { type: "Act", action: "-1", turn: store.state!.turn.turn },
    ]);
    Line.last.say({ type: "Refused", id: sent[0]!.id, code: "table.stale", clause: "", message: "", retry_ms: null });
    await done;
    expect(store.pending).toBeNull();
    expect(store.toasts.map((toast) => toast.text)).toEqual(["The table had moved on. Look again."]);
    vi.advanceTimersByTime(6_000);
    expect(store.toasts).toEqual([]);
  });

  it("takes the latest clock of the server for its own", () => {
    vi.setSystemTime(1_000_000);
    Line.last.say({ type: "Beat", at: 1_000_500 });
    Line.last.say({ type: "Beat", at: 1_000_300 });
    expect(store.skew).toBe(500);
  });
});
