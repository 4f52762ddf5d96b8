/**
 * One table, live. Messages come in, `reduce` makes the state of them, everything else is derived.
 * Frames wait while a trick that was just won is looked at; any wish of the player lets them go.
 */

import { Playback, type Entry } from "../ceremony/playback";
import { motion } from "../lib/motion.svelte";
import { gamePath, keptPath, reviewPath } from "../lib/router";
import type { Action, Rank, Scene } from "../lib/scene";
import { sceneOf } from "../lib/stage";
import type { ClientCommand, Done, Frame, FromServer, Links, Refused, Spoken } from "../lib/wire";
import { Connection, type ConnectionEvents, type LineState, type TableConnection } from "../net/connection";
import { linksOf, socketUrl } from "../net/http";
import { keepReplays, noteTaken } from "./games";
import { Insights } from "./insights.svelte";
import { endsTrick, linger, lingering, type Lingering } from "./linger";
import { named } from "./names";
import { refusalWords } from "./refusals";
import { settings } from "./settings.svelte";
import { atRest, drawable, reduce, type TableState } from "./state";

export interface Toast {
  readonly id: number;
  readonly text: string;
}

/** How long a trick is looked at before the next card comes. */
const LOOK_MS = { slow: 2200, normal: 1300, fast: 650, off: 450 } as const;
const SWEEP_MS = 260;
const TOAST_MS = 5_000;
/** A command that is answered sooner was never on its way, for the eye. */
const SLOW_MS = 600;
/** Nobody reads a question and answers it in less. */
const GLANCE_MS = 350;

interface StoreOptions {
  readonly watch?: boolean;
  /** How to connect to a table that is in this page; without it, the server has the table. */
  readonly local?: (events: ConnectionEvents) => TableConnection;
}

export class TableStore {
  /** What opens the table: the key of its link. */
  readonly key: string;
  /** The table is in this page: nobody else can come, and there is no link to pass on. */
  readonly local: boolean;
  readonly token: string;
  /** The link is to watch: there is no way to a seat. */
  readonly watchOnly: boolean;
  /** What may be passed on, as far as it is known. */
  links = $state.raw<Links | null>(null);
  state = $state.raw<TableState | null>(null);
  line = $state.raw<LineState>({ kind: "connecting" });
  /** The card chosen in the hand. */
  selected = $state<Rank | null>(null);
  /** A command is on its way, and takes its time. */
  slow = $state(false);
  toasts = $state.raw<readonly Toast[]>([]);
  /** The last thing somebody said, to be shown for a moment. */
  spoken = $state.raw<Spoken | null>(null);
  /** The server's clock minus ours, in milliseconds, as nearly as it is known. */
  skew = $state(0);
  /** What the rules say about the table, beside what the server tells. */
  readonly insights = new Insights();
  /** Hears of everything that happens, as it is shown. */
  onframe: ((frame: Frame, state: TableState) => void) | null = null;

  #trick = $state.raw<Lingering | null>(null);
  /** Shows frames in order; a trick that was won is held for a moment. */
  readonly #playback = new Playback();
  /** The last version that has arrived, shown or not. */
  #known: number | null = null;
  #toasted = 0;
  /** Commands on their way. */
  readonly #pending = new Set<ClientCommand>();
  /** When hurrying put another question in the place of the one that was seen. */
  #jumpedAt = -Infinity;
  /** The largest difference of the clocks on this line. */
  #nearest = -Infinity;
  #asked = false;
  readonly #connection: TableConnection;

  /** Somebody has stopped the time: nothing is asked, and nothing can be done. */
  readonly paused: boolean = $derived.by(() => {
    const { room } = this.state ?? {};
    return room?.stage === "play" && room.paused !== null;
  });

  /** A command waits for the line to come back. */
  readonly stuck: boolean = $derived.by(() => this.slow && this.line.kind !== "live");

