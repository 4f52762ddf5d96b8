// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepFiles, Update } from "./offline.svelte";

const SOON_MS = 5_000; // later than everything that a page waits for here
beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

class Registration extends EventTarget {
  waiting: { postMessage: (message: unknown) => void } | null = null;
  installing: (EventTarget & { state: string }) | null = null;
  update = vi.fn(() => Promise.resolve());

  /** A build arrives. */
  bring(): void {
    this.installing = Object.assign(new EventTarget(), { state: "installing" });
    this.dispatchEvent(new Event("updatefound"));
    const found = this.installing;
    found.state = "installed";
    this.waiting = { postMessage: vi.fn() };
    found.dispatchEvent(new Event("statechange"));
  }

  /** Nothing waits any more. */
  emptied(): this {
    this.waiting = null;
    return this;
  }
}

function open(controller: object | null, registration = new Registration()) {
  const container = Object.assign(new EventTarget(), { controller });
  const reload = vi.fn();
  const update = new Update(() => registration as unknown as ServiceWorkerRegistration, reload);
  update.watch(
    container as unknown as ServiceWorkerContainer,
    registration as unknown as ServiceWorkerRegistration,
  );
  const change = (): void => {
    container.controller = {};
    container.dispatchEvent(new Event("controllerchange"));
  };
  return { registration, update, reload, change };
}

it("says nothing about the first build", () => {
  const { registration, update, reload, change } = open(null);
  registration.bring();
  change();
  expect(update.ready).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

it("offers a newer build, and loads the page again when that is in charge", () => {
  const { registration, update, reload, change } = open({});
  expect(update.ready).toBe(false);
  registration.bring();
  expect(update.ready).toBe(true);
  update.take();
  expect(registration.waiting?.postMessage).toHaveBeenCalledWith({ type: "activate" });
  expect(reload).not.toHaveBeenCalled();
  change();
  vi.advanceTimersByTime(SOON_MS);
  expect(reload).toHaveBeenCalledOnce();
  const shown = open({}, registration.emptied());
  vi.advanceTimersByTime(SOON_MS);
  expect(shown.reload).not.toHaveBeenCalled();
});

it("loads the page again if the old worker stays, and once more when the new one is in charge", () => {
  const { registration, update, reload } = open({});
  registration.bring();
  update.take();
  vi.advanceTimersByTime(SOON_MS);
  expect(reload).toHaveBeenCalledOnce();

  const helped = open({}, registration); // answered by the old worker, which ends only now
  expect(registration.waiting?.postMessage).toHaveBeenCalledTimes(2);
  expect(helped.reload).not.toHaveBeenCalled();
  helped.change();
  vi.advanceTimersByTime(SOON_MS);
  expect(helped.reload).toHaveBeenCalledOnce();
  expect(open({}, registration.emptied()).reload).not.toHaveBeenCalled();
});

it("loads the page once more if the old worker ended while the page was loaded", () => {
  const { registration, update } = open({});
  registration.bring();
  update.take();
  vi.advanceTimersByTime(SOON_MS);
  expect(open({}, registration.emptied()).reload).toHaveBeenCalledOnce();
  expect(open({}, registration).reload).not.toHaveBeenCalled();
});

it("takes the build that waits then, if a yet newer one has come meanwhile", () => {
  const { registration, update } = open({});
  registration.bring();
  update.take();
  registration.bring(); // the one that was told is thrown away
  vi.advanceTimersByTime(SOON_MS);
  open({}, registration);
  expect(registration.waiting?.postMessage).toHaveBeenCalledExactlyOnceWith({ type: "activate" });
});

it("makes the offer again if the old worker never ends", () => {
  const { registration, update } = open({});
  registration.bring();
  update.take();
  vi.advanceTimersByTime(SOON_MS);
  const loads = Array.from({ length: 9 }, () => {
    const page = open({}, registration);
    vi.advanceTimersByTime(SOON_MS);
    return page;
  });
  expect(loads.map(({ reload }) => reload.mock.calls.length)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0]);
  expect(loads.every((page) => page.update.ready)).toBe(true);
});

it("loads the page once, and makes the offer again, where nothing may be kept", () => {
  vi.stubGlobal("sessionStorage", undefined);
  const { registration, update, reload } = open({});
  registration.bring();
  update.take();
  vi.advanceTimersByTime(SOON_MS);
  expect(reload).toHaveBeenCalledOnce();
  const next = open({}, registration);
  vi.advanceTimersByTime(SOON_MS);
  expect(next.reload).not.toHaveBeenCalled();
  expect(next.update.ready).toBe(true);
});

it.each([
  ["nothing newer waits", null, 1],
  ["a newer one waits: the old one may be about to end", {}, 0],
])("has the worker delete older builds if %s", async (_, waiting, times) => {
  const active = { postMessage: vi.fn() };
  const registration = Object.assign(new EventTarget(), { active, waiting, installing: null });
  const container = Object.assign(new EventTarget(), {
    controller: active,
    ready: Promise.resolve(registration),
    register: () => Promise.resolve(registration),
  });
  vi.stubGlobal("navigator", { serviceWorker: container });
  const kept = keepFiles();
  await vi.advanceTimersByTimeAsync(SOON_MS);
  await kept;
  expect(active.postMessage).toHaveBeenCalledTimes(times);
});

it("offers a newer build that was found before anybody listened", () => {
  const registration = new Registration();
  const found = (registration.installing = Object.assign(new EventTarget(), { state: "installing" }));
  const { update } = open({}, registration);
  expect(update.ready).toBe(false);
  found.state = "installed";
  found.dispatchEvent(new Event("statechange"));
  expect(update.ready).toBe(true);
});

it("does not load a page again that has not asked for it", () => {
  const { registration, update, reload, change } = open({});
  change(); // another page has taken the newer build
  expect(reload).not.toHaveBeenCalled();
  expect(update.ready).toBe(true);
  registration.waiting = null;
  update.take();
  expect(reload).toHaveBeenCalledOnce();
});

it("can be told to wait", () => {
  const { registration, update } = open({});
  registration.bring();
  update.dismiss();
  expect(update.ready).toBe(false);
});

it("asks for something newer once an hour", () => {
  const { registration, update } = open({});
  update.look(Date.now() + 1000);
  expect(registration.update).not.toHaveBeenCalled();
  update.look(Date.now() + 4_000_000);
  update.look(Date.now() + 4_001_000);
  expect(registration.update).toHaveBeenCalledOnce();
});
