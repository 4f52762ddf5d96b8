// A newcomer: from the first page into a game against bots, to its end, by pointing alone.
import { againstBots } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look } from "../harness/look.mjs";
import { Player, playOut, playUntil, playUntilSeen } from "../harness/player.mjs";

export default async function alone(world) {
  const page = await world.visitor();
  const player = new Player(page);
  await againstBots(page, { players: 3 });
  check(/\/play\/[\w-]+$/.test(page.url()), `the table has an address of its own, not ${page.url()}`);
  same(player.asked(await look(page)), "discard", "a game begins with a card set aside");

  await playUntil([player], (done) => done === "follow" || done === "lead");
  await playUntilSeen([player], (now) => now.prompt === player.words("over_round"));
  const sheet = await player.endOfRound();
  check(["paradox", "counting"].includes(sheet.screen), `the round is counted, not ${sheet.title}`);

  await playOut([player]);
  const end = await look(page);
  same(end.sheet.rows.length, 3, "everybody is in the final standing");
  same(
    end.sheet.buttons,
    ["rematch", "net_replay", "review", "page_home"].map((name) => player.words(name)),
    "what can be done after a game",
  );

  for (const [width, height] of [
    [390, 844],
    [1280, 800],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height });
    const lines = await page.locator(".victory > :not(.main)").evaluateAll(linesOf);
    same(lines, [1, 1, 1], `the buttons of the podium do not break, ${width} pixels wide`);
  }

  await player.tap(player.button(player.words("rematch")));
  await until(async () => player.asked(await look(page)) === "discard", "another game begins");
}

/** In the page: how many lines the words of each button take. */
function linesOf(buttons) {
  return buttons.map((button) => {
    const range = document.createRange();
    range.selectNodeContents([...button.childNodes].findLast((node) => node.textContent.trim()));
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
}