  readonly scene: Scene | null = $derived.by(() => {
    const table = drawable(this.state);
    if (!table) return null;
    const shown = named(this.paused ? atRest(table) : table);
    return linger(sceneOf(shown, this.insights.of(table)), this.#trick);
  });

  /** The player is waited for, and can act. */
  readonly mine: boolean = $derived.by(() => {
    const { state } = this;
    if (state?.room.stage !== "play" || this.paused) return false;
    return state.seat !== null && state.turn.to_act.includes(state.seat);
  });

  /** Nothing will come any more: the connection has ended for good, or the table was closed. */
  readonly ended: boolean = $derived.by(() => {
    const { line, state } = this;
    return (line.kind === "closed" && line.code !== "line.idle") || state?.room.stage === "closed";
  });

  constructor(key: string, token: string, { watch = false, local }: StoreOptions = {}) {
    this.key = key;
    this.token = token;
    this.watchOnly = watch;
    this.local = local !== undefined;
    const events: ConnectionEvents = {
      version: () => this.#known,
      onmessage: (message) => this.#receive(message),
      onstate: (line) => this.#become(line),
    };
    this.#connection = local?.(events) ?? new Connection({ url: socketUrl(key), token, ...events });
  }

  /** Ask what may be passed on; after each game there is one link more. */
  async askLinks(): Promise<void> {
    if (this.local) return;
    this.links = await linksOf(this.key).catch(() => this.links);
    if (this.links) keepReplays(this.links);
  }

  /** Where a finished game of this table is shown. */
  replayPath(game: number): string {
    return this.local ? keptPath(`${this.key}.${game}`) : gamePath(this.replayKey(game), game);
  }

  /** Where it is reviewed; null while only the key of the table is known, which must not be passed on. */
  reviewPath(game: number): string | null {
    if (this.local) return reviewPath(`${this.key}.${game}`);
    const key = this.replayKey(game);
    return key === this.key ? null : reviewPath(key, game);
  }

  /** What opens a finished game of this table, for everybody who has it. */
  replayKey(game: number): string {
    return this.links?.replays.find((one) => one.game === game)?.key ?? this.key;
  }

  open(): void {
    this.#connection.start();
  }

  close(): void {
    this.#playback.clear();
    this.insights.stop();
    this.#connection.close();
  }

  wake(): void {
    this.#connection.wake();
  }

  /** The browser says that there is no network. */
  offline(): void {
    this.#connection.offline();
  }

  // ── Wishes ──────────────────────────────────────────────────────────────────────────────────

  /**
   * Discard, bid or play. A second tap while the first is on its way does nothing; nor does one that
   * was meant for a question which the news, shown in a hurry, have just replaced.
   */
  async act(action: Action): Promise<void> {
    this.hurry();
    const acting = [...this.#pending].some((command) => command.type === "Act");
    if (acting || !this.state || Date.now() - this.#jumpedAt < GLANCE_MS) return;
    await this.do({ type: "Act", action, turn: this.state.turn.turn });
  }

  /** Ask for something, and say why if it is refused. */
  async do(command: ClientCommand): Promise<Done | Refused> {
    this.#pending.add(command);
    const late = setTimeout(() => (this.slow = this.#pending.size > 0), SLOW_MS);
    const answer = await this.#connection.do(command);
    clearTimeout(late);
    this.#pending.delete(command);
    if (!this.#pending.size) this.slow = false;
    if (answer.type === "Refused") this.toast(refusalWords(answer));
    else if ("nonce" in command && command.nonce) noteTaken(this.state?.table ?? "", command.nonce);
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
    const seen = this.state?.turn.turn;
    this.#playback.hurry();
    if (this.state?.turn.turn !== seen) this.#jumpedAt = Date.now();
  }

  // ── Messages ────────────────────────────────────────────────────────────────────────────────

  #become(line: LineState): void {
    this.line = line;
    if (line.kind !== "live") this.#nearest = -Infinity; // a lid was closed, perhaps, or a clock set
  }

  #receive(message: FromServer): void {
    if (message.type === "Frame") this.#arrive(message);
    else if (message.type === "Snapshot") this.#show(message);
    if (message.type === "Frame" || message.type === "Beat") this.#setClock(message.at);
  }

  #show(snapshot: Extract<FromServer, { type: "Snapshot" }>): void {
    this.#playback.clear();
    this.#trick = null;
    this.#asked = false;
    this.#known = snapshot.version;
    this.state = reduce(this.state, snapshot);
    this.#explain();
    // It tells when the last thing happened, perhaps long ago: our clock is not earlier than that.
    this.skew = Math.max(this.skew, snapshot.at - Date.now());
  }

  #arrive(frame: Frame): void {
    const known = this.#known;
    if (known !== null && frame.version <= known) return;
    if (known === null || frame.version > known + 1) return this.#askForAll();
    this.#known = frame.version;
    if (document.hidden) this.hurry(); // nobody is looking
    this.#playback.add(this.#cues(frame));
  }

  /** A trick that was won is looked at, then swept; what has come meanwhile follows once it is gone. */
  #cues(frame: Frame): Entry {
    const take = (): void => this.#take(frame);
    if (!endsTrick(frame)) return [{ show: take, hold: 0 }];
    return [
      { show: take, hold: LOOK_MS[motion.speed] },
      { show: () => (this.#trick = null), hold: SWEEP_MS },
    ];
  }

  /** A gap: ask once, and wait for the answer. */
  #askForAll(): void {
    if (!this.#asked) this.#connection.resync();
    this.#asked = true;
  }

  /** The one way in for a frame. */
  #take(frame: Frame): void {
    this.state = reduce(this.state, frame);
    if (!this.state) return;
    this.#explain();
    this.#listen(frame);
    this.#trick = lingering(frame, this.state.round?.last_trick ?? []);
    this.onframe?.(frame, this.state);
  }

  /** Ask what the rules say about the table as it is now. */
  #explain(): void {
    const table = drawable(this.state);
    if (table) this.insights.ask(table);
  }

  /** Anyone who has muted the others does not hear later what was said meanwhile. */
  #listen(frame: Frame): void {
    for (const news of frame.news) if (news.type === "Spoken" && !settings.mute) this.spoken = news;
  }

  /** Messages arrive late, never early: the largest difference is nearest to the truth. */
  #setClock(at: number): void {
    this.#nearest = Math.max(this.#nearest, at - Date.now());
    this.skew = this.#nearest;
  }
}
