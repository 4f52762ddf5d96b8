// Scenarios in a real browser: `node e2e/run.mjs alone phone`; without a name, all of them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inWorld } from "./harness/world.mjs";

const FOLDER = join(import.meta.dirname, "scenarios");
const all = readdirSync(FOLDER).map((file) => file.replace(/\.mjs$/, ""));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length)
  throw new Error(`no scenario is called ${unknown.join(", ")}; there are ${all.join(", ")}`);

let failed = 0;
for (const name of wanted.length ? wanted : all) {
  const begin = Date.now();
  const seconds = () => ((Date.now() - begin) / 1000).toFixed(1);
  try {
    const { default: scenario } = await import(`./scenarios/${name}.mjs`);
    await inWorld(scenario, name);
    console.log(`✓ ${name} (${seconds()} s)`);
  } catch (error) {
    failed += 1;
    console.error(`✗ ${name} (${seconds()} s)\n${error.stack ?? error}\n`);
  }
}
process.exit(failed ? 1 : 0); // also if a scenario that has failed still waits for something
