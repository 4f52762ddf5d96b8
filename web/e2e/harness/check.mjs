// Short ways to insist on something, with a sentence for anyone who reads the failure.
import { isDeepStrictEqual, inspect } from "node:util";

/** How long anything is waited for: far longer than a busy machine takes, so only what never comes fails. */
export const PATIENCE_MS = 120_000;

export function check(truth, sentence) {
  if (!truth) throw new Error(sentence);
}

export function same(found, wanted, sentence) {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(
    `${sentence}\n  wanted: ${inspect(wanted, { depth: 9 })}\n  found:  ${inspect(found, { depth: 9 })}`,
  );
}

/** Look again and again until something is true; what it gives is given on. */
export async function until(look, sentence) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`in vain: ${sentence}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
