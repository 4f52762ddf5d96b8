/** The JSON form of a record as the lines of its text: the same names, the same words. */

import { PROMISE_LINES } from "./serialize";

const HEADER = ["catinthebox", "players", "names", "edition", "face", "rows", "house", ...PROMISE_LINES, "starter"];
const ROUND = ["deal", "aside", "discards", "bids", "tricks", "paradox", "scores"];

type Values = Readonly<Record<string, unknown>>;

/** Return a record as text, whatever its form; JSON begins with a brace. Throws if it is no JSON. */
export function asText(record: string): string {
  if (!record.trimStart().startsWith("{")) return record;
  const values = JSON.parse(record) as Values;
  const rounds = Array.isArray(values["rounds"]) ? (values["rounds"] as readonly Values[]) : [];
  const result = values["result"] as Values | undefined;
  return [
    ...HEADER.flatMap((name) => linesOf(name, values[name])),
    ...rounds.flatMap((round, n) => [`round ${n + 1}`, ...ROUND.flatMap((name) => linesOf(name, round[name]))]),
    ...(result ? [...linesOf("result", result["totals"]), ...linesOf("winners", result["winners"])] : []),
    ...linesOf("secret", values["secret"]),
    "",
  ].join("\n");
}

function linesOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || (Array.isArray(value) && !value.length)) return [];
  if (name === "rows") return (value as readonly unknown[]).map((row) => `row ${words(row)}`);
  if (name === "tricks") return (value as readonly Values[]).map(trickLine);
  if (name === "paradox") return [`paradox ${words((value as Values)["seat"])}: ${words((value as Values)["hand"])}`];
  return [`${name} ${words(value, name === "names" ? " | " : " ")}`];
}

function trickLine({ leader, plays, winner }: Values): string {
  const won = winner === undefined || winner === null ? "" : ` >${words(winner)}`;
  return `trick ${words(leader)}: ${words(plays)}${won}`;
}

const words = (value: unknown, between = " "): string =>
  Array.isArray(value) ? value.map(String).join(between) : String(value);
