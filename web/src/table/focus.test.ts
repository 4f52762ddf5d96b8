// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { keepFocus } from "./focus";

let table: HTMLElement;
let card: HTMLButtonElement;
let focus: ReturnType<typeof keepFocus>;

beforeEach(() => {
  document.body.replaceChildren();
  table = document.body.appendChild(document.createElement("main"));
  card = table.appendChild(document.createElement("button"));
  focus = keepFocus();
  table.addEventListener("focusin", focus.listeners.onfocusin);
  table.addEventListener("focusout", focus.listeners.onfocusout);
});

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe("the focus at a table", () => {
  it("is lost when its card is taken away", () => {
    card.focus();
    expect(focus.isLost()).toBe(false);
    card.remove();
    expect(focus.isLost()).toBe(true);
  });

  it("is not lost where it never was", () => {
    card.remove();
    expect(focus.isLost()).toBe(false);
  });

  it("is not lost when somebody has left it, and the card goes later", async () => {
    card.focus();
    card.blur();
    await moment();
    card.remove();
    expect(focus.isLost()).toBe(false);
  });

  it("leaves what is about to be taken away, and comes back after it", async () => {
    card.className = "held";
    card.focus();
    focus.leave(".docked");
    expect(document.activeElement).toBe(card);
    focus.leave(".held");
    expect(document.activeElement).toBe(document.body);
    card.remove();
    await moment();
    expect(focus.isLost()).toBe(true);
  });

  it("leaves nothing that is not of the table", () => {
    const field = document.body.appendChild(document.createElement("input"));
    field.className = "held";
    field.focus();
    focus.leave(".held");
    expect(document.activeElement).toBe(field);
  });

  it("is lost with a sheet that lay over a card, even if the card is still there", async () => {
    const sheet = document.body.appendChild(document.createElement("button"));
    card.focus();
    sheet.focus();
    await moment();
    expect(focus.isLost()).toBe(false);
    sheet.remove();
    expect(focus.isLost()).toBe(true);
  });
});
