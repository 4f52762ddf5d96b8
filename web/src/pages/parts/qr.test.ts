import { expect, it } from "vitest";
import { qr } from "./qr";
import { correction, power, times } from "./qr-field";

it("computes the correction of the standard's own example", () => {
  // ISO/IEC 18004, annex I: "01234567" in version 1-M.
  const block = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  const check = [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55];
  expect(correction(block, 10)).toEqual(check);
});

it("makes blocks whose syndromes are zero", () => {
  const block = Array.from({ length: 43 }, (_, n) => (n * 37) % 256);
  const whole = [...block, ...correction(block, 24)];
  for (let n = 0; n < 24; n += 1) {
    expect(whole.reduce((value, word) => times(value, power(n)) ^ word, 0)).toBe(0);
  }
});

it.each([
  [1, 21],
  [14, 21],
  [15, 25],
  [42, 29],
  [62, 33],
  [84, 37],
  [106, 41],
  [122, 45],
  [152, 49],
  [180, 53],
  [213, 57],
])("draws %i bytes on %i modules, with three corners", (length, size) => {
  const code = qr("x".repeat(length));
  expect(code).toHaveLength(size);
  expect(code.every((row) => row.length === size && row.every((one) => typeof one === "boolean"))).toBe(true);
  const corner = (row: number, column: number): string =>
    [0, 3, 6].map((n) => [0, 1, 2, 3, 4, 5, 6].map((c) => Number(code[row + n]![column + c])).join("")).join(" ");
  for (const [row, column] of [[0, 0], [0, size - 7], [size - 7, 0]] as const) {
    expect(corner(row, column)).toBe("1111111 1011101 1111111");
  }
});

it("refuses what does not fit", () => {
  expect(() => qr("x".repeat(214))).toThrow(RangeError);
});
