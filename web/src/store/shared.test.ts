import { expect, it } from "vitest";
import { sceneOf } from "../lib/stage";
import type { FromServer } from "../lib/wire";
import recorded from "./frames.json";
import { agreeing, together } from "./shared";
import { drawable, reduce, type TableState } from "./state";

const received = (recorded as unknown as { readonly me: FromServer[] }).me;
const state = received.reduce<TableState | null>(reduce, null)!;

it("lets the others agree when one of them wants to take back, each once", () => {
  const { room } = state;
  expect(agreeing({ ...room, undo: { seat: 1, agreed: [] } }, [0, 1, 2])).toEqual([0, 2]);
  expect(agreeing({ ...room, undo: { seat: 1, agreed: [0] } }, [0, 1, 2])).toEqual([2]);
});

it("leaves a stranger's request to the people", () => {
  const { room } = state;
  expect(agreeing({ ...room, undo: { seat: 3, agreed: [] } }, [0, 1])).toEqual([]);
  expect(agreeing({ ...room, undo: null }, [0, 1])).toEqual([]);
});

it("opens nobody's cards while all look", () => {
  const scene = sceneOf(drawable(state)!, null);
  expect(scene.hand.length).toBeGreaterThan(0);
  expect(together(scene)).toEqual({ ...scene, hand: [], discard: null });
});
