import { describe, expect, it } from "vitest";
import type { Judged, Verdict } from "../../coach/analysis";
import type { JudgedDecision, Review } from "../../coach/review";
import { SAMPLE_ACTIONS } from "../../coach/samples";
import type { Replayed } from "../../net/replay";
import { filmOf } from "../replay/film";
import replayed from "../replay/replayed.json";
import { alongOf, apart, columnOf, columnsOf, linesOf } from "./curve";
import { tableFrom } from "./playOn";
import {
  decisionFrom,
  fateOf,
  judgedIn,
  lostBy,
  rankOf,
  reviewOf,
  roundsOf,
  sameOf,
  stepFrom,
  worstOf,
  type Decision,
} from "./reading";

const film = filmOf(replayed as unknown as Replayed);
const rounds = roundsOf(film);
const all = rounds.flatMap(({ decisions }) => decisions);

/** Every decision lost what its number says. */
function judgement({ step, seat, action }: Decision, verdict: Verdict, loss: number): JudgedDecision {
  const taken: Judged = { ...SAMPLE_ACTIONS[0]!, action, points: 3, within: 0.25 };
  const numbers = { loss, loss_within: 0.1, worlds: 64 };
  return { step, seat, action, verdict, ...numbers, best: action, reasons: [], actions: [taken] };
}

/** A review in which seat 1 lost half a point with every bid, and seat 0 a point with its last play. */
const last = all.findLast((one) => one.seat === 0)!;
const review: Review = {
  ...{ players: 3, names: film.names, totals: [5, 9, 7], accuracy: [90, 80, null] },
  turning_points: [[last.round, last.step]],
  rounds: rounds.map((round) => ({
    ...{ round: round.number, seats: [], paradox_unavoidable_after: round.paradox ? 7 : null },
    decisions: round.decisions.map((one) => {
      if (one === last) return judgement(one, "mistake", 1);
      return one.seat === 1 && one.kind === "bid" ? judgement(one, "slip", 0.5) : judgement(one, "best", 0);
    }),
  })),
};
const judged = judgedIn(review);

describe("the decisions of a game", () => {
  it("are all its moves, each with the moment before it", () => {
    const moves = film.frames.filter(({ move }) => move);
    expect(all.map(({ seat, action }) => `${seat}:${action}`)).toEqual(moves.map(({ move }) => move));
    for (const { at, seat, action } of all) {
      expect(film.frames[at + 1]!.move).toBe(`${seat}:${action}`);
      expect(film.frames[at]!.turn.to_act).toContain(seat);
    }
  });

  it("count from 0 in every round, and know their trick", () => {
    for (const { decisions } of rounds) {
      expect(decisions.map(({ step }) => step)).toEqual(decisions.map((_, n) => n));
      const tricks = decisions.filter(({ kind }) => kind === "play").map(({ trick }) => trick);
      expect(tricks).toEqual(tricks.map((_, n) => Math.floor(n / film.names.length) + 1));
      expect(decisions.filter(({ trick }) => !trick).every(({ kind }) => kind !== "play")).toBe(true);
    }
  });

  it("are found again by round and step, and pending where nothing was judged", () => {
    for (const one of all) expect(judged(one)).toMatchObject({ seat: one.seat, action: one.action });
    expect(judgedIn(null)(all[0]!)).toBeNull();
    expect(reviewOf(null, 1)).toBeNull();
  });

  it("can be walked through, in both directions and to other seats", () => {
    const mine = all.filter((one) => one.seat === 1);
    expect(stepFrom(mine, mine[3]!, true)).toBe(mine[4]);
    expect(stepFrom(mine, mine[3]!, false)).toBe(mine[2]);
    expect([stepFrom(mine, mine[0]!, false), stepFrom(mine, mine.at(-1)!, true)]).toEqual([null, null]);
    for (const one of mine) {
      const other = sameOf(all, 2, one)!;
      expect([other.seat, other.round]).toEqual([2, one.round]);
    }
    for (const one of all) expect(decisionFrom(all, one.at)).toBe(one);
    expect(decisionFrom(all, 999_999)).toBe(all.at(-1));
  });

  it("have cost what they have cost, by kind", () => {
    expect(lostBy(review, 0)).toEqual({ discard: 0, bid: 0, play: 1 });
    expect(lostBy(review, 1)).toEqual({ discard: 0, bid: 0.5 * rounds.length, play: 0 });
    expect([rankOf(review, last), rankOf(review, all[0]!), rankOf(null, last)]).toEqual([0, -1, -1]);
  });

  it("name the move after which a paradox was certain, if the search has found it", () => {
    for (const round of rounds) {
      const fate = fateOf(round, reviewOf(review, round.number));
      expect(fate?.step ?? null).toBe(round.paradox ? 6 : null);
      expect(fateOf(round, null)).toBeNull();
    }
  });
});

