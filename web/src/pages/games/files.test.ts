import { describe, expect, it } from "vitest";
import { fileName, recordsIn } from "./files";

const ONE = "# comment\ncatinthebox 1\nplayers 2\nnames A | B\n";
const TWO = "catinthebox 1\nplayers 3\n";

describe("a file of records", () => {
  it("with one record is that record, byte for byte", () => {
    expect(recordsIn(ONE)).toEqual([{ text: ONE, line: 1 }]);
    expect(recordsIn("nonsense")).toEqual([{ text: "nonsense", line: 1 }]);
    expect(recordsIn("")).toEqual([{ text: "", line: 1 }]);
  });

  it("with several gives each, and where it begins", () => {
    const file = `${ONE}\n${TWO}\n${TWO}`;
    expect(recordsIn(file)).toEqual([
      { text: ONE, line: 1 },
      { text: TWO, line: 6 },
      { text: TWO, line: 9 },
    ]);
  });

  it("is not divided by a name", () => {
    const file = "catinthebox 1\nnames catinthebox 1 | B\n";
    expect(recordsIn(file)).toHaveLength(1);
  });

  it("has a name that any system takes", () => {
    expect(fileName(["Ada", "J. O'Hara", "日本", "/.."])).toBe("catinthebox-Ada-J-O-Hara-日本.cat");
    expect(fileName([])).toBe("catinthebox.cat");
    expect(fileName(["x".repeat(200)]).length).toBeLessThan(90);
  });
});
