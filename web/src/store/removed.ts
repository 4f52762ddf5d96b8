/** Whom the host has asked to leave, by table: kept in the host's browser, so that they can be let back in. */

import { keepJson, keptJson } from "./keep";

const MOST = 8;
const place = (table: string): string => `removed.${table}`;

/** The names of those who had to leave a table, the latest last. */
export const removedFrom = (table: string): readonly string[] =>
  keptJson<readonly string[]>(place(table), []);

/** Note somebody who had to leave; they are given back with the others. */
export const noteRemoved = (table: string, name: string): readonly string[] =>
  kept(table, [...without(table, name), name].slice(-MOST));

/** Note that somebody may come back. */
export const noteReadmitted = (table: string, name: string): readonly string[] =>
  kept(table, without(table, name));

const without = (table: string, name: string): string[] => removedFrom(table).filter((one) => one !== name);

function kept(table: string, names: readonly string[]): readonly string[] {
  keepJson(place(table), names);
  return names;
}
