/** Reed-Solomon codes over the field of 256 elements, as QR codes use them. */

const POWERS = new Uint8Array(512);
const LOGS = new Uint8Array(256);
for (let n = 0, value = 1; n < 255; n += 1) {
  POWERS[n] = POWERS[n + 255] = value;
  LOGS[value] = n;
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0);
}

/** The product of two elements. */
export const times = (a: number, b: number): number => (a && b ? POWERS[LOGS[a]! + LOGS[b]!]! : 0);

/** A power of the generating element. */
export const power = (n: number): number => POWERS[n % 255]!;

/** The codewords that make errors in a block findable. */
export function correction(block: readonly number[], length: number): number[] {
  const divisor = generator(length);
  const rest = [...block, ...Array<number>(length).fill(0)];
  for (let at = 0; at < block.length; at += 1) {
    const factor = rest[at]!;
    divisor.forEach((term, n) => (rest[at + n] = rest[at + n]! ^ times(term, factor)));
  }
  return rest.slice(block.length);
}

/** The product of (x - power(n)) for all n below a degree, the highest term first. */
function generator(degree: number): number[] {
  let terms = [1];
  for (let n = 0; n < degree; n += 1) {
    const shifted = [...terms, 0];
    terms.forEach((term, at) => (shifted[at + 1] = shifted[at + 1]! ^ times(term, power(n))));
    terms = shifted;
  }
  return terms;
}
