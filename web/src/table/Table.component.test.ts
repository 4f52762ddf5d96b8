import { flushSync } from "svelte";
import { fromStore, writable } from "svelte/store";
import { describe, expect, it, vi } from "vitest";
import fixtures from "../../gallery/fixtures.json";
import { insightOf } from "../engine/insight";
import { sampleOf } from "../coach/samples";
import { startEngine } from "../engine/testing";
import { askedOf } from "../lib/insight";
import type { Scene } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import type { TableShown } from "../lib/wire";
import { m } from "../paraglide/messages.js";
import { Hint } from "../store/hint.svelte";
import { linger } from "../store/linger";
import { draw, part, press, tap, words } from "../ui/testing";
import Table from "./Table.svelte";

type Named = TableShown & { readonly name: string };
const tables = fixtures.scenes as unknown as readonly Named[];
const engine = await startEngine();

/** A table as it is drawn, and what it says the player wants. */
function tableOf(name: string, props: { confirm?: boolean } = {}) {
  const table = tables.find((one) => one.name === name)!;
  const scene = sceneOf(table, insightOf(engine, askedOf(table)));
  const onact = vi.fn();
  const root = draw(Table, { scene, onact, ...props });
  const card = (rank: number) => part(root, `[role=option][data-rank="${rank}"]`);
  const colors = () => [...root.querySelectorAll<HTMLElement>(".colors button")];
  return { root, scene, onact, card, colors };
}

const isLegal = (button: HTMLElement): boolean => button.getAttribute("aria-disabled") === "false";

describe.each(tables.map(({ name }) => name))("%s", (name) => {
  it("has a heading, every seat, every cell, and the own hand", () => {
    const { root, scene } = tableOf(name);
    expect(root.querySelector("h1, h2")).not.toBeNull();
    for (const seat of scene.others) expect(root.textContent).toContain(scene.seats[seat]!.name);
    expect(root.querySelectorAll(".board .cell")).toHaveLength(scene.board.places.length);
    expect(root.querySelectorAll("[role=option]")).toHaveLength(scene.hand.length);
  });
});

/** What is changed in the page when one scene follows another: the classes of whatever it happens in. */
function changedBetween(before: Scene, after: Scene): string[] {
  const shown = writable(before);
  const current = fromStore(shown);
  const root = draw(Table, {
    get scene() {
      return current.current;
    },
    onact: () => undefined,
  });
  const observer = new MutationObserver(() => undefined);
  observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  shown.set(after);
  flushSync();
  return observer.takeRecords().map(({ target }) => (target as HTMLElement).className);
}

it("gives the focus to what is said once the round is over, not to the card that is left", () => {
  const [before, after] = [tableOf("4-follow").scene, tableOf("4-result").scene];
  const shown = writable(before);
  const current = fromStore(shown);
  const root = draw(Table, {
    get scene() {
      return current.current;
    },
    onact: () => undefined,
    selected: before.hand.find((card) => card.playable)!.rank,
  });
  part<HTMLElement>(root, ".colors button:first-child").focus();
  shown.set(after);
  flushSync();
  expect(root.querySelectorAll("[role=option]")).toHaveLength(1);
  expect(words(document.activeElement!)).toBe(m.over_round());
});

describe("a choice", () => {
  it("cannot be made of the card that is left when the round is over", () => {
    for (const name of ["4-result", "4-final", "3-paradox-mine"]) {
      const { root } = tableOf(name);
      for (const card of root.querySelectorAll<HTMLElement>("[role=option]")) {
        for (const choose of [() => tap(card), () => press(card.dataset["rank"]!)]) {
          choose();
          expect(root.querySelectorAll(".held.up, [aria-selected=true]")).toHaveLength(0);
        }
      }
    }
  });

  it("holds while others set their cards aside", () => {
    const { scene } = tableOf("4-discard");
    const shown = writable(scene);
    const current = fromStore(shown);
    const root = draw(Table, {
      get scene() {
        return current.current;
      },
      onact: () => undefined,
    });
    const { rank } = scene.hand[0]!;
    tap(part(root, `[role=option][data-rank="${rank}"]`));
    const other = scene.others[0]!;
    const seats = scene.seats.map((seat) =>
      seat.seat === other ? { ...seat, discarded: true, handSize: seat.handSize - 1 } : seat,
    );
    shown.set({ ...scene, seats });
    flushSync();
    expect(root.textContent).toContain(m.set_aside({ rank }));
  });
});

