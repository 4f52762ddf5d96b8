// Screenshots of the gallery's scenes into shots/out: every scene on a phone and a desk, by day and
// by night, under the server's own Content-Security-Policy. `npm run shots -- 4-follow` takes some.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { openChromium } from "../e2e/harness/chromium.mjs";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";
const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
};
const SCREENS = { phone: [390, 844], desk: [1280, 800] };
const SITE = join(import.meta.dirname, "out/site");
const HOST = "http://gallery.test";
// scene, and what is chosen or open in it
const SHOTS = [
  ["4-follow", "select=5"],
  ["4-follow", ""],
  ["4-lead", "select=6"],
  ["4-lead", ""],
  ["4-discard", "select=8"],
  ["4-bid", ""],
  ["4-wait", ""],
  ["4-purple", "select=1"],
  ["3-follow", "select=4"],
  ["3-purple", "select=1"],
  ["5-follow", "select=3"],
  ["5-discard", "select=5"],
  ["2-follow", "select=5"],
  ["2-discard", ""],
  ["4-watch", ""],
  ["3-paradox-mine", "screen=paradox"],
  ["5-paradox", "screen=paradox"],
  ["5-paradox", ""],
  ["4-paradox-kept", "screen=paradox"],
  ["4-paradox-kept", "screen=counting"],
  ["4-result", "screen=counting"],
  ["2-result", "screen=counting"],
  ["5-paradox", "screen=counting"],
  ["4-final", "screen=victory"],
  ["5-final", "screen=victory"],
  ["4-follow", "sheet=last"],
  ["5-follow", "sheet=legend"],
  ...["controls", "marks", "cards", "seats", "turns", "coach"].map((name) => [
    "components",
    `components=${name}`,
  ]),
];

/** Serve the built gallery out of the folder, with the policy, and nothing from anywhere else. */
async function serve(page) {
  await page.route("**", (route) => {
    const url = new URL(route.request().url());
    const file = join(SITE, url.pathname);
    if (url.origin !== HOST || !existsSync(file)) return route.abort();
    return route.fulfill({
      body: readFileSync(file),
      headers: { "content-type": KINDS[extname(file)] ?? "", "content-security-policy": POLICY },
    });
  });
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && console.log("!", message.text()),
  );
  page.on("pageerror", (error) => console.log("!", error.message));
}

const options = process.argv.slice(2);
const only = options.filter((word) => !word.startsWith("--"));
const flag = (name, otherwise) =>
  options.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? otherwise;
const screens = flag("screens", "phone,desk").split(",");
const themes = flag("themes", "light,dark").split(",");
const query = flag("query", "").replaceAll("~", "=").replaceAll(",", "&");
const [width, height] = flag("size", "").split("x").map(Number);

execFileSync(
  process.execPath,
  ["node_modules/vite/bin/vite.js", "build", "--mode", "gallery", "--logLevel", "error"],
  { stdio: "inherit" },
);
mkdirSync(join(import.meta.dirname, "out"), { recursive: true });
const browser = await openChromium();
for (const screen of screens) {
  const [w, h] = width ? [width, height] : SCREENS[screen];
  const context = await browser.newContext({
    viewport: { width: w, height: h },
    deviceScaleFactor: screen === "phone" ? 2 : 1,
    hasTouch: screen === "phone",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await serve(page);
  for (const theme of themes) {
    for (const [scene, chosen] of SHOTS) {
      const name = [scene, chosen.replace(/.*=/, ""), screen, theme, flag("tag", "")]
        .filter(Boolean)
        .join("-");
      if (only.length && !only.some((word) => name.startsWith(word))) continue;
      await page.goto(`${HOST}/gallery.html?scene=${scene}&${chosen}&theme=${theme}&${query}`);
      await page.waitForSelector("main");
      await page.evaluate(() => document.fonts.ready);
      if (chosen.startsWith("sheet")) await page.waitForSelector("dialog[open]");
      if (chosen.startsWith("screen")) await page.waitForSelector("[data-screen]");
      await page.waitForTimeout(120);
      const wide = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.scrollHeight,
      ]);
      const long = scene === "components"; // a page to scroll
      if (wide[0] > w || (wide[1] > h && !long)) console.log(`  ${name}: page is ${wide.join(" x ")}`);
      await page.screenshot({ path: join(import.meta.dirname, "out", `${name}.png`), fullPage: long });
    }
  }
  await context.close();
}
await browser.close();
