import { describe, expect, it } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import type { Scene } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import type { FromServer, TableShown } from "../lib/wire";
import recorded from "../store/frames.json";
import { drawable, reduce, type TableState } from "../store/state";
import { momentsBetween, soundOf, type Moment } from "./moments";

const received = (recorded as unknown as { readonly me: FromServer[] }).me;

/** Every scene of a real game, as its player saw it. */
const scenes = received.reduce<{ state: TableState | null; all: Scene[] }>(
  ({ state, all }, message) => {
    const next = reduce(state, message);
    const table = drawable(next);
    return { state: next, all: table && next !== state ? [...all, sceneOf(table, null)] : all };
  },
  { state: null, all: [] },
).all;
const moments = scenes.slice(1).flatMap((scene, n) => momentsBetween(scenes[n]!, scene));
const of = <K extends Moment["kind"]>(kind: K): Extract<Moment, { kind: K }>[] =>
  moments.filter((one): one is Extract<Moment, { kind: K }> => one.kind === kind);

describe("the moments of a game", () => {
  it("are as many as its moves", () => {
    const last = scenes.at(-1)!;
    const whole = scenes.filter((scene) => scene.round === last.round);
    const round = whole.slice(1).flatMap((scene, n) => momentsBetween(whole[n]!, scene));
    const count = (kind: Moment["kind"]): number => round.filter((one) => one.kind === kind).length;
    const tokens = (scene: Scene): number => scene.seats.reduce((sum, seat) => sum + seat.tokens.length, 0);
    expect(count("play")).toBe(last.board.places.filter((place) => typeof place.owner === "number").length);
    expect(count("trick")).toBe(last.seats.reduce((sum, seat) => sum + seat.won, 0));
    expect(count("gave-up")).toBe(tokens(whole[0]!) - tokens(last));
    expect(count("red-opened")).toBe(last.redOpen ? 1 : 0);
  });

  it("has every kind", () => {
    for (const kind of ["deal", "aside", "bid", "play", "gave-up", "red-opened", "trick"] as const) {
      expect(of(kind).length, kind).toBeGreaterThan(0);
    }
  });

  it("tell the rank of the own card that was set aside, and of no other", () => {
    const { me } = scenes.at(-1)!;
    for (const { seat, rank } of of("aside")) expect(rank !== null, `${seat}`).toBe(seat === me);
  });

  it("are none when a move is taken back, or when somebody jumps through a replay", () => {
    const at = scenes.findIndex((scene, n) =>
      momentsBetween(scenes[n - 1] ?? scene, scene).some((one) => one.kind === "play"),
    );
    expect(momentsBetween(scenes[at]!, scenes[at - 1]!)).toEqual([]);
    const [early, late] = [fixtures.scenes, fixtures.film].map((all) =>
      sceneOf(all.at(-1) as unknown as TableShown, null),
    );
    expect(momentsBetween(early!, early!)).toEqual([]);
    expect(momentsBetween({ ...early!, round: 1 }, { ...late!, round: 1 })).toEqual([]);
  });
});

describe("the sound of moments", () => {
  it("is the weightiest", () => {
    const play: Moment = { kind: "play", seat: 0 };
    expect(soundOf([])).toBe(null);
    expect(soundOf([play])).toBe("card");
    expect(soundOf([play, { kind: "trick", winner: 0 }])).toBe("trick");
    expect(soundOf([play, { kind: "gave-up", seat: 0, color: "b" }, { kind: "trick", winner: 0 }])).toBe(
      "tear",
    );
    expect(soundOf([play, { kind: "red-opened", seat: 0 }, { kind: "gave-up", seat: 0, color: "b" }])).toBe(
      "red",
    );
  });
});
