import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FromServer } from "../lib/wire";
import { rematch, sit } from "./begin";
import recorded from "./frames.json";
import {
  forget,
  gone,
  keepReplays,
  note,
  noted,
  noteReview,
  noteTaken,
  replayKey,
  replayPath,
  reviewOf,
} from "./games";
import { sharedName, unfinished, visit, visited, visitedPath } from "./games";
import { keep, kept } from "./keep";
import { namesOf, waitsFor } from "./listing";
import { reduce, type TableState } from "./state";

const received = (recorded as unknown as { readonly me: FromServer[] }).me;
const state = received.reduce<TableState | null>(reduce, null)!;
const table = (
  name: string,
  stage: TableState["room"]["stage"] = "play",
  winners: readonly number[] = [],
): TableState => ({
  ...state,
  table: name,
  room: { ...state.room, stage },
  game: { ...state.game!, winners },
});

const asked = vi.hoisted(() => vi.fn());
vi.mock("../net/http", () => ({ linksOf: asked }));

beforeEach(() => {
  keep("tables", "[]");
  asked.mockReset();
});

describe("links", () => {
  const links = {
    id: "a",
    play: "a-play",
    watch: "a-watch",
    replays: [{ game: 1, key: "a-replay" }],
    code: null,
  };

  it("lead to a table as one came to it", () => {
    visit(table("a"), { key: "a-play" });
    visit(table("b"), { key: "b-watch", watch: true });
    expect(visited().map(visitedPath)).toEqual(["/w/b-watch", "/t/a-play"]);
  });

  it("lead to tables of the past by their name", () => {
    keep("tables", JSON.stringify([{ table: "old", players: 3, names: [], at: 0, finished: 1, notes: {} }]));
    const [one] = visited();
    expect([visitedPath(one!), replayPath(one!, 1)]).toEqual(["/t/old", "/g/old"]);
  });

  it("of a replay do not open the table, once that is known", () => {
    visit(table("a", "over", [1]), { key: "a-play" });
    expect(replayPath(visited()[0]!, 1)).toBe("/g/a-play");
    keepReplays(links);
    expect(replayPath(visited()[0]!, 1)).toBe("/g/a-replay");
    visit(table("a", "over", [1]), { key: "a-play" });
    expect(replayPath(visited()[0]!, 1)).toBe("/g/a-replay");
  });

  it("of a replay are asked for by the key of the table, and by no other", async () => {
    visit(table("a", "over", [1]), { key: "a-play" });
    asked.mockResolvedValue(links);
    expect(await replayKey("a-play", 1)).toBe("a-replay");
    expect(await replayKey("a-play", 2)).toBe("a-play");
    asked.mockRejectedValue(new Error("offline"));
    expect(await replayKey("a-play", 1)).toBe("a-play");
    asked.mockClear();
    expect(await replayKey("a-replay", 1)).toBe("a-replay");
    expect(asked).not.toHaveBeenCalled();
  });

  it("that the server knows no longer are forgotten", () => {
    visit(table("a"), { key: "a-play" });
    keep(sharedName("a-play"), "[]");
    gone("a-play");
    expect([visited(), kept(sharedName("a-play"))]).toEqual([[], null]);
  });
});

