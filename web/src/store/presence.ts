/** Who has gone, who has come back, for whom a bot plays; and what somebody can do who only watches. */

import { m } from "../paraglide/messages.js";
import { botName } from "./names";
import type { TableState } from "./state";

/** One sentence for each change among the people. */
export function presence(before: TableState, now: TableState): readonly string[] {
  if (before.seats === now.seats || now.room.stage === "lobby") return [];
  return now.seats.seats.flatMap((who, seat) => {
    const old = before.seats.seats[seat];
    if (!old || old.kind !== "person" || seat === now.seat || seat === before.seat) return [];
    if (who.kind === "bot") return [m.net_left_bot({ name: old.name, bot: botName(seat) })];
    if (who.kind === "empty") return [m.net_told_left({ name: old.name })];
    if (old.name !== who.name) return [];
    if (who.covered && !old.covered) return [m.net_covered({ name: who.name })];
    if (!who.here && old.here) return [m.net_away({ name: who.name })];
    return who.here && !old.here ? [m.net_back({ name: who.name })] : [];
  });
}

/** What somebody without a seat should know; empty for everybody else. `only`: their link is to watch. */
export function watching({ seat, seats, room }: TableState, only = false): string {
  if (seat !== null || room.stage === "lobby" || room.stage === "closed") return "";
  if (only) return m.net_watching_only();
  const free = room.stage === "over" && seats.seats.some((who) => who.kind === "empty");
  return free ? m.net_watching_free() : m.net_watching();
}

/** What somebody who opens the link to a table can do there now. */
export function welcome({ seats, room, settings }: TableState): "sit" | "watch" | "nothing" {
  const between = room.stage === "lobby" || room.stage === "over";
  if (between && seats.seats.some((who) => who.kind === "empty")) return "sit";
  return settings.spectators ? "watch" : "nothing";
}
