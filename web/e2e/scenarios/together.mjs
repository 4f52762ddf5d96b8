// Two people and a bot: who sits where, taking back, pauses, talk, absences, and leaving for good.
import { comeIn, fromMenu, openMenu, openTable, sitDown } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { common, handSize, look, ranks, shown, unshown } from "../harness/look.mjs";
import { Player, playUntil, playUntilSeen } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");

export default async function together(world) {
  const [ada, bohr] = await meet(world);
  await refused(ada, bohr);
  await agreed(ada, bohr);
  await said(ada, bohr);
  await paused(ada, bohr);
  const back = await away(ada, bohr);
  await left(ada, back);
}

/** The host sends somebody off a seat, after a second thought; they sit down again once the host lets them. */
async function meet(world) {
  const host = await world.visitor("/", { ...SMALL, name: "Ada" });
  const path = new URL(await openTable(host, { players: 3 })).pathname;
  const guest = await comeIn(world, path, "Bohr", SMALL);
  await host.getByRole("button", { name: `${m("lobby_kick")}: Bohr` }).click();
  const sure = host.getByRole("button", { name: m("lobby_kick_sure", { name: "Bohr" }) });
  await sure.waitFor();
  await shown(guest, m("lobby_wait", { name: "Ada" })).waitFor(); // being asked has done nothing yet
  await sure.click();
  await shown(guest, m("lobby_choose")).waitFor();
  await sitDown(guest);
  await shown(guest, m("net_no_removed")).waitFor();
  await host.getByRole("button", { name: m("lobby_readmit", { name: "Bohr" }) }).click();
  await unshown(host, "Bohr");
  await sitDown(guest);
  await shown(host, "Bohr").waitFor();
  await host.getByRole("button", { name: m("lobby_start_bots", { count: 1 }) }).click();
  const players = [host, guest].map((page) => new Player(page));
  for (const one of players) await until(async () => one.asked(await look(one.page)) === "discard", "a game");
  return players;
}

/** A card stays aside if somebody says no, and they are not asked twice. */
async function refused(ada, bohr) {
  const before = handSize(await look(ada.page));
  same(await ada.step(), "discard", "Ada sets a card aside");
  await fromMenu(ada.page, m("net_undo"));
  await shown(ada.page, m("net_undo_wait")).waitFor();
  await bohr.tap(bohr.button(m("net_undo_no")));
  await unshown(ada.page, m("net_undo_wait"));
  await unshown(bohr.page, m("net_undo_asks", { name: "Ada" }));
  await fromMenu(ada.page, m("net_undo"));
  await shown(ada.page, m("net_no_undo_refused")).waitFor();
  same(handSize(await look(ada.page)), before - 1, "the card stays where it is");
}

/** A card that was played comes back, if the other one agrees. */
async function agreed(ada, bohr) {
  const before = await firstOfTwo(ada, bohr);
  await ada.step();
  await until(async () => bohr.asked(await look(bohr.page)) === "follow", "it is Bohr's turn");
  const played = await look(bohr.page);
  await fromMenu(ada.page, m("net_undo"));
  await shown(bohr.page, m("net_undo_asks", { name: "Ada" })).waitFor();
  await bohr.tap(bohr.button(m("net_undo_yes")));
  await until(async () => ada.asked(await look(ada.page)) === ada.asked(before), "Ada is asked again");
  same(ranks(await look(ada.page)), ranks(before), "the card is back in the hand");
  await until(async () => !bohr.asked(await look(bohr.page)), "it is no longer Bohr's turn");
  const now = await look(bohr.page);
  check(JSON.stringify(now.board) !== JSON.stringify(played.board), "its token is off the board");
}

/** Play until Ada is to play and Bohr comes after her: what she sees then. */
async function firstOfTwo(ada, bohr) {
  const seen = async () => {
    const [mine, theirs] = [await look(ada.page), await look(bohr.page)];
    const first = ["lead", "follow"].includes(ada.asked(mine)) && handSize(mine) === handSize(theirs);
    return first && !mine.sheet && mine;
  };
  let found = null;
  await playUntilSeen([bohr, ada], async () => (found = await seen()));
  return found;
}

