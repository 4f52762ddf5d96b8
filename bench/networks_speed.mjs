// How long networks take for a position, one at a time and in batches, for bench/networks.py: in Node and in Chromium.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { openChromium } from "../web/e2e/harness/chromium.mjs";

const ENGINE = join(import.meta.dirname, "../web/src/engine");
const ORIGIN = "https://bench.invalid/";

/** Measure every way; runs in a page, too, so it uses nothing around it. Inputs as sparse as a round's are drawn. */
async function measured(code, file, { counts, ms }) {
  const { Network } = await import(code);
  const content =
    typeof file === "string" ? await (await fetch(file)).arrayBuffer() : file;
  const network = new Network(content);
  const rows = Array.from({ length: 16 }, (_, n) =>
    Float64Array.from({ length: 656 }, (_, m) =>
      (m * m * 7 + n * 131 + m * n) % 9 === 0 ? 1 : 0,
    ),
  );
  function perPosition(compute, count) {
    const times = [];
    for (const end = performance.now() + ms; performance.now() < end;) {
      const from = performance.now();
      for (let n = 0; n < 8; n += 1) compute();
      times.push((performance.now() - from) / 8 / count);
    }
    return times.sort((one, other) => one - other)[times.length >> 1];
  }
  const found = [
    [
      "64-bit floats, typed arrays",
      perPosition(() => network.outputs(rows[0]), 1),
    ],
  ];
  const from = performance.now();
  const batch = network.batch;
  found.unshift(["preparation, once", performance.now() - from]);
  for (const count of batch ? counts : []) {
    for (let n = 0; n < count; n += 1) batch.inputs.set(rows[n], 656 * n);
    found.push([
      `vector instructions, ${count}`,
      perPosition(() => batch.outputs(count), count),
    ]);
  }
  return found;
}

async function inChromium(options) {
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.route(`${ORIGIN}**`, (route) => {
      const path = new URL(route.request().url()).pathname.slice(1);
      if (!path) return route.fulfill({ contentType: "text/html", body: "" });
      const content = readFileSync(join(ENGINE, path));
      return path.endsWith(".ts")
        ? route.fulfill({
            contentType: "text/javascript",
            body: stripTypeScriptTypes(content.toString()),
          })
        : route.fulfill({
            contentType: "application/octet-stream",
            body: content,
          });
    });
    await page.goto(ORIGIN);
    const given = JSON.stringify([
      `${ORIGIN}network.ts`,
      `${ORIGIN}generated/4-players.net`,
      options,
    ]);
    return await page.evaluate(`(${measured})(...${given})`);
  } finally {
    await browser.close();
  }
}

const options = { counts: [1, 4, 16], ms: 1000 };
const file = Uint8Array.from(
  readFileSync(join(ENGINE, "generated/4-players.net")),
).buffer;
const node = await measured(join(ENGINE, "network.ts"), file, options);
const chromium = await inChromium(options);
console.log(JSON.stringify({ node, chromium }));
