import { expect, it } from "vitest";
import { troubleWords } from "./finished";
import { refusalWords } from "./refusals";
import { ShelfError } from "./shelf";

const FAILED = "That didn’t work. Please try again.";

it("has a sentence for every refusal", () => {
  expect(refusalWords({ code: "table.full", message: "x" })).toBe("Every seat is taken.");
  expect(refusalWords({ code: "limit.newer", message: "x" })).toBe(
    "That was a bit fast. Wait a moment and try again.",
  );
  expect(refusalWords({ code: "table.newer", message: "What a newer server says." })).toBe(
    "What a newer server says.",
  );
  expect(refusalWords({ code: "table.newer", message: "" })).toBe(FAILED);
});

it.each([new TypeError("undefined is not a function"), new DOMException("gone", "AbortError"), null, "text"])(
  "has one for %s, too, which is no refusal",
  (error) => expect(refusalWords(error)).toBe(FAILED),
);

it("tells what is wrong with the games that are kept", () => {
  expect(troubleWords(new ShelfError("full", null))).toContain("out of space");
  expect(troubleWords(new ShelfError("forbidden", null))).toContain("let the page store anything");
  expect(troubleWords(new TypeError("odd"))).toBe(FAILED);
});
