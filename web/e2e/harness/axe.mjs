// axe: rules for accessibility that a program can check, all of them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Everything that axe finds wrong with a page as it is now; `values` are the rules, if not all. */
export async function faults(page, where, values = null) {
  // Through the debugger's door: the page's own policy lets no foreign script in, and should not.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(SOURCE);
  const violations = await page.evaluate(async (values) => {
    const rules = values ? { runOnly: { type: "rule", values } } : {};
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], ...rules });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes
        .slice(0, 4)
        .map(
          (node) =>
            `${node.target.join(" ")}: ${node.failureSummary.split("\n").slice(1, 3).join(";").trim()}`,
        ),
    }));
  }, values);
  return violations.map(({ id, help, nodes }) => `${where}: ${id}: ${help}\n    ${nodes.join("\n    ")}`);
}
