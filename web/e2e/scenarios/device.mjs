// Two people at one device, and a bot: between turns a cover hides the cards.
import { pick } from "../harness/doors.mjs";
import { check, same } from "../harness/check.mjs";
import { look } from "../harness/look.mjs";
import { Player, playUntil } from "../harness/player.mjs";

const NAMES = ["Ada", "Bohr"];

/** Whoever the device is handed to takes it, and plays. */
class Sharers extends Player {
  covers = [];

  async step() {
    const open = this.page.locator("main.cover button");
    if (!(await open.count())) return super.step();
    same((await look(this.page)).hand, [], "nobody's cards are to be seen under the cover");
    this.covers.push((await open.innerText()).trim());
    await this.tap(open);
    return "cover";
  }
}

export default async function device(world) {
  const page = await world.visitor("/", { viewport: { width: 390, height: 844 }, hasTouch: true });
  const people = new Sharers(page, { touch: true });
  const m = people.words;
  await people.tap(page.getByRole("button", { name: m("home_device") }));
  const sheet = page.locator("dialog[open]");
  await pick(sheet, m("home_people"), "2");
  await pick(sheet, m("home_bots"), "1");
  for (const [n, name] of NAMES.entries()) {
    await sheet.getByLabel(m("home_person", { number: n + 1 })).fill(name);
  }
  await people.tap(sheet.getByRole("button", { name: m("home_play"), exact: true }));
  await page.locator("main.cover").waitFor();

  const done = [];
  await playUntil([people], (what) => what && done.push(what) && ["over", "paradox", "next"].includes(what));
  for (const name of NAMES) {
    check(people.covers.includes(m("net_i_am", { name })), `the device was handed to ${name}`);
  }
  same(done.filter((what) => what === "discard").length, 2, "both set a card aside");
  same(done.filter((what) => what === "bid").length, 2, "both made a bid");

  // Loading the page again shows nobody's cards either.
  await page.reload();
  await page.locator("main.cover, main.table").first().waitFor();
}
