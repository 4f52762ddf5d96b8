/**
 * A local table and the page that looks at it: commands come in one after another, every event is kept
 * before it is told, and bots move at the pace of the server's.
 */

import type { ClientCommand, Frame } from "../../lib/protocol";
import { dailyTry } from "../daily/results";
import type { Engine } from "../module";
import { notationOf } from "../notation";
import type { Choose } from "./bots";
import type { Advise } from "./hints";
import { WrittenElsewhere, type Entry, type Keeper } from "./keep";
import type { FromTable, ToTable, Trouble } from "./ports";
import { TableRefusal } from "./refused";
import { checkedTable, Damaged, type NewTable } from "./saved";
import { sightOf, type Sight } from "./sight";
import { LocalTable, opened, type Audience, type Step } from "./table";

/** A bot's move takes at least so long unless the page says otherwise, or people cannot follow. */
const BOT_MS = 700;

export interface HostParts {
  readonly engine: Engine;
  readonly keeper: Keeper;
  readonly choose: Choose;
  /** Whether the bot that chose last had to do without its network. */
  readonly isWeaker?: () => boolean;
  /** Without it, there are no hints. */
  readonly advise?: Advise;
  readonly post: (message: FromTable) => void;
  /** Hold the only right to play a table; false if another tab has it. */
  readonly hold: (id: string, until: AbortSignal) => Promise<boolean>;
  /** Wait; an abort ends it early. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** A round begins or ends: the calendar of daily deals has it. */
const isStage = ({ news }: Step): boolean =>
  news.some(({ type }) => type === "RoundDealt" || type === "RoundOver");

/** The table behind one port. */
export class TableHost {
  readonly #parts: HostParts;
  readonly #closed = new AbortController();
  #table: LocalTable | null = null;
  #audience: Audience = { seat: null, open: false };
  #queue: Promise<void> = Promise.resolve();
  #kept = true;
  #weaker = false;
  #pace = BOT_MS;
  /** Bots are playing; an undo ends what they think. */
  #thinking: AbortController | null = null;
  /** Somebody reads a hint, which becomes better meanwhile. */
  #hinting: AbortController | null = null;

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  /** Take a message of the page; they are answered in order. */
  hear(message: ToTable): Promise<void> {
    this.#queue = this.#queue.then(() => this.#take(message));
    return this.#queue;
  }

  /** The page has gone: nobody plays here any more. */
  close(): void {
    this.#closed.abort();
    this.#thinking?.abort();
    this.#hinting?.abort();
  }

