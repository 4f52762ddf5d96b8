// Pictures of every screen: phone and desk, by day and by night, two to five players, both faces.
//   node e2e/screens.mjs                 all of them, into e2e/out/screens
//   node e2e/screens.mjs phone dark 5    those whose name has all of these words
//   node e2e/screens.mjs --docs          all of them, then small strips of each into docs/screens
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openChromium } from "./harness/chromium.mjs";
import { Player } from "./harness/player.mjs";
import { againstBots } from "./harness/entry.mjs";
import { handSize, look } from "./harness/look.mjs";
import { walkCover, walkGame, walkGames, walkLobby, walkPages, walkReplay } from "./harness/screens.mjs";
import { inWorld } from "./harness/world.mjs";

const ALL = join(import.meta.dirname, "out/screens");
const DOCS = join(import.meta.dirname, "../../docs/screens");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, deviceScaleFactor: 2 };
const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const LOOKS = ["phone-light", "phone-dark", "desk-light", "desk-dark"];
const TABLES = [
  { players: 2, face: "white" },
  { players: 3, face: "white" },
  { players: 3, face: "purple" },
  { players: 4, face: "white" },
  { players: 4, face: "purple" },
  { players: 5, face: "purple" },
];
// Headings in the documents, where the name of a screen does not say enough.
const TITLES = {
  who: "Name and cat",
  device: "Several people on one device",
  part_color: "Tutorial",
  nowhere: "Page not found",
  games: "My games",
  "games-none": "My games, before the first",
  "lobby-guest": "Lobby, before sitting down",
  fairness: "Fairness check",
  final: "End of a game",
  result: "End of a round",
  cover: "Cover between two people on one device",
  discard: "Setting a card aside",
  bid: "Bidding",
  follow: "Following",
  "follow-chosen": "Following, with a card chosen",
  lead: "Leading",
  "lead-chosen": "Leading, with a card chosen",
  net_talk: "Chat",
};
const words = process.argv.slice(2);
const forDocs = words.includes("--docs");
const filters = words.filter((word) => !word.startsWith("--"));
const wanted = (name) => filters.every((word) => name.split("-").includes(word));
const taken = new Set();

mkdirSync(ALL, { recursive: true });
const KINDS = LOOKS.flatMap((theLook) => theLook.split("-"));
const looks = LOOKS.filter((theLook) =>
  filters.every((word) => !KINDS.includes(word) || theLook.includes(word)),
);
for (const theLook of looks) await inWorld((world) => shoot(world, theLook), `screens-${theLook}`);
if (forDocs) await strips([...taken]);

async function shoot(world, theLook) {
  const [size, colorScheme] = theLook.split("-");
  const options = { ...(size === "phone" ? PHONE : DESK), colorScheme, reducedMotion: "reduce", name: "Ada" };
  const page = await world.visitor("/", options);
  const stop = async (name, where = page) => {
    const whole = `${name}-${theLook}`;
    if (!wanted(whole)) return;
    await where.evaluate(() => document.fonts.ready);
    await where.waitForTimeout(150);
    taken.add(name);
    await where.screenshot({ path: join(ALL, `${whole}.png`) });
    console.log(whole);
  };
  await walkPages(world, page, stop);
  await walkGames(world, page, stop);
  for (const table of TABLES) await tables(world, page, stop, table);
  await walkLobby(world, page, stop, options);
  await walkReplay(world, page, stop);
  await walkCover(world, page, stop);
  await walkGame(world, page, stop, { players: 4 });
}

/** A table in the middle of a round, a card chosen. */
async function tables(world, page, stop, { players, face }) {
  const name = `table-${players}-${face}`;
  if (!LOOKS.some((theLook) => wanted(`${name}-${theLook}`))) return;
  const player = new Player(page);
  await page.goto(world.base);
  await againstBots(page, { players, face });
  const suits = (now) => {
    const [ask, cards] = [player.asked(now), handSize(now)];
    return !now.sheet && ((ask === "follow" && cards < 7) || (ask === "lead" && cards < 4));
  };
  let now = await look(page);
  while (!suits(now)) {
    if ((await player.step()) === "final") return tables(world, page, stop, { players, face });
    now = await look(page);
  }
  await player.choose(now.hand.find((card) => !card.dead && !card.chosen).rank);
  await page.mouse.move(0, 0);
  await stop(name);
}

/** Of each screen a strip for the documents, all looks side by side, and a page that shows them. */
async function strips(names) {
  rmSync(DOCS, { recursive: true, force: true });
  mkdirSync(DOCS, { recursive: true });
  const browser = await openChromium();
  const page = await browser.newPage();
  for (const name of names) {
    const files = LOOKS.map((theLook) => join(ALL, `${name}-${theLook}.png`)).filter(existsSync);
    const images = files.map((file) => `data:image/png;base64,${readFileSync(file, "base64")}`);
    const strip = await page.evaluate(sideBySide, { images, height: 560, gap: 8 });
    writeFileSync(join(DOCS, `${name}.webp`), Buffer.from(strip, "base64"));
  }
  await browser.close();
  writeFileSync(join(DOCS, "README.md"), listed(names));
}

/** In a page: some pictures as one, in a format that Playwright does not write. */
async function sideBySide({ images, height, gap }) {
  const load = async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    return image;
  };
  const loaded = await Promise.all(images.map(load));
  const widths = loaded.map((image) => Math.round((image.width * height) / image.height));
  const width = widths.reduce((sum, one) => sum + one + gap, -gap);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const brush = canvas.getContext("2d");
  brush.imageSmoothingQuality = "high";
  let x = 0;
  for (const [n, image] of loaded.entries()) {
    brush.drawImage(image, x, 0, widths[n], height);
    x += widths[n] + gap;
  }
  return canvas.toDataURL("image/webp", 0.8).split(",")[1];
}

function title(name) {
  const [, players, face] = name.match(/^table-(\d)-(\w+)$/) ?? [];
  if (players) return `Table for ${players}, ${face} face`;
  return TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, " ");
}

function listed(names) {
  const parts = names.map((name) => `## ${title(name)}\n\n![${title(name)}](${name}.webp)`);
  const about =
    "On a phone and on a desktop screen, in light and dark mode. Made by `npm run screens -- --docs` in `web/`.";
  return ["# Screenshots", about, ...parts].join("\n\n") + "\n";
}
