/** Checking deals: what a record promises, by the method of docs/fairness.md. */

import { bytes, commitment, deal, starter } from "../../engine/fair";
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
