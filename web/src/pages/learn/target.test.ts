// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { steps } from "./lesson";
import { targetOf } from "./target";

const step = (id: string) => steps.find((one) => one.id === id)!;
const found = (id: string, selected: number | null = null) => targetOf(step(id), selected)?.id;

beforeEach(() => {
  document.body.innerHTML = `
    <div role="listbox" id="hand">
      <button role="option" data-rank="5" id="five">5</button>
      <button role="option" data-rank="6" id="six">6</button>
    </div>
    <div class="colors"><button class="b" id="blue">Blue</button><button class="g" id="green">Green</button></div>
    <div class="bids"><button id="one">1</button><button id="three">3</button></div>
    <div class="tray"><button class="button main" id="box">Open the box</button></div>
    <button id="aside"> Set the 6 aside </button>`;
});

describe("the spotlight", () => {
  it("falls on the card that is to be chosen, and then on its color", () => {
    expect(found("color-tap")).toBe("five");
    expect(found("color-choose")).toBe("five");
    expect(found("color-choose", 5)).toBe("blue");
    expect(found("color-again", 5)).toBe("green");
  });

  it("falls on the card that is to be set aside, and then on the button", () => {
    expect(found("bid-aside")).toBe("six");
    expect(found("bid-aside", 6)).toBe("aside");
  });

  it("falls on a bid, on a reason, and on the box", () => {
    expect(found("bid-number")).toBe("three");
    expect(found("follow-why", 6)).toBe("blue");
    expect(found("paradox-seen")).toBe("box");
  });

  it("falls on the hand where any card will do, and then on nothing: cards and colors are all free", () => {
    expect(found("two-play")).toBe("hand");
    expect(found("two-play", 5)).toBeUndefined();
  });

  it("falls on nothing where a button leads on, or while the page is being drawn", () => {
    expect(found("color-trick")).toBeUndefined();
    document.body.innerHTML = "";
    expect(found("color-tap")).toBeUndefined();
  });
});
