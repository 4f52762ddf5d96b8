import { createRawSnippet } from "svelte";
import { expect, it, vi } from "vitest";
import Button from "./Button.svelte";
import { draw, part, tap } from "./testing";

const children = createRawSnippet(() => ({ render: () => "<span>Continue</span>" }));

it("is pressed once by a double tap", () => {
  const onclick = vi.fn();
  const button = part(draw(Button, { onclick, children }), "button", "Continue");
  tap(button);
  tap(button, 2);
  expect(onclick).toHaveBeenCalledOnce();
});

it("has nothing to do while it is disabled, but keeps the focus", () => {
  const onclick = vi.fn();
  const button = part<HTMLButtonElement>(draw(Button, { onclick, disabled: true, children }), "button");
  button.focus();
  tap(button);
  expect(onclick).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(document.activeElement).toBe(button);
});

it("does not submit a form while it is disabled", () => {
  const form = document.body.appendChild(document.createElement("form"));
  const submitted = vi.fn((event: Event) => event.preventDefault());
  form.addEventListener("submit", submitted);
  const enabled = draw(Button, { submit: true, children });
  const disabled = draw(Button, { submit: true, disabled: true, children });
  form.append(enabled, disabled);
  tap(part(disabled, "button"));
  expect(submitted).not.toHaveBeenCalled();
  tap(part(enabled, "button"));
  expect(submitted).toHaveBeenCalledOnce();
  form.remove();
});

it("can be a link, and can be called something", () => {
  const link = part<HTMLAnchorElement>(
    draw(Button, { href: "/learn", label: "Learn the game", children }),
    "a",
  );
  expect(link.getAttribute("href")).toBe("/learn");
  expect(link.getAttribute("aria-label")).toBe("Learn the game");
});
