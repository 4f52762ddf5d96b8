/** The scenes of fixtures.json, as the table draws them: with what the engine says of them, once it has answered. */

import type { Scene } from "../src/lib/scene";
import { sceneOf } from "../src/lib/stage";
import type { TableShown } from "../src/lib/wire";
import { Insights } from "../src/store/insights.svelte";
import fixtures from "./fixtures.json";

type Named = TableShown & { readonly name: string };

const tables = fixtures.scenes as unknown as readonly Named[];
const film = fixtures.film as unknown as readonly Named[];

export const names: readonly string[] = tables.map(({ name }) => name);
export const frames = film.length;

/** A scene that follows what the engine says of its table; the table may change. Only while a component is set up. */
export function follow(table: () => TableShown | undefined): { readonly scene: Scene | null } {
  const insights = new Insights();
  $effect(() => {
    const now = table();
    if (now) insights.ask(now);
  });
  const scene = $derived.by(() => {
    const now = table();
    return now ? sceneOf(now, insights.of(now)) : null;
  });
  return {
    get scene() {
      return scene;
    },
  };
}

export const tableOf = (name: string | null): TableShown | undefined =>
  tables.find((one) => one.name === name);
export const frameOf = (number: number): TableShown | undefined => film[number];
