/**
 * What the engine says about the tables that a page shows. It is asked after every change; until it has
 * answered, the scene keeps what still holds of the last answer. Answers about older tables are dropped.
 */

import { engine, EngineMissing } from "../engine/client";
import { askedOf, stale, type Asked, type Insight } from "../lib/insight";
import type { TableShown } from "../lib/wire";
import { m } from "../paraglide/messages.js";

export type Asking = (asked: Asked, signal: AbortSignal) => Promise<Insight>;

const askEngine: Asking = (asked, signal) => engine.ask("insight", asked, { signal });

/** Whether anybody was told that there is no engine: once in a page is enough. */
let told = false;

export class Insights {
  /** Why there is no engine, in words, unless somebody was told before. */
  missing = $state("");
  #latest = $state.raw<{ readonly table: TableShown; readonly insight: Insight } | null>(null);
  #asked: TableShown | null = null;
  #control = new AbortController();
  readonly #ask: Asking;

  constructor(ask: Asking = askEngine) {
    this.#ask = ask;
  }

  /** Ask about a table, unless that was done; a question about an older one is given up. */
  ask(table: TableShown): void {
    if (this.#asked && same(this.#asked, table)) return;
    this.#asked = table;
    this.#control.abort();
    this.#control = new AbortController();
    const { signal } = this.#control;
    this.#ask(askedOf(table), signal).then(
      (insight) => {
        if (!signal.aborted) this.#latest = { table, insight };
      },
      (error: unknown) => this.#fail(error),
    );
  }

  /** What is known about a table. */
  of(table: TableShown): Insight | null {
    const latest = this.#latest;
    if (!latest) return null;
    if (same(latest.table, table)) return latest.insight;
    return sameRound(latest.table, table) ? stale(latest.insight) : null;
  }

  /** Nobody asks any more. */
  stop(): void {
    this.#control.abort();
  }

  /** Given up, or a failure of one question: the table goes on without. */
  #fail(error: unknown): void {
    if (!(error instanceof EngineMissing) || told) return;
    told = true;
    this.missing = error.lack === "load" ? m.local_no_rules() : m.engine_missing();
  }
}

/** Whether the rules say the same about two tables. */
const same = (a: TableShown, b: TableShown): boolean =>
  a.seat === b.seat &&
  a.round === b.round &&
  a.own === b.own &&
  a.turn.to_act === b.turn.to_act &&
  a.game.winners === b.game.winners &&
  a.game.totals === b.game.totals;

const sameRound = (a: TableShown, b: TableShown): boolean =>
  a.game.number === b.game.number && a.game.round === b.game.round && a.game.face === b.game.face;
