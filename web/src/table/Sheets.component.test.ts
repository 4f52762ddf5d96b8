import { flushSync } from "svelte";
import { fromStore, writable } from "svelte/store";
import { expect, it, vi } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { startEngine } from "../engine/testing";
import { askedOf } from "../lib/insight";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import { draw, part } from "../ui/testing";
import Sheets from "./Sheets.svelte";

const engine = await startEngine();

it("keeps a sheet that was opened before the browser says that the one before is closed", () => {
  const table = (fixtures.scenes as unknown as readonly TableShown[])[0]!;
  const scene = sceneOf(table, insightOf(engine, askedOf(table)));
  const wanted = writable<"last" | "legend" | null>("last");
  const now = fromStore(wanted);
  const onclose = vi.fn();
  const props = {
    scene,
    onclose,
    get sheet() {
      return now.current;
    },
  };
  const root = draw(Sheets, props);
  const last = part(root, "dialog");
  wanted.set("legend");
  flushSync();
  last.dispatchEvent(new Event("close"));
  expect(onclose).not.toHaveBeenCalled();
  part(root, "dialog").dispatchEvent(new Event("close"));
  expect(onclose).toHaveBeenCalledOnce();
});