describe("a change", () => {
  it.each(tables.map(({ name }) => name))("that changes nothing touches nothing: %s", (name) => {
    const { scene } = tableOf(name);
    expect(changedBetween(scene, structuredClone(scene))).toEqual([]);
  });

  it("of one seat leaves the board alone, and the hand", () => {
    const { scene } = tableOf("4-wait");
    const seats = scene.seats.map((seat) => (seat.me ? seat : { ...seat, total: seat.total + 1 }));
    const changed = changedBetween(scene, { ...structuredClone(scene), seats });
    expect(changed.length).toBeGreaterThan(0);
    for (const part of ["cell", "held", "card"]) expect(changed.join(" ").split(/\s+/)).not.toContain(part);
  });
});

describe("a card", () => {
  it("is chosen by a tap, and let go by another", () => {
    const { card, colors, onact } = tableOf("4-follow");
    tap(card(5));
    expect(card(5).getAttribute("aria-selected")).toBe("true");
    expect(colors()).toHaveLength(4);
    tap(card(5));
    expect(colors()).toHaveLength(0);
    expect(onact).not.toHaveBeenCalled();
  });

  it("is played as a color that it can be, and as no other", () => {
    const { scene, card, colors, onact } = tableOf("4-follow");
    const { options } = scene.hand.find(({ rank }) => rank === 5)!;
    tap(card(5));
    expect(colors().map(isLegal)).toEqual(options.map(({ legal }) => legal));
    for (const button of colors().filter((one) => !isLegal(one))) tap(button);
    expect(onact).not.toHaveBeenCalled();
    tap(colors().find(isLegal)!);
    expect(onact).toHaveBeenCalledExactlyOnceWith(options.find(({ legal }) => legal)!.action);
  });

  it("says what a color costs before it is played", () => {
    const { card, colors, scene } = tableOf("4-follow");
    const costly = scene.hand.flatMap(({ rank, options }) =>
      options.flatMap((option, at) =>
        option.effects?.some(({ kind }) => kind === "gives-up") ? [{ rank, at }] : [],
      ),
    )[0]!;
    tap(card(costly.rank));
    expect(words(colors()[costly.at]!).toLowerCase()).toContain("gives up");
  });

  it("is played by keys: its rank, then a letter", () => {
    const { onact } = tableOf("4-follow");
    press("5");
    press("g");
    expect(onact).toHaveBeenCalledExactlyOnceWith("5g");
  });

  it("waits for a second tap, if somebody wants that", () => {
    const { card, colors, onact } = tableOf("4-follow", { confirm: true });
    tap(card(5));
    tap(colors().find(isLegal)!);
    expect(onact).not.toHaveBeenCalled();
    tap(colors().find(isLegal)!);
    expect(onact).toHaveBeenCalledOnce();
  });

  it("is played on the board; a cell that costs a color wants to be tapped twice", () => {
    const { root, onact } = tableOf("4-lead");
    tap(root.querySelector<HTMLElement>(".cell.open")!);
    const armed = root.querySelector<HTMLElement>(".cell.armed");
    expect(onact).toHaveBeenCalledTimes(armed ? 0 : 1);
    if (armed) tap(armed);
    expect(onact).toHaveBeenCalledOnce();
  });
});

/** A table whose scene can change. */
function changingTable(name: string, change: (scene: Scene, table: Named) => Scene = (scene) => scene) {
  const table = tables.find((one) => one.name === name)!;
  const scene = sceneOf(table, insightOf(engine, askedOf(table)));
  const scenes = writable(change(scene, table));
  const shown = fromStore(scenes);
  const props = {
    get scene() {
      return shown.current;
    },
    onact: vi.fn(),
  };
  const show = (next: Scene): void => {
    scenes.set(next);
    flushSync();
  };
  return { root: draw(Table, props), scene, show };
}

/** The trick before still lies there. */
const lingering = (scene: Scene, { round }: Named): Scene =>
  linger(scene, { cards: round.last_trick, winner: round.leader });

/** Another seat has a card less. */
const withOneLess = (scene: Scene): Scene => ({
  ...scene,
  seats: scene.seats.map((seat) => (seat.me ? seat : { ...seat, handSize: seat.handSize - 1 })),
});

describe("a choice", () => {
  it("holds when the trick before is swept away", () => {
    const { root, scene, show } = changingTable("4-lead", lingering);
    tap(part(root, '[role=option][data-rank="6"]'));
    show(scene);
    expect(part(root, '[role=option][data-rank="6"]').getAttribute("aria-selected")).toBe("true");
    expect(root.querySelectorAll(".colors button")).toHaveLength(4);
  });

  it("is gone when somebody has played", () => {
    const { root, scene, show } = changingTable("4-lead");
    tap(part(root, '[role=option][data-rank="6"]'));
    show(withOneLess(scene));
    expect(root.querySelectorAll(".colors button")).toHaveLength(0);
  });

  it("holds when somebody else sets a card aside", () => {
    const { root, scene, show } = changingTable("4-discard");
    tap(part(root, '[role=option][data-rank="8"]'));
    show(withOneLess(scene));
    expect(part(root, '[role=option][data-rank="8"]').getAttribute("aria-selected")).toBe("true");
  });
});

