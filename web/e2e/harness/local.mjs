// A game in the page, without a server: begun, left in the middle of a trick, played to its end, and looked at again.
import { same, until } from "./check.mjs";
import { againstBots } from "./entry.mjs";
import { look, tapAside } from "./look.mjs";
import { Player, playOut, playUntilSeen } from "./player.mjs";

/**
 * From the first page to the replay: five players, strong bots, and the page loaded again on the way. `begun` is called
 * when the first cards are there.
 */
export async function wholeGame(page, { level = "page_level_fierce", begun = async () => undefined } = {}) {
  const player = new Player(page);
  await againstBots(page, { players: 5, level });
  await begun();
  await playUntilSeen([player], (now) => player.asked(now) === "follow");
  await tapAside(page);
  const before = await look(page);
  await page.reload();
  await page.locator(".table").waitFor();
  await until(async () => player.asked(await look(page)) === "follow", "the trick goes on");
  const after = await look(page);
  for (const part of ["top", "trick", "board", "seats"])
    same(after[part], before[part], `${part}, after loading again`);
  await playOut([player]);
  same((await look(page)).sheet.rows.length, 5, "everybody is in the final standing");
  await page.getByRole("link", { name: player.words("net_replay") }).click();
  await page.getByRole("slider", { name: player.words("replay_move") }).waitFor();
}
