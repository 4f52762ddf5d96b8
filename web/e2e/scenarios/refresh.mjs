// Loading the page again, at any moment, shows the same table again.
import { againstBots } from "../harness/entry.mjs";
import { same, until } from "../harness/check.mjs";
import { look, tapAside } from "../harness/look.mjs";
import { Player, playUntilSeen } from "../harness/player.mjs";
import { SMALL } from "../harness/world.mjs";

export default async function refresh(world) {
  const page = await world.visitor("/", SMALL);
  const player = new Player(page);
  await againstBots(page, { players: 4 });
  // The others set cards aside meanwhile (R7); once everybody waits for this player, nothing changes.
  const waited = ({ seats }) => {
    const has = (name) => seats.filter((seat) => seat.includes(player.words(name))).length;
    return has("your_turn") === 1 && !has("their_turn");
  };
  for (const ask of ["discard", "bid", "follow"]) {
    await playUntilSeen([player], (now) => player.asked(now) === ask);
    await until(async () => waited(await look(page)), "everybody waits for this player");
    await sameAfterReload(page, `while asked to ${ask}`);
  }
  await playUntilSeen([player], (now) => now.sheet);
  await page.reload();
  await until(async () => (await look(page)).sheet, "the result opens again");

  // The way back to a game that goes on is on the first page.
  const path = new URL(page.url()).pathname;
  await page.goto(world.base);
  await page.locator(`.go-on a[href="${path}"]`).click();
  await page.locator(".table").waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: player.words("home_line") }).waitFor();
  await page.goForward();
  await page.locator(".table").waitFor();
}

async function sameAfterReload(page, when) {
  await tapAside(page);
  const before = await look(page);
  await page.reload();
  await page.locator(".table").waitFor();
  const after = await look(page);
  const chosen = ({ hand }) => hand.map((card) => ({ ...card, chosen: false }));
  for (const part of ["top", "prompt", "trick", "board", "seats", "bids"]) {
    same(after[part], before[part], `${part}, ${when}`);
  }
  same(chosen(after), chosen(before), `the hand, ${when}`);
}
