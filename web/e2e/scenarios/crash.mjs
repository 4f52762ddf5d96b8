// The server is killed in the middle of a trick and comes back: nobody loses anything.
import { comeIn, openTable } from "../harness/entry.mjs";
import { same, until } from "../harness/check.mjs";
import { agreed, handSize, look, ranks, shown, tapAside, unshown } from "../harness/look.mjs";
import { Player, playUntil, playUntilSeen } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
// What a browser says by itself about a server that is gone.
const GONE = /WebSocket connection to|ERR_CONNECTION_REFUSED|Failed to load resource/;

export default async function crash(world) {
  const ada = await world.visitor("/", { ...SMALL, name: "Ada" });
  const path = new URL(await openTable(ada, { players: 3 })).pathname;
  const bohr = await comeIn(world, path, "Bohr", SMALL);
  const spectator = await world.visitor(path, SMALL);
  await shown(ada, "Bohr").waitFor();
  await ada.getByRole("button", { name: m("lobby_start_bots", { count: 1 }) }).click();

  const players = [ada, bohr].map((page) => new Player(page));
  const waiting = await midTrick(players);
  const pages = [ada, bohr, spectator];
  const before = await settled(pages);

  world.watch.expect(GONE);
  await world.server.kill();
  for (const page of pages) await shown(page, m("net_line_lost")).waitFor();

  // A card played into the void is not lost: it arrives when there is somebody to take it.
  const cards = handSize(await look(waiting.page));
  await waiting.play(await look(waiting.page));
  same(handSize(await look(waiting.page)), cards, "nothing is played while nobody can hear it");
  await world.server.start();
  await until(async () => handSize(await look(waiting.page)) === cards - 1, "the card was played after all");

  for (const [n, page] of pages.entries()) {
    await unshown(page, m("net_line_lost"));
    const now = await look(page);
    if (page !== waiting.page) same(ranks(now), ranks(before[n]), "the hand is as before");
  }
  await playUntil(players, (done) => ["over", "paradox", "next"].includes(done)); // to the end of the round
}

/** Play until a trick has begun and one of the people is to follow. */
async function midTrick(players) {
  let found = null;
  await playUntilSeen(players, (now, player) => {
    if (!now.sheet && player.asked(now) === "follow") found = player;
    return found !== null;
  });
  return found;
}

/** What everybody sees, once all have heard of the last card and the trick before is swept away. */
async function settled(pages) {
  for (const page of pages) await tapAside(page);
  return agreed(pages);
}
