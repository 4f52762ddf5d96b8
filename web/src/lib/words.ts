/** Scenes in words, in the reader's language. */

import { m } from "../paraglide/messages.js";
import { getLocale } from "../paraglide/runtime.js";
import type { Action, Ask, Color, Effect, Option, Owner, Reason, Scene, Seat, SeatView } from "./scene";

const COLOR = { r: m.red, b: m.blue, y: m.yellow, g: m.green };
const COLOR_NAME = { r: m.red_name, b: m.blue_name, y: m.yellow_name, g: m.green_name };

/** A color inside a sentence. */
export const colorWord = (color: Color): string => COLOR[color]();

/** A color standing alone. */
export const colorName = (color: Color): string => COLOR_NAME[color]();

/** Words that stand alone elsewhere, as they are written inside a sentence. */
export const inside = (words: string): string => words.charAt(0).toLocaleLowerCase() + words.slice(1);

/** Joins words of the reader's language; made once for each way, which takes long. */
const joiners = new Map<string, Intl.ListFormat>();

/** Words as a list: “a, b and c”, or “a, b or c”. */
export function listed(
  words: readonly string[],
  type: "conjunction" | "disjunction" = "conjunction",
): string {
  const way = `${getLocale()} ${type}`;
  const joiner = joiners.get(way) ?? new Intl.ListFormat(getLocale(), { type });
  joiners.set(way, joiner);
  return joiner.format(words);
}

/** Writes dates in the reader's language; a slow telephone takes a third of a second to make it. */
let dates: Intl.DateTimeFormat | undefined;

/** A date and a time of day. */
export function dateWords(at: number): string {
  dates ??= new Intl.DateTimeFormat(getLocale(), { dateStyle: "medium", timeStyle: "short" });
  return dates.format(at);
}

/** A number of points, with a real minus sign. */
export const minus = (points: number): string => `${points}`.replace("-", "−");

/** The word behind a number of points. */
export const pointsWord = (points: number): string => m.seat_points({ count: points });

