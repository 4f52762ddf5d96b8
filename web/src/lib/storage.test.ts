import { expect, it } from "vitest";
import { provideStorage } from "./storage";

it("puts a stand-in where reading the storage throws", () => {
  const scope = Object.defineProperty({}, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("forbidden", "SecurityError");
    },
  }) as { readonly localStorage: Storage };
  provideStorage(scope);
  expect(scope.localStorage.getItem("a")).toBeNull();
  scope.localStorage.setItem("a", "1");
  expect([scope.localStorage.getItem("a"), scope.localStorage.length, scope.localStorage.key(0)]).toEqual([
    "1",
    1,
    "a",
  ]);
});

it("leaves a storage that can be read as it is", () => {
  const localStorage = { length: 0 } as Storage;
  const scope = { localStorage };
  provideStorage(scope);
  expect(scope.localStorage).toBe(localStorage);
});
