/**
 * The law of secrecy between worker and page: in two games that a seat cannot tell apart, the page gets the
 * same messages, byte for byte. The cards that a seat cannot know are dealt again in another way that agrees
 * with everything it has seen, and the same visible actions are played.
 */

import { beforeAll, expect, test } from "vitest";
import { DISCARD, HAND, LANE, MAX_RANK, NOBODY, OWN, SIZE } from "../generated/rules";
import type { Engine } from "../module";
import { isDiscard, isPlay, notationOf, type Play } from "../notation";
import type { Network } from "../network";
import { copiesIn, Round } from "../round";
import { startEngine, startNetwork } from "../testing";
import type { DealtHands } from "./chance";
import recorded from "./games.json";
import { Hints } from "./hints";
import { TableHost } from "./host";
import type { Keeper } from "./keep";
import { touchRow, type FaceName } from "./faces";
import type { FromTable } from "./ports";
import type { SavedTable } from "./saved";
import { LocalTable, opened, type Audience, type Step } from "./table";

let engine: Engine;
beforeAll(async () => void (engine = await startEngine()));

interface Played {
  readonly face: FaceName;
  readonly starter: number;
  readonly deal: DealtHands;
  /** In the order of time. */
  readonly plays: readonly Play[];
}

const NUMBERS = new Map(Array.from({ length: 49 }, (_, action) => [notationOf(action), action]));

/** The first rounds of the recorded games, and how far they are played. */
const rounds: readonly (readonly [string, Played])[] = recorded.flatMap(
  ({ face, starter, rounds: [first] }) => {
    const plays = first!.moves.split(" ").map((move): Play => {
      const [seat, action] = move.split(":") as [string, string];
      return { seat: Number(seat), action: NUMBERS.get(action)! };
    });
    const deal = { hands: first!.hands, aside: first!.aside };
    const players = deal.hands.length;
    // Up to some discards, all bids, the middle of the round, and its last open decision.
    return [2, 2 * players, Math.floor(plays.length / 2) + 1, plays.length - 1].map(
      (end) =>
        [
          `${players} ${face}, ${end} actions`,
          { face: face as FaceName, starter, deal, plays: plays.slice(0, end) },
        ] as const,
    );
  },
);

/** Play a round again on the module. */
function roundOf({ face, starter, deal, plays }: Played): Round {
  const round = new Round(engine, { ...deal, starter }, touchRow(engine, face));
  for (const play of plays) round.act(play);
  return round;
}

/** Deal again what a seat cannot know; the rules imagine that while a round is in play. */
function dealtAgain(played: Played, seat: number | null, seed: number): Played {
  const round = roundOf(played);
  expect(round.over).toBe(false);
  const world = imagined(round, seat, seed);
  const cards = (hand: bigint): number[] =>
    copiesIn(Number(hand)).flatMap((copies, place) => Array<number>(copies).fill(place + 1));
  const used = (who: number): number[] =>
    played.plays
      .filter((play) => play.seat === who && isPlay(play))
      .map(({ action }) => (action % MAX_RANK) + 1);
  const discards = world.slice(DISCARD, DISCARD + round.players).map(Number);
  const hands = discards.map((discard, who) =>
    [...cards(world[HAND + who]!), ...used(who), ...(discard ? [discard] : [])].sort().join(""),
  );
  const plays = played.plays.map((play) =>
    isDiscard(play) ? { ...play, action: 36 + discards[play.seat]! - 1 } : play,
  );
  return { ...played, deal: { hands, aside: asideAgain(played, hands) }, plays };
}

/** A world that agrees with the view of a seat. */
function imagined(round: Round, seat: number | null, seed: number): readonly bigint[] {
  return engine.within(() => {
    const [view, world] = [engine.row(SIZE), engine.row(SIZE)];
    engine.observe(round.state, seat ?? NOBODY, view);
    engine.complete(view, provedBy(round), engine.seeded(seed, 1), world);
    return [...engine.view(world)];
  });
}

function provedBy({ deal, log, touch }: Round): bigint {
  const [again, shown] = [new Round(engine, deal, touch), engine.row(SIZE)];
  let proved = 0n;
  for (const play of log) {
    engine.observe(again.state, NOBODY, shown);
    const cell = Math.floor(play.action / MAX_RANK) * LANE + (play.action % MAX_RANK);
    if (isPlay(play)) proved = engine.bar(shown, cell, proved);
    again.act(play);
  }
  return proved;
}

