// Two tabs of one person: the same seat in both, and whatever is done in one is seen in the other.
import { againstBots } from "../harness/doors.mjs";
import { same, until } from "../harness/check.mjs";
import { look } from "../harness/look.mjs";
import { Player, playUntil } from "../harness/player.mjs";
import { SMALL } from "../harness/world.mjs";

export default async function tabs(world) {
  const context = await world.person(SMALL);
  const left = await context.newPage();
  await left.goto(world.base);
  await againstBots(left, { players: 3 });
  const right = await context.newPage();
  await right.goto(left.url());
  await right.locator('[role="option"]').first().waitFor();
  same((await look(right)).hand, (await look(left)).hand, "the same hand in both tabs");

  const players = [new Player(left), new Player(right)];
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

  // What is chosen in one tab holds in the other.
  await right.evaluate(() => dispatchEvent(new Event("focus")));
  const menu = left.getByRole("button", { name: players[0].words("menu"), exact: true });
  await left.keyboard.press("Escape");
  await menu.click();
  await left.getByRole("switch", { name: players[0].words("settings_confirm") }).check();
  await until(
    () => right.evaluate(() => JSON.parse(localStorage.getItem("catinthebox.settings")).confirm),
    "a setting reaches the other tab",
  );
}
