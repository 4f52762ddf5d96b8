/** Who has gone, who has come back, for whom a bot plays: one sentence for each change. */

import { m } from "../paraglide/messages.js";
import type { TableState } from "./state";

export function presence(before: TableState, now: TableState): readonly string[] {
  if (before.seats === now.seats || now.room.stage === "lobby") return [];
  return now.seats.seats.flatMap((who, seat) => {
    const old = before.seats.seats[seat];
    if (!old || seat === now.seat || who.kind !== "person" || old.name !== who.name) return [];
    if (who.covered && !old.covered) return [m.net_covered({ name: who.name })];
    if (!who.here && old.here) return [m.net_away({ name: who.name })];
    return who.here && !old.here ? [m.net_back({ name: who.name })] : [];
  });
}
