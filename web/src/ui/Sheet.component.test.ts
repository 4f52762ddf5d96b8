import { createRawSnippet } from "svelte";
import { expect, it, vi } from "vitest";
import { m } from "../paraglide/messages.js";
import Sheet from "./Sheet.svelte";
import { draw, part, tap } from "./testing";

const children = createRawSnippet(() => ({ render: () => "<p>Inside</p>" }));

it("opens over everything, under its title", () => {
  const dialog = part<HTMLDialogElement>(
    draw(Sheet, { title: "Menu", onclose: () => null, children }),
    "dialog",
  );
  expect(dialog.open).toBe(true);
  const heading = dialog.querySelector("h2")!;
  expect(heading.textContent).toBe("Menu");
  expect(dialog.getAttribute("aria-labelledby")).toBe(heading.id);
});

it("is put away by its button, and by a tap beside it, not by one inside", () => {
  for (const beside of [false, true]) {
    const onclose = vi.fn();
    const dialog = part<HTMLDialogElement>(draw(Sheet, { title: "Menu", onclose, children }), "dialog");
    tap(part(dialog, "p", "Inside"));
    expect(onclose).not.toHaveBeenCalled();
    tap(beside ? dialog : part(dialog, "button", m.close()));
    expect(onclose).toHaveBeenCalledOnce();
    expect(dialog.open).toBe(false);
  }
});
