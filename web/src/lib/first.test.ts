// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { hasOutlines, watchOutlines } from "./first";

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const app = (): HTMLElement => document.getElementById("app")!;

beforeEach(() => {
  document.body.innerHTML = '<div id="first"></div><div id="app"></div>';
});

it("keeps the outlines while a page is on its way, and while it is made", async () => {
  watchOutlines();
  app().innerHTML = '<main class="loading" aria-busy="true"></main>';
  await settle();
  expect(hasOutlines()).toBe(true);
  app().innerHTML = '<div><main class="table" aria-busy="true"></main></div>';
  await settle();
  expect(hasOutlines()).toBe(true);
});

it.each([
  ["a page is there", () => (app().innerHTML = "<div><main></main></div>")],
  ["it says that it did not come", () => (app().innerHTML = '<main aria-busy="false"></main>')],
])("takes them away once %s", async (_when, change) => {
  watchOutlines();
  change();
  await settle();
  expect(hasOutlines()).toBe(false);
});

it("takes them away once a table is complete", async () => {
  watchOutlines();
  app().innerHTML = '<main aria-busy="true"></main>';
  await settle();
  app().querySelector("main")!.removeAttribute("aria-busy");
  await settle();
  expect(hasOutlines()).toBe(false);
});

it("does nothing on a page without outlines", () => {
  document.body.innerHTML = '<div id="app"></div>';
  expect(() => watchOutlines()).not.toThrow();
  expect(hasOutlines()).toBe(false);
});
