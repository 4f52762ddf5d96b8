import { describe, expect, it } from "vitest";
import { reading, readRecord } from "../../engine/records/read";
import { startEngine } from "../../engine/testing";
import samples from "../../engine/records/samples.json";
import { BadRecord } from "../../net/replay";
import { countedOf, MyGames, type KeptGame } from "../../store/records";
import { MemoryShelf } from "../../store/testing";
import { backupText, isBackup, readBackup } from "./backup";
import { importFiles, type TextFile } from "./importing";
import { drawn, sampleGame, sampleGames } from "./samples";

const engine = await startEngine();
const file = (text: string, name = "games.json"): TextFile => ({
  ...{ name, size: text.length },
  text: async () => text,
});

/** Reads with the real rules. */
async function read(text: string): Promise<ReturnType<typeof found>> {
  const one = readRecord(engine, text);
  if (!one.ok) throw new BadRecord(one.problem);
  return found(one);
}
const found = (one: Extract<ReturnType<typeof readRecord>, { ok: true }>) => one.found;

/** Real games, with everything that can be known of them beside the record. */
async function realGames(seed: number): Promise<readonly KeptGame[]> {
  const draw = drawn(seed);
  const games = new MyGames(new MemoryShelf());
  for (const [n, { text }] of samples.games.entries()) {
    const { names, totals, winners, over, ...rest } = await read(text);
    const { at, origin, cats, local } = sampleGame(draw, n);
    const known = { at, origin, ...(cats ? { cats } : {}), ...(local ? { local } : {}) };
    const seat = draw(3) ? draw(names.length) : null;
    const result = over ? { totals, winners } : { totals: [], winners: [] };
    await games.add({ text, names, ...result, seat, ...known, ...countedOf(rest) });
  }
  return games.all();
}

describe.each([1, 2, 3])("a file of all games %i", (seed) => {
  it("brings back what was saved, whatever is in the records", () => {
    const games = sampleGames(40, seed);
    const text = backupText(games);
    expect(isBackup(text)).toBe(true);
    const back = readBackup(text);
    if (!back.ok) throw new Error(JSON.stringify(back.problems));
    expect(backupText(back.games.map(({ game }) => game))).toBe(text);
    expect(back.games.map(({ line }) => line)).toEqual(games.map((_, n) => n + 4));
    expect(back.games.map(({ game }) => game.text)).toEqual(games.map((game) => game.text));
  });

  it("imports what was exported, and nothing twice", async () => {
    const games = await realGames(seed);
    const empty = new MyGames(new MemoryShelf());
    const text = backupText(games);
    const result = await importFiles([file(text)], empty, read);
    expect(result).toEqual({ single: null, found: games.length, added: games.length, problems: [] });
    expect(await empty.all()).toEqual(games);
    expect(await importFiles([file(text), file(text)], empty, read)).toMatchObject({
      added: 0,
      problems: [],
    });
    expect(backupText(await empty.all())).toBe(text);
  });

  it("is added whole or not at all, wherever a mistake is", async () => {
    const games = (await realGames(seed)).slice(0, 6);
    const lines = backupText(games).split("\n");
    for (const [n] of games.entries()) {
      const broken = [...lines];
      broken[n + 3] = lines[n + 3]!.replace("catinthebox 1", "catinthebox 2");
      const here = new MyGames(new MemoryShelf());
      const { added, problems } = await importFiles([file(broken.join("\n"))], here, read);
      expect([added, await here.all()]).toEqual([0, []]);
      expect(problems.map(({ words }) => words)).toEqual([`games.json: there is a mistake in line ${n + 4}`]);
      expect(problems[0]!.detail).toMatch(/^line \d+ of its record: /);
    }
  });
});

describe("a file that is wrong", () => {
  const told = (text: string): readonly string[] => {
    const back = readBackup(text);
    return back.ok ? [] : back.problems.map(({ line, message }) => `${line}: ${message}`);
  };
  const withGames = (...games: readonly string[]): string =>
    `{\n"catinthebox-games": 1,\n"games": [\n${games.join(",\n")}\n]\n}\n`;

  it("says every mistake of every game, with its line", () => {
    const text = withGames(
      '{"at":5,"record":"good"}',
      '{"at":-1,"record":"","seat":"0","cats":[1],"local":"yes","origin":7,"mood":1}',
      '{"record":"x"}',
      "[]",
    );
    expect(told(text)).toEqual([
      '5: game 2: "mood" is not known here',
      '5: game 2: "at" should be a time in milliseconds since 1970, not -1',
      '5: game 2: "record" should be the text of a record, not ""',
      '5: game 2: "seat" should be the number of a seat, from 0, not "0"',
      '5: game 2: "origin" should be a text of at most 200 characters, not 7',
      '5: game 2: "cats" should be a list of texts, not [1]',
      '5: game 2: "local" should be true or false, not "yes"',
      '6: game 3: "at" is missing: a time in milliseconds since 1970',
      "1: game 4: it should be an object",
    ]);
  });

  it("finds the line where it is no JSON", () => {
    expect(told(withGames('{"at":5,"record":"a"}', '{"at":5,"record"}'))[0]).toMatch(/^5: this is not JSON/);
  });

  it("refuses a version that it does not know, and what is no list", () => {
    expect(told('{\n"catinthebox-games": 2, "games": []}')).toEqual([
      "2: the version of this file is 2; this page reads version 1",
    ]);
    expect(told('{"catinthebox-games": 1, "games": {}, "more": 1}')).toEqual([
      '1: "more" is not known here',
      '1: "games" should be a list',
    ]);
  });

  it("is told apart from a record", () => {
    expect(isBackup('{"catinthebox": 1, "players": 3}')).toBe(false);
    expect(isBackup("catinthebox 1\n")).toBe(false);
  });

  it("is refused if a game has no such seat", async () => {
    const { text } = samples.games[0]!;
    const line = JSON.stringify({ at: 5, seat: 5, record: text });
    const games = new MyGames(new MemoryShelf());
    const { problems, added } = await importFiles([file(withGames(line))], games, read);
    expect(added).toBe(0);
    expect(problems).toEqual([
      { words: "games.json: there is a mistake in line 4", detail: '"seat" is not a seat of its record' },
    ]);
  });

  it("may have no games", async () => {
    const games = new MyGames(new MemoryShelf());
    expect(await importFiles([file(backupText([]))], games, read)).toMatchObject({ found: 0, problems: [] });
  });
});

it("counts the rounds of every sample: scores add up to the result, one seat at most causes a paradox", () => {
  for (const { text } of samples.games) {
    const told = readRecord(engine, text);
    if (!told.ok) throw new Error(told.problem.message);
    const { rounds, totals, over, names } = told.found;
    expect(totals).toEqual(
      names.map((_, seat) => rounds!.reduce((sum, { points }) => sum + points[seat]!, 0)),
    );
    if (over) expect(rounds).toHaveLength(names.length);
    const all = reading(engine, text, (game) =>
      game.rounds.map(({ bids, won, paradox }) => ({ bids, won, paradox })),
    );
    if (!all.ok) throw new Error(all.problem.message);
    for (const [n, { kept, paradox }] of rounds!.entries()) {
      const round = all.found[n]!;
      expect(paradox).toBe(round.paradox);
      for (const [seat, one] of kept.entries()) {
        expect(one === null).toBe(round.bids[seat] === 0);
        if (one) expect([round.won[seat], seat]).toEqual([round.bids[seat], seat]);
        if (seat === paradox) expect(one).not.toBe(true);
      }
    }
  }
});