/** How long that is, as a clock shows it. */
export function timeWords(millis: number): string {
  const seconds = Math.ceil(Math.max(0, millis) / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** What a seat is called. */
export const nameOf = (scene: Scene, seat: Seat): string =>
  scene.seats[seat]?.me ? m.you() : (scene.seats[seat]?.name ?? "");

/** Why a card cannot be a color, in a few words. `cell`: the one that it would take. */
export function reasonWords(scene: Scene, why: Reason, cell = ""): string {
  if (why.kind === "red-closed") return m.why_red_closed();
  if (why.kind === "taken") return takenWords(scene, why.by, cell);
  return why.trick === null ? m.why_gave_up_some() : m.why_gave_up({ trick: why.trick });
}

function takenWords(scene: Scene, by: Owner, cell: Action): string {
  if (by === "neutral" || by === null) return m.why_taken_neutral();
  const trick = scene.log.find(({ plays }) =>
    plays.some((card) => `${card.rank}${card.color}` === cell),
  )?.number;
  if (trick !== undefined && by !== scene.me) return m.why_taken_in({ name: nameOf(scene, by), trick });
  return by === scene.me ? m.why_taken_you() : m.why_taken({ name: nameOf(scene, by) });
}

/** What a choice gains, in a few words; empty for what is said elsewhere. */
function gainWords(scene: Scene, effect: Effect): string {
  switch (effect.kind) {
    case "leads":
      return m.does_lead();
    case "opens-red":
      return m.does_open_red();
    case "follows":
      return m.does_follow();
    case "tops":
      return effect.last ? m.does_take() : m.does_top();
    case "group":
      return m.does_group({ size: effect.size });
    case "below":
      if (effect.seat === null) return "";
      return effect.seat === scene.me
        ? m.does_below_you()
        : m.does_below({ name: nameOf(scene, effect.seat) });
    case "trumps":
    case "gives-up":
      return "";
  }
}

/** A card that follows and is on top says both at once: a phone has one line. */
function followWordsOf(gains: readonly Effect[]): string {
  const top = gains.find((effect) => effect.kind === "tops");
  if (!top || !gains.some((effect) => effect.kind === "follows")) return "";
  return top.last ? m.does_follow_take() : m.does_follow_top();
}

/** What matters more is said first. */
const GAINS: readonly Effect["kind"][] = ["leads", "opens-red", "follows", "tops", "group", "below"];
/** As many lines as a color button has. */
const LINES = 2;

/** The lines of a color button below the color: why it cannot be, or what it gains. What it costs has its own line. */
export function optionWords(scene: Scene, option: Option): readonly string[] {
  if (option.why) return [reasonWords(scene, option.why, option.action)];
  const kinds = GAINS.filter((kind) => kind !== "below" || !costOf(option)); // a cost is worth more words
  const gains = kinds.flatMap((kind) => (option.effects ?? []).filter((effect) => effect.kind === kind));
  const both = followWordsOf(gains);
  const rest = both ? gains.filter(({ kind }) => kind !== "follows" && kind !== "tops") : gains;
  const words = [both, ...rest.map((effect) => gainWords(scene, effect))].filter(Boolean);
  return words.slice(0, costOf(option) ? LINES - 1 : LINES);
}

/** What a choice costs: the color that it gives up. */
export function costOf(option: Option): { readonly color: Color; readonly words: string } | null {
  const cost = option.effects?.find((effect) => effect.kind === "gives-up");
  return cost ? { color: cost.color, words: m.does_give_up({ color: colorWord(cost.color) }) } : null;
}

/** How large the own largest group becomes with a choice; 0 if it does not grow. */
export const grownTo = (option: Option): number =>
  option.effects?.find((effect) => effect.kind === "group")?.size ?? 0;

/** The sentence that tells what the table waits for, and one that helps. */
export function askWords(scene: Scene): { readonly title: string; readonly more: string } {
  const { ask } = scene;
  switch (ask.kind) {
    case "discard":
      return { title: m.ask_discard(), more: m.ask_discard_more() };
    case "bid":
      return { title: m.ask_bid(), more: m.ask_bid_more() };
    case "lead":
      return { title: m.ask_lead(), more: ask.redClosed ? m.ask_lead_red() : m.ask_lead_more() };
    case "follow":
      return followWords(scene, ask.led);
    case "wait":
      return { title: waitWords(scene, ask), more: "" };
    case "over":
      return { title: scene.result?.final ? m.over_game() : m.over_round(), more: paradoxWords(scene) };
  }
}

/** Who has caused a paradox; empty if nobody has. */
function paradoxWords(scene: Scene): string {
  if (!scene.paradox) return "";
  const { seat, cards } = scene.paradox;
  const count = cards.reduce((sum, { copies }) => sum + copies, 0);
  return seat === scene.me
    ? m.net_told_you_paradox({ count })
    : m.net_told_paradox({ name: scene.seats[seat]?.name ?? "", count });
}

function followWords(scene: Scene, led: Color): { title: string; more: string } {
  const mine = scene.me === null ? undefined : scene.seats[scene.me];
  const word = { color: colorWord(led) };
  return {
    title: m.ask_follow({ color: colorName(led) }),
    more: !mine?.tokens.includes(led)
      ? m.ask_follow_free(word)
      : cannotFollow(scene)
        ? m.ask_follow_none(word)
        : canOnlyFollow(scene)
          ? m.ask_lead_more()
          : m.ask_follow_more(word),
  };
}

/** No card of the hand can be the color that was led; as long as that is not known, some may. */
const cannotFollow = ({ hand }: Scene): boolean =>
  hand.every(({ options }) =>
    options.every((one) => !one.legal || one.effects?.every((effect) => effect.kind !== "follows")),
  );

/** No card of the hand can be any other color than the one that was led. */
const canOnlyFollow = ({ hand }: Scene): boolean =>
  hand.every(({ options }) =>
    options.every((one) => !one.legal || one.effects?.some((effect) => effect.kind === "follows")),
  );

function waitWords(scene: Scene, ask: Extract<Ask, { kind: "wait" }>): string {
  if (!ask.seats.length) return m.net_no_paused(); // nobody is waited for
  const name = listed(ask.seats.map((seat) => nameOf(scene, seat)));
  if (ask.phase === "discard") return m.wait_discard();
  const waited = ask.seats.map((seat) => scene.seats[seat]!);
  if (waited.every((seat) => seat.covered)) return m.net_covered({ name });
  if (waited.every((seat) => seat.away)) return m.net_away({ name });
  return ask.phase === "bid" ? m.wait_bid({ name }) : m.wait_play({ name });
}

/** Where the round stands. */
export function phaseWords(scene: Scene): string {
  if (scene.phase === "discard") return m.phase_discard();
  if (scene.phase === "bid") return m.phase_bid();
  return m.trick_of({ trick: scene.trickNumber, tricks: scene.tricks });
}

/** Why somebody else than its owner acts for a seat, or nobody; empty if all is well. */
export function absenceWords(seat: SeatView): string {
  return seat.covered ? m.bot_plays() : seat.away ? m.away() : "";
}

/** Everything a seat shows, as one sentence to be read aloud. */
export function seatWords(seat: SeatView): string {
  return [
    seat.me ? m.you() : seat.name,
    seat.kind === "bot" && m.bot(),
    seat.away && m.away(),
    seat.covered && m.bot_plays(),
    seat.toAct && (seat.me ? m.your_turn() : m.their_turn()),
    seat.starter && m.starter(),
    seat.discarded && m.is_set(),
    seat.bid === null ? m.won_only({ won: seat.won }) : m.bid_won({ won: seat.won, bid: seat.bid }),
    m.holds({ colors: listed(seat.tokens.map(colorWord)) }),
    m.cards_left({ count: seat.handSize }),
    seat.group > 1 && m.group_size({ size: seat.group }),
    m.points({ count: seat.total }),
  ]
    .filter(Boolean)
    .join(", ");
}