/** At two players the cards that lie face down follow from the rest. */
function asideAgain({ deal }: Played, hands: readonly string[]): string {
  if (!deal.aside) return "";
  const left = [...deal.hands.join(""), ...deal.aside];
  for (const card of [...hands.join(""), ...deal.aside.slice(0, 3)]) left.splice(left.indexOf(card), 1);
  return deal.aside.slice(0, 3) + left.join("");
}

/** Every message that a page gets of a game, as bytes; `leak` is what a careless table would add. */
function messages(
  { face, starter, deal, plays }: Played,
  audience: Audience,
  leak?: (table: LocalTable) => unknown,
): string[] {
  const seats = deal.hands.map((_, seat) =>
    seat ? ({ kind: "bot", level: "sharp" } as const) : ({ kind: "person", name: "Ada" } as const),
  );
  const dealer = { starter: () => starter, deal: () => deal };
  const table = new LocalTable(engine, opened("t", { face, seats }, 0), () => 0, dealer);
  const told: Step[] = [...table.do({ type: "Start" }, 0)];
  const posted = told.map((step) => JSON.stringify(table.frame(step, audience)));
  for (const { seat, action } of plays) {
    for (const step of table.do({ type: "Act", action: notationOf(action) }, seat)) {
      const frame = table.frame(step, audience);
      posted.push(JSON.stringify(leak ? { ...frame, leak: leak(table) } : frame));
    }
    posted.push(JSON.stringify(table.snapshot(audience)));
  }
  return posted;
}

const SEEDS = [1, 2, 3];

/** Compare a game with others that an audience cannot tell from it; tell how many were different at all. */
function compare(played: Played, audience: Audience, leak?: (table: LocalTable) => unknown): number {
  const knows = audience.open ? audience.seat : null;
  const others = SEEDS.map((seed) => dealtAgain(played, knows, seed));
  for (const other of others)
    expect(messages(other, audience, leak)).toEqual(messages(played, audience, leak));
  return others.filter((other) => other.deal.hands.join() !== played.deal.hands.join()).length;
}

test.each(rounds)("%s: no seat learns what it cannot know", (_, played) => {
  const seats = played.deal.hands.map((_, seat) => seat);
  for (const seat of seats) compare(played, { seat, open: true });
});

test.each(rounds)("%s: a covered seat and everybody else learn no card at all", (_, played) => {
  compare(played, { seat: 0, open: false });
  compare(played, { seat: null, open: false });
});

