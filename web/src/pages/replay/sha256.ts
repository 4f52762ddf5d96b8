/**
 * SHA-256 and HMAC, in plain numbers. Browsers have them, too, but not on the plain http of a home
 * network, where many tables are; and checking a deal takes a few hundred blocks.
 */

const BLOCK = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes. */
const [ROUNDS, START] = constants();

function constants(): [Uint32Array, Uint32Array] {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  const part = (root: number): number => (root - Math.floor(root)) * 2 ** 32;
  return [
    Uint32Array.from(primes, (prime) => part(Math.cbrt(prime))),
    Uint32Array.from(primes.slice(0, 8), (prime) => part(Math.sqrt(prime))),
  ];
}

export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(START);
  const padded = new Uint8Array((Math.floor((message.length + 8) / BLOCK) + 1) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, message.length * 8);
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, n) => digest.setUint32(n * 4, word));
  return new Uint8Array(digest.buffer);
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Uint32Array, view: DataView, at: number): void {
  const words = new Uint32Array(64);
  for (let n = 0; n < 16; n += 1) words[n] = view.getUint32(at + n * 4);
  for (let n = 16; n < 64; n += 1) {
    const [early, late] = [words[n - 15]!, words[n - 2]!];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[n] = words[n - 16]! + low + words[n - 7]! + high;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < 64; n += 1) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[n]! + words[n]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] = state[n]! + word));
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const whole = new Uint8Array(BLOCK);
  whole.set(key.length > BLOCK ? sha256(key) : key);
  const pad = (byte: number): Uint8Array => whole.map((one) => one ^ byte);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
}

/** Bytes after bytes. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
