/**
 * What follows from a date: "catinthebox daily 1" of docs/browser.md. The same in Python (`catinthebox.fair.daily`);
 * both are compared with vectors/days.daily.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { PLAYERS } from "../../lib/days";
import { deal, starter } from "../fair";
import type { Dealer } from "../table/chance";

export const DOMAIN = "catinthebox daily 1";
/** Levels that decide alike on every machine: none that has a time limit, none that needs a file. */
export const LEVELS: readonly string[] = ["gentle", "steady", "sharp"];
const NOBODY = Array.from({ length: PLAYERS }, () => "-"); // no seat adds a nonce
const NUMBER_DIGITS = 16;

const hash = (date: string, purpose = ""): string =>
  bytesToHex(sha256(new TextEncoder().encode([DOMAIN, date, purpose].filter(Boolean).join(" "))));

/** The first eight bytes of a hash, the highest first. */
const number = (date: string, purpose: string): bigint =>
  BigInt(`0x${hash(date, purpose).slice(0, NUMBER_DIGITS)}`);

/** Who sits where. */
export interface DailySeats {
  /** The person's. */
  readonly seat: number;
  /** Of the bots, by seat; null for the person. */
  readonly levels: readonly (string | null)[];
}

export function dailySeats(date: string): DailySeats {
  const seat = Number(number(date, "seat") % BigInt(PLAYERS));
  const levels = NOBODY.map((_, other) =>
    other === seat ? null : LEVELS[Number(number(date, `level ${other}`) % BigInt(LEVELS.length))]!,
  );
  return { seat, levels };
}

/** Where the cards of a day come from. */
export const dailyDealer = (date: string): Dealer => ({
  starter: () => starter(hash(date), `daily-${date}`, NOBODY),
  deal: (_, round) => deal(hash(date), `daily-${date}`, NOBODY, round),
});

/** The chance of a decision: rounds count from 1, the decisions of a seat in a round from 0. */
export const dailySeed = (date: string, round: number, seat: number, decision: number): bigint =>
  number(date, `round ${round} seat ${seat} decision ${decision}`) >> 2n;
