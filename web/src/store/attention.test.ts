// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { call, titleOf } from "./attention";
import { settings } from "./settings.svelte";

const shown = vi.fn();
const made = vi.fn();
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

class FakeNotification {
  static permission = "granted";
  constructor(...note: unknown[]) {
    made(...note);
  }
}

/** A page out of sight, with a worker or without one. */
function page(worker: object | undefined): void {
  vi.stubGlobal("Notification", FakeNotification);
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: () => Promise.resolve(worker) } });
}

beforeEach(() => Object.assign(settings, { notify: true, sounds: false, vibrate: false }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  [shown, made].forEach((one) => one.mockClear());
});

it("tells through the worker, which phones insist on, and says which table it was", async () => {
  page({ active: {}, showNotification: shown });
  call();
  await settle();
  expect(shown).toHaveBeenCalledOnce();
  expect(shown.mock.calls[0]![1]).toMatchObject({ tag: "turn", data: { path: location.pathname } });
  expect(made).not.toHaveBeenCalled();
});

it("tells by itself where there is no worker", async () => {
  page(undefined);
  call();
  await settle();
  expect(made).toHaveBeenCalledOnce();
});

it("tells nobody who looks, or does not want it", async () => {
  page(undefined);
  settings.notify = false;
  call();
  await settle();
  expect(made).not.toHaveBeenCalled();
});

it("has the turn in the title", () => {
  expect(titleOf(true, "Ada")).toBe("● It’s your turn. · Ada");
  expect(titleOf(false, "Ada")).toBe("Ada");
});
