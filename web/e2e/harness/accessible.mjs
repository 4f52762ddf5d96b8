// Every screen, judged by axe, and by the size of its texts.
import { faults } from "./axe.mjs";
import { smallText } from "./measure.mjs";
import {
  walkCover,
  walkGame,
  walkGames,
  walkLobby,
  walkPages,
  walkReplay,
  walkReview,
  walkVictory,
} from "./screens.mjs";

// Another theme or palette changes colors and nothing else, so it is judged by the rules about colors.
const COLORS = ["color-contrast", "link-in-text-block"];

/** Everything that is wrong with a screen: by day and by night, each also in high contrast. */
export async function allFaults(page, name) {
  const found = await faults(page, name);
  for (const text of await smallText(page)) found.push(`${name}: too small to read: ${text}`);
  await wear(page, "contrast");
  found.push(...(await faults(page, `${name} in high contrast`, COLORS)));
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await faults(page, `${name} in high contrast by night`, COLORS)));
  await wear(page, "standard");
  found.push(...(await faults(page, `${name} by night`, COLORS)));
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** The settings only write this mark. */
const wear = (page, palette) =>
  page.evaluate((one) => {
    document.documentElement.dataset.palette = one;
  }, palette);

/** Walk through every screen, and judge each; what is wrong is told at the end, at once. */
export async function judgeAll(world, looks) {
  const options = { colorScheme: "light", reducedMotion: "reduce", ...looks };
  const page = await world.visitor("/", options);
  const found = [];
  const visited = [];
  const stop = async (name, where = page) => {
    visited.push(name);
    await where.locator("h1, h2").first().waitFor();
    found.push(...(await allFaults(where, name)));
  };
  await walkPages(world, page, stop);
  await walkGames(world, page, stop);
  await walkLobby(world, page, stop, options);
  await walkGame(world, page, stop, { players: 3, face: "purple" }); // the replay has a white board
  await walkVictory(world, page, stop);
  await walkReplay(world, page, stop);
  await walkReview(world, page, stop);
  await walkCover(world, page, stop);
  console.log(`${visited.length} screens: ${visited.join(", ")}`);
  if (found.length) throw new Error(`${found.length} faults:\n${found.join("\n")}`);
}
