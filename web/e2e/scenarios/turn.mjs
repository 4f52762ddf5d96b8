// A page out of sight tells that it is the reader's turn: in its title, on its tab, and, if allowed, in a notification.
import { comeIn, openTable } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look, shown } from "../harness/look.mjs";
import { notifications } from "../harness/notifications.mjs";
import { Player, playUntilSeen } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");

export default async function turn(world) {
  for (const notifications of [
    { permission: "denied" },
    { permission: "default", answer: "denied" },
    { permission: "default", answer: "default" }, // the question was closed without an answer
  ]) {
    await refused(world, notifications);
  }
  const ada = new Player(await allowed(world));
  const path = new URL(await openTable(ada.page, { players: 2 })).pathname;
  const bohr = new Player(await comeIn(world, path, "Bohr", revoked));
  await ada.page.getByRole("button", { name: m("lobby_start"), exact: true }).click();
  await workerReady(ada.page);
  await workerReady(bohr.page);
  await calm(ada, bohr);
  same((await notifications(ada.page)).shown, [], "no notification while the page is visible");

  await lookAway(ada.page, true);
  await called(ada, bohr);
  const { shown: notes, asked } = await until(async () => {
    const now = await notifications(ada.page);
    return now.shown.length && now;
  }, "a notification comes");
  const note = { by: "worker", title: m("app_name"), body: m("net_told_your_turn"), tag: "turn", path };
  same(notes, [note], "one notification");
  same(asked, 0, "nobody is asked in the middle of a game");

  await lookAway(ada.page, false);
  await lookAway(bohr.page, true);
  await called(bohr, ada);
  await until(async () => (await notifications(bohr.page)).looked, "the page looks whether it may notify");
  same((await notifications(bohr.page)).shown, [], "without permission there is no notification");
  await lookAway(bohr.page, false);
}

/** Somebody whose browser says no: the switch goes back, and says why. */
async function refused(world, notifications) {
  const page = await world.visitor("/settings", { ...SMALL, notifications });
  await notify(page).click();
  await shown(page, m("settings_notify_refused")).waitFor();
  await until(async () => !(await notify(page).isChecked()), "the switch goes back");
  check(!(await chosen(page)), "nothing is chosen");
  await page.context().close();
}

/** Somebody who is asked once, says yes, and is not asked again. */
async function allowed(world) {
  const page = await world.visitor("/settings", { ...SMALL, name: "Ada" });
  await switched(page, true);
  same((await notifications(page)).asked, 1, "the browser is asked");
  await switched(page, false);
  await page.reload();
  await switched(page, true);
  same((await notifications(page)).asked, 0, "a browser that has said yes is not asked again");
  await page.goto(world.base);
  return page;
}

async function switched(page, wanted) {
  await notify(page).click();
  await until(
    async () => (await chosen(page)) === wanted,
    `notifications are switched ${wanted ? "on" : "off"}`,
  );
  same(await notify(page).isChecked(), wanted, "the switch says so");
}

/** Somebody who has switched notifications on, and has taken the permission back in the browser since. */
const revoked = {
  ...SMALL,
  settings: { speed: "off", notify: true },
  notifications: { permission: "denied" },
};

const notify = (page) => page.getByRole("switch", { name: m("settings_notify") });

const chosen = (page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("catinthebox.settings")).notify ?? false);

const workerReady = (page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => null));

/** Whether a page is in sight is said here, as no window is ever hidden in a test. */
const lookAway = (page, away) =>
  page.evaluate((hidden) => {
    const state = hidden ? "hidden" : "visible";
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
    document.dispatchEvent(new Event("visibilitychange"));
  }, away);

/** The other one plays until it is this player's turn: the title and the tab say so. */
async function called({ page }, other) {
  await playUntilSeen([other], async () => (await tab(page)).title.startsWith("●"));
  const { title } = await tab(page);
  check(title.startsWith("● " + m("net_told_your_turn")), `the title says so, not ${title}`);
  await until(async () => (await tab(page)).icon === "/icon-turn.svg", "the tab shows it");
}

/** Play until it is not Ada's turn: then her tab is like any other. */
async function calm(ada, bohr) {
  await playUntilSeen(
    [ada],
    async (mine) => mine.hand.length && !ada.asked(mine) && bohr.asked(await look(bohr.page)),
  );
  const wanted = { title: `Ada, Bohr · ${m("app_name")}`, icon: "/icon.svg" };
  await until(async () => {
    const { title, icon } = await tab(ada.page);
    return title === wanted.title && icon === wanted.icon;
  }, "a calm tab");
}

const tab = (page) =>
  page.evaluate(() => ({
    title: document.title,
    icon: document.querySelector('link[rel="icon"]').getAttribute("href"),
  }));
