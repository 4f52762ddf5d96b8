import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commitment, deal, starter } from "../../engine/fair";
import type { GameRecord } from "../../net/replay";
import { verdict, verify } from "./fair";

const VECTORS = new URL("../../../../vectors/deals.fair", import.meta.url);
describe.runIf(existsSync(VECTORS))("the published deals", () => {
  const parts = existsSync(VECTORS)
    ? readFileSync(VECTORS, "utf8")
        .split(/^vector /m)
        .slice(1)
    : [];
  it.each(parts.map((part) => [part.split("\n")[0], part] as const))("%s", (_, part) => {
    const field = (name: string): string => new RegExp(`^${name} (.*)$`, "m").exec(part)?.[1] ?? "";
    const [secret, table, nonces] = [field("secret"), field("table"), field("nonces").split(" ")];
    const found = deal(secret, table, nonces, Number(field("round")));
    expect(commitment(secret, table)).toBe(field("commitment"));
    expect(starter(secret, table, nonces)).toBe(Number(field("starter")));
    expect(found.hands.join(" ")).toBe(field("deal"));
    expect(found.aside).toBe(field("aside"));
  });
});

describe("a record", () => {
  const secret = "57bb17f3f5f52ee8b9737be34ae152fd977096ad23f2390bb80ba3084d7fa6e2";
  const nonces = ["f6".repeat(32), "-", "7c".repeat(32)];
  const record: GameRecord = {
    players: 3,
    names: ["Ada", "steady", "Ben"],
    face: "white",
    table: "lab-7",
    nonces,
    secret,
    commitment: commitment(secret, "lab-7"),
    starter: starter(secret, "lab-7", nonces),
    rounds: [1, 2, 3].map((round) => ({ deal: deal(secret, "lab-7", nonces, round).hands })),
  };
  const promise = record.commitment!;
  const bad = (changed: Partial<GameRecord>, noted: Parameters<typeof verify>[1] = null): string[] =>
    verify({ ...record, ...changed }, noted)
      .filter((finding) => !finding.good)
      .map((finding) => finding.is);

  it("is proven if everything is where it was promised", () => {
    const noted = { commitment: promise, nonce: nonces[0]!, taken: true };
    expect(verdict(verify(record, noted))).toBe("proven");
    expect(verify(record, noted).map((finding) => finding.is)).toEqual([
      "nonces",
      "commitment",
      "starter",
      "round",
      "round",
      "round",
      "noted",
    ]);
  });

  it("is only consistent for anyone who has noted nothing, or gave nothing", () => {
    expect(verdict(verify(record, null))).toBe("consistent");
    expect(verdict(verify(record, { commitment: promise, nonce: "ee".repeat(32) }))).toBe("consistent");
  });

  it("is not proven if the promise or the own nonce is another one", () => {
    expect(verdict(verify(record, { commitment: promise, nonce: "ee".repeat(32), taken: true }))).toBe(
      "not-proven",
    );
    expect(verdict(verify(record, { commitment: "11".repeat(32), nonce: nonces[0]! }))).toBe("not-proven");
    expect(verdict(verify({ ...record, secret: "" }, null))).toBe("not-proven");
  });

  it("is found out by whatever was changed", () => {
    expect(bad({ starter: (record.starter + 1) % 3 })).toEqual(["starter"]);
    expect(bad({ commitment: "00".repeat(32) })).toEqual(["commitment"]);
    const [first, ...rest] = record.rounds;
    expect(bad({ rounds: [{ deal: [...first!.deal].reverse() }, ...rest] })).toEqual(["round"]);
    expect(bad({ nonces: ["-", "-", "-"] })).toContain("nonces");
    expect(bad({}, { commitment: "11".repeat(32), nonce: "" })).toEqual(["noted"]);
    expect(bad({}, { commitment: promise, nonce: "ee".repeat(32), taken: true })).toEqual(["noted"]);
    expect(bad({ secret: "" })).toEqual(["promise"]);
  });
});
