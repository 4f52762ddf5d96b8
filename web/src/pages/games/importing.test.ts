import { expect, it, vi } from "vitest";
import type { RecordSummary } from "../../engine/records/read";
import { Refusal } from "../../net/http";
import { BadRecord } from "../../net/replay";
import { keyOfText, MyGames } from "../../store/records";
import { ShelfError } from "../../store/shelf";
import { MemoryShelf } from "../../store/testing";
import { importFiles, type TextFile } from "./importing";

const file = (name: string, text: string): TextFile => ({ name, size: text.length, text: async () => text });
const bad = (line: number): BadRecord =>
  new BadRecord({ line, column: 1, code: "record.syntax", clause: "", message: "expected 'players' here" });

/** Reads a record that says `good`. */
async function read(text: string): Promise<RecordSummary> {
  if (text.includes("offline")) throw new Refusal("net.offline", "");
  if (!text.includes("good")) throw bad(2);
  const who = { names: ["Ada", "sharp"], nonces: [], face: "white" };
  return {
    ...who,
    totals: [1, 2],
    winners: [1],
    rounds: null,
    over: !text.includes("unfinished"),
    text: "canonical\n",
  };
}

it("keeps the text of a file as it came, and JSON as text", async () => {
  const games = new MyGames(new MemoryShelf());
  const text = "# good\ncatinthebox 1\n";
  const found = await importFiles([file("a.cat", text), file("b.json", '{"good": 1}')], games, read);
  expect(found).toEqual({ single: null, found: 2, added: 2, problems: [] });
  expect((await games.find(keyOfText(text)))?.text).toBe(text);
  expect((await games.find(keyOfText("canonical\n")))?.text).toBe("canonical\n");
  const again = await importFiles([file("a.cat", text)], games, read);
  expect(again).toEqual({ single: keyOfText(text), found: 1, added: 0, problems: [] });
});

it("keeps no result of a game without an end", async () => {
  const games = new MyGames(new MemoryShelf());
  const { single } = await importFiles([file("a.cat", "good unfinished")], games, read);
  expect(await games.find(single!)).toMatchObject({ totals: [], winners: [], seat: 0 });
});

it("says every problem with its file and line, and keeps the other files", async () => {
  const games = new MyGames(new MemoryShelf());
  const many = "catinthebox 1 good\n\ncatinthebox 1\nplayers\n";
  const files = [file("many.cat", many), file("bad.cat", "catinthebox 1\n?"), file("net.cat", "offline")];
  const { added, problems } = await importFiles([...files, file("a.cat", "good")], games, read);
  expect(added).toBe(1);
  expect((await games.all()).map(({ text }) => text)).toEqual(["good"]);
  expect(problems.map(({ words }) => words)).toEqual([
    "many.cat: there is a mistake in line 4",
    "bad.cat: there is a mistake in line 2",
    "net.cat: Can’t reach the server. Are you online?",
  ]);
  expect(problems[0]!.detail).toBe("expected 'players' here");
});

it("says of a file that is no record only that, and shows nothing of it", async () => {
  const png = file("cat.png", "\u{fffd}PNG\r\n\u{1a}\n\0\0");
  const { problems } = await importFiles([png], new MyGames(new MemoryShelf()), read);
  expect(problems).toEqual([{ words: "cat.png isn’t a saved game.", detail: "" }]);
});

it("tells which game it reads, of how many", async () => {
  const onread = vi.fn();
  const files = [file("two.cat", "catinthebox 1 good\ncatinthebox 1 good too\n"), file("a.cat", "good")];
  await importFiles(files, new MyGames(new MemoryShelf()), read, onread);
  expect(onread.mock.calls).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

it("does not read a file that is far too large", async () => {
  const huge = { name: "film.mp4", size: 5e9, text: () => Promise.reject(new Error("never")) };
  const { problems } = await importFiles([huge], new MyGames(new MemoryShelf()), read);
  expect(problems.map(({ words }) => words)).toEqual(["film.mp4 is too large for a saved game."]);
});

it("goes on after a file that cannot be read, and after a failure of the page", async () => {
  const moved = {
    name: "moved.cat",
    size: 9,
    text: () => Promise.reject(new DOMException("moved", "NotReadableError")),
  };
  const odd = (text: string): Promise<RecordSummary> =>
    text === "odd" ? Promise.reject(new TypeError("a fault of ours")) : read(text);
  const files = [moved, file("odd.cat", "odd"), file("a.cat", "good")];
  const { added, problems } = await importFiles(files, new MyGames(new MemoryShelf()), odd);
  expect(added).toBe(1);
  expect(problems.map(({ words }) => words)).toEqual([
    "moved.cat: That didn’t work. Please try again.",
    "odd.cat: That didn’t work. Please try again.",
  ]);
});

it("throws if nothing can be kept", async () => {
  const full = Object.assign(new MemoryShelf(), {
    putAll: () => Promise.reject(new ShelfError("full", null)),
  });
  await expect(importFiles([file("a", "good")], new MyGames(full), read)).rejects.toThrow(ShelfError);
});

it("shows so many problems of a file as somebody would read, and how many there are", async () => {
  const many = "catinthebox 1\n".repeat(40);
  const { problems } = await importFiles([file("many.cat", many)], new MyGames(new MemoryShelf()), read);
  expect(problems).toHaveLength(11);
  expect(problems.at(-1)!.words).toBe("many.cat: mistakes not shown: 30");
});
