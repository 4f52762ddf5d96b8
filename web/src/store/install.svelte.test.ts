// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { Install } from "./install.svelte";
import { letGo } from "./keep";

const nowhere = (): boolean => false;
const browser = (standalone?: boolean): Navigator => ({ standalone }) as unknown as Navigator;

/** The browser offers to install the page. */
function offer(outcome: "accepted" | "dismissed") {
  const prompt = vi.fn(() => Promise.resolve({ outcome }));
  const event = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt });
  dispatchEvent(event);
  return { event, prompt };
}

beforeEach(() => letGo("install"));

it("keeps the browser's offer for a better moment, and uses it once", async () => {
  const install = new Install(browser(), nowhere);
  install.listen();
  expect(install.possible).toBe(false);
  const { event, prompt } = offer("accepted");
  expect(event.defaultPrevented).toBe(true);
  expect([install.possible, install.welcome]).toEqual([true, true]);
  await install.ask();
  await install.ask();
  expect(prompt).toHaveBeenCalledOnce();
  expect(install.possible).toBe(false);
});

it("does not offer again what was declined, but the settings still can", async () => {
  const install = new Install(browser(), nowhere);
  install.listen();
  offer("dismissed");
  await install.ask();
  offer("accepted");
  expect([install.possible, install.welcome]).toEqual([true, false]);
  expect(new Install(browser(false), nowhere).welcome).toBe(false);
});

it("knows devices where people do it by hand, and pages that are apps already", () => {
  expect(new Install(browser(false), nowhere)).toMatchObject({ byHand: true, done: false, welcome: true });
  expect(new Install(browser(true), nowhere)).toMatchObject({ byHand: false, done: true });
  expect(new Install(browser(), () => true)).toMatchObject({ byHand: false, done: true });
  expect(new Install(browser(), nowhere)).toMatchObject({ byHand: false, done: false });
});

it("has nothing to offer once the page is installed", () => {
  const install = new Install(browser(), nowhere);
  install.listen();
  offer("accepted");
  dispatchEvent(new Event("appinstalled"));
  expect(install.possible).toBe(false);
});
