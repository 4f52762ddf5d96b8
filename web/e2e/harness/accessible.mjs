// Every screen, judged by axe, and by the size of its texts.
import { faults } from "./axe.mjs";
import { smallText } from "./measure.mjs";

// Another theme or palette changes colors and nothing else, so it is judged by the rules about colors.
const COLORS = ["color-contrast", "link-in-text-block"];

/** Everything that is wrong with a screen: by day and by night, each also in high contrast. */
export async function allFaults(page, name) {
  const found = await faults(page, name);
  for (const text of await smallText(page)) found.push(`${name}: too small to read: ${text}`);
  await wear(page, "contrast");
  found.push(...(await faults(page, `${name} in high contrast`, COLORS)));
  await page.emulateMedia({ colorScheme: "dark" });
  found.push(...(await faults(page, `${name} in high contrast by night`, COLORS)));
  await wear(page, "standard");
  found.push(...(await faults(page, `${name} by night`, COLORS)));
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** The settings only write this mark. */
const wear = (page, palette) =>
  page.evaluate((one) => {
    document.documentElement.dataset.palette = one;
  }, palette);
