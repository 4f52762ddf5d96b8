import { flushSync, mount, unmount } from "svelte";
import { expect, it, onTestFinished } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { motion, type Speed } from "../lib/motion.svelte";
import { allAtOnce } from "../lib/pieces";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import Played from "./Played.svelte";

type Named = TableShown & { readonly name: string };
const table = (fixtures.scenes as unknown as readonly Named[]).find((one) => one.name === "4-follow")!;
const scene = sceneOf(table, null);

/** Draw the card that lies in the trick; asks which of its two pictures are there. */
function drawnAt(speed: Speed): () => string[] {
  motion.speed = speed;
  const target = document.body.appendChild(document.createElement("div"));
  const drawn = mount(Played, { target, props: { scene, seat: scene.trick[0]!.seat } });
  flushSync();
  onTestFinished(async () => {
    motion.speed = "off";
    await unmount(drawn);
    target.remove();
  });
  return () => {
    flushSync();
    return [...target.querySelectorAll(".card")].map(({ classList }) =>
      classList.contains("observed") ? "observed" : "open",
    );
  };
}

it("draws what a card was, and then what it becomes, each when its turn has come", () => {
  const cards = drawnAt("normal");
  expect(cards()).toEqual([]);
  allAtOnce();
  expect(cards()).toEqual(["open", "observed"]);
});

it.each(["fast", "off"] as const)("draws only what it is for anyone in a hurry, at once: %s", (speed) => {
  expect(drawnAt(speed)()).toEqual(["observed"]);
});
