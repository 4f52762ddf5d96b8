/** Why one action is better than another (`coach/reasons.py`): effects that were measured, and are clear of noise. */

import type { Judged, Reason } from "../../coach/analysis";
import {
  COUNT,
  COUNT_BITS,
  FIRST_DISCARD,
  FREE,
  HAND,
  LANE,
  MAX_RANK,
  PROSPECT,
  ROW,
} from "../generated/rules";
import { actionOf, declared, LETTERS } from "../notation";
import type { Sight } from "../table/sight";
import type { Calibration } from "./calibration";
import { quantile, type Ends } from "./ends";

interface Effect {
  readonly code: string;
  readonly column: number;
  /** 1 if more of it is better. */
  readonly sign: 1 | -1;
  /** The least difference that is worth a word. */
  readonly least: number;
  /** In points; it only orders the reasons. */
  readonly worth: number;
}

const SHOWN = 4; // reasons, at most
const CARD = 0.25; // of cards, tokens, points
const SHARE = 0.05; // of a chance
const TRICK = 0.2; // of the chance to win a trick
const BONUS_POINTS = 3;
const PARADOX_POINTS = 5;
const RANK = 0.1; // what a rank is worth that can still be played

const EFFECTS: readonly Effect[] = [
  { code: "dead", column: PROSPECT.dead, sign: -1, least: CARD, worth: 1 },
  { code: "paradox", column: PROSPECT.caused, sign: -1, least: SHARE, worth: PARADOX_POINTS },
  { code: "bonus", column: PROSPECT.kept, sign: 1, least: SHARE, worth: BONUS_POINTS },
  { code: "group", column: PROSPECT.group, sign: 1, least: CARD, worth: 0.5 },
  { code: "denied", column: PROSPECT.denied, sign: -1, least: CARD, worth: 0.5 },
];

type Weighed = readonly [number, Reason];

/** What a reason is drawn from. */
interface Found {
  readonly ends: Ends;
  readonly sight: Sight;
  readonly calibration: Calibration;
}

/** What speaks for the better of two actions and against it, the weightiest first; nothing if they are too close. */
export function reasonsFor(found: Found, better: Judged, other: Judged): readonly Reason[] {
  if (better.action === other.action || other.verdict === "close") return [];
  const [one, two] = [actionOf(better.action)!, actionOf(other.action)!];
  const trick = aboutTheTrick(found, one, two); // it names the chances of the bonus, too
  const effects = trick.length ? EFFECTS.filter(({ code }) => code !== "bonus") : EFFECTS;
  const all = [
    ...effects.flatMap((effect) => effectOf(found, effect, one, two)),
    ...trick,
    ...aboutColors(found.sight, better, other),
  ];
  all.sort(([one, { code }], [two, { code: then }]) => two - one || (code < then ? -1 : 1));
  return all.slice(0, SHOWN).map(([, reason]) => reason);
}

function effectOf(
  { ends, calibration }: Found,
  { code, column, sign, least, worth }: Effect,
  one: number,
  two: number,
): Weighed[] {
  const [here, there, isClear] = measured(ends, one, two, column);
  if (!isClear || Math.abs(here - there) < least) return [];
  const expected = (found: number): number => calibration.chance(column, found, ends.worlds);
  const numbers = { here: expected(here), there: expected(there) };
  const reason = { code, favours: (here - there) * sign > 0, numbers };
  return [[Math.abs(here - there) * worth, reason]];
}

/** The means of a column, and whether they differ beyond chance. */
function measured(ends: Ends, one: number, two: number, column: number): readonly [number, number, boolean] {
  const [here, there] = [ends.mean(one, column), ends.mean(two, column)];
  const [, error] = ends.difference(one, two, column);
  return [here, there, Math.abs(here - there) > quantile(EFFECTS.length + 1) * error];
}

/** A trick that is won or lost, if that decides about the bonus. */
function aboutTheTrick({ ends, calibration }: Found, one: number, two: number): Weighed[] {
  if (one >= FIRST_DISCARD) return [];
  const [here, there, isClear] = measured(ends, one, two, PROSPECT.wins);
  const [kept, lost, decides] = measured(ends, one, two, PROSPECT.kept);
  if (!isClear || !decides || Math.abs(here - there) < TRICK || Math.abs(kept - lost) < SHARE) return [];
  const code = (here - there) * (kept - lost) > 0 ? "needed" : "unwanted";
  const bonus = (found: number): number => calibration.chance(PROSPECT.kept, found, ends.worlds);
  const numbers = { here, there, bonus_here: bonus(kept), bonus_there: bonus(lost) };
  return [[Math.abs(kept - lost) * BONUS_POINTS, { code, favours: kept > lost, numbers }]];
}

/** A color that one of the actions gives up, and the other does not. */
function aboutColors(sight: Sight, better: Judged, other: Judged): Weighed[] {
  if (better.gives && !other.gives) {
    const color = colorOf(better.gives);
    const reason = { code: "spare", favours: true, numbers: { color } };
    return playable(sight, color, better) === 0 ? [[0, reason]] : [];
  }
  if (other.gives && !better.gives) {
    const color = colorOf(other.gives);
    const cards = playable(sight, color, other);
    return cards ? [[RANK * cards, { code: "room", favours: true, numbers: { color, cards } }]] : [];
  }
  return [];
}

const colorOf = (letter: string): number => LETTERS.findIndex((each) => each === letter);

/** How many ranks of the hand, after an action, could still be played in a color. */
function playable({ view, seat }: Sight, color: number, { action }: Judged): number {
  const hand = Number(view[HAND + seat]!);
  const used = declared(actionOf(action)!).rank - 1;
  const free = Number((view[FREE]! >> BigInt(LANE * color)) & BigInt(ROW));
  return Array.from({ length: MAX_RANK }, (_, place) => {
    const copies = Math.floor(hand / 2 ** (COUNT_BITS * place)) & COUNT;
    return copies > Number(place === used) && (free >> place) & 1 ? 1 : 0;
  }).reduce<number>((sum, one) => sum + one, 0);
}
