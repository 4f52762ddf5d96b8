import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetModules();
  document.body.replaceChildren();
});

/** What stands in a page with outlines once its main script did not come. */
async function failed(...languages: string[]): Promise<string> {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
  document.body.innerHTML =
    '<link id="main" href="data:text/javascript,throw 1" /><div id="first"></div><div id="app"></div>';
  await import("./start");
  await vi.waitFor(() => expect(document.querySelector("[role=alert] a[href]")).not.toBeNull());
  expect(document.getElementById("first")).toBeNull();
  expect(console.error).toHaveBeenCalledOnce();
  return document.body.textContent.trim();
}

it("says that the page's script did not come, in place of the outlines", async () => {
  expect(await failed("fr-FR", "de-CH", "en")).toMatch(/konnte nicht geladen werden.*Noch einmal/);
});

it("says it in English, if it has none of the browser's languages", async () => {
  expect(await failed("fr-FR")).toMatch(/could not be loaded.*Try again/);
});
