// A game in the page: it takes back, is played in one tab, says when it is not kept or damaged, never blocks.
import { readFile } from "node:fs/promises";
import { check, same, until } from "../harness/check.mjs";
import { againstBots, fromMenu } from "../harness/entry.mjs";
import { look, shown } from "../harness/look.mjs";
import { Player, playUntil, playUntilSeen } from "../harness/player.mjs";
import { wordsOf } from "../harness/words.mjs";
import { SMALL } from "../harness/world.mjs";

const m = wordsOf("en");

export default async function local(world) {
  await takesBack(world);
  await inOneTab(world);
  await damaged(world);
  await notKept(world);
  await withoutEngine(world);
}

/** Back to the own last decision, over what the bots have done since; and the page works in short pieces. */
async function takesBack(world) {
  const page = await world.visitor("/", SMALL);
  const sockets = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await againstBots(page, { players: 4, level: "page_level_sharp" });
  await page.evaluate(watchLongTasks);
  const player = new Player(page);
  await playUntilSeen([player], (now) => player.asked(now) === "follow" && now.trick.length < 3);
  const before = await look(page);
  await player.step();
  await until(
    async () => taken(await look(page)) >= taken(before) + 2,
    "after the own card, there is one of a bot",
  );
  await fromMenu(page, m("net_undo"));
  // The bots may have come round again by then, so that the next decision is open: what was taken back tells them apart.
  const after = await until(async () => {
    const now = await look(page);
    return player.asked(now) === "follow" && taken(now) <= taken(before) && now;
  }, "the decision is open again");
  for (const part of ["top", "trick", "board"]) same(after[part], before[part], `${part}, after taking back`);
  await playUntil([player], (done) => done === "follow");
  const long = await page.evaluate(() => window.longTasks);
  console.log(`longest task of the page: ${Math.max(0, ...long)} ms`);
  same(sockets, [], "no connection to a server");
  await page.context().close();
}

/** How many cells of the board are taken: one for every card. */
const taken = ({ board }) => board.flat().filter((cell) => cell !== m("board_open")).length;

/** In the page: remember every task that blocked it for long. */
function watchLongTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
  }).observe({ entryTypes: ["longtask"] });
}

/** Of two tabs with one game, one plays, and the other says so. */
async function inOneTab(world) {
  const page = await world.visitor("/", SMALL);
  await againstBots(page, { players: 3 });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await shown(other, m("local_elsewhere")).waitFor();
  await page.close();
  await other.getByRole("button", { name: m("page_again") }).click();
  await other.locator('[role="option"]').first().waitFor();
  await other.context().close();
}

/** A game whose saved data is damaged is shown as such, and can be exported; so is one that was finished. */
async function damaged(world) {
  const page = await world.visitor("/", SMALL);
  await againstBots(page, { players: 3 });
  const address = page.url();
  await page.goto(world.base);
  await page.evaluate(damage, address.split("/").at(-1));
  await page.goto(address);
  await shown(page, m("local_damaged")).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: m("local_export") }).click(),
  ]);
  check(file.suggestedFilename().endsWith(".json"), "what is left can be saved to a file");
  await page.goto(`${world.base}/games`);
  await page.locator("main li").getByText(m("games_damaged")).first().waitFor();
  await page.getByRole("button", { name: `${m("games_tools")}: ${m("games_damaged")}`, exact: true }).click();
  const save = page.getByRole("button", { name: `${m("games_save")}: ${m("games_damaged")}`, exact: true });
  const [left] = await Promise.all([page.waitForEvent("download"), save.click()]);
  same(
    JSON.parse(await readFile(await left.path(), "utf8")),
    { nonsense: true },
    "all that is left is saved",
  );
  await page.context().close();
}

/** In the page: a move that is not legal gets into the saved game, and a finished one is nothing that can be read. */
function damage(id) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("catinthebox");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction(["tables", "finished"], "readwrite");
      transaction.objectStore("finished").put({ nonsense: true }, `${id}.1`);
      const tables = transaction.objectStore("tables");
      const found = tables.get(id);
      found.onsuccess = () => {
        found.result.rounds[0].moves = ["0:9g"];
        tables.put(found.result, id);
      };
      transaction.oncomplete = () => (opening.result.close(), resolve());
      transaction.onabort = () => reject(transaction.error);
    };
  });
}

/** A browser that forbids its database: the game goes on, and the page says that it is not kept. */
async function notKept(world) {
  const context = await world.person(SMALL);
  await context.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    const forbid =
      "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });\n";
    await route.fulfill({ response, body: forbid + (await response.text()) });
  });
  const page = await context.newPage();
  await page.goto(world.base);
  await againstBots(page, { players: 3 });
  await shown(page, m("local_unkept")).first().waitFor();
  await page.getByRole("button", { name: m("local_understood") }).click();
  const player = new Player(page);
  await playUntil([player], (done) => done === "bid");
  await context.close();
}

/** A browser without WebAssembly plays through the server, as ever. */
async function withoutEngine(world) {
  const context = await world.person(SMALL);
  await context.addInitScript(() => delete globalThis.WebAssembly);
  const page = await context.newPage();
  await page.goto(world.base);
  await againstBots(page, { players: 3 });
  check(/\/t\/[\w-]+$/.test(page.url()), `the server has the table, not ${page.url()}`);
  await context.close();
}
