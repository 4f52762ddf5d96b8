// What Lighthouse says of the client, on a phone with a slow line: at least 95 of 100 everywhere.
//   python -m bench.page [PAGE …]
import { randomBytes } from "node:crypto";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromiumPath } from "../../web/e2e/harness/chromium.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";

const LEAST = 95;
const PAGES = ["/", "/learn", "/rules", "/settings", "/games", "/t/"];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const server = new Server();
const chrome = await launch({
  chromePath: await chromiumPath(),
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
});
let low = false;
try {
  await server.start();
  const wanted = process.argv.slice(2);
  for (const page of wanted.length ? wanted : PAGES) {
    const path = page === "/t/" ? await openTable(server.base) : page;
    const { categories, audits } = await median(server.base + path);
    const scores = CATEGORIES.map((name) =>
      Math.round(categories[name].score * 100),
    );
    console.log(
      `${page.padEnd(10)} ${CATEGORIES.map((name, n) => `${name} ${scores[n]}`).join(", ")}`,
    );
    low ||= scores.some((score) => score < LEAST);
    for (const audit of missed(categories, audits)) console.log(`    ${audit}`);
  }
} finally {
  chrome.kill();
  await server.close();
}
process.exitCode = low ? 1 : 0;

/** The path of a new table; Lighthouse comes as a guest. */
async function openTable(base) {
  const token = randomBytes(32).toString("base64url");
  const answer = await fetch(`${base}/api/v1/tables`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ settings: { players: 4 }, name: "Ada" }),
  });
  return `/t/${(await answer.json()).table}`;
}

/** The middle one of three looks at a page: a machine is busy now and then. */
async function median(url) {
  const looks = [];
  for (let look = 0; look < 3; look += 1) {
    const options = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" };
    looks.push((await lighthouse(url, options)).lhr);
  }
  return looks.sort((a, b) => speed(a) - speed(b))[1];
}

function speed({ categories }) {
  return categories.performance.score;
}

/** What cost points. */
function missed(categories, audits) {
  const weighed = CATEGORIES.flatMap((name) =>
    categories[name].auditRefs.filter((one) => one.weight > 0),
  );
  return weighed
    .map(({ id }) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9)
    .map(
      ({ title, displayValue }) =>
        `${title}${displayValue ? `: ${displayValue}` : ""}`,
    );
}
