// A clock: it is seen running, and anyone who does nothing loses the move to a bot.
import { openTable, sitDown } from "../harness/entry.mjs";
import { check, until } from "../harness/check.mjs";
import { handSize, look, ranks, shown } from "../harness/look.mjs";
import { Player } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");
const MOVE_MS = 1500;

export default async function clock(world) {
  const page = await world.visitor("/", { ...SMALL, name: "Ada" });
  const whole = await quick(page);
  await page.goto(`${world.base}/t/${await hasty(page)}`);
  await shown(page, m("lobby_seconds", { seconds: MOVE_MS / 1000 })).waitFor();
  await sitDown(page);
  await tooLate(page, whole);
}

/** The quickest clock that the page offers: its seconds are told before, and run afterwards; how many cards are dealt. */
async function quick(page) {
  await openTable(page, { players: 3, clock: "quick" });
  await shown(page, m("lobby_seconds", { seconds: 20 })).waitFor();
  await page.getByRole("button", { name: m("lobby_start_bots", { count: 2 }) }).click();
  const first = await left(page);
  check(first > 60 && first <= 80, `20 seconds and a minute more, not ${first}`);
  await until(async () => (await left(page)) < first, "the time runs");
  return inTime(new Player(page, { patient: true }));
}

/** Anyone who is in time plays for themselves: the card that was chosen goes, and no other. */
async function inTime(player) {
  const before = await look(player.page);
  const card = before.hand.find((one) => !one.dead);
  await player.choose(card.rank);
  await player.tap(player.button(m("set_aside", { rank: card.rank })));
  const gone = (hand) => ranks({ hand }).map(([rank, copies]) => [rank, copies - (rank === card.rank)]);
  const rest = JSON.stringify(gone(before.hand).filter(([, copies]) => copies));
  await until(
    async () => JSON.stringify(ranks(await look(player.page))) === rest,
    "the chosen card is set aside",
  );
  return handSize(before);
}

/** The seconds on the own clock. */
async function left(page) {
  const words = (await timer(page).innerText()).trim().split(":").map(Number);
  return words.reduce((sum, part) => sum * 60 + part, 0);
}

const timer = (page) => page.getByRole("timer", { name: m("net_time_you"), exact: true });

/** A table with less time than any that the page offers, opened by the same browser. */
const hasty = (page) =>
  page.evaluate(async (move_ms) => {
    const headers = {
      "Content-Type": "application/json",
      Authorization: `Bearer ${localStorage.getItem("catinthebox.token")}`,
    };
    const wanted = {
      settings: { players: 3, move_ms, cover: "gentle" },
      bots: [1, 2].map((seat) => ({ seat, level: "gentle" })),
    };
    const answer = await fetch("/api/v1/tables", { method: "POST", headers, body: JSON.stringify(wanted) });
    return (await answer.json()).table;
  }, MOVE_MS);

/** Nothing is done; still a card is set aside, a bid made, a card played, and the page says why. */
async function tooLate(page, whole) {
  const begin = Date.now();
  await page.getByRole("button", { name: m("lobby_start"), exact: true }).click();
  const told = page.getByRole("log").getByText(m("net_told_you_late")).first().waitFor();
  await timer(page).waitFor();
  const cards = () => look(page).then(({ hand }) => (hand.length ? handSize({ hand }) : whole));
  await until(async () => (await cards()) < whole, "a bot sets a card aside");
  check(Date.now() - begin >= MOVE_MS, "not before the time is up");
  await told;
  await until(async () => (await cards()) < whole - 1, "a bot bids, and plays a card");
}
