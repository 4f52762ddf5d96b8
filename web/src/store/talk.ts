/** What is kept of a table's talk: the same lines as the server keeps, for the same reasons. */

import type { Seats, Spoken } from "../lib/wire";

const CHAT_KEPT = 50;

/** Keep the last lines, but let nobody push out those of all others: see `table/talk.py`. */
export function remembered(lines: readonly Spoken[], seats: Seats, most = CHAT_KEPT): readonly Spoken[] {
  let kept = lines;
  while (kept.length > most) {
    const place = expendable(kept, seats);
    kept = kept.filter((_, at) => at !== place);
  }
  return kept;
}

/** The place of the oldest line of somebody who has left or, if nobody has, of the person who said most. */
function expendable(lines: readonly Spoken[], seats: Seats): number {
  const gone = lines.findIndex((line) => !sitsThere(line, seats));
  if (gone >= 0) return gone;
  const counts = lines.map((line) => lines.filter((other) => sameSpeaker(line, other)).length);
  return counts.indexOf(Math.max(...counts));
}

function sitsThere({ seat, name }: Spoken, { seats }: Seats): boolean {
  const who = seats[seat];
  return who?.kind === "person" && who.name === name;
}

const sameSpeaker = (one: Spoken, other: Spoken): boolean =>
  one.seat === other.seat && one.name === other.name;
