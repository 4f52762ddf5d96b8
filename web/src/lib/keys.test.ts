// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { stepInHand, tableKey } from "./keys";

function press(key: string, target?: HTMLElement, options: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, ...options });
  Object.defineProperty(event, "target", { value: target ?? document.body });
  return event;
}

describe("a key of the table", () => {
  it("chooses ranks by digits and colors by letters, large or small", () => {
    expect(tableKey(press("5"), true)).toEqual({ kind: "rank", rank: 5 });
    expect(tableKey(press("B"), true)).toEqual({ kind: "color", color: "b" });
    expect(tableKey(press("?"), true)).toEqual({ kind: "sheet", sheet: "legend" });
    expect(tableKey(press("h"), true)).toEqual({ kind: "hint" });
  });

  it("means nothing, if it is a single sign and those are switched off", () => {
    for (const key of ["5", "b", "h", "l", "?"]) expect(tableKey(press(key), false)).toBeNull();
    expect(tableKey(press("Enter"), false)).toEqual({ kind: "enter" });
    expect(tableKey(press("Escape"), false)).toEqual({ kind: "escape" });
    expect(tableKey(press("ArrowLeft"), false)).toEqual({ kind: "walk" });
  });

  it("is left to fields and shortcuts", () => {
    expect(tableKey(press("5", document.createElement("input")), true)).toBeNull();
    expect(tableKey(press("r", undefined, { ctrlKey: true }), true)).toBeNull();
  });

  it("leaves Enter to buttons, but not to cards of the hand", () => {
    const button = document.createElement("button");
    expect(tableKey(press("Enter", button), true)).toBeNull();
    button.setAttribute("role", "option");
    expect(tableKey(press("Enter", button), true)).toEqual({ kind: "enter" });
  });
});

describe("a walk through the hand", () => {
  it("ends at both ends", () => {
    expect(stepInHand("ArrowRight", 0, 5, 5)).toBe(1);
    expect(stepInHand("ArrowRight", 4, 5, 5)).toBe(4);
    expect(stepInHand("ArrowLeft", 0, 5, 5)).toBe(0);
    expect(stepInHand("End", 1, 5, 5)).toBe(4);
  });

  it("goes up and down where there are two rows, and nowhere else", () => {
    expect(stepInHand("ArrowDown", 1, 7, 4)).toBe(5);
    expect(stepInHand("ArrowDown", 3, 7, 4)).toBe(6); // the second row is shorter
    expect(stepInHand("ArrowDown", 5, 7, 4)).toBe(5);
    expect(stepInHand("ArrowUp", 5, 7, 4)).toBe(1);
    expect(stepInHand("ArrowUp", 1, 7, 4)).toBe(1);
    expect(stepInHand("ArrowUp", 1, 4, 4)).toBeNull();
    expect(stepInHand("x", 1, 4, 4)).toBeNull();
  });
});
