/** Why something was refused, in the reader's language where we have a sentence for it. */

import { m } from "../paraglide/messages.js";

const WORDS: Readonly<Record<string, () => string>> = {
  "local.damaged": m.local_damaged,
  "local.elsewhere": m.local_elsewhere,
  "engine.workers": m.local_no_engine,
  "engine.wasm": m.local_no_engine,
  "engine.load": m.local_no_rules,
  "net.offline": m.net_no_offline,
  "net.serverless": m.net_no_server,
  "net.failed": m.net_no_failed,
  "server.unavailable": m.net_no_failed,
  "server.full": m.net_no_full,
  "server.failure": m.net_no_failed,
  "table.unknown": m.net_no_table,
  "table.damaged": m.net_no_damaged,
  "table.no_spectators": m.net_no_spectators,
  "table.watch_only": m.net_no_watch_only,
  "table.stale": m.net_no_stale,
  "table.clock": m.net_no_clock,
  "table.paused": m.net_no_paused,
  "table.name_taken": m.net_no_name_taken,
  "table.seat_taken": m.net_no_seat_taken,
  "table.full": m.net_no_seat_taken,
  "table.begun": m.net_no_begun,
  "table.empty_seats": m.net_no_empty_seats,
  "table.undo_off": m.net_no_undo,
  "table.undo_nothing": m.net_no_undo,
  "table.undo_late": m.net_no_undo_late,
  "table.undo_shown": m.net_no_undo_shown,
  "table.undo_refused": m.net_no_undo_refused,
  "table.others_play": m.net_no_others_play,
  "table.closed": m.net_no_closed,
  "table.ready": m.net_no_ready,
  "table.pauses_spent": m.net_no_pauses_spent,
  "table.undo_spent": m.net_no_undo_spent,
  "table.removed": m.net_no_removed,
  "limit.removed": m.net_no_removed_near,
  "input.name": m.net_no_name,
  "input.name_mixed": m.net_no_name_mixed,
};

/** The sentence for a refusal; without one of ours, the server's own. */
export function refusalWords(refusal: { readonly code: string; readonly message: string }): string {
  const found = WORDS[refusal.code];
  if (found) return found();
  if (refusal.code.startsWith("limit.")) return m.net_no_limit();
  return refusal.message || m.net_no_failed();
}
