/** Why something was refused, in the reader's language where we have a sentence for it. */

import { REFUSALS, type RefusalCode } from "../lib/refusals";
import { m } from "../paraglide/messages.js";

/** What this page refuses by itself, without a server. */
const OURS = {
  "local.damaged": m.local_damaged,
  "local.elsewhere": m.local_elsewhere,
  "local.unreadable": m.local_unreadable,
  "engine.lost": m.net_no_failed,
  "engine.workers": m.local_no_engine,
  "engine.wasm": m.local_no_engine,
  "engine.load": m.local_no_rules,
  "net.offline": m.net_no_offline,
  "net.serverless": m.net_no_server,
  "net.failed": m.net_no_failed,
} as const satisfies Readonly<Record<string, () => string>>;

const WORDS: Readonly<Record<RefusalCode | keyof typeof OURS, () => string>> = { ...REFUSALS, ...OURS };

const known = (code: string): code is keyof typeof WORDS => Object.hasOwn(WORDS, code);

/**
 * The sentence for a refusal; without one of ours, the server's own. A newer server may know more limits.
 * Anything else that was thrown has no code: it did not work, and that is all that can be said.
 */
export function refusalWords(error: unknown): string {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code !== "string") return m.net_no_failed();
  if (known(code)) return WORDS[code]();
  if (code.startsWith("limit.")) return m.net_no_limit();
  return typeof message === "string" && message ? message : m.net_no_failed();
}
