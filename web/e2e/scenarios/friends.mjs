// Three people and somebody who watches, each with a browser of their own, from a link to the end.
import { comeIn, openTable } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { agreed, look, shown } from "../harness/look.mjs";
import { Player, playOut, playUntil } from "../harness/player.mjs";
import { patternOf, wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const NAMES = ["Ada", "Bohr", "Curie"];

export default async function friends(world) {
  const host = await world.visitor("/", { ...SMALL, name: NAMES[0] });
  const link = await openTable(host, { players: NAMES.length });
  const path = new URL(link).pathname;
  await watchEarly(world, await toWatch(host, path), path);
  const guests = [];
  for (const name of NAMES.slice(1)) {
    const guest = await comeIn(world, path, name, SMALL);
    await shown(guest, m("lobby_wait", { name: NAMES[0] })).waitFor();
    guests.push(guest);
  }
  const spectator = await world.visitor(await toWatch(host, path), SMALL);
  await shown(spectator, m("net_watching_only")).waitFor();

  await host.getByRole("button", { name: m("lobby_start"), exact: true }).click();
  const players = [host, ...guests].map((page) => new Player(page, { direct: true }));
  await playUntil(players, (done) => done === "lead");
  await agreed([host, ...guests, spectator]);
  same((await look(spectator)).hand, [], "a spectator has no cards");

  await playOut(players);
  const standings = await Promise.all(players.map(async ({ page }) => standing(await look(page))));
  for (const one of standings) same(one, standings[0], "everybody sees the same totals");
  await playOut([new Player(spectator)]); // which is only to put sheets away
  same(standing(await look(spectator)), standings[0], "a spectator sees the same totals");
  await spectator.keyboard.press("Escape");
  await spectator.getByRole("button", { name: m("see_result") }).click();
  await until(async () => (await look(spectator)).sheet, "the standing opens again");
  same(standing(await look(spectator)), standings[0], "and can look at them again");
  await keptByAll(world, players, spectator);
}

/** Everybody who played has the game among theirs; who watched does not. */
async function keptByAll(world, players, spectator) {
  for (const [n, { page }] of players.entries()) {
    await page.goto(`${world.base}/games`);
    const others = NAMES.filter((_, other) => other !== n);
    await shown(page, others.join(", ")).waitFor();
    await page.getByText(patternOf("en", "games_place")).waitFor({ state: "attached" });
  }
  await spectator.goto(`${world.base}/games`);
  await shown(spectator, m("games_none")).waitFor();
}

/** The other link: who has it sees the table, and finds no way to a seat or to the link to play. */
async function toWatch(host, path) {
  await host.getByRole("radio", { name: m("lobby_link_watch") }).check();
  await shown(host, m("lobby_invite_only_watch")).waitFor();
  const link = await host.getByLabel(m("lobby_link"), { exact: true }).inputValue();
  const watch = new URL(link).pathname;
  check(
    watch.startsWith("/w/") && !watch.includes(path.split("-")[1]),
    "a link to watch is not the one to play",
  );
  return watch;
}

/** Seats are free, but not for who has the link to watch. */
async function watchEarly(world, watch, path) {
  const early = await world.visitor(watch, SMALL);
  await shown(early, m("lobby_free")).first().waitFor();
  same(await early.getByRole("button", { name: m("lobby_sit") }).count(), 0, "nobody sits down by it");
  const link = await early.getByLabel(m("lobby_link"), { exact: true }).inputValue();
  same(new URL(link).pathname, watch, "it passes on what it is");
  check(!(await early.content()).includes(path.slice("/t/".length)), "the link to play is not on the page");
  await early.context().close();
}

function standing({ sheet }) {
  check(sheet?.rows.length === NAMES.length, "the final standing has a line for everybody");
  return sheet.rows.map(([, total]) => total);
}
