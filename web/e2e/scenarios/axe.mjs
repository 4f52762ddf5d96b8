// No fault that axe knows of, and no tiny text, on any screen, in any theme; what is wrong is told at the end, at once.
import { allFaults } from "../harness/accessible.mjs";
import { walkCover, walkGame, walkGames, walkLobby, walkPages, walkReplay } from "../harness/screens.mjs";

export default async function axe(world) {
  const options = { colorScheme: "light", reducedMotion: "reduce" };
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
  await walkReplay(world, page, stop);
  await walkCover(world, page, stop);
  console.log(`${visited.length} screens: ${visited.join(", ")}`);
  if (found.length) throw new Error(`${found.length} faults:\n${found.join("\n")}`);
}
