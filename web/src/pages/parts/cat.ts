/** A cat out of a text: the same text always gives the same cat. */

export interface CatTraits {
  readonly ground: number;
  readonly eyes: number;
  readonly fur: number;
  readonly wears: number;
  readonly ears: number;
}

const KINDS = { ground: 6, eyes: 5, fur: 5, wears: 5, ears: 3 } as const;

export function catOf(seed: string): CatTraits {
  let state = mixed(seed);
  const pick = (kinds: number): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    state = (state ^ (state >>> 13)) >>> 0;
    return state % kinds;
  };
  return {
    ground: pick(KINDS.ground),
    eyes: pick(KINDS.eyes),
    fur: pick(KINDS.fur),
    wears: pick(KINDS.wears),
    ears: pick(KINDS.ears),
  };
}

/** FNV-1a: small, and good enough for cats. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193) >>> 0;
  return hash || 1;
}