test("the deals that are compared are different ones", () => {
  const different = rounds.map(([, played]) => compare(played, { seat: 0, open: true }));
  expect(different.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(rounds.length);
});

/** The tokens of a seat are public; a hand, a discard, or what the next seat may do are not. */
const LEAKS: Readonly<Record<string, (table: LocalTable) => unknown>> = {
  "the hand of another seat": ({ round }) => round!.hand(1),
  "the discard of another seat": ({ round }) => round!.slot(DISCARD + 1),
  "what another seat may do": ({ round }) => round!.legal(1),
  "the vector of the round": ({ round }) => String(engine.view(round!.state)),
  "the deal, as it is kept": ({ saved }) => saved.rounds[0]!.hands,
};

test.each(Object.entries(LEAKS))("a leak is found: %s", (_, leak) => {
  const [, played] = rounds.find(([name]) => name.startsWith("4 white, 8"))!;
  expect(() => compare(played, { seat: 0, open: true }, leak)).toThrow();
});

test("what is public is no leak", () => {
  const [, played] = rounds.find(([name]) => name.startsWith("4 white, 8"))!;
  compare(played, { seat: 0, open: true }, ({ round }) => String(engine.view(round!.state)[OWN + 1]));
});

/** Every hand in some messages: a list of ranks and how many copies of each there are. */
function handsIn(found: unknown): string[] {
  if (found === null || typeof found !== "object") return [];
  const parts = Object.values(found) as ({ rank: number; copies: number } | null)[];
  if (parts.length && parts.every((part) => part && typeof part === "object" && "copies" in part))
    return [parts.map((part) => `${part!.rank}`.repeat(part!.copies)).join("")];
  return parts.flatMap(handsIn);
}

test("a host posts messages of the protocol to its page, and never what it keeps", async () => {
  const [posted, kept] = [[] as FromTable[], [] as unknown[]];
  const keeper: Keeper = {
    put: ([entry]) => (kept.push(entry!.value), Promise.resolve(true)),
    get: () => Promise.resolve(undefined),
    drop: () => Promise.resolve(),
    all: () => Promise.resolve(new Map<string, unknown>()),
  };
  const host = new TableHost({
    engine,
    keeper,
    choose: () => new Promise(() => undefined),
    post: (message) => posted.push(message),
    hold: () => Promise.resolve(true),
  });
  const seats = [
    { kind: "person", name: "Ada" },
    { kind: "person", name: "Bo" },
    { kind: "bot", level: "sharp" },
  ] as const;
  await host.hear({ type: "Open", id: "t", wanted: { face: "white", seats } });
  expect(posted.every((message) => !("own" in message) || message.own === null)).toBe(true);
  await host.hear({ type: "Look", seat: 1, open: true });
  const [last] = posted.slice(-1);
  expect(last).toMatchObject({ type: "Snapshot", seat: 1 });
  const { hands } = (kept[0] as { rounds: { hands: string[] }[] }).rounds[0]!;
  expect(handsIn(posted)).toEqual([hands[1]]);
  for (const hand of hands) expect(JSON.stringify(posted)).not.toContain(hand); // nor as it is kept
  await host.hear({ type: "Look", seat: 2, open: true });
  expect(posted.at(-1)).toMatchObject({ seat: 1 }); // a bot's cards are nobody's to look at
  host.close();
});

// ── Hints ─────────────────────────────────────────────────────────────────────────────────────

/** Their chance; a careless table would take it from the deal. */
let hintSeed = 7n;
let hints: Hints; // one for all: it takes memory for good
beforeAll(() => {
  const steps = [4, 8].map((worlds) => ({ worlds, everyMs: 0, patienceMs: Infinity }));
  const network = (players: number): Promise<Network> => startNetwork(players);
  hints = new Hints(engine, { steps, seed: () => hintSeed, network });
});

/** The seat that is to act next. */
const nextOf = (played: Played): number => roundOf(played).toAct[0]!;

/** A table that was played so far by a person in that seat and bots, as it is kept. */
function keptTable({ face, starter, deal, plays }: Played, person: number): SavedTable {
  const seats = deal.hands.map((_, seat) =>
    seat === person ? ({ kind: "person", name: "Ada" } as const) : ({ kind: "bot", level: "sharp" } as const),
  );
  const dealer = { starter: () => starter, deal: () => deal };
  const table = new LocalTable(engine, opened("t", { face, seats }, 0), () => 0, dealer);
  table.do({ type: "Start" }, person);
  for (const { seat, action } of plays) table.do({ type: "Act", action: notationOf(action) }, seat);
  return table.saved;
}

/** What a host posts of a hint. */
async function hintOf(played: Played, seat: number): Promise<string[]> {
  const saved = keptTable(played, seat);
  const { advise } = hints;
  const posted: FromTable[] = [];
  let end!: () => void;
  const done = new Promise<void>((resolve) => (end = resolve));
  const host = new TableHost({
    ...{ engine, advise, choose: () => new Promise(() => undefined) },
    keeper: {
      put: () => Promise.resolve(true),
      get: () => Promise.resolve(saved),
      drop: () => Promise.resolve(),
      all: () => Promise.resolve(new Map<string, unknown>()),
    },
    post: (message) => {
      if (message.type === "Hint") posted.push(message);
      if (message.type === "Hint" && message.last) end();
    },
    hold: () => Promise.resolve(true),
  });
  await host.hear({ type: "Open", id: "t", wanted: null });
  await host.hear({ type: "AskHint", id: "h" });
  await done;
  host.close();
  return posted.map((message) => JSON.stringify(message));
}

test.each(rounds)("%s: a hint tells nothing that the seat cannot know", async (_, played) => {
  const seat = nextOf(played);
  const hint = await hintOf(played, seat);
  expect(hint.at(-1)).toContain('"verdict":"best"');
  for (const seed of SEEDS) expect(await hintOf(dealtAgain(played, seat, seed), seat)).toEqual(hint);
});

test("a leak is found: a hint whose chance comes from the deal", async () => {
  const [, played] = rounds.find(([name]) => name.startsWith("4 white, 8"))!;
  const seat = nextOf(played);
  const careless = async (one: Played): Promise<string[]> => {
    hintSeed = BigInt(one.deal.hands[(seat + 1) % 4]!);
    return hintOf(one, seat).finally(() => (hintSeed = 7n));
  };
  const hint = await careless(played);
  const others = [];
  for (const seed of SEEDS) others.push(await careless(dealtAgain(played, seat, seed)));
  expect(others).not.toEqual(SEEDS.map(() => hint));
});
