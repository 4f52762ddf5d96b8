/** The ceremonies in words. */

import type { ParadoxView, ResultLine, ResultView, Scene, Seat } from "../lib/scene";
import { colorName, colorWord, listed, nameOf } from "../lib/words";
import { m } from "../paraglide/messages.js";
import { finalPlaceOf, moveOf } from "./counting";
import type { Highlight } from "./highlights";
import { waysOut } from "./paradox";

/** “2 tricks”, or what they cost the one who caused a paradox. */
export function trickWords({ won, causer }: ResultLine): string {
  const tricks = m.tally_tricks({ count: won });
  if (!causer || won === 0) return tricks;
  return won > 1 ? m.tally_each_minus({ tricks }) : m.tally_minus({ tricks });
}

/** What a stamp says; with the bid, where there is no other room for it. */
export function stampWords(stamp: "kept" | "missed" | "paradox", bid: number | null = null): string {
  if (stamp === "paradox") return m.stamp_paradox();
  if (bid !== null) return stamp === "kept" ? m.stamp_bid_kept({ bid }) : m.stamp_bid_missed({ bid });
  return stamp === "kept" ? m.stamp_kept() : m.stamp_missed();
}

/** The same, where there is hardly any room. */
export function tinyWords(stamp: "kept" | "missed" | "paradox"): string {
  if (stamp === "paradox") return m.stamp_paradox();
  return stamp === "kept" ? m.seat_kept() : m.seat_missed();
}

/** Why a group that is struck out does not count, although the bid was kept; empty for all other groups. */
export function lostWords({ lost, bid }: ResultLine): string {
  if (lost === null) return "";
  return bid === null ? m.tally_lost_two() : m.tally_lost();
}

/** Who leads after a round, or has won after the last one. */
export function leadWords(scene: Scene): string {
  const { result } = scene;
  if (result?.final) return wonWords(scene, result);
  const move = moveOf(scene);
  if (move === "leads") return m.count_you_lead();
  if (move === "still-leads") return m.count_you_stay();
  const best = result?.lines[0]?.total;
  const leaders = result?.lines.filter((line) => line.total === best).map((line) => line.seat) ?? [];
  const names = namesBut(scene, leaders);
  const mine = leaders.includes(scene.me ?? -1);
  if (leaders.length > 1) return mine ? m.count_shared_you({ names }) : m.count_shared({ names });
  return mine ? m.count_you_are_ahead() : m.count_leads({ name: names });
}

/** Who has won, and the own place if that is another. */
function wonWords(scene: Scene, result: ResultView): string {
  const mine = result.lines.find((line) => line.seat === scene.me);
  if (!mine || result.winners.includes(mine.seat)) return victoryWords(scene, result);
  const place = PLACE[finalPlaceOf(result, mine) - 1]!();
  return `${victoryWords(scene, result)} ${m.count_your_place({ place })}`;
}

/** The names of some seats, but for the own one: what is said of you takes another form. */
const namesBut = (scene: Scene, seats: readonly Seat[]): string =>
  listed(seats.filter((seat) => seat !== scene.me).map((seat) => nameOf(scene, seat)));

/** Whose cards can be nothing, and which. */
export function doomWords(scene: Scene, { seat, cards }: ParadoxView): string {
  const ranks = listed(cards.map((card) => `${card.rank}`));
  return seat === scene.me ? m.doom_yours({ ranks }) : m.doom_theirs({ name: nameOf(scene, seat), ranks });
}

/** What would have helped; empty if nothing was given up that mattered. */
export function wayOutWords(scene: Scene, paradox: ParadoxView): string {
  const ways = waysOut(paradox);
  const mine = paradox.seat === scene.me;
  const name = nameOf(scene, paradox.seat);
  const [only] = ways;
  if (!only) return "";
  if (ways.length === 1 && only.trick !== null) {
    const [color, trick] = [colorName(only.color), only.trick];
    return mine ? m.way_out_you({ color, trick }) : m.way_out_they({ color, trick, name });
  }
  const colors = listed(ways.map((way) => colorWord(way.color)));
  return mine ? m.ways_out_you({ colors }) : m.ways_out_they({ colors, name });
}

/** The headline of a game that is over. */
export function victoryWords(scene: Scene, { winners }: ResultView): string {
  const names = namesBut(scene, winners);
  const mine = winners.includes(scene.me ?? -1);
  if (winners.length > 1) return mine ? m.victory_shared_you({ names }) : m.victory_shared({ names });
  return mine ? m.victory_you() : m.victory_name({ name: names });
}

/** How it was won. */
export function marginWords(result: ResultView): string {
  if (result.tieBreak) return m.result_tie_break();
  const [first, second] = result.lines;
  if (!first || !second || result.winners.length > 1) return m.victory_equal({ count: first?.total ?? 0 });
  const count = first.total - second.total;
  const before = result.lines.map((line) => line.total - line.points);
  const wasLast = before.slice(1).every((total) => total > before[0]!);
  return wasLast ? m.victory_from_last({ count }) : m.victory_margin({ count });
}

const PLACE = [m.place_1, m.place_2, m.place_3, m.place_4, m.place_5];

/** The place of a seat; the last of many has gone to sleep. */
export function placeWords(place: number, last: number): string {
  const words = PLACE[place - 1]?.() ?? `${place}`;
  return place === last && last > 2 ? m.place_asleep({ place: words }) : words;
}

/** A highlight: what, and whose it is. */
export function highlightWords(scene: Scene, one: Highlight): readonly [what: string, whose: string] {
  const name = nameOf(scene, one.seat);
  if (one.kind === "bids")
    return [m.high_bids({ kept: one.kept, rounds: one.rounds }), m.high_seer({ name })];
  return [whatWords(one), m.high_whose({ name, round: one.round })];
}

function whatWords(one: Exclude<Highlight, { kind: "bids" }>): string {
  switch (one.kind) {
    case "group":
      return m.high_group({ size: one.size });
    case "paradox":
      return m.stamp_paradox_name();
    case "low":
      return m.high_low({ card: m.card_as({ color: colorName(one.color), rank: one.rank }) });
    case "best":
      return m.high_best({ count: one.points });
  }
}

/** The result of a seat as a sentence, for screen readers. */
export function lineWords(scene: Scene, line: ResultLine, counted: boolean): string {
  const bonus =
    counted && !line.causer
      ? line.bonus === null
        ? m.bonus_missed()
        : m.group_size({ size: line.bonus })
      : lostWords(line);
  return [nameOf(scene, line.seat), trickWords(line), bonus, m.points({ count: line.points })]
    .filter(Boolean)
    .join(", ");
}
