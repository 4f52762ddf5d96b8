// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { kept } from "./keep";
import { CAT_NAMES, CATS, freeName, me, tidyName } from "./me.svelte";

it("draws a name on the first visit, and keeps it", () => {
  expect(CAT_NAMES).toContain(me.name);
  expect(kept("name")).toBe(me.name);
  expect(new Set(CAT_NAMES).size).toBe(24);
});

it("draws a cat as well, and keeps the one that is chosen", () => {
  expect(CATS).toContain(me.cat);
  me.cat = "mochi";
  expect(kept("cat")).toBe("mochi");
});

it("goes by the name that was chosen; without one, by a drawn one again", () => {
  me.name = "  Ada |  Lovelace ";
  expect(me.name).toBe("Ada Lovelace");
  me.name = " ";
  expect(CAT_NAMES).toContain(me.name);
});

it("makes names as long as a table likes them, and cuts no sign in two", () => {
  expect(tidyName("x".repeat(30))).toHaveLength(24);
  expect(tidyName("\u3164Ａ\u034fda\ufe0f")).toBe("Ada");
  expect([...tidyName("🐈".repeat(30))]).toHaveLength(24);
});

it("numbers a name that somebody has", () => {
  expect(freeName("Mochi", ["Luna", ""])).toBe("Mochi");
  expect(freeName("Mochi", ["mochi"])).toBe("Mochi 2");
  expect(freeName("Quark", [])).toBe("Quark 2");
  expect(freeName("Mochi", ["Mochi", "Mochi 2"])).toBe("Mochi 3");
  const long = "x".repeat(24);
  expect(freeName(long, [long])).toBe(`${"x".repeat(22)} 2`);
});