it("finds the worst of some verdicts", () => {
  expect(worstOf(["best", "slip", "close", "fine"])).toBe("slip");
  expect(worstOf(["slip", "mistake", "best"])).toBe("mistake");
  expect(worstOf([])).toBeNull();
});

describe("the curve of a round", () => {
  const round = rounds[0]!;
  const columns = columnsOf(round);

  it("goes from the deal through every phase and trick to the end", () => {
    expect([columns[0], columns.at(-1)]).toEqual([{ kind: "deal" }, { kind: "end" }]);
    const tricks = columns.filter(({ kind }) => kind === "trick");
    expect(columns).toHaveLength(tricks.length + 4); // deal, discards, bids, end
    for (const one of round.decisions) expect(columnOf(columns, one)).toBeGreaterThan(0);
  });

  it("has a point for every decision, and ends at what the round brought", () => {
    for (const { seat, points, final } of linesOf(round, columns, judged)) {
      const own = round.decisions.filter((one) => one.seat === seat);
      expect(points).toHaveLength(own.length + 2);
      expect(points.map(({ column }) => column)).toEqual(
        [...points.map(({ column }) => column)].sort((a, b) => a - b),
      );
      expect(points.at(-1)).toMatchObject({ mean: round.points[seat], within: 0 });
      expect(final).toBe(round.points[seat]);
    }
  });

  it("ends where nothing is known yet", () => {
    const some = linesOf(round, columns, (one) => (one.step < 5 ? judged(one) : null));
    for (const { points, final } of some) {
      expect(final).toBeNull();
      expect(points.every(({ column }) => column < columns.length - 1)).toBe(true);
    }
    expect(linesOf(round, columns, () => null).flatMap(({ points }) => points)).toEqual([]);
  });

  it("is level at every point", () => {
    expect(alongOf([])).toBe("");
    expect(
      alongOf([
        [0, 10],
        [50, 20],
      ]),
    ).toBe("M0.00 10.00C25.00 10.00 25.00 20.00 50.00 20.00");
  });
});

it("moves places apart, in order, and inside", () => {
  for (const places of [
    [0.5, 0.5, 0.5],
    [1, 1, 0.99, 0],
    [0.1, 0.9],
    [0.95, 1, 0.2, 0.21, 0.22],
  ]) {
    const moved = apart(places, 0.15);
    const sorted = [...moved].sort((a, b) => a - b);
    sorted.slice(1).forEach((one, n) => expect(one - sorted[n]!).toBeGreaterThan(0.1499));
    expect(Math.max(...moved)).toBeLessThan(1.0001);
    const order = (all: readonly number[]): readonly number[] =>
      all.map((_, n) => n).sort((a, b) => all[a]! - all[b]! || a - b);
    expect(order(moved)).toEqual(order(places));
  }
});

describe("playing on", () => {
  const person = { level: "sharp", name: "Me", cat: "tora" };

  it("begins before the decision, with its cards, the seat as a person and bots in all others", () => {
    for (const one of [all[0]!, all[4]!, last]) {
      const { from, seats, face } = tableFrom(film, one, person)!;
      expect(face).toBe("white");
      expect(seats.map(({ kind }, seat) => kind === "person" && seat)).toContain(one.seat);
      expect(seats.filter(({ kind }) => kind === "bot")).toHaveLength(2);
      expect(from!.rounds).toHaveLength(one.round);
      expect(from!.rounds.at(-1)!.moves).toHaveLength(one.step);
      expect(from!.rounds.map(({ hands }) => hands)).toEqual(
        film.record.rounds.slice(0, one.round).map(({ deal }) => deal),
      );
    }
  });

  it("keeps the levels of bots", () => {
    const { record, positions } = replayed as unknown as Replayed;
    const game = filmOf({ record: { ...record, names: ["gentle", "Ben", "uncanny"] }, positions });
    const { seats } = tableFrom(
      game,
      roundsOf(game)[0]!.decisions.find((one) => one.seat === 1)!,
      person,
    )!;
    expect(seats).toEqual([
      { kind: "bot", level: "gentle" },
      { kind: "person", name: "Me", cat: "tora" },
      { kind: "bot", level: "uncanny" },
    ]);
  });

  it("is not offered for another edition", () => {
    const { record, positions } = replayed as unknown as Replayed;
    expect(
      tableFrom(filmOf({ record: { ...record, edition: "first" }, positions }), all[0]!, person),
    ).toBeNull();
  });
});
