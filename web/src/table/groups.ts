/** Whose largest groups lie where (R27). */

import type { Owner, Place } from "../lib/scene";

/** The places of every seat's largest group; a single token is none. */
export function largestGroups(places: readonly Place[]): ReadonlySet<Place> {
  const best = new Map<Owner, readonly Place[]>();
  for (const group of groups(places)) {
    const owner = group[0]!.owner;
    if (group.length > Math.max(1, best.get(owner)?.length ?? 0)) best.set(owner, group);
  }
  return new Set([...best.values()].flat());
}

function groups(places: readonly Place[]): Place[][] {
  const left = new Set(places.filter(({ owner }) => owner !== null && owner !== "neutral"));
  return [...left].flatMap((start) => {
    if (!left.delete(start)) return [];
    const group = [start];
    for (const one of group) {
      for (const other of left) if (touches(one, other) && left.delete(other)) group.push(other);
    }
    return [group];
  });
}

const touches = (one: Place, other: Place): boolean =>
  one.owner === other.owner && Math.abs(one.row - other.row) + Math.abs(one.column - other.column) === 1;
