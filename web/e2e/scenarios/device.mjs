// Two people at one device, and a bot: between turns a cover hides the cards.
import { pick } from "../harness/entry.mjs";
import { check, same, until } from "../harness/check.mjs";
import { look, ranks } from "../harness/look.mjs";
import { Player, playUntil } from "../harness/player.mjs";

const COVER_MS = 4_000; // more than the last look at a trick, and the cover after it
const NAMES = ["Ada", "Bohr"];

/** The person to whom the device is handed takes it, and plays. */
class Sharers extends Player {
  covers = [];

  get cover() {
    return this.page.locator("main.cover button");
  }

  async step() {
    const open = this.cover;
    if (!(await open.count())) return this.#goOn(await super.step());
    same((await look(this.page)).hand, [], "nobody's cards are to be seen under the cover");
    this.covers.push((await open.innerText()).trim());
    await openCards(this);
    return "cover";
  }

  /** Before the device is handed on, everybody looks at the table for a moment; here it is over at once. */
  async #goOn(done) {
    const now = await look(this.page);
    const waited = [this.words("wait_discard"), ...NAMES].some((name) => now.prompt.includes(name));
    if (!done && waited) await this.hurry(now, COVER_MS);
    return done;
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
  await takeBack(people);

  const done = [];
  await playUntil([people], (what) => what && done.push(what) && ["over", "paradox", "next"].includes(what));
  for (const name of NAMES) {
    check(people.covers.includes(m("net_i_am", { name })), `the device was handed to ${name}`);
  }
  same(done.filter((what) => what === "discard").length, 2, "both set a card aside");
  same(done.filter((what) => what === "bid").length, 2, "both made a bid");

  // Loading the page again shows nobody's cards either: the end of a round is looked at together.
  await page.reload();
  await page.locator("main.table").waitFor();
  await until(async () => (await look(page)).prompt === m("over_round"), "the round is still over");
  same((await look(page)).hand, [], "nobody's cards are to be seen between two rounds");
  const again = [];
  await playUntil([people], (what) => what && again.push(what) && what === "discard");
  check((await look(page)).top.startsWith(m("round_of", { round: 2, rounds: 3 })), "it is the second round");
  await playUntil([people], (what) => what && again.push(what) && ["lead", "follow"].includes(what));
  same(again.filter((what) => what === "discard").length, 2, "both set a card aside again");
}

/** From the cover, the one before gets a card back, and decides again. */
async function takeBack(people) {
  const { page, words: m } = people;
  await openCards(people);
  const before = ranks(await look(page));
  same(await people.step(), "discard", "a game begins with a card set aside");
  await page.getByRole("heading", { name: m("net_hand_over", { name: NAMES[1] }) }).waitFor();
  await people.tap(people.button(m("net_undo_of", { name: NAMES[0] })));
  await page.getByRole("heading", { name: m("net_hand_over", { name: NAMES[0] }) }).waitFor();
  await openCards(people);
  same(ranks(await look(page)), before, "the card is back in the hand");
  same(people.asked(await look(page)), "discard", "and a card is to be set aside");
}

/** Take the device, and wait for the cards: they come from the table once somebody says who looks. */
async function openCards(people) {
  await people.tap(people.cover);
  await until(async () => (await look(people.page)).hand.length, "the cards are open");
}
