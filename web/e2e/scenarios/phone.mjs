// A phone held upright: everything by touch, nothing cut off, nothing too small for a thumb.
import { ownBarFits } from "../harness/bar.mjs";
import { againstBots } from "../harness/entry.mjs";
import { check } from "../harness/check.mjs";
import { cramped, overflow } from "../harness/measure.mjs";
import { look } from "../harness/look.mjs";
import { Player, playUntil } from "../harness/player.mjs";

const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
};

export default async function phone(world) {
  const page = await world.visitor("/", PHONE);
  const player = new Player(page, { touch: true });
  await fits(page, "the first page");
  await againstBots(page, { players: 5 });
  await fullHandFits(page);
  const seen = new Set();
  await playUntil([player], async (done) => {
    const ask = player.asked(await look(page));
    if (ask && !seen.has(ask)) {
      seen.add(ask);
      await fits(page, `the table, asked to ${ask}`, { wholly: true });
    }
    return done === "next";
  });

  // Narrower than any phone sold today, and as large text makes a phone.
  await page.setViewportSize({ width: 320, height: 640 });
  await playUntil([player], (done) => done === "lead" || done === "follow");
  await fits(page, "the table at 320 pixels", { cell: 20 });
  await page.setViewportSize({ width: 844, height: 390 });
  await playUntil([player], (done) => done === "lead" || done === "follow" || done === "over");
  await fits(page, "the table on its side");
  await ownBarFits(world, page);
}

/** The narrowest window that shows these ranks in one row, with as many copies of the last one as there can be. */
async function fullHandFits(page) {
  const { hand } = await look(page);
  const width = Math.max(320, 132 + (hand.length - 2) * 44);
  await page.setViewportSize({ ...PHONE.viewport, width });
  await page.evaluate(stackLast);
  await fits(page, `five equal cards at the edge of ${width} pixels`, { cell: 20 });
  await page.setViewportSize(PHONE.viewport);
  await page.reload();
}

/** In the page: the last card of the hand becomes five equal ones, which is rarely dealt. */
function stackLast() {
  const last = [...document.querySelectorAll(".held")].at(-1);
  last.style.setProperty("--copies", "5");
  for (const copy of [1, 2, 3, 4]) {
    const behind = document.createElement("i");
    behind.className = [...last.classList].map((name) => (name === "held" ? "behind" : name)).join(" ");
    behind.style.setProperty("--copy", `${copy}`);
    last.prepend(behind);
  }
}

async function fits(page, where, { wholly = false, cell = 24 } = {}) {
  const [wide, high] = await overflow(page);
  check(wide <= 0, `${where} is ${wide} pixels too wide`);
  if (wholly) check(high <= 0, `${where} is ${high} pixels too high: it would have to be scrolled`);
  const small = await cramped(page, cell);
  check(!small.length, `${where}: too small for a thumb:\n  ${small.join("\n  ")}`);
}
