import { expect, it, vi } from "vitest";
import { keepAwake } from "./awake";

class Page extends EventTarget {
  hidden = false;

  show(visible: boolean): void {
    this.hidden = !visible;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

function open() {
  const page = new Page();
  const release = vi.fn(() => Promise.resolve());
  const request = vi.fn(() => Promise.resolve({ release }));
  return {
    page,
    release,
    request,
    keep: () => keepAwake(page as unknown as Document, { wakeLock: { request } }),
  };
}

it("keeps the screen on, and asks again after the page was out of sight", async () => {
  const { page, request, release, keep } = open();
  const end = keep();
  expect(request).toHaveBeenCalledTimes(1);
  page.show(false);
  expect(request).toHaveBeenCalledTimes(1);
  page.show(true);
  expect(request).toHaveBeenCalledTimes(2);
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce()); // the browser has taken that lock already
  end();
  expect(release).toHaveBeenCalledTimes(2);
  page.show(true);
  expect(request).toHaveBeenCalledTimes(2);
});

it("lets a lock go that comes too late", async () => {
  const { release, keep } = open();
  keep()();
  await vi.waitFor(() => expect(release).toHaveBeenCalledOnce());
});

it("holds one lock when two requests overlap", async () => {
  const { page, request, release, keep } = open();
  const end = keep();
  page.show(true);
  expect(request).toHaveBeenCalledTimes(2);
  await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1));
  end();
  expect(release).toHaveBeenCalledTimes(2);
});

it("does without, where a browser has none or refuses", async () => {
  const page = new Page() as unknown as Document;
  keepAwake(page, {})();
  const request = vi.fn(() => Promise.reject(new Error("low battery")));
  const end = keepAwake(page, { wakeLock: { request } });
  await vi.waitFor(() => expect(request).toHaveBeenCalled());
  end();
});
