// Without a network, after one visit: the client opens, says what is missing, and everything else works.
import { join } from "node:path";
import { check, until } from "../harness/check.mjs";
import { kept } from "../harness/kept.mjs";
import { wholeGame } from "../harness/local.mjs";
import { shown, unshown } from "../harness/look.mjs";
import { allKept } from "../harness/offline.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const REPLAYED = join(import.meta.dirname, "../../src/pages/replay/replayed.cat");

export default async function offline(world) {
  const page = await world.visitor("/", SMALL);
  await shown(page, m("home_line")).waitFor();
  await allKept(page);

  // A replay that was looked at once.
  await page.route("**/record.cat", (route) => route.fulfill({ path: REPLAYED }));
  await page.goto(`${world.base}/g/long-ago`);
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await until(() => kept(page, "record.cat"), "the replay is kept in the browser");
  await page.unroute("**/record.cat");

  world.watch.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource|WebSocket connection/);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole("slider", { name: m("replay_move") }).waitFor();
  await page.goto(world.base);
  await shown(page, m("home_offline")).waitFor();
  await page.getByRole("button", { name: m("home_new_table") }).click();
  await page
    .locator("dialog[open]")
    .getByRole("button", { name: m("home_open") })
    .click();
  await shown(page, m("net_no_offline")).waitFor();
  await page.goto(`${world.base}/rules#r14`);
  await page.locator("#r14").waitFor();
  await page.goto(`${world.base}/settings`);
  await page.getByRole("heading", { name: m("page_settings") }).waitFor();
  await page.goto(`${world.base}/g/`);
  await page.getByRole("heading", { name: m("replay_mine") }).waitFor();
  await page.goto(`${world.base}/learn`);
  await shown(page, m("learn_color_tap")).first().waitFor();
  check(
    await page.evaluate(() =>
      fetch("/api/v1/levels").then(
        () => false,
        () => true,
      ),
    ),
    "no answer is invented",
  );

  await page.goto(world.base);
  await wholeGame(page);

  await page.context().setOffline(false);
  await page.goto(world.base);
  await unshown(page, m("home_offline"));
}
