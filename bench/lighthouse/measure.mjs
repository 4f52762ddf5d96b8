// What Lighthouse says of the client, on a phone with a slow line: at least 95 of 100 everywhere.
//   python -m bench.page
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { installedChromium } from "../../web/e2e/harness/chromium.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";

const LEAST = 95;
const PAGES = ["/", "/learn", "/rules", "/settings"];
const CATEGORIES = ["performance", "accessibility", "best-practices"];

const server = new Server();
const chrome = await launch({
  ...(installedChromium() ? { chromePath: installedChromium() } : {}),
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
});
let low = false;
try {
  await server.start();
  for (const page of PAGES) {
    const found = await lighthouse(server.base + page, {
      port: chrome.port,
      onlyCategories: CATEGORIES,
      logLevel: "error",
    });
    const { categories, audits } = found.lhr;
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
