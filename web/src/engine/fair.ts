/**
 * Fair deals: the method "catinthebox deal 1" of docs/fairness.md, and nothing of the rules. Browsers have SHA-256, too,
 * but not on the plain http of a home network, where many tables are.
 */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { COPIES, DEALT, RANKS } from "./generated/rules";

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Bytes of hexadecimal digits; `-` is none. */
export const bytes = (digits: string): Uint8Array =>
  Uint8Array.from(digits === "-" ? [] : (digits.match(/../g) ?? []), (pair) => parseInt(pair, 16));
const number = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
const packed = (...fields: readonly Uint8Array[]): Uint8Array =>
  concatBytes(...fields.flatMap((field) => [number(field.length), field]));

/** The promise to a secret. */
export const commitment = (secret: string, table: string): string =>
  bytesToHex(sha256(packed(ascii("catinthebox deal 1 commitment"), bytes(secret), ascii(table))));

function* stream(
  label: string,
  secret: string,
  table: string,
  nonces: readonly string[],
  round: number,
): Generator<number, never> {
  for (let counter = 0; ; counter += 1) {
    const fields = [ascii(label), ascii(table), ...nonces.map(bytes), number(round), number(counter)];
    yield* hmac(sha256, bytes(secret), packed(...fields));
  }
}

/** A number below n; bytes that would favor low numbers are thrown away. */
function below(n: number, lot: Generator<number, never>): number {
  let byte = lot.next().value;
  while (byte >= 256 - (256 % n)) byte = lot.next().value;
  return byte % n;
}

/** The seat that starts the first round. */
export const starter = (secret: string, table: string, nonces: readonly string[]): number =>
  below(nonces.length, stream("catinthebox deal 1 starter", secret, table, nonces, 0));

/** The hands of a round, sorted, and what is left aside. */
export function deal(
  secret: string,
  table: string,
  nonces: readonly string[],
  round: number,
): { hands: string[]; aside: string } {
  const lot = stream("catinthebox deal 1 deck", secret, table, nonces, round);
  const players = nonces.length;
  const deck = Array.from(
    { length: (RANKS[players] ?? 0) * COPIES },
    (_, n) => `${1 + Math.floor(n / COPIES)}`,
  );
  for (let place = deck.length - 1; place > 0; place -= 1) {
    const other = below(place + 1, lot);
    [deck[place], deck[other]] = [deck[other]!, deck[place]!];
  }
  const size = DEALT[players] ?? 0;
  const hands = nonces.map((_, seat) =>
    deck
      .slice(seat * size, (seat + 1) * size)
      .sort()
      .join(""),
  );
  return { hands, aside: deck.slice(players * size).join("") };
}
