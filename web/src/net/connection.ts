/**
 * A connection to a table that does not give up: it comes back by itself, asks for what it missed, and
 * repeats every command until it is answered. Commands have ids, so nothing is done twice.
 */

import type { ClientCommand, Bye, Done, FromClient, FromServer, Refused } from "../lib/wire";
import { pause } from "./pause";
import { freshId } from "./token";

export type LineState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "lost"; readonly attempt: number }
  | { readonly kind: "closed"; readonly code: string; readonly message: string };

/** What a table store needs of a connection: to a server, or to a table in this page (`local.ts`). */
export interface TableConnection {
  start(): void;
  close(): void;
  do(command: ClientCommand): Promise<Done | Refused>;
  /** Ask for everything again. */
  resync(): void;
  /** Somebody looks at the page again: do not wait any longer. */
  wake(): void;
  /** The browser says that there is no network. */
  offline(): void;
}

/** What a connection tells a store. */
export interface ConnectionEvents {
  /** The last version seen, if any: what came after it is sent again. */
  readonly version: () => number | null;
  readonly onmessage: (message: FromServer) => void;
  readonly onstate: (state: LineState) => void;
}

/** As much of a WebSocket as is needed; tests bring their own. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: string }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

interface ConnectionOptions extends ConnectionEvents {
  readonly url: string;
  readonly token: string;
  readonly open?: (url: string) => SocketLike;
}

interface Waiting {
  readonly id: string;
  readonly command: ClientCommand;
  readonly answer: (answer: Done | Refused) => void;
  tries: number;
  sentAt: number;
}

/** These ends are for good: trying again would be answered the same. */
const FINAL = new Set([
  "table.unknown",
  "table.damaged",
  "table.no_spectators",
  "input.token",
  "input.hello",
]);
/** The server ended an unused connection; it is opened again when somebody comes back. */
const IDLE = "line.idle";
const TRIES = 6;
const LOOK_MS = 2_000; // how often the connection is checked
const QUIET_MS = 26_000; // the server beats every 20 s; past this it is asked
const DEAD_MS = 36_000; // and past this it is gone
const GREET_MS = 8_000; // an attempt that is not answered by then never will be
const ANSWER_MS = 8_000; // a command without an answer is sent again

export class Connection implements TableConnection {
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<string, Waiting>();
  #socket: SocketLike | null = null;
  #state: LineState = { kind: "connecting" };
  #attempt = 0;
  #heardAt = 0;
  #bye: Bye | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #look: ReturnType<typeof setInterval> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look = setInterval(() => this.#lookAfter(), LOOK_MS);
    this.#open();
  }

  /** Close the connection; what waits is left unanswered. */
  close(): void {
    clearTimeout(this.#retry);
    clearInterval(this.#look);
    this.#drop();
  }

  /** Ask for something. The promise is kept as soon as the server has answered, however late. */
  do(command: ClientCommand): Promise<Done | Refused> {
    return new Promise((answer) => {
      const waiting: Waiting = { id: freshId(), command, answer, tries: 0, sentAt: 0 };
      this.#waiting.set(waiting.id, waiting);
      if (this.#state.kind === "live") this.#sendCommand(waiting);
      else this.wake();
    });
  }

  /** Ask for everything again: something is missing. */
  resync(): void {
    this.#send({ type: "Resync" });
  }

  /** The network is back, or somebody looks at the page again: do not wait any longer. */
  wake(): void {
    const { kind } = this.#state;
    const idle = this.#state.kind === "closed" && this.#state.code === IDLE;
    const quiet = Date.now() - this.#heardAt > LOOK_MS;
    const trying = kind !== "live" && this.#socket !== null;
    if (trying ? quiet : kind === "lost" || idle) {
      this.#attempt = 0;
      this.#open();
    } else if (kind === "live" && quiet) {
      this.#send({ type: "Ping" });
      const asked = this.#socket;
      const before = this.#heardAt;
      setTimeout(() => {
        if (this.#socket === asked && this.#heardAt === before) this.#lost();
      }, 3 * LOOK_MS);
    }
  }

  /** The browser says that there is no network: whatever is open is dead, though nobody was told so. */
  offline(): void {
    if (this.#state.kind === "live") this.#lost();
  }

  // ── One socket ──────────────────────────────────────────────────────────────────────────────

  #open(): void {
    clearTimeout(this.#retry);
    this.#drop();
    this.#bye = null;
    this.#heardAt = Date.now();
    if (this.#attempt === 0) this.#become({ kind: "connecting" });
    const open = this.#options.open ?? ((url) => new WebSocket(url) as unknown as SocketLike);
    const socket = open(this.#options.url);
    this.#socket = socket;
    socket.onopen = () =>
      this.#send({ type: "Hello", token: this.#options.token, version: this.#options.version() });
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data) as FromServer);
    socket.onclose = () => this.#lost();
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #send(message: FromClient): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #receive(message: FromServer): void {
    this.#heardAt = Date.now();
    if (message.type === "Bye") {
      this.#bye = message;
      return;
    }
    this.#options.onmessage(message);
    if (this.#state.kind !== "live") this.#live();
    if (message.type === "Done" || message.type === "Refused") this.#answered(message);
  }

  #live(): void {
    this.#attempt = 0;
    this.#become({ kind: "live" });
    for (const waiting of this.#waiting.values()) this.#sendCommand(waiting);
  }

  /** The connection is lost: for good, or until the next attempt. */
  #lost(): void {
    this.#drop();
    const bye = this.#bye;
    if (bye && (FINAL.has(bye.code) || bye.code === IDLE)) {
      this.#become({ kind: "closed", code: bye.code, message: bye.message });
      for (const { id, answer } of this.#waiting.values()) {
        answer({ type: "Refused", id, code: bye.code, clause: "", message: bye.message, retry_ms: null });
      }
      this.#waiting.clear();
      return;
    }
    this.#attempt += 1;
    this.#become({ kind: "lost", attempt: this.#attempt });
    this.#retry = setTimeout(() => this.#open(), pause(this.#attempt, Math.random()));
  }

  #become(state: LineState): void {
    if (state.kind === this.#state.kind && state.kind !== "lost") return;
    this.#state = state;
    this.#options.onstate(state);
  }

  // ── Commands ────────────────────────────────────────────────────────────────────────────────

  #sendCommand(waiting: Waiting): void {
    waiting.tries += 1;
    waiting.sentAt = Date.now();
    this.#send({ type: "Do", id: waiting.id, command: waiting.command });
  }

  #answered(answer: Done | Refused): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    // Some refusals are about the moment, not about the command: the server says how long to wait.
    if (answer.type === "Refused" && answer.retry_ms !== null && waiting.tries < TRIES) {
      setTimeout(() => this.#again(waiting), Math.max(answer.retry_ms, pause(waiting.tries, 0.5)));
      return;
    }
    this.#waiting.delete(answer.id);
    waiting.answer(answer);
  }

  #again(waiting: Waiting): void {
    if (this.#state.kind === "live" && this.#waiting.has(waiting.id)) this.#sendCommand(waiting);
  }

  #lookAfter(): void {
    const silent = Date.now() - this.#heardAt;
    if (this.#state.kind !== "live") {
      if (this.#socket && silent >= GREET_MS) this.#lost(); // swallowed on its way, or a server that hangs
      return;
    }
    if (silent > DEAD_MS) this.#lost();
    else if (silent > QUIET_MS) this.#send({ type: "Ping" });
    for (const waiting of this.#waiting.values()) {
      if (Date.now() - waiting.sentAt > ANSWER_MS) this.#again(waiting);
    }
  }
}
