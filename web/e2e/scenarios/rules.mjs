// The rules: every clause has an address, and a search finds it.
import { until } from "../harness/check.mjs";
import { wordsOf } from "../harness/words.mjs";

const m = wordsOf("en");

export default async function rules(world) {
  const page = await world.visitor();
  await page.getByRole("link", { name: m("page_rules") }).click();
  await page.getByRole("heading", { level: 1, name: m("page_rules") }).waitFor();
  const article = page.locator("article");
  await article.getByText("R14", { exact: true }).first().waitFor();
  const whole = (await article.innerText()).length;

  const search = page.getByRole("searchbox");
  await search.fill("paradox");
  const text = () => article.innerText();
  await until(async () => (await text()).length < whole / 2, "a search leaves out what was not asked for");
  await article
    .getByText(/paradox/i)
    .first()
    .waitFor();
  await search.fill("no such word anywhere");
  await until(async () => (await text()).trim() === m("page_rules_nothing"), "nothing found is said");

  const linked = await world.visitor("/rules#r21");
  await linked.waitForFunction(() => {
    const clause = document.getElementById("r21")?.getBoundingClientRect();
    return clause && clause.top > -50 && clause.top < innerHeight;
  });
}
