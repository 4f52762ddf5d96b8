// The first load: what comes over the wire before anything can be done, and that it comes once.
import { gzipSync } from "node:zlib";
import { check, same } from "../harness/check.mjs";
import { allKept } from "../harness/offline.mjs";

const MOST_KB = 90;
/** Each file costs the head of an answer, and a way there and back once a browser has no connection left. */
const MOST_FILES = 12;

export default async function weight(world) {
  const page = await (await world.person()).newPage();
  const loads = [];
  page.on("response", (response) => loads.push(response));
  // The page's clock stands still: what it fetches in advance, after a while, is not of the first load.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(world.base, { waitUntil: "load" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const first = await weigh(loads);
  for (const { path, bytes } of first) console.log(`${kb(bytes).padStart(8)} kB  ${path}`);
  const sum = first.reduce((all, one) => all + one.bytes, 0);
  console.log(`${kb(sum).padStart(8)} kB  script and style of the first page, gzip`);
  check(first.length > 1, "the first page has script and style");
  check(first.length <= MOST_FILES, `the first load has ${first.length} files, more than ${MOST_FILES}`);
  check(sum < MOST_KB * 1000, `the first load has ${kb(sum)} kB, more than ${MOST_KB}`);

  // Whatever has a hash in its name is asked for once in a lifetime.
  await page.clock.resume();
  await allKept(page);
  loads.length = 0;
  await page.reload({ waitUntil: "networkidle" });
  const again = loads.filter((one) => one.url().includes("/assets/") && !one.fromServiceWorker());
  const fresh = [];
  for (const one of again) if ((await one.request().sizes()).responseBodySize > 0) fresh.push(one.url());
  same(fresh, [], "nothing with a hash in its name is sent twice");
}

/** Scripts and styles with their size as gzip: as sent, or as anything in front of the server sends them. */
async function weigh(responses) {
  const wanted = responses.filter((one) => ["script", "stylesheet"].includes(one.request().resourceType()));
  return Promise.all(
    wanted.map(async (one) => ({
      path: new URL(one.url()).pathname,
      bytes: one.headers()["content-encoding"]
        ? (await one.request().sizes()).responseBodySize
        : gzipSync(await one.body(), { level: 9 }).length,
    })),
  );
}

const kb = (bytes) => (bytes / 1000).toFixed(1);
