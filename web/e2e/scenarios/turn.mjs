// A page out of sight tells that it is the reader's turn: in its title, on its tab, and in a notification.
import { comeIn, openTable } from "../harness/doors.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look } from "../harness/look.mjs";
import { Player, playUntil } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");

export default async function turn(world) {
  const ada = new Player(await caller(world));
  const path = new URL(await openTable(ada.page, { players: 2 })).pathname;
  const bohr = new Player(await comeIn(world, path, "Bohr", SMALL));
  await ada.page.getByRole("button", { name: m("lobby_start"), exact: true }).click();
  await calm(ada, bohr);
  same(await notes(ada.page), [], "whoever looks is told nothing");

  await lookAway(ada.page, true);
  await playUntil([bohr], async () => (await tab(ada.page)).calls);
  const { title, icon } = await tab(ada.page);
  check(title.startsWith("● " + m("net_told_your_turn")), `the title says so, not ${title}`);
  same(icon, "/icon-turn.svg", "the tab shows it");
  const [note, ...more] = await until(async () => {
    const found = await notes(ada.page);
    return found.length && found;
  }, "a notification comes");
  same(more, [], "one notification");
  same(note, { title: m("app_name"), body: m("net_told_your_turn"), path }, "what it says");

  await lookAway(ada.page, false);
  await calm(ada, bohr);
}

/** Somebody who has switched notifications on, with a page that can be put out of sight. */
async function caller(world) {
  const context = await world.person({ ...SMALL, name: "Ada", permissions: ["notifications"] });
  await context.addInitScript(putAside);
  const page = await context.newPage();
  await page.goto(world.base + "/settings");
  await page.getByRole("switch", { name: m("settings_notify") }).check();
  await page.goto(world.base);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  return page;
}

/** In the page: whether it is in sight can be said, as no window is ever hidden here. */
function putAside() {
  let hidden = false;
  Object.defineProperty(document, "hidden", { get: () => hidden });
  Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
  addEventListener("look", ({ detail }) => {
    hidden = detail;
    document.dispatchEvent(new Event("visibilitychange"));
  });
}

const lookAway = (page, away) =>
  page.evaluate((detail) => dispatchEvent(new CustomEvent("look", { detail })), away);

/** Play until it is not Ada's turn: then her tab is like any other. */
async function calm(ada, bohr) {
  await playUntil([ada], async () => {
    const [mine, his] = [await look(ada.page), await look(bohr.page)];
    return mine.hand.length && !ada.asked(mine) && bohr.asked(his);
  });
  const title = `Ada, Bohr · ${m("app_name")}`;
  await until(async () => {
    const now = await tab(ada.page);
    return now.title === title && now.icon === "/icon.svg";
  }, "a calm tab");
}

const tab = (page) =>
  page.evaluate(() => ({
    title: document.title,
    icon: document.querySelector('link[rel="icon"]').getAttribute("href"),
    calls: document.title.startsWith("●"),
  }));

/** The notifications that are there now. */
const notes = (page) =>
  page.evaluate(async () => {
    const { getNotifications } = ServiceWorkerRegistration.prototype;
    const found = await getNotifications.call(await navigator.serviceWorker.ready);
    return found.map(({ title, body, data }) => ({ title, body, path: data.path }));
  });
