import { describe, expect, it } from "vitest";
import { sceneOf } from "../../lib/stage";
import type { Replayed } from "../../net/replay";
import { caption, chaptersOf, cutFrom, filmOf, handAt, still, tableAt, trickAt } from "./film";
import replayed from "./replayed.json";

const film = filmOf(replayed as unknown as Replayed);

describe("a film", () => {
  it("can be looked at from everywhere, at every moment", () => {
    for (let at = 0; at < film.frames.length; at += 1) {
      for (const sight of [0, 1, 2, "public", "open"] as const) {
        const scene = sceneOf(tableAt(film, at, sight), null);
        expect(scene.me).toBe(typeof sight === "number" ? sight : null);
        expect(scene.hand.length > 0).toBe(typeof sight === "number");
      }
    }
  });

  it("knows the game at moments that do not tell it again", () => {
    expect(film.frames.every((frame) => frame.game.names.length === 3)).toBe(true);
    expect(film.frames.at(-1)!.game.round).toBe(film.record.rounds.length);
  });

  it("cuts at every deal, every lead and the end of every round", () => {
    expect(film.cuts[0]).toBe(0);
    const tricks = replayed.record.rounds.map((round) => round.tricks.length);
    expect(film.cuts).toHaveLength(tricks.reduce((sum, one) => sum + 1 + one + 1, 0)); // a deal, tricks, an end
    const ends = film.frames.flatMap((frame, at) => (frame.round.end ? [at] : []));
    expect(film.cuts).toEqual(expect.arrayContaining(ends));
    expect(cutFrom(film, 0, true)).toBe(film.cuts[1]);
    expect(cutFrom(film, film.cuts[3]! + 1, false)).toBe(film.cuts[3]);
    expect(cutFrom(film, 0, false)).toBe(0);
    expect(cutFrom(film, film.frames.length - 1, true)).toBe(film.frames.length - 1);
  });

  it("keeps a completed trick in sight", () => {
    const last = film.cuts[2]! - 1;
    expect(trickAt(film, last)?.cards).toHaveLength(3);
    expect(trickAt(film, last - 1)).toBeNull();
  });

  it("tells what happened", () => {
    expect(caption(film, 0)).toBe("Round 1: the cards are dealt.");
    expect(caption(film, 1)).toMatch(/ set aside a card\.$/);
    expect(caption(film, film.cuts[1]!)).toMatch(/ plays (red|blue|yellow|green) \d\.$/);
    expect(caption(film, film.cuts[2]! - 1)).toMatch(/ wins the trick\.$/);
  });

  it("has a chapter for every round, and every move in one of them", () => {
    const chapters = chaptersOf(film);
    expect(chapters.map(({ round }) => round)).toEqual(film.names.map((_, n) => n + 1));
    expect(chapters[0]!.begin).toBe(0);
    const places = chapters.flatMap(({ begin, moves }) => [begin, ...moves]);
    expect(places).toEqual(film.frames.map((_, at) => at));
    for (const { begin, moves } of chapters) {
      expect(film.frames[begin]!.move).toBe("");
      expect(moves.every((at) => film.frames[at]!.move)).toBe(true);
    }
  });

  it("asks nothing, and leaves the hand as it was", () => {
    for (let at = 0; at < film.frames.length; at += 1) {
      const scene = sceneOf(tableAt(film, at, 1), null);
      const seen = still(scene);
      expect(["wait", "over"]).toContain(seen.ask.kind);
      expect(seen.hand.map((card) => [card.rank, card.colors])).toEqual(
        scene.hand.map((card) => [card.rank, card.colors]),
      );
      expect(seen.hand.some((card) => card.playable || card.options.some((option) => option.legal))).toBe(
        false,
      );
    }
  });

  it("names bots after particles, but nobody who is called like a level", () => {
    const { record, positions } = replayed as unknown as Replayed;
    const named = filmOf({ record: { ...record, names: ["gentle", "Ben", "sharp"] }, positions });
    expect(named.names).toEqual(["gentle", "Ben", "Photon"]); // Ada, now called gentle, gave a nonce
  });

  it("draws the cats that were chosen, where they are known", () => {
    const chosen = filmOf(replayed as unknown as Replayed, ["pixel", ""]);
    const cats = (one: typeof film) => sceneOf(tableAt(one, 0, "open"), null).seats.map(({ cat }) => cat);
    expect(cats(film)).toEqual(film.names);
    expect(cats(chosen)).toEqual(["pixel", ...film.names.slice(1)]);
  });

  it("opens hands", () => {
    expect(handAt(film, 0, 0).hand.reduce((sum, card) => sum + card.copies, 0)).toBe(10);
  });
});
