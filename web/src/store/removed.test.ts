import { expect, test } from "vitest";

import { noteReadmitted, noteRemoved, removedFrom } from "./removed";

test("a host's browser knows whom they can let back in, table by table", () => {
  expect(removedFrom("t1")).toEqual([]);
  noteRemoved("t1", "Ada");
  noteRemoved("t1", "Bo");
  expect(noteRemoved("t1", "Ada")).toEqual(["Bo", "Ada"]);
  expect(removedFrom("t2")).toEqual([]);
  expect(noteReadmitted("t1", "Bo")).toEqual(["Ada"]);
  expect(removedFrom("t1")).toEqual(["Ada"]);
});

test("and only the latest of them", () => {
  for (let number = 0; number < 20; number += 1) noteRemoved("t3", `Guest ${number}`);
  expect(removedFrom("t3")).toHaveLength(8);
  expect(removedFrom("t3").at(-1)).toBe("Guest 19");
});
