/**
 * QR codes for links: bytes, error correction M, versions 1 to 10 (up to 213 bytes). Drawn by
 * ourselves, since no request may leave the host and a library would be larger than the page.
 */

import { correction } from "./qr-field";

type Modules = readonly (readonly boolean[])[];

interface Version {
  /** Codewords of correction in each block. */
  readonly check: number;
  /** Codewords of data, block by block. */
  readonly blocks: readonly number[];
  /** Where alignment patterns are centered. */
  readonly align: readonly number[];
}

const VERSIONS: readonly Version[] = [
  { check: 10, blocks: [16], align: [] },
  { check: 16, blocks: [28], align: [6, 18] },
  { check: 26, blocks: [44], align: [6, 22] },
  { check: 18, blocks: [32, 32], align: [6, 26] },
  { check: 24, blocks: [43, 43], align: [6, 30] },
  { check: 16, blocks: [27, 27, 27, 27], align: [6, 34] },
  { check: 18, blocks: [31, 31, 31, 31], align: [6, 22, 38] },
  { check: 22, blocks: [38, 38, 39, 39], align: [6, 24, 42] },
  { check: 22, blocks: [36, 36, 36, 37, 37], align: [6, 26, 46] },
  { check: 26, blocks: [43, 43, 43, 43, 44], align: [6, 28, 50] },
];
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The modules of a code, row by row; true is dark. A text that is too long is an error. */
export function qr(text: string): Modules {
  const bytes = [...new TextEncoder().encode(text)];
  const index = VERSIONS.findIndex(({ blocks }, n) => bytes.length <= sum(blocks) - (n < 9 ? 2 : 3));
  const version = VERSIONS[index];
  if (!version) throw new RangeError("too long for a code");
  const bits = interleaved(version, codewords(bytes, index + 1, sum(version.blocks)));
  const drawn = MASKS.map((_, mask) => draw(index + 1, version, bits, mask));
  const costs = drawn.map(penalty);
  return drawn[costs.indexOf(Math.min(...costs))]!;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** Mode, length, bytes, and what fills the rest. */
function codewords(bytes: readonly number[], version: number, size: number): number[] {
  const bits = [...number(0b0100, 4), ...number(bytes.length, version < 10 ? 8 : 16)];
  for (const byte of bytes) bits.push(...number(byte, 8));
  bits.push(...Array<number>(Math.min(4, size * 8 - bits.length)).fill(0));
  while (bits.length % 8) bits.push(0);
  const words: number[] = [];
  for (let at = 0; at < bits.length; at += 8) words.push(parseInt(bits.slice(at, at + 8).join(""), 2));
  for (let n = 0; words.length < size; n += 1) words.push(n % 2 ? 0x11 : 0xec);
  return words;
}

const number = (value: number, width: number): number[] =>
  Array.from({ length: width }, (_, n) => (value >> (width - 1 - n)) & 1);

/** The codewords of all blocks, taken in turn, then their corrections, as bits. */
function interleaved({ check, blocks }: Version, words: readonly number[]): number[] {
  let at = 0;
  const data = blocks.map((size) => words.slice(at, (at += size)));
  const checks = data.map((block) => correction(block, check));
  const inTurn = (parts: readonly (readonly number[])[], length: number): number[] =>
    Array.from({ length }, (_, n) => parts.flatMap((part) => part.slice(n, n + 1))).flat();
  return [...inTurn(data, Math.max(...blocks)), ...inTurn(checks, check)].flatMap((word) => number(word, 8));
}

// ── Drawing ─────────────────────────────────────────────────────────────────────────────────

function draw(number: number, version: Version, bits: readonly number[], mask: number): boolean[][] {
  const size = 17 + 4 * number;
  const dark: (boolean | undefined)[][] = Array.from({ length: size }, () => Array(size).fill(undefined));
  const put = (row: number, column: number, value: boolean): void => {
    if (row >= 0 && column >= 0 && row < size && column < size) dark[row]![column] = value;
  };
  for (const [row, column] of [[0, 0], [0, size - 7], [size - 7, 0]] as const) finder(put, row, column);
  for (const row of version.align) for (const column of version.align) alignment(dark, put, row, column);
  for (let at = 8; at < size - 8; at += 1) {
    put(6, at, at % 2 === 0);
    put(at, 6, at % 2 === 0);
  }
  put(size - 8, 8, true);
  formats(put, size, mask);
  if (number >= 7) versions(put, size, number);
  fill(dark, bits, MASKS[mask]!);
  return dark as boolean[][];
}

type Put = (row: number, column: number, value: boolean) => void;

/** A corner: dark around light around dark, and a light edge. */
function finder(put: Put, top: number, left: number): void {
  for (let row = -1; row <= 7; row += 1) {
    for (let column = -1; column <= 7; column += 1) {
      const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
      put(top + row, left + column, ring !== 2 && ring !== 4);
    }
  }
}

function alignment(dark: readonly (readonly unknown[])[], put: Put, row: number, column: number): void {
  if (dark[row]?.[column] !== undefined && row !== 6 && column !== 6) return;
  const corner = dark.length - 7;
  if ((row === 6 && (column === 6 || column === corner)) || (column === 6 && row === corner)) return;
  for (let down = -2; down <= 2; down += 1) {
    for (let right = -2; right <= 2; right += 1) {
      put(row + down, column + right, Math.max(Math.abs(down), Math.abs(right)) !== 1);
    }
  }
}

/** The correction level (M is 00) and the mask, twice. */
function formats(put: Put, size: number, mask: number): void {
  const bits = ((mask << 10) | remainder(mask << 10, 0x537, 10)) ^ 0x5412;
  const bit = (n: number): boolean => ((bits >> n) & 1) === 1;
  for (let n = 0; n < 15; n += 1) {
    const down = n < 6 ? n : n < 8 ? n + 1 : size - 15 + n;
    const left = n < 8 ? size - 1 - n : n === 8 ? 7 : 14 - n;
    put(down, 8, bit(n));
    put(8, left, bit(n));
  }
}

function versions(put: Put, size: number, number: number): void {
  const bits = (number << 12) | remainder(number << 12, 0x1f25, 12);
  for (let n = 0; n < 18; n += 1) {
    const [far, near] = [size - 11 + (n % 3), Math.floor(n / 3)];
    put(far, near, ((bits >> n) & 1) === 1);
    put(near, far, ((bits >> n) & 1) === 1);
  }
}

function remainder(value: number, divisor: number, degree: number): number {
  let rest = value;
  for (let n = 31; n >= degree; n -= 1) if ((rest >>> n) & 1) rest ^= divisor << (n - degree);
  return rest;
}

/** Two columns at a time from the right, up and down in turn; what has a use is left out. */
function fill(dark: (boolean | undefined)[][], bits: readonly number[], mask: (r: number, c: number) => boolean): void {
  const size = dark.length;
  let at = 0;
  let up = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let n = 0; n < size; n += 1) {
      const row = up ? size - 1 - n : n;
      for (const column of [right, right - 1]) {
        if (dark[row]![column] === undefined) dark[row]![column] = (bits[at++] === 1) !== mask(row, column);
      }
    }
    up = !up;
  }
}

/** How hard a code is to read: runs, blocks, look-alikes of corners, too much of one color. */
function penalty(dark: Modules): number {
  const columns = dark.map((_, column) => dark.map((row) => row[column]!));
  const text = (row: readonly boolean[]): string => row.map(Number).join("");
  let cost = 0;
  for (const line of [...dark, ...columns].map(text)) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) cost += run.length - 2;
    cost += 40 * (line.match(/(?=00001011101|10111010000)/g) ?? []).length;
  }
  const same = (row: number, column: number): boolean =>
    [[0, 1], [1, 0], [1, 1]].every(([r, c]) => dark[row + r!]?.[column + c!] === dark[row]![column]);
  dark.forEach((line, row) => line.forEach((_, column) => (cost += same(row, column) ? 3 : 0)));
  const share = dark.flat().filter(Boolean).length / dark.length ** 2;
  return cost + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
