/**
 * Checking deals: the method "catinthebox deal 1" of docs/fairness.md, and nothing of the rules. Browsers have
 * SHA-256, too, but not on the plain http of a home network, where many tables are.
 */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { COPIES, DEALT, RANKS } from "../../engine/generated/rules";
import type { GameRecord } from "../../net/replay";

/** What this browser noted before the game, and whether the table took its nonce. */
interface Note {
  readonly commitment: string;
  readonly nonce: string;
  readonly taken?: boolean;
}

/**
 * What can be said of the deals: that nobody chose them; that they are those of the promised secret,
 * which may have been made up together with the whole file; or that they are not proven.
 */
export type Verdict = "proven" | "consistent" | "not-proven";

/** Something that was looked at. */
export type Finding =
  | { readonly is: "promise"; readonly good: boolean }
  | { readonly is: "nonces"; readonly good: boolean; readonly seats: readonly number[] }
  | { readonly is: "commitment"; readonly good: boolean }
  | { readonly is: "starter"; readonly good: boolean }
  | { readonly is: "round"; readonly good: boolean; readonly number: number }
  | { readonly is: "noted"; readonly good: boolean };

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const bytes = (digits: string): Uint8Array =>
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

/** Look at everything a record promises; `noted` is what this browser saw before the game, if it did. */
export function verify(record: GameRecord, noted: Note | null): readonly Finding[] {
  const { table = "", nonces = [], secret = "", rounds } = record;
  if (!record.commitment || !secret) return [{ is: "promise", good: false }];
  const given = nonces.flatMap((nonce, seat) => (bytes(nonce).length ? [seat] : []));
  const findings: Finding[] = [
    { is: "nonces", good: given.length > 0, seats: given },
    { is: "commitment", good: commitment(secret, table) === record.commitment },
    { is: "starter", good: starter(secret, table, nonces) === record.starter },
    ...rounds.map((round, n): Finding => {
      const { hands, aside } = deal(secret, table, nonces, n + 1);
      const sorted = round.deal.map((hand) => [...hand].sort().join(""));
      return {
        is: "round",
        number: n + 1,
        good: `${sorted}` === `${hands}` && (round.aside ?? "") === aside,
      };
    }),
  ];
  return noted ? [...findings, ...compared(record, noted)] : findings;
}

/** A nonce that the table never took need not be in the record, and its note shows nothing then. */
function compared({ commitment, nonces = [] }: GameRecord, noted: Note): readonly Finding[] {
  if (noted.commitment !== commitment) return [{ is: "noted", good: false }];
  const there = nonces.includes(noted.nonce);
  return there || noted.taken ? [{ is: "noted", good: there }] : [];
}

/** Only somebody who noted the promise before, and took part, knows that nobody chose the cards. */
export function verdict(findings: readonly Finding[]): Verdict {
  if (!findings.every((finding) => finding.good)) return "not-proven";
  return findings.some((finding) => finding.is === "noted") ? "proven" : "consistent";
}
