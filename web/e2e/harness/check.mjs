// Short ways to insist on something, with a sentence for whoever reads the failure.
import { isDeepStrictEqual, inspect } from "node:util";

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
export async function until(look, sentence, ms = 20_000) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`in vain: ${sentence}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
