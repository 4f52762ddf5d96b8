/**
 * One table, live. Messages come in, `reduce` makes the state of them, everything else is derived.
 * Frames wait while a trick that was just won is looked at; any wish of the player lets them go.
 */

import { motion } from "../lib/motion.svelte";
import type { Action, Rank, Scene } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import type { Asked, Done, Frame, FromServer, Refused, Spoken } from "../lib/wire";
import { m } from "../paraglide/messages.js";
import { Connection, type LineState } from "../net/connection";
import { socketUrl } from "../net/http";
import { linger, lingering, type Lingering } from "./linger";
import { named } from "./names";
import { refusalWords } from "./refusals";
import { drawable, reduce, type TableState } from "./state";
import { told } from "./told";

export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** How long a trick is looked at before the next card comes. */
const LOOK_MS = { slow: 2200, normal: 1300, fast: 650, off: 450 } as const;
const SWEEP_MS = 260;
const TOAST_MS = 5_000;

export class TableStore {
  readonly id: string;
  readonly token: string;
  state = $state.raw<TableState | null>(null);
  line = $state.raw<LineState>({ kind: "connecting" });
  /** The card chosen in the hand. */
  selected = $state<Rank | null>(null);
  /** A command that is on its way. */
  pending = $state.raw<Asked | null>(null);
  /** What just happened, in words. */
  news = $state("");
  toasts = $state.raw<readonly Toast[]>([]);
  /** The last thing somebody said, to be shown for a moment. */
  spoken = $state.raw<Spoken | null>(null);
  /** The server's clock minus ours, in milliseconds. */
  skew = $state(0);
  /** Hears of everything that happens, as it is shown. */
  onframe: ((frame: Frame, state: TableState) => void) | null = null;

  #trick = $state.raw<Lingering | null>(null);
  #queue: Frame[] = [];
  #look: ReturnType<typeof setTimeout> | undefined;
  /** A trick is being looked at, or swept: frames wait. */
  #holding = false;
  #toasted = 0;
  #asked = false;
  readonly #connection: Connection;

  readonly scene: Scene | null = $derived.by(() => {
    const table = drawable(this.state);
    return table && linger(sceneOf(named(table)), this.#trick);
  });

  constructor(id: string, token: string) {
    this.id = id;
    this.token = token;
    this.#connection = new Connection({
      url: socketUrl(id),
      token,
      version: () => this.#known,
      onmessage: (message) => this.#hear(message),
      onstate: (line) => (this.line = line),
    });
  }

  open(): void {
    this.#connection.start();
  }

  close(): void {
    clearTimeout(this.#look);
    this.#connection.close();
  }

  wake(): void {
    this.#connection.wake();
  }

  // ── Wishes ──────────────────────────────────────────────────────────────────────────────────

  /** Discard, bid or play; a second tap while the first is on its way does nothing. */
  async act(action: Action): Promise<void> {
    this.hurry();
    if (this.pending?.type === "Act" || !this.state) return;
    await this.do({ type: "Act", action, turn: this.state.turn.turn });
  }

  /** Ask for something, and say why if it is refused. */
  async do(command: Asked): Promise<Done | Refused> {
    this.pending = command;
    const answer = await this.#connection.do(command);
    if (this.pending === command) this.pending = null;
    if (answer.type === "Refused") this.toast(refusalWords(answer));
    return answer;
  }

  toast(text: string): void {
    const toast = { id: (this.#toasted += 1), text };
    this.toasts = [...this.toasts.filter((one) => one.text !== text), toast].slice(-3);
    setTimeout(() => this.dismiss(toast.id), TOAST_MS);
  }

  dismiss(id: number): void {
    this.toasts = this.toasts.filter((one) => one.id !== id);
  }

  /** Look at nothing any longer: show everything that has happened. */
  hurry(): void {
    this.#release();
    for (const frame of this.#queue.splice(0)) this.#take(frame);
  }

  // ── Messages ────────────────────────────────────────────────────────────────────────────────

  /** The last version that has arrived, shown or not. */
  get #known(): number | null {
    return this.#queue.at(-1)?.version ?? this.state?.version ?? null;
  }

  #hear(message: FromServer): void {
    if (message.type === "Frame") this.#arrive(message);
    else if (message.type === "Snapshot") this.#show(message);
    if (message.type === "Frame" || message.type === "Beat") this.#setClock(message.at);
  }

  #show(snapshot: Extract<FromServer, { type: "Snapshot" }>): void {
    this.#release();
    this.#queue = [];
    this.#asked = false;
    this.state = reduce(this.state, snapshot);
  }

  #arrive(frame: Frame): void {
    const known = this.#known;
    if (known !== null && frame.version <= known) return;
    if (document.hidden) this.hurry(); // nobody is looking
    if (known === null || frame.version > known + 1) this.#askForAll();
    else if (this.#holding) this.#queue.push(frame);
    else this.#take(frame);
  }

  /** A gap: ask once, and wait for the answer. */
  #askForAll(): void {
    if (!this.#asked) this.#connection.resync();
    this.#asked = true;
  }

  /** The one way in for a frame. */
  #take(frame: Frame): void {
    this.#release();
    this.state = reduce(this.state, frame);
    if (!this.state) return;
    this.#say(frame, this.state);
    this.#trick = lingering(frame, this.state.round?.last_trick ?? []);
    this.#holding = this.#trick !== null;
    if (this.#trick) this.#look = setTimeout(() => this.#sweep(), LOOK_MS[motion.speed]);
    this.onframe?.(frame, this.state);
  }

  /** The trick goes; what has come meanwhile follows once it is gone. */
  #sweep(): void {
    this.#trick = null;
    this.#look = setTimeout(() => this.#goOn(), SWEEP_MS);
  }

  #goOn(): void {
    this.#holding = false;
    while (this.#queue.length && !this.#holding) this.#take(this.#queue.shift()!);
  }

  #release(): void {
    clearTimeout(this.#look);
    this.#trick = null;
    this.#holding = false;
  }

  #say(frame: Frame, state: TableState): void {
    const words = frame.news.map((news) => told(state, news)).filter(Boolean);
    const mine = state.seat !== null && state.turn.to_act.includes(state.seat);
    if (words.length) this.news = words.join(" ");
    if (mine && frame.own && state.room.stage === "play") this.news += ` ${m.net_told_your_turn()}`;
    for (const news of frame.news) if (news.type === "Spoken") this.spoken = news;
  }

  /** Messages arrive late, never early: the largest difference is nearest to the truth. */
  #setClock(at: number): void {
    const skew = at - Date.now();
    if (this.skew === 0 || skew > this.skew) this.skew = skew;
  }
}