describe("tables", () => {
  it("are remembered, the latest first, each once", () => {
    visit(table("a"));
    visit(table("b"));
    visit(table("a", "over", [1]));
    expect(visited().map((one) => [one.table, one.stage])).toEqual([
      ["a", "over"],
      ["b", "play"],
    ]);
    forget("a");
    expect(visited().map((one) => one.table)).toEqual(["b"]);
  });

  it("tell how many games were finished, also after they were closed", () => {
    visit(table("a"));
    visit(table("b", "over", [1]));
    visit(table("c", "closed", [0, 2]));
    visit(table("d", "closed"));
    expect(visited().map((one) => one.finished)).toEqual([0, 1, 1, 0]);
  });

  it("are forgotten with the keys to their seats, the oldest when there are too many", () => {
    for (let n = 0; n < 60; n += 1) {
      keep(sharedName(`t${n}`), "[]");
      visit(table(`t${n}`));
    }
    expect(visited()).toHaveLength(40);
    expect(visited()[0]?.table).toBe("t59");
    expect([kept(sharedName("t19")), kept(sharedName("t20"))]).toEqual([null, "[]"]);
    forget("t20");
    expect(kept(sharedName("t20"))).toBeNull();
  });

  it("are never forgotten while they go on in this browser only", () => {
    visit(table("mine"), { local: true });
    visit(table("ended", "over", [1]), { local: true });
    for (let n = 0; n < 50; n += 1) visit(table(`t${n}`));
    const names = visited().map((one) => one.table);
    expect(names).toHaveLength(41);
    expect([names.includes("mine"), names.includes("ended"), names.includes("t9")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(unfinished().map((one) => one.table)).toContain("mine");
  });

  it("keep the time of the last move, however often they are opened", () => {
    visit({ ...table("a"), at: 1_000 });
    visit({ ...table("b"), at: 2_000 });
    visit({ ...table("a"), at: 9_000 });
    expect(visited().map((one) => [one.table, one.at])).toEqual([
      ["b", 2_000],
      ["a", 1_000],
    ]);
    const { turn } = state;
    visit({ ...table("a"), at: 9_500, turn: { ...turn, turn: turn.turn + 1 } });
    expect(visited()[0]).toMatchObject({ table: "a", at: 9_500 });
  });

  it("keep when each of their games ended", () => {
    const second = (one: TableState): TableState => ({ ...one, game: { ...one.game!, number: 2 } });
    visit({ ...table("a", "over", [1]), at: 1_000 });
    visit({ ...second(table("a")), at: 5_000 });
    visit({ ...second(table("a", "over", [0])), at: 7_000 });
    visit({ ...second(table("a", "closed", [0])), at: 8_000 });
    expect(visited()[0]?.ends).toEqual({ 1: 1_000, 2: 7_000 });
  });

  it("name their bots in the language of the reader, and tell whose turn it was", () => {
    visit({ ...table("a"), seat: 2, turn: { ...state.turn, to_act: [2] } });
    const [one] = visited();
    expect(one!.names).toEqual(["", "", "Ada"]);
    expect(namesOf(one!)).toEqual(["Quark", "Muon", "Ada"]);
    expect(waitsFor(one!)).toBe("It’s your turn.");
    expect(waitsFor({ ...one!, toAct: [1] })).toBe("Muon’s turn");
    expect(waitsFor({ ...one!, shared: true })).toBe("Ada’s turn");
    expect(waitsFor({ ...one!, toAct: [] })).toBe("");
    expect(waitsFor({ ...one!, stage: "lobby" })).toBe("Not started yet");
    expect(waitsFor({ ...one!, stage: "between" })).toBe("Between rounds");
    const { bots: _, ...older } = { ...one!, names: ["Quark", "Myon", "Ada"] };
    expect(namesOf(older)).toEqual(["Quark", "Myon", "Ada"]);
  });

  it("that the server knows no longer are not gone on with; what was finished there may be kept", () => {
    visit(table("a"));
    visit(table("b", "play"));
    visit(table("b", "over", [1]));
    gone("a");
    gone("b");
    gone("never seen");
    expect(visited().map((one) => [one.table, one.stage])).toEqual([["b", "closed"]]);
  });
});

describe("notes", () => {
  const nonceOf = (command: object): string => (command as { nonce: string }).nonce;

  it("keep the first promise of a game, whatever comes after", () => {
    note("a", 1, { commitment: "c1", nonce: "n1" });
    visit(table("a"));
    note("a", 1, { commitment: "other", nonce: "n2" });
    note("a", 2, { commitment: "c2", nonce: "n3" });
    expect(noted("a", 1)).toEqual({ commitment: "c1", nonce: "n1" });
    expect(noted("a", 2)).toEqual({ commitment: "c2", nonce: "n3" });
    expect(noted("b", 1)).toBeNull();
  });

  it("have one nonce for a game, for anyone who sits, gets up, and sits down elsewhere", () => {
    const first = sit("a", "c1", "Ada", 0);
    noteTaken("a", nonceOf(first));
    const again = sit("a", "c1", "Ada", 2);
    expect(nonceOf(again)).toBe(nonceOf(first));
    expect(noted("a", 1)).toEqual({ commitment: "c1", nonce: nonceOf(first), taken: true });
    expect(nonceOf(sit("a", "c2", "Ada", 2, 2))).not.toBe(nonceOf(first));
    expect(nonceOf(sit("b", "c1", "Ada", 0))).not.toBe(nonceOf(first));
  });

  it("have one nonce for a rematch that was refused and asked for again", () => {
    const over = table("a", "over", [1]);
    const first = rematch(over);
    expect(first.type).toBe("Rematch");
    expect(nonceOf(rematch(over))).toBe(nonceOf(first));
    expect(noted("a", over.game!.number + 1)).toEqual({
      commitment: over.room.commitment,
      nonce: nonceOf(first),
    });
  });

  it("tell which nonce a table took last, of the game to come", () => {
    note("a", 1, { commitment: "c1", nonce: "n1", taken: true });
    note("a", 2, { commitment: "c2", nonce: "n2" });
    noteTaken("a", "n3");
    noteTaken("elsewhere", "n3");
    expect(noted("a", 1)?.nonce).toBe("n1");
    expect(noted("a", 2)).toEqual({ commitment: "c2", nonce: "n3", taken: true });
  });

  it("are found for a file by its promise", () => {
    note("a", 1, { commitment: "c1", nonce: "n1" });
    expect(noted("a", null, "c1")?.nonce).toBe("n1");
    expect(noted("a", null, "c2")).toBeNull();
  });
});

it("knows the review that a game is played on from, and counts nothing of such a game", () => {
  noteReview("again", "/review/abc#7");
  expect(unfinished()).toEqual([]);
  visit(table("again"), { local: true });
  expect(unfinished()).toMatchObject([{ table: "again", review: "/review/abc#7" }]);
  visit(table("again", "over", [0]), { local: true });
  expect(visited()).toMatchObject([{ table: "again", finished: 0, review: "/review/abc#7" }]);
  expect([reviewOf("again"), reviewOf("another")]).toEqual(["/review/abc#7", ""]);
});
