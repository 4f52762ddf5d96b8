import { describe, expect, it } from "vitest";
import type { FromServer, News } from "../lib/wire";
import recorded from "./frames.json";
import { namesAt } from "./names";
import { presence, watching, welcome } from "./presence";
import { refusalWords } from "./refusals";
import { reduce, type TableState } from "./state";
import { sentenceOf } from "./sentences";

const received = (recorded as unknown as { readonly me: FromServer[] }).me;
const state = received.reduce<TableState | null>(reduce, null)!;
const say = (news: News): string => sentenceOf(state, news);

describe("sentenceOf", () => {
  it("names bots after particles, and people as they are called", () => {
    expect(namesAt(state)).toEqual(["Quark", "Muon", "Ada"]);
  });

  it("says what happened in whole sentences, to me and of others", () => {
    expect(say({ type: "CardPlayed", seat: 0, action: "5b" })).toBe("Quark plays blue 5.");
    expect(say({ type: "CardPlayed", seat: 2, action: "1r" })).toBe("You play red 1.");
    expect(say({ type: "BidMade", seat: 1, number: 3 })).toBe("Muon bids 3.");
    expect(say({ type: "TrickWon", seat: 2 })).toBe("You win the trick.");
    expect(say({ type: "GameOver", totals: [1, 2, 3], winners: [1, 2] })).toBe(
      "Game over. Winner: Muon and You.",
    );
  });

  it("is silent about parts, which show themselves", () => {
    expect(say(state.turn)).toBe("");
    expect(say(state.room)).toBe("");
  });

  it("is silent about people who go, which their seats tell", () => {
    expect(say({ type: "SeatLeft", seat: 1, name: "Ben", kicked: false })).toBe("");
  });

  it("has a word for everything that really happened", () => {
    const kinds = received.flatMap((message) => (message.type === "Frame" ? message.news : []));
    const silent = new Set(kinds.filter((news) => !say(news)).map((news) => news.type));
    expect([...silent].sort()).toEqual([
      "BotMoved",
      "GameBegan",
      "GameShown",
      "Room",
      "RoundShown",
      "Spoken",
      "Turn",
    ]);
  });
});

describe("presence", () => {
  const play: TableState = { ...state, seat: 0, room: { ...state.room, stage: "play" } };
  const with2 = (change: object): TableState => ({
    ...play,
    seats: {
      ...play.seats,
      seats: play.seats.seats.map((who, seat) => (seat === 2 ? { ...who, ...change } : who)),
    },
  });

  it("tells who goes, who is covered, and who comes back", () => {
    const away = with2({ here: false });
    const covered = with2({ here: false, covered: true });
    expect(presence(play, away)).toEqual(["Ada is away."]);
    expect(presence(away, covered)).toEqual(["A bot is playing for Ada now."]);
    expect(presence(covered, play)).toEqual(["Ada is back."]);
    expect(presence(play, play)).toEqual([]);
  });

  it("tells who has left, and which bot plays on", () => {
    expect(presence(play, with2({ kind: "bot", name: "gentle" }))).toEqual([
      "Ada left the table. Photon, a bot, plays on.",
    ]);
    const over = with2({ kind: "empty", name: "", here: false });
    expect(presence(play, { ...over, room: { ...play.room, stage: "over" } })).toEqual([
      "Ada left the table.",
    ]);
    const mine = { ...play, seat: 2 };
    expect(presence(mine, { ...with2({ kind: "bot", name: "gentle" }), seat: null })).toEqual([]);
  });

  it("says nothing of myself, and nothing before the game", () => {
    expect(presence({ ...play, seat: 2 }, { ...with2({ here: false }), seat: 2 })).toEqual([]);
    const lobby = { ...with2({ here: false }), room: { ...play.room, stage: "lobby" as const } };
    expect(presence(play, lobby)).toEqual([]);
  });
});

describe("a visitor", () => {
  const at = (stage: TableState["room"]["stage"], seat: number | null, free = false): TableState => ({
    ...state,
    seat,
    room: { ...state.room, stage },
    seats: {
      ...state.seats,
      seats: state.seats.seats.map((who, n) => (free && n === 0 ? { ...who, kind: "empty", name: "" } : who)),
    },
  });

  it("is told that they watch, and when they can sit down", () => {
    expect(watching(at("play", null))).toMatch(/^You’re watching. When the game is over/);
    expect(watching(at("over", null, true))).toMatch(/A seat is free/);
    expect(watching(at("over", null, true), true)).toBe("You’re watching.");
    expect(watching(at("play", 1))).toBe("");
    expect(watching(at("lobby", null))).toBe("");
  });

  it("is promised by an invitation only what is possible", () => {
    expect(welcome(at("lobby", 0, true))).toBe("sit");
    expect(welcome(at("over", 0, true))).toBe("sit");
    expect(welcome(at("lobby", 0))).toBe("watch");
    expect(welcome(at("play", 0))).toBe("watch");
    const closed = at("play", 0);
    expect(welcome({ ...closed, settings: { ...closed.settings, spectators: false } })).toBe("nothing");
  });
});

describe("refusals", () => {
  it("are told in our words, else in the server's", () => {
    expect(refusalWords({ code: "table.stale", message: "x" })).toBe(
      "The table changed just before your move. Take another look.",
    );
    expect(refusalWords({ code: "table.damaged", message: "x" })).toMatch(/damaged.*[Oo]ther games are fine/);
    expect(refusalWords({ code: "limit.chat", message: "x" })).toMatch(/a bit fast/);
    expect(refusalWords({ code: "limit.new", message: "x" })).toMatch(/a bit fast/);
    expect(refusalWords({ code: "illegal.cell_taken", message: "x" })).toBe("That cell is already taken.");
    expect(refusalWords({ code: "input.query", message: "no such word" })).toBe("no such word");
    expect(refusalWords({ code: "strange", message: "" })).toMatch(/try again/i);
  });
});
