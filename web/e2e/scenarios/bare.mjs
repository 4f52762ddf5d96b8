// A browser without WebAssembly: the server deals and its bots play, what a color costs is not shown, and a sentence says so.
// A browser without storage: the page works all the same.
import { check, same } from "../harness/check.mjs";
import { againstBots } from "../harness/entry.mjs";
import { look, shown } from "../harness/look.mjs";
import { Player, playUntilSeen } from "../harness/player.mjs";

export default async function bare(world) {
  const context = await world.person();
  await context.addInitScript(() => delete globalThis.WebAssembly);
  const page = await context.newPage();
  await page.goto(world.base);
  const player = new Player(page);
  const m = player.words;

  const told = shown(page, m("engine_missing")).first().waitFor(); // it goes by itself
  await againstBots(page, { players: 3 });
  check(/\/t\/[\w-]+$/.test(page.url()), `the game is at the server, not at ${page.url()}`);
  await told;

  await playUntilSeen([player], (now) => ["lead", "follow"].includes(player.asked(now)));
  const { rank } = (await look(page)).hand.find((card) => !card.dead);
  await player.choose(rank);
  const { choices } = await look(page);
  const names = ["red_name", "blue_name", "yellow_name", "green_name"].map((color) => `${m(color)} ${rank}`);
  same(
    choices.map((choice) => choice.says),
    names,
    "colors without costs and reasons",
  );
  check(
    choices.some((choice) => choice.legal),
    "one of them can be played",
  );

  await playUntilSeen([player], (now) => now.prompt === m("over_round"));
  await player.endOfRound();

  await page.goto(`${world.base}/learn`);
  await shown(page.locator(".coach"), m("engine_missing")).waitFor();
  await withoutStorage(world, m);
}

/** A browser that lets pages store nothing: the page is there, and a game begins. */
async function withoutStorage(world, m) {
  const context = await world.browser.newContext({ locale: "en-US" }); // the harness would write into the storage
  await context.addInitScript(() =>
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    }),
  );
  const page = await context.newPage();
  await page.goto(world.base);
  await shown(page, m("home_line")).waitFor();
  await againstBots(page, { players: 3 });
}
