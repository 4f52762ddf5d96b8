// What Lighthouse says of every page of the client, on a phone with a slow line: at least 95 of 100 everywhere.
//   python -m bench.page [PAGE …]
import { loadavg } from "node:os";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import { chromiumPath } from "../../web/e2e/harness/chromium.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";
import { PAGES } from "./pages.mjs";

const LEAST = 95;
const LOOKS = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const row = (name, cells) => `${name.padEnd(18)}${cells.map((cell) => `${cell}`.padStart(15)).join("")}`;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PAGES));
if (unknown.length)
  throw new Error(`there is no ${unknown.join(", no ")}; there are ${Object.keys(PAGES).join(" | ")}`);

const server = new Server();
const chrome = await launch({
  chromePath: await chromiumPath(),
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"],
});
let low = false;
try {
  await server.start();
  console.log(row("page", [...CATEGORIES, "blocking CPU", "CPU benchmark", "load"]));
  for (const name of wanted.length ? wanted : Object.keys(PAGES)) {
    const path = await PAGES[name](server.base, chrome.port);
    const { categories, audits, environment, blocking } = await median(server.base + path, path === "/lost");
    const scores = CATEGORIES.map((one) => Math.round(categories[one].score * 100));
    console.log(row(name, [...scores, blocking, Math.round(environment.benchmarkIndex), loadavg()[0].toFixed(1)]));
    low ||= scores.some((score) => score < LEAST);
    for (const audit of missed(categories, audits)) console.log(`    ${audit}`);
  }
} finally {
  chrome.kill();
  await server.close();
}
process.exitCode = low ? 1 : 0;

/** The middle one of three looks at a page, by its points for speed: a machine is busy now and then. */
async function median(url, isLost) {
  const options = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" };
  // A page that says that nothing is there should have the status that says so, too.
  if (isLost) Object.assign(options, { ignoreStatusCode: true, skipAudits: ["http-status-code"] });
  const looks = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const { lhr, artifacts } = await lighthouse(url, options);
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    looks.push({ ...lhr, blocking: blockingOf(artifacts.Trace.traceEvents) });
  }
  return looks.sort((a, b) => speed(a) - speed(b))[Math.floor(LOOKS / 2)];
}

/**
 * What the tasks of the page's main thread have beyond 50 ms on a CPU that is four times slower, in milliseconds. By CPU time:
 * Lighthouse's own blocking time counts by the wall clock, and on a busy machine mostly what others do.
 */
function blockingOf(events) {
  const threads = new Map();
  for (const { name, args, pid, tid } of events)
    if (name === "thread_name" && args.name === "CrRendererMain") threads.set(`${pid}.${tid}`, []);
  for (const { name, pid, tid, tdur = 0 } of events)
    if (name.endsWith("RunTask")) threads.get(`${pid}.${tid}`)?.push((4 * tdur) / 1000);
  const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
  const [page = []] = [...threads.values()].sort((a, b) => sum(b) - sum(a));
  return Math.round(sum(page.map((ms) => Math.max(0, ms - 50))));
}

function speed({ categories }) {
  return categories.performance.score;
}

/** What cost points. */
function missed(categories, audits) {
  const weighed = CATEGORIES.flatMap((name) => categories[name].auditRefs.filter((one) => one.weight > 0));
  return weighed
    .map(({ id }) => audits[id])
    .filter((audit) => audit && audit.score !== null && audit.score < 0.9)
    .map(({ title, displayValue }) => `${title}${displayValue ? `: ${displayValue}` : ""}`);
}