/** What one says, the other sees; and no more, once they have muted it. */
async function said(ada, bohr) {
  await Promise.all([bubble(bohr.page, "net_say_hello").waitFor(), say(ada, "net_say_hello")]);
  await openMenu(bohr.page);
  await bohr.page.getByRole("switch", { name: m("settings_mute") }).check();
  await bohr.page.keyboard.press("Escape");
  await Promise.all([bubble(ada.page, "net_say_thanks").waitFor(), say(ada, "net_say_thanks")]);
  await fromMenu(ada.page, m("net_pause")); // whatever was said before it has arrived with it
  await shown(bohr.page, m("net_paused", { name: "Ada" })).waitFor();
  same(await bohr.page.getByText(m("net_say_thanks")).count(), 0, "what is muted is neither seen nor heard");
  await unshown(bohr.page, m("net_say_hello")); // and what was in sight does not stay for ever
}

const bubble = (page, name) => page.locator(".bubble").getByText(m(name));

async function say(player, name) {
  await player.tap(player.button(m("net_talk")));
  await player.tap(player.button(m(name), player.page.locator("dialog[open]")));
}

/** Nothing is asked and nothing can be played until one of them goes on. */
async function paused(ada, bohr) {
  await shown(ada.page, m("net_paused_you")).waitFor();
  const before = await look(ada.page);
  check(!ada.asked(before), `nothing is asked during a pause, not ${before.prompt}`);
  check(before.prompt !== m("wait_play", { name: "" }).trim(), `nobody “${before.prompt}”`);
  for (const { rank } of before.hand)
    for (const key of [`${rank}`, ..."rbyg"]) await ada.page.keyboard.press(key);
  same(await ada.page.locator(".cell.open, .cell.lit").count(), 0, "no cell is offered");
  await bohr.tap(bohr.button(m("net_resume")));
  for (const { page } of [ada, bohr])
    await until(async () => !(await banner(page).count()), "the pause ends");
  await until(async () => ada.asked(await look(ada.page)), "it is Ada's turn again");
  same(ranks(await look(ada.page)), ranks(before), "nothing was played during the pause");
  await ada.step();
  check(handSize(await look(ada.page)) < handSize(before), "after it, a card is played");
}

const banner = (page) => page.getByRole("button", { name: m("net_resume"), exact: true });

/** One closes the page: the other hears of it, and nothing has changed when they are back. */
async function away(ada, bohr) {
  await until(async () => bohr.asked(await look(bohr.page)) === "follow", "it is Bohr's turn");
  const before = await look(bohr.page);
  const [context, path] = [bohr.page.context(), bohr.page.url()];
  const gone = shown(ada.page, m("net_away", { name: "Bohr" })); // where the turn is told, and above the table
  await Promise.all([gone.first().waitFor(), bohr.page.close()]);
  await until(async () => (await seatOf(ada.page, "Bohr")).includes(m("away")), "the seat says so, too");
  const page = await context.newPage();
  await Promise.all([shown(ada.page, m("net_back", { name: "Bohr" })).waitFor(), page.goto(path)]);
  check(!(await seatOf(ada.page, "Bohr")).includes(m("away")), "the seat is theirs again");
  await page.locator('[role="option"]').first().waitFor();
  const now = await look(page);
  same(ranks(now), ranks(before), "the hand is as before");
  same(common(now), common(before), "the table is as before");
  return new Player(page);
}

const seatOf = async (page, name) => (await look(page)).seats.find((seat) => seat.startsWith(name)) ?? "";

/** Anyone who leaves is asked twice; a bot plays on, and the other one has a game to the end of the round. */
async function left(ada, bohr) {
  await fromMenu(bohr.page, m("net_leave"));
  const sure = bohr.button(m("net_leave_sure"));
  await sure.waitFor();
  same(await bots(ada.page), 1, "being asked has done nothing yet");
  await bohr.tap(sure);
  await bohr.page.getByRole("heading", { level: 1, name: m("home_line") }).waitFor();
  await until(async () => (await bots(ada.page)) === 2, "a bot has the seat");
  let plays = 0;
  await playUntil([ada], (done) => (plays += ["lead", "follow"].includes(done)) >= 2 || done === "over");
}

const bots = async (page) =>
  (await look(page)).seats.filter((seat) => seat.split(", ").includes(m("bot"))).length;
