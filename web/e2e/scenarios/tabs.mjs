// Two tabs of one person at a table of the server (a browser without WebAssembly has no other): the same seat in both, and whatever is done in one is seen in the other.
import { againstBots, openMenu } from "../harness/entry.mjs";
import { same, until } from "../harness/check.mjs";
import { look } from "../harness/look.mjs";
import { Player, playUntil } from "../harness/player.mjs";
import { SMALL } from "../harness/world.mjs";

export default async function tabs(world) {
  const context = await world.person(SMALL);
  await context.addInitScript(() => delete globalThis.WebAssembly);
  const left = await context.newPage();
  await left.goto(world.base);
  await againstBots(left, { players: 3 });
  const right = await context.newPage();
  await right.goto(left.url());
  await right.locator('[role="option"]').first().waitFor();
  same((await look(right)).hand, (await look(left)).hand, "the same hand in both tabs");

  const players = [new Player(left), new Player(right)];
  await sameChoices(players);
  for (let turn = 0; turn < 6; turn += 1) {
    const [here, there] = turn % 2 ? players : [...players].reverse();
    let asked = null;
    await playUntil(
      [here],
      (done) => (asked = ["discard", "bid", "lead", "follow", "over"].includes(done)) && done,
    );
    if (!asked) break;
    await until(async () => {
      const [one, other] = [await look(here.page), await look(there.page)];
      const cards = ({ hand }) => JSON.stringify(hand.map(({ rank, copies }) => [rank, copies]));
      return cards(one) === cards(other) && one.prompt === other.prompt;
    }, "what is done in one tab is seen in the other");
  }
}

/** What is chosen in one tab is seen in the other. */
async function sameChoices(players) {
  const toggles = [];
  for (const { page, words } of players) {
    await openMenu(page);
    toggles.push(page.getByRole("switch", { name: words("settings_confirm") }));
  }
  const [here, there] = toggles;
  for (const wanted of [true, false]) {
    await here.setChecked(wanted);
    await until(async () => (await there.isChecked()) === wanted, "the switch in the other tab moves along");
  }
  for (const { page } of players) {
    await page.keyboard.press("Escape");
    await until(async () => !(await look(page)).sheet, "the menu goes");
  }
}
