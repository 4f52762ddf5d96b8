// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { Update } from "./offline.svelte";

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
  expect(reload).toHaveBeenCalledOnce();
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

it("asks again until the newer build is in charge, and then no more", () => {
  vi.useFakeTimers();
  try {
    const { registration, update, reload, change } = open({});
    registration.bring();
    const first = registration.waiting;
    update.take();
    update.take(); // a second click
    expect(first?.postMessage).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2_000);
    expect(first?.postMessage).toHaveBeenCalledTimes(3);
    registration.bring(); // a yet newer one takes its place
    vi.advanceTimersByTime(1_000);
    expect(registration.waiting?.postMessage).toHaveBeenCalledTimes(1);
    change();
    vi.advanceTimersByTime(5_000);
    expect(registration.waiting?.postMessage).toHaveBeenCalledTimes(1);
    expect(reload).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
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
