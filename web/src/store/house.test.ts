import { expect, it } from "vitest";
import type { FromServer } from "../lib/wire";
import recorded from "./frames.json";
import { boardName, faceName, faceOf, houseRule } from "./house";
import { reduce, type TableState } from "./state";

const received = (recorded as unknown as { readonly me: FromServer[] }).me;
const state = received.reduce<TableState | null>(reduce, null)!;
const lobby = (changed: object): TableState => ({
  ...state,
  game: null,
  settings: { ...state.settings, ...changed },
});

it("knows the usual face, and calls each by its name", () => {
  expect(faceOf({ ...state.settings, face: "", players: 5 })).toBe("purple");
  expect(faceName("purple")).toBe("Purple");
  expect(faceName("face spiral\nr1 r2\n")).toBe("spiral");
  expect([boardName("white"), boardName("face spiral\nr1 r2\n")]).toEqual(["White board", "spiral"]);
});

it("tells a house rule before the game, and during it (R31)", () => {
  expect(houseRule(lobby({ face: "purple", players: 3 }))).toBe("");
  expect(houseRule(lobby({ face: "purple", players: 2, house_rules: true }))).toMatch(
    /^House rule: .* 2 players/,
  );
  expect(houseRule(state)).toBe("");
  expect(houseRule({ ...state, game: { ...state.game!, house_rules: ["…"] } })).toMatch(/^House rule/);
});
