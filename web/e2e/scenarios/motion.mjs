// Anyone who asks the system for less motion gets none; everybody else sees cards fly.
import { againstBots } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { Player, playUntil } from "../harness/player.mjs";
import { SMALL } from "../harness/world.mjs";

export default async function motion(world) {
  const still = await round(world, "reduce");
  same(still, [], "with reduced motion nothing moves");
  const moved = await round(world, "no-preference");
  check(moved.length > 0, "without it, something does");
  check(
    moved.some((one) => one.includes("flying")),
    "cards that are set aside fly",
  );
}

/** Play a while, and tell what was seen to move. */
async function round(world, reducedMotion) {
  const page = await world.visitor("/", { ...SMALL, reducedMotion, settings: { speed: "normal" } });
  await page.evaluate(keepWatch);
  const player = new Player(page, { patient: true });
  await againstBots(page, { players: 3 });
  let plays = 0;
  await playUntil(
    [player],
    (done) => (plays += Number(done === "lead" || done === "follow")) >= 3 || done === "over",
  );
  await until(async () => !(await page.locator(".flying").count()), "whatever flew has landed");
  const seen = await page.evaluate(() => [...window.movements]);
  await page.context().close();
  return seen;
}

/** In the page: note whatever is animated, frame by frame. */
function keepWatch() {
  window.movements = new Set();
  const watch = () => {
    for (const one of document.getAnimations()) {
      const target = one.effect?.target;
      const long = (one.effect?.getComputedTiming().duration ?? 0) > 1;
      if (long)
        window.movements.add(
          `${one.animationName ?? one.transitionProperty ?? "by script"} on ${target?.className}`,
        );
    }
    requestAnimationFrame(watch);
  };
  watch();
}
