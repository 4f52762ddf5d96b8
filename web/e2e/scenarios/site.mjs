// A site from `make site`, in a folder of a host that has nothing but files: after one visit it needs no network, not
// even for a whole game; a newer version waits until somebody wants it; friends are met on a server elsewhere.
import { join } from "node:path";
import { check, same, until } from "../harness/check.mjs";
import { wholeGame } from "../harness/local.mjs";
import { shown } from "../harness/look.mjs";
import { allKept, builds, networks } from "../harness/offline.mjs";
import { serveFiles } from "../harness/static.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const SITE = join(import.meta.dirname, "../out/site");
const FOLDER = "/some/cats/";

export default async function site(world) {
  const host = await serveFiles(SITE, FOLDER);
  try {
    world.watch.admit(host.base);
    const page = await (await world.person(SMALL)).newPage();
    await everyPage(page, host);
    await withFriends(world, page, host);
    await newer(page, host);
    same(host.missing, ["/api/v1/levels"], "nothing else was asked for in vain");
  } finally {
    await host.close();
  }
}

/** Every page, by links and by its address, with and without a network. */
async function everyPage(page, { base }) {
  await page.goto(base);
  await shown(page, m("home_line")).waitFor();
  await page.getByRole("link", { name: m("page_rules") }).click();
  await page.locator("#r14").waitFor();
  same(page.url(), `${base}rules/`, "the address of a page");
  await page.reload();
  await page.locator("#r14").waitFor();
  await allKept(page);

  await page.context().setOffline(true);
  await page.reload();
  await page.locator("#r14").waitFor();
  await page.goto(base);
  await shown(page, m("home_line")).waitFor();
  await page.goto(`${base}learn/`);
  await shown(page, m("learn_color_tap")).first().waitFor();
  await page.goto(`${base}settings`); // without the slash that a host would add
  await page.getByRole("heading", { name: m("page_settings") }).waitFor();
  same(page.url(), `${base}settings/`, "the slash is added");
  await page.goto(`${base}g/`);
  await page.getByRole("heading", { name: m("replay_mine") }).waitFor();
  await page.getByRole("button", { name: m("page_back") }).click();
  await shown(page, m("home_line")).waitFor();
  same(page.url(), base, "the first page");
  await strongest(page);
}

/** The strongest level needs one file more, when it is chosen first; after that, nothing any more. */
async function strongest(page) {
  same(await networks(page), [], "no network was fetched that nobody wanted");
  await page.context().setOffline(false);
  await wholeGame(page, {
    level: "page_level_uncanny",
    begun: async () => {
      await until(async () => (await networks(page)).length > 0, "the network is kept");
      same(await networks(page), ["5-players"], "it is the one for this table");
      await page.context().setOffline(true);
    },
  });
  const words = m("local_weaker", { level: m("page_level_uncanny"), other: m("page_level_fierce") });
  check(!(await page.getByText(words).count()), "the bots had their network");
  await page.context().setOffline(false);
}

/** The address of a server is checked as far as a browser allows; then its own page does the rest. */
async function withFriends(world, page, { base }) {
  world.watch.expect(/blocked by CORS policy|net::ERR_|Failed to load resource/);
  const field = page.getByLabel(m("server_address"));
  const look = async (text) => {
    await field.fill(text);
    await page.getByRole("button", { name: m("server_check") }).click();
  };
  await page.goto(base);
  await look("two words");
  await shown(page, m("server_wrong", { example: "http://192.168.1.7:8123" })).waitFor();
  const own = new URL(base).host; // something answers there, but it is no server of this game
  await look(own);
  await shown(page, m("server_other", { host: own })).waitFor();
  const { host } = new URL(world.base);
  await look(host); // not told of this site: nothing of it can be read here
  await shown(page, m("server_silent", { host })).waitFor();
  const [server] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: m("server_open", { host }) }).click(),
  ]);
  await server.getByRole("button", { name: m("home_new_table") }).waitFor();
  same(
    await server.evaluate(() => [document.referrer, opener]),
    ["", null],
    "the server's page knows nothing of ours",
  );
  await server.close();
}

/** The next version: fetched in the background, offered where nothing is going on, taken page by page. */
async function newer(page, { base, changes }) {
  const [before] = await builds(page);
  const lesson = await page.context().newPage();
  await lesson.goto(`${base}learn/`);
  await shown(lesson, m("learn_color_tap")).first().waitFor();

  publish(changes, "next");
  const reload = await offered(page);
  same((await builds(page)).length, 2, "the newer build is kept beside this one");
  check(
    !(await lesson.getByRole("button", { name: m("update_reload") }).count()),
    "a lesson is not disturbed",
  );
  await reload.click();
  await shows(page, "next");
  const kept = await until(() => steady(builds(page)), "the builds that are kept");
  check(kept.includes(before), "a page of the older build may still load its parts");
  await shown(lesson, m("learn_color_tap")).first().waitFor();
  await lesson.close();
  await until(() => steady(page.reload()), "the page is loaded again");
  await until(async () => (await steady(builds(page)))?.length === 1, "the older builds are deleted");
}

/** Another version is put on the host. Its first page says which it is. */
function publish(changes, version) {
  changes.set("sw.js", (text) => text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  changes.set(".", (text) => text.replace("<head>", `<head><meta name="version" content="${version}" />`));
}

/** The button that takes a newer version, once there is one. */
async function offered(page) {
  await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration()).update()));
  const reload = page.getByRole("button", { name: m("update_reload"), exact: true });
  await reload.waitFor();
  return reload;
}

/** Wait until the newer version is shown. */
async function shows(page, version) {
  await page.locator(`meta[name="version"][content="${version}"]`).waitFor({ state: "attached" });
  await shown(page, m("home_line")).waitFor();
}

/** What is found out in a page; null if the page is loaded again meanwhile. */
const steady = (finding) => finding.catch(() => null);