it("sets a card aside", () => {
  const { root, card, onact } = tableOf("4-discard");
  tap(card(8));
  tap(part(root, "button", m.set_aside({ rank: 8 })));
  expect(onact).toHaveBeenCalledExactlyOnceWith("-8");
});

it("takes a bid that is allowed", () => {
  const { root, scene, onact } = tableOf("4-bid");
  if (scene.ask.kind !== "bid") throw new Error("no bid is asked for");
  const buttons = [...root.querySelectorAll<HTMLElement>(".bids button")];
  expect(buttons).toHaveLength(scene.ask.bids.length);
  tap(buttons[0]!);
  expect(onact).toHaveBeenCalledExactlyOnceWith(`=${scene.ask.bids[0]}`);
});

it("asks nothing of somebody who waits or watches", () => {
  for (const name of ["4-wait", "4-watch"]) {
    const { root, card, scene, onact } = tableOf(name);
    for (const { rank } of scene.hand) tap(card(rank));
    for (const cell of root.querySelectorAll<HTMLElement>(".board .cell")) tap(cell);
    expect(root.querySelectorAll(".colors button, .bids button")).toHaveLength(0);
    expect(onact).not.toHaveBeenCalled();
  }
});

describe("a hint", () => {
  /** A table with a hint, which knows what is asked; and what is asked of its coach. */
  function hinted(name: string) {
    const { scene } = tableOf(name);
    const [asked, onact] = [vi.fn(), vi.fn()];
    const hint = new Hint(() => ({ askHint: asked, endHint: () => undefined }));
    hint.follow("now");
    const legal = scene.hand.flatMap(({ options }) => options.filter((one) => one.legal));
    const found = sampleOf(legal.map(({ action }) => action));
    const root = draw(Table, { scene, hint, onact });
    const tell = (): void => {
      hint.take({ type: "Hint", id: "h", found, last: true });
      flushSync();
    };
    /** Until what draws a hint has arrived. */
    const arrived = (): Promise<HTMLElement> => vi.waitFor(() => part(root, "section.hint"));
    return { root, hint, asked, onact, found, tell, arrived };
  }

  it("is asked for by its button, stands in the place of the hand, and frames the best cell", async () => {
    const { root, asked, onact, found, tell, arrived } = hinted("4-follow");
    const lamp = part(root, ".lamp button");
    expect(lamp.getAttribute("aria-expanded")).toBe("false");
    tap(lamp);
    await arrived();
    expect([asked.mock.calls.length, lamp.getAttribute("aria-expanded")]).toEqual([1, "true"]);
    expect(words(document.activeElement!)).toBe(m.hint());
    expect(root.querySelectorAll("[role=option], .mark")).toHaveLength(0);
    tell();
    expect(root.querySelectorAll(".mark.best")).toHaveLength(1);
    expect(root.querySelectorAll(".mark")).toHaveLength(found.actions.length);
    tap(part(root, "section.hint button.main"));
    expect(onact.mock.calls).toEqual([[found.actions[0]!.action]]);
  });

  it("opens and closes by its key, and gives the focus back", async () => {
    const { root, hint, tell, arrived } = hinted("4-follow");
    press("h");
    await arrived();
    tell();
    press("Escape");
    expect([hint.isOpen, document.activeElement]).toEqual([false, part(root, ".lamp button")]);
    expect(root.querySelectorAll("section.hint, .mark")).toHaveLength(0);
    press("h");
    expect(hint.isOpen).toBe(true);
    press("h");
    expect(hint.isOpen).toBe(false);
  });

  it("makes room for the hand when a card is chosen from afar", async () => {
    const { root, hint, arrived } = hinted("4-follow");
    tap(part(root, ".lamp button"));
    await arrived();
    press(root.querySelector<HTMLElement>(".cell.open b")!.textContent);
    expect(hint.isOpen).toBe(false);
    expect(root.querySelectorAll("[role=option]")).not.toHaveLength(0);
  });

  it("has a button that does nothing while others play, and none where there are no hints", () => {
    const waiting = tables.find(({ name }) => tableOf(name).scene.ask.kind === "wait")!;
    const { root, asked } = hinted(waiting.name);
    tap(part(root, ".lamp button"));
    press("h");
    expect(asked).not.toHaveBeenCalled();
    expect(tableOf("4-follow").root.querySelector(".lamp")).toBeNull();
  });
});
