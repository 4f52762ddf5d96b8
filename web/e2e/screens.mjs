// Pictures of every screen: phones, tablets and desks, by day and by night, two to five players, both faces.
//   node e2e/screens.mjs                 all of them, into e2e/out/screens
//   node e2e/screens.mjs phone dark 5    those of these sizes and themes whose name has all of the other words
//   node e2e/screens.mjs --docs          phone and desk, then small strips of each screen into docs/screens
//   node e2e/screens.mjs --docs rules    the same, for one screen only
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openChromium } from "./harness/chromium.mjs";
import { Player } from "./harness/player.mjs";
import { againstBots } from "./harness/entry.mjs";
import { handSize, look } from "./harness/look.mjs";
import {
  walkCover,
  walkGame,
  walkGames,
  walkLobby,
  walkPages,
  walkReplay,
  walkReview,
} from "./harness/screens.mjs";
import { inWorld } from "./harness/world.mjs";

const ALL = join(import.meta.dirname, "out/screens");
const DOCS = join(import.meta.dirname, "../../docs/screens");
const SIZES = {
  phone: { width: 390, height: 844 },
  low: { width: 844, height: 390 },
  tablet: { width: 820, height: 1180 },
  wide: { width: 1180, height: 820 },
  desk: { width: 1440, height: 900 },
  full: { width: 1920, height: 1080 },
};
/** One walk for all that are touched, one for all with a mouse: at each stop the window takes all their sizes. */
const WALKS = [
  {
    name: "touch",
    sizes: ["phone", "low", "tablet", "wide"],
    options: { hasTouch: true, deviceScaleFactor: 2 },
  },
  { name: "mouse", sizes: ["desk", "full"], options: { deviceScaleFactor: 1 } },
];
const SCHEMES = ["light", "dark"];
const IN_DOCS = ["phone", "desk"];
const LOOKS = IN_DOCS.flatMap((size) => SCHEMES.map((scheme) => `${size}-${scheme}`)); // in the strips
const TABLES = [
  { players: 2, face: "white" },
  { players: 3, face: "white" },
  { players: 3, face: "purple" },
  { players: 4, face: "white" },
  { players: 4, face: "purple" },
  { players: 5, face: "purple" },
];
/** What a game shows from its first question to its end. */
const GAME = ["discard", "bid", "follow", "follow-chosen", "lead", "lead-chosen"].concat([
  "last_trick",
  "legend",
  "menu",
  "result",
  "paradox",
  "victory",
]);
// Headings in the documents, where the name of a screen does not say enough.
const TITLES = {
  options: "Bots and board of the next game",
  search: "The rules, searched",
  "search-nothing": "The rules, searched in vain",
  parts: "Parts of the tutorial",
  moves: "All moves of a replay",
  watch: "Watching",
  who: "Name and cat",
  device: "Several people on one device",
  part_color: "Tutorial",
  nowhere: "Page not found",
  games: "My games",
  "games-open": "My games, filtered, with the numbers of the charts",
  "games-deleted": "My games, after one was deleted",
  "games-none": "My games, before the first",
  review: "The review of a game",
  "review-choose": "The review: which game",
  "review-open": "The review, with open hands and the numbers of the curve",
  "review-more": "Share a review",
  "lobby-guest": "Lobby, before sitting down",
  fairness: "Fairness check",
  victory: "End of a game",
  final: "End of a game, in its replay",
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
const sizesWanted = named(forDocs ? IN_DOCS : Object.keys(SIZES));
const schemes = named(SCHEMES);
const filters = words.filter((word) => !/^--/.test(word) && !(word in SIZES) && !SCHEMES.includes(word));
const wanted = (name) => filters.every((word) => name.split("-").includes(word));
const nameOf = ({ players, face }) => `table-${players}-${face}`;
const taken = new Set();

mkdirSync(ALL, { recursive: true });
for (const { name, sizes, options } of WALKS) {
  const here = sizes.filter((size) => sizesWanted.includes(size));
  if (here.length) await inWorld((world) => shoot(world, here, options), `screens-${name}`);
}
if (!taken.size) throw new Error(`no screen has these names: ${filters.join(", ")}`);
if (forDocs) await strips([...taken]);

/** Those that a word names, or all. */
function named(all) {
  const some = all.filter((one) => words.includes(one));
  return some.length ? some : all;
}

async function shoot(world, sizes, rest) {
  const options = { ...rest, viewport: SIZES[sizes[0]], reducedMotion: "reduce", name: "Ada" };
  const page = await world.visitor("/", options);
  const stop = async (name, where = page) => {
    if (!wanted(name)) return;
    for (const size of sizes) for (const scheme of schemes) await take(where, name, size, scheme);
    await where.setViewportSize(SIZES[sizes[0]]);
  };
  const parts = [
    [
      [
        "home",
        "options",
        "who",
        "new-table",
        "device",
        "settings",
        "rules",
        "search",
        "search-nothing",
        "parts",
        "part_color",
        "nowhere",
      ],
      walkPages,
    ],
    [["games-none", "games", "games-open", "games-deleted"], walkGames],
    [TABLES.map(nameOf), walkTables],
    [["lobby", "lobby-guest", "net_talk", "people", "watch"], (...all) => walkLobby(...all, options)],
    [["replay", "moves", "fairness", "replay-menu", "paradox", "final"], walkReplay],
    [["review-choose", "review", "review-open", "review-more"], walkReview],
    [["cover"], walkCover],
    [GAME, (...all) => walkGame(...all, { players: 4 }, "final")],
  ];
  for (const [names, walk] of parts) if (names.some(wanted)) await walk(world, page, stop);
}

async function take(page, name, size, colorScheme) {
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(150);
  taken.add(name);
  await page.screenshot({ path: join(ALL, `${name}-${size}-${colorScheme}.png`) });
  console.log(`${name}-${size}-${colorScheme}`);
}

/** Tables in the middle of a round, a card chosen. */
async function walkTables(world, page, stop) {
  for (const table of TABLES) if (wanted(nameOf(table))) await oneTable(world, page, stop, table);
}

async function oneTable(world, page, stop, { players, face }) {
  const player = new Player(page);
  await page.goto(world.base);
  await againstBots(page, { players, face });
  const suits = (now) => {
    const [ask, cards] = [player.asked(now), handSize(now)];
    return !now.sheet && ((ask === "follow" && cards < 7) || (ask === "lead" && cards < 4));
  };
  let now = await look(page);
  while (!suits(now)) {
    if ((await player.step()) === "final") return oneTable(world, page, stop, { players, face });
    now = await look(page);
  }
  await player.choose(now.hand.find((card) => !card.dead && !card.chosen).rank);
  await page.mouse.move(0, 0);
  await stop(nameOf({ players, face }));
}

/** Of each screen a strip for the documents, all looks side by side, and a page that shows them. */
async function strips(names) {
  if (!filters.length) rmSync(DOCS, { recursive: true, force: true });
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
  if (!filters.length) writeFileSync(join(DOCS, "README.md"), listed(names));
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
