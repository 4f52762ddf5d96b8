import { flushSync } from "svelte";
import { fromStore, writable } from "svelte/store";
import { expect, it, onTestFinished, vi } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import type { Screen } from "../ceremony/round-end";
import "../ceremony/screens"; // the table fetches them later; here they are at hand
import { motion } from "../lib/motion.svelte";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import { draw, part } from "../ui/testing";
import Table from "./Table.svelte";

type Named = TableShown & { readonly name: string };
const tables = fixtures.scenes as unknown as readonly Named[];
const scene = sceneOf(
  tables.find((one) => one.name === "5-paradox")!,
  null,
);

/** A table at the end of its round, with motion, and what shows a screen of it. */
function tableAtEnd() {
  const shown = writable<Screen | null>(null);
  const screen = fromStore(shown);
  const root = draw(Table, {
    scene,
    get screen() {
      return screen.current;
    },
    onact: () => undefined,
  });
  motion.speed = "normal";
  onTestFinished(() => void (motion.speed = "off"));
  const show = (next: Screen | null) => {
    shown.set(next);
    flushSync();
  };
  return { root, show };
}

/** The screens of the end of a round come a moment after the table. */
const LATER = { timeout: 10_000 };
const DARK = ".unlit";
const ALL_DARK = [".top", ".seats", ".open", ".board", ".foot"].map((one) => one + DARK);

it("darkens a table part by part, and lights it part by part", async () => {
  const { root, show } = tableAtEnd();
  const steps: number[] = [];
  const observer = new MutationObserver(() => steps.push(root.querySelectorAll(DARK).length));
  observer.observe(root, { subtree: true, attributeFilter: ["class"] });
  show("paradox");
  await vi.waitFor(() => ALL_DARK.forEach((one) => part(root, one)), LATER);
  const darker = [...new Set(steps)];
  expect(darker).toEqual([...darker].sort((a, b) => a - b));
  expect(darker.length).toBeGreaterThan(2);

  steps.length = 0;
  show("counting");
  await vi.waitFor(() => expect(root.querySelector(`.dark, ${DARK}`)).toBeNull(), LATER);
  const lighter = [...new Set(steps)];
  expect(lighter).toEqual([...lighter].sort((a, b) => b - a));
  expect(lighter.length).toBeGreaterThan(2);
});

it("lets go of the focus before what has it is taken away", async () => {
  const { root, show } = tableAtEnd();
  const card = root.querySelector<HTMLElement>('[role="option"][tabindex="0"]')!;
  card.focus();
  const found: boolean[] = [];
  root.addEventListener("focusout", () => found.push(card.isConnected && !root.querySelector(".foot")));
  show("paradox");
  await vi.waitFor(() => part(root, ".foot"), LATER);
  expect(found[0]).toBe(true);
});
