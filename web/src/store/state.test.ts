import { describe, expect, it } from "vitest";
import { sceneOf } from "../lib/stage";
import type { Frame, FromServer, Snapshot } from "../lib/wire";
import recorded from "./frames.json";
import { linger, lingering } from "./linger";
import { drawable, reduce, type TableState } from "./state";

const received = recorded as unknown as { readonly me: FromServer[]; readonly watcher: FromServer[] };
const frames = received.me.filter((message): message is Frame => message.type === "Frame");
const all = (messages: readonly FromServer[]): TableState | null =>
  messages.reduce<TableState | null>(reduce, null);

describe("reduce", () => {
  it.each(["me", "watcher"] as const)("adds up to what the server shows in the end (%s)", (who) => {
    const messages = received[who];
    const { type: _, ...last } = messages.at(-1) as Snapshot;
    // Only the moment of the snapshot is its own: it tells the last event's time as well.
    expect(all(messages.slice(0, -1))).toEqual(last);
  });

  it("knows nothing before the first snapshot", () => {
    expect(reduce(null, frames[0]!)).toBeNull();
  });

  it("takes a frame once, and never one that leaves a gap", () => {
    const state = all(received.me.slice(0, 12))!;
    const seen = received.me.slice(0, 12).filter((message): message is Frame => message.type === "Frame");
    expect(reduce(state, seen.at(-1)!)).toBe(state);
    expect(reduce(state, { ...seen.at(-1)!, version: state.version + 2 })).toBe(state);
  });

  it("keeps the own cards where a frame does not tell them", () => {
    const state = all(received.me.slice(0, -1))!;
    const frame: Frame = { type: "Frame", version: state.version + 1, at: 0, news: [], own: null, ack: "" };
    expect(reduce(state, frame)?.own).toBe(state.own);
  });

  it("changes nothing in a state that somebody still looks at", () => {
    const before = all(received.me.slice(0, 20))!;
    const text = JSON.stringify(before);
    received.me.slice(20).reduce<TableState | null>(reduce, before);
    expect(JSON.stringify(before)).toBe(text);
  });
});

describe("the scene of a state", () => {
  it("can be drawn from the first deal on, after every message", () => {
    let state: TableState | null = null;
    let drawn = 0;
    for (const message of received.me) {
      state = reduce(state, message);
      const table = drawable(state);
      if (table) drawn += sceneOf(table, null).seats.length === 3 ? 1 : 0;
    }
    expect(drawn).toBeGreaterThan(30);
  });

  it("keeps a trick in sight that was just won, and asks the next question all the same", () => {
    const index = received.me.findIndex(
      (message) => message.type === "Frame" && message.news.some((news) => news.type === "TrickWon"),
    );
    const state = all(received.me.slice(0, index + 1))!;
    const frame = received.me[index] as Frame;
    const scene = sceneOf(drawable(state)!, null);
    expect(scene.trick).toEqual([]);
    const trick = lingering(frame, state.round!.last_trick);
    const shown = linger(scene, trick);
    expect(shown.trick).toHaveLength(3);
    expect(shown.winning).toBe(trick!.winner);
    expect(shown.seats.filter((seat) => seat.winning).map((seat) => seat.seat)).toEqual([trick!.winner]);
    expect(shown.ask).toBe(scene.ask);
    expect(linger(scene, null)).toBe(scene);
  });
});
