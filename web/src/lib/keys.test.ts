// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { tableKey } from "./keys";

function press(key: string, target?: HTMLElement, options: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, ...options });
  Object.defineProperty(event, "target", { value: target ?? document.body });
  return event;
}

describe("a key of the table", () => {
  it("chooses ranks by digits and colors by letters, large or small", () => {
    expect(tableKey(press("5"))).toEqual({ kind: "rank", rank: 5 });
    expect(tableKey(press("B"))).toEqual({ kind: "color", color: "b" });
    expect(tableKey(press("?"))).toEqual({ kind: "sheet", sheet: "legend" });
  });

  it("is left to fields and shortcuts", () => {
    expect(tableKey(press("5", document.createElement("input")))).toBeNull();
    expect(tableKey(press("r", undefined, { ctrlKey: true }))).toBeNull();
  });

  it("leaves Enter to buttons, but not to cards of the hand", () => {
    const button = document.createElement("button");
    expect(tableKey(press("Enter", button))).toBeNull();
    button.setAttribute("role", "option");
    expect(tableKey(press("Enter", button))).toEqual({ kind: "enter" });
  });
});
