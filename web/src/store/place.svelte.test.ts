// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { place } from "./place.svelte";

place.listen();
const arrive = (state: unknown): boolean => dispatchEvent(new PopStateEvent("popstate", { state }));
const back = vi.spyOn(history, "back").mockImplementation(() => undefined);

beforeEach(() => {
  arrive({ behind: 0 });
  back.mockClear();
});

it("goes back to where the reader came from", () => {
  place.go("/rules");
  expect(place.path).toBe("/rules");
  place.back();
  expect(back).toHaveBeenCalledOnce();
});

it("takes anyone who came from elsewhere to the first page", () => {
  place.back();
  expect(back).not.toHaveBeenCalled();
  expect(place.path).toBe("/");
});

it("knows forward from back", () => {
  place.go("/rules");
  arrive({ behind: 0 }); // back
  arrive({ behind: 1 }); // and forward again
  arrive(null); // to a clause of the rules
  place.back();
  expect(back).toHaveBeenCalledOnce();
});
