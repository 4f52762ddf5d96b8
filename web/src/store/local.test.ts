/** Games that are opened in this page: what is wanted is told once, and what went wrong has a sentence. */

import { expect, it, vi } from "vitest";
import { engine } from "../engine/client";
import { m } from "../paraglide/messages.js";
import { beginShared, takeWanted } from "./local";
import { refusalWords } from "./refusals";

it("tells a table once what to begin, so that nothing deals again under its address", async () => {
  vi.spyOn(engine, "ready").mockResolvedValue();
  const path = await beginShared({
    players: 3,
    level: "gentle",
    face: "white",
    names: ["Ada", "Bo"],
    cats: ["tora"],
    hints: false,
  });
  const id = path.split("/").at(-1)!;
  expect(takeWanted(id)).toMatchObject({
    face: "white",
    seats: [{ name: "Ada", cat: "tora" }, { name: "Bo" }, { level: "gentle" }],
  });
  expect(takeWanted(id)).toBeNull();
});

it("tells a table that there are hints only if all who share the device agree", async () => {
  vi.spyOn(engine, "ready").mockResolvedValue();
  for (const hints of [false, true]) {
    const who = { names: ["Ada", "Bo"], cats: [], hints };
    const path = await beginShared({ players: 3, level: "gentle", face: "white", ...who });
    expect(takeWanted(path.split("/").at(-1)!)!.hints ?? false).toBe(hints);
  }
});

it("has sentences for an engine that was lost, and for a game that cannot be read", () => {
  expect(refusalWords({ code: "engine.lost", message: "developer's words" })).toBe(m.net_no_failed());
  expect(refusalWords({ code: "local.unreadable", message: "developer's words" })).toBe(m.local_unreadable());
});
