// Every screen, judged by axe.
import { faults } from "./axe.mjs";
import { walkCover, walkGame, walkLobby, walkPages, walkReplay } from "./screens.mjs";

// Another theme changes colors and nothing else, so it is judged by the rules about colors; so is
// high contrast, which has one theme only.
const COLORS = ["color-contrast", "link-in-text-block"];
const RULES = { light: null, dark: COLORS };

/** Walk through everything in one theme; whatever is wrong anywhere is told at the end, at once. */
export async function allScreens(world, colorScheme) {
  const options = { colorScheme, reducedMotion: "reduce" };
  const page = await world.visitor("/", options);
  const found = [];
  const visited = [];
  const stop = async (name, where = page) => {
    visited.push(name);
    await where.locator("h1, h2").first().waitFor();
    found.push(...(await faults(where, name, RULES[colorScheme])));
    if (colorScheme === "dark") found.push(...(await inHighContrast(where, name)));
  };
  await walkPages(world, page, stop);
  await walkLobby(world, page, stop, options);
  await walkGame(world, page, stop);
  await walkReplay(world, page, stop);
  await walkCover(world, page, stop);
  console.log(`${visited.length} screens: ${visited.join(", ")}`);
  if (found.length) throw new Error(`${found.length} faults:\n${found.join("\n")}`);
}

/** The same screen in the other palette. The settings only write this mark, so a walk can be saved. */
async function inHighContrast(page, name) {
  const wear = (palette) => page.evaluate((one) => (document.documentElement.dataset.palette = one), palette);
  await wear("contrast");
  const found = await faults(page, `${name} in high contrast`, COLORS);
  await wear("standard");
  return found;
}