  async #take(message: ToTable): Promise<void> {
    if (this.#closed.signal.aborted) return;
    if (message.type === "Pace") this.#pace = message.ms;
    if (message.type === "Open") return this.#open(message.id, message.wanted);
    if (!this.#table || message.type === "Pace") return;
    this.#hinting?.abort();
    if (message.type === "EndHint") return;
    if (message.type === "AskHint") this.#hint(message.id);
    else if (message.type === "Do") await this.#do(message.command, message.id);
    else {
      if (message.type === "Look") this.#audience = this.#looking(message.seat, message.open);
      this.#show();
    }
  }

  // ── Beginning and going on ─────────────────────────────────────────────────────────────────

  async #open(id: string, wanted: NewTable | null): Promise<void> {
    const isHeld = await this.#parts.hold(id, this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    if (!isHeld) return this.#end("local.elsewhere", "another tab plays this game");
    const found = await this.#find(id, wanted);
    if (found === null || this.#closed.signal.aborted) return;
    this.#table = this.#restored(id, found, wanted);
    if (!this.#table) return;
    this.#audience = this.#first();
    if (this.#hasHints()) this.#parts.post({ type: "Hints", offered: true });
    if (this.#table.stage === "lobby") await this.#keep(this.#table.do({ type: "Start" }, 0));
    if (this.#closed.signal.aborted) return;
    this.#show();
    this.#play();
  }

  /**
   * What was kept of a table; undefined if a new one is to begin, null if there is nothing to play. A game
   * that cannot be read is not unknown: it may be readable later. A new one begins nevertheless.
   */
  async #find(id: string, wanted: NewTable | null): Promise<unknown> {
    try {
      const found = (await this.#parts.keeper.get("tables", id)) ?? undefined;
      if (found !== undefined || wanted) return found;
      this.#end("table.unknown", "there is no such game in this browser");
    } catch (error) {
      if (wanted) return undefined;
      this.#end("local.unreadable", String(error));
    }
    return null;
  }

  #restored(id: string, found: unknown, wanted: NewTable | null): LocalTable | null {
    const { engine } = this.#parts;
    try {
      const saved = found === undefined ? opened(id, wanted!, this.#now()) : checkedTable(found);
      return new LocalTable(engine, saved, () => this.#now());
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error; // the module cannot be trusted any longer
      const why = error instanceof Damaged ? error.message : String(error);
      this.#end("local.damaged", why, JSON.stringify(found, null, 1) ?? "");
      return null;
    }
  }

  /** Alone, one looks at the own cards at once; people who share a device say first who looks. */
  #first(): Audience {
    const { people } = this.#table!;
    return { seat: people[0] ?? null, open: people.length === 1 };
  }

  #looking(seat: number, open: boolean): Audience {
    return this.#table!.people.includes(seat) ? { seat, open } : this.#audience;
  }

  #end(code: Trouble, message: string, text = ""): void {
    this.#parts.post({ type: "Ended", code, message, text });
  }

  #show(): void {
    this.#parts.post(this.#table!.snapshot(this.#audience));
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }

  // ── Commands ───────────────────────────────────────────────────────────────────────────────

  async #do(command: ClientCommand, id: string): Promise<void> {
    const [table, seat] = [this.#table!, this.#audience.seat];
    try {
      if (seat === null) throw new TableRefusal("table.not_seated", "you have no seat at this table");
      if (command.type === "AskUndo") this.#thinking?.abort();
      await this.#tell(table.do(command, seat, id));
      if (this.#closed.signal.aborted) return;
      this.#parts.post({ type: "Done", id, version: table.saved.version });
    } catch (error) {
      if (!(error instanceof TableRefusal)) throw error;
      const { code, clause, message } = error;
      this.#parts.post({ type: "Refused", id, code, clause, message, retry_ms: null });
    }
    this.#play();
  }

  /** Keep what happened, then tell. */
  async #tell(steps: readonly Step[]): Promise<void> {
    await this.#keep(steps);
    if (this.#closed.signal.aborted) return;
    for (const step of steps) this.#parts.post(this.#frame(step));
  }

  #frame(step: Step): Frame {
    return this.#table!.frame(step, this.#audience);
  }

  async #keep(steps: readonly Step[]): Promise<void> {
    if (!steps.length) return;
    const { saved, finished } = this.#table!;
    const entries: Entry[] = [{ shelf: "tables", key: saved.id, value: saved }];
    if (finished && !saved.again && steps.some(({ news }) => news.some((one) => one.type === "GameOver"))) {
      const cats = saved.seats.map((who) => (who.kind === "person" ? (who.cat ?? "") : ""));
      const game = { ...finished, cats, id: saved.id, game: saved.game, at: saved.at };
      entries.push({ shelf: "finished", key: `${saved.id}.${saved.game}`, value: game });
    }
    const dailyOne = steps.some(isStage) && dailyTry(this.#parts.engine, saved);
    if (dailyOne) entries.push({ shelf: "daily", key: saved.id, value: dailyOne });
    const kept = await this.#parts.keeper.put(entries).catch((error: unknown) => this.#overtaken(error));
    if (this.#closed.signal.aborted) return;
    if (kept !== this.#kept) this.#parts.post({ type: "Kept", kept });
    this.#kept = kept;
  }

  /** Another tab plays on with this game, in a browser without locks: it ends here. */
  #overtaken(error: unknown): false {
    if (!(error instanceof WrittenElsewhere)) throw error;
    this.#end("local.elsewhere", "another tab has gone on with this game");
    this.close();
    return false;
  }

  // ── Hints ──────────────────────────────────────────────────────────────────────────────────

  /** Tell what the coach would do, for as long as nothing happens. */
  #hint(id: string): void {
    const { advise, post } = this.#parts;
    const sight = this.#sight();
    if (!advise || !sight) return post({ type: "Hint", id, found: null, last: true });
    const { signal } = (this.#hinting = new AbortController());
    advise(sight, signal, (found, last) => {
      if (!signal.aborted) post({ type: "Hint", id, found, last });
    }).catch((error: unknown) => {
      if (!signal.aborted) reportError(error);
    });
  }

  /** Not in the deal of a day, where everybody is alone; and against people only if all of them have agreed. */
  #hasHints(): boolean {
    const { people, saved } = this.#table!;
    return this.#parts.advise !== undefined && !saved.daily && (people.length === 1 || saved.hints === true);
  }

  /** What the seat may know that asks; null if there are no hints for it now. */
  #sight(): Sight | null {
    const [table, { seat, open }] = [this.#table!, this.#audience];
    if (seat === null || !open || !this.#hasHints()) return null;
    const isDue = table.stage === "play" && table.round!.toAct.includes(seat);
    return isDue ? sightOf(table, seat) : null;
  }

  // ── Bots ───────────────────────────────────────────────────────────────────────────────────

  /** Let bots move as long as some are to, unless they do so already. */
  #play(): void {
    if (this.#thinking && !this.#thinking.signal.aborted) return;
    if (this.#closed.signal.aborted || !this.#table?.botsDue.length) return;
    const thinking = (this.#thinking = new AbortController());
    void this.#moves(thinking.signal)
      .catch((error: unknown) => {
        if (!thinking.signal.aborted) reportError(error);
      })
      .finally(() => {
        if (this.#thinking === thinking) this.#thinking = null;
      });
  }

  async #moves(signal: AbortSignal): Promise<void> {
    const table = this.#table!;
    for (let due = table.botsDue[0]; due; due = table.botsDue[0]) {
      const { turn } = table.saved;
      const pace = (this.#parts.pause ?? pause)(this.#pace, signal);
      const action = await this.#parts.choose(sightOf(table, due.seat), due.level, signal);
      this.#sayHowStrong();
      await pace;
      signal.throwIfAborted();
      const command = { type: "Act", action: notationOf(action), turn } as const;
      this.#queue = this.#queue.then(() => this.#move(command, due.seat, signal));
      await this.#queue;
    }
  }

  /** Tell the page when a bot begins to do without its network, and when it has it. */
  #sayHowStrong(): void {
    const weaker = this.#parts.isWeaker?.() ?? false;
    if (weaker !== this.#weaker) this.#parts.post({ type: "Weaker", weaker });
    this.#weaker = weaker;
  }

  /** Make a bot's move, unless something has changed since it was asked. */
  async #move(command: ClientCommand & { type: "Act" }, seat: number, signal: AbortSignal): Promise<void> {
    const table = this.#table!;
    const due = table.botsDue.some((one) => one.seat === seat) && table.saved.turn === command.turn;
    if (due && !signal.aborted) await this.#tell(table.do(command, seat));
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
