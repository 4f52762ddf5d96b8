// Games reviewed in the page's worker, each by a new worker; a line of JSON for each (bench/review.py).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openChromium } from "../../web/e2e/harness/chromium.mjs";
import { Server } from "../../web/e2e/harness/server.mjs";

const TICKS = 100; // of the system's clock, in a second

const { folder, records } = JSON.parse(process.argv[2]);
const worker = readdirSync(join(folder, "assets")).find((name) => /^worker-.*\.js$/.test(name));
const server = new Server();
const browser = await openChromium();
try {
  await server.start();
  const context = await browser.newContext({ bypassCSP: true, serviceWorkers: "block" });
  const page = await context.newPage();
  await page.goto(`${server.base}/rules`);
  for (const record of records) {
    const given = { address: `/assets/${worker}`, text: readFileSync(record, "utf8") };
    const before = cpuOfPages();
    const found = await page.evaluate(review, given);
    console.log(JSON.stringify({ ...found, cpu: before === null ? null : cpuOfPages() - before }));
  }
} finally {
  await browser.close();
  await server.close();
}

/** Seconds that the processes of pages below this one have computed; null on a system that does not say it like Linux. */
function cpuOfPages() {
  if (!existsSync("/proc/self/stat")) return null;
  const all = readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name));
  const parents = new Map(all.map((pid) => [pid, statOf(pid)?.[1]]));
  const isBelow = (pid) => pid === `${process.pid}` || (parents.has(pid) && isBelow(parents.get(pid)));
  const pages = [...parents.keys()].filter((pid) => isBelow(pid) && /--type=renderer/.test(wordsOf(pid)));
  const ticks = pages.map((pid) => Number(statOf(pid)[11]) + Number(statOf(pid)[12]));
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS;
}

/** The fields of a process behind its name, its state first; null if it is gone. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return null;
  }
}

/** The command line of a process. */
function wordsOf(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}

/** In the page: ask what `web/src/engine/reviewing.ts` asks, two questions at a time. It is sent as text. */
async function review({ address, text }) {
  const began = performance.now();
  const worker = new Worker(address, { type: "module" });
  const open = new Map();
  worker.onmessage = ({ data }) => {
    if (data.type === "Answer") open.get(data.id)(data.answer);
    if (data.type === "Failed" || data.type === "Broken") throw new Error(data.message);
  };
  let id = 0;
  const ask = (kind, request) =>
    new Promise((resolve) => {
      open.set((id += 1), resolve);
      worker.postMessage({ type: "Ask", id, kind, request });
    });
  const { found: plan } = await ask("reviewPlan", { text });
  const ready = performance.now() - began;
  const jobs = plan.rounds.flatMap(({ actions, hasParadox }, at) => [
    ...actions.map((_, step) => ["reviewDecision", { text, round: at + 1, step }]),
    ...(hasParadox ? [["reviewParadox", { text, round: at + 1 }]] : []),
  ]);
  const found = [];
  let paradoxes = 0;
  const lane = async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const from = performance.now();
      const answer = await ask(...job);
      if (job[0] === "reviewParadox") paradoxes += performance.now() - from;
      else found.push(answer);
    }
  };
  await Promise.all([lane(), lane()]);
  const seconds = (performance.now() - began) / 1000;
  worker.terminate();
  found.sort((one, other) => one.round - other.round || one.decision.step - other.decision.step);
  const verdicts = found.map(({ decision }) => decision.verdict);
  return { seconds, ready: ready / 1000, paradoxes: paradoxes / 1000, verdicts };
}
