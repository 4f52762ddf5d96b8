// Three people and somebody who watches, each with a browser of their own, from a link to the end.
import { comeIn, openTable } from "../harness/doors.mjs";
import { check, same, until } from "../harness/check.mjs";
import { agreed, look, shown } from "../harness/look.mjs";
import { Player, playOut, playUntil } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const NAMES = ["Ada", "Bohr", "Curie"];

export default async function friends(world) {
  const host = await world.visitor("/", { ...SMALL, name: NAMES[0] });
  const link = await openTable(host, { players: NAMES.length });
  const path = new URL(link).pathname;
  const guests = [];
  for (const name of NAMES.slice(1)) {
    const guest = await comeIn(world, path, name, SMALL);
    await shown(guest, m("lobby_wait", { name: NAMES[0] })).waitFor();
    guests.push(guest);
  }
  const spectator = await world.visitor(path, SMALL);
  await shown(spectator, m("lobby_watch")).waitFor();

  await host.getByRole("button", { name: m("lobby_start"), exact: true }).click();
  const players = [host, ...guests].map((page) => new Player(page, { direct: true }));
  await playUntil(players, (done) => done === "lead");
  await agreed([host, ...guests, spectator]);
  same((await look(spectator)).hand, [], "whoever watches has no cards");

  await playOut(players);
  const standings = await Promise.all(players.map(async ({ page }) => standing(await look(page))));
  for (const one of standings) same(one, standings[0], "everybody sees the same totals");
  await playOut([new Player(spectator)]); // which is only to put sheets away
  same(standing(await look(spectator)), standings[0], "whoever watches sees the same totals");
  await spectator.keyboard.press("Escape");
  await spectator.getByRole("button", { name: m("see_result") }).click();
  await until(async () => (await look(spectator)).sheet, "the standing opens again");
  same(standing(await look(spectator)), standings[0], "and can look at them again");
}

function standing({ sheet }) {
  check(sheet?.rows.length === NAMES.length, "the final standing has a line for everybody");
  return sheet.rows.map((row) => row.slice(1)).map((row) => row.at(-1));
}
