/** A connection to a table in this page: its game runs in the engine's worker (`engine/table`). */

import { EngineMissing, type EngineClient } from "../engine/client";
import type { FromTable, ToTable } from "../engine/table/ports";
import type { NewTable } from "../engine/table/saved";
import type { ClientCommand, Done, Refused } from "../lib/wire";
import type { ConnectionEvents, LineState, TableConnection } from "./connection";
import { freshId } from "./token";

interface LocalOptions extends ConnectionEvents {
  readonly id: string;
  /** What to begin, if there is no such table yet. */
  readonly wanted: NewTable | null;
  /** Whether the game is kept in this browser. */
  readonly onkept: (kept: boolean) => void;
  /** Whether bots play weaker than their level. */
  readonly onweaker: (weaker: boolean) => void;
  /** Whether the table has hints; told before it is shown. */
  readonly onhints: (offered: boolean) => void;
  readonly onhint: (hint: HintTold) => void;
  /** What was kept of a damaged game, to be exported. */
  readonly ondamaged: (text: string) => void;
}

/** What the table says about the hint that was asked for last. */
export type HintTold = Extract<FromTable, { type: "Hint" }>;

const DEATHS = 3; // workers in a row that showed the table and died before anything happened there

type Waiting = { readonly command: ClientCommand; readonly answer: (answer: Done | Refused) => void };

export class LocalConnection implements TableConnection {
  readonly #engine: Pick<EngineClient, "connect">;
  readonly #options: LocalOptions;
  readonly #waiting = new Map<string, Waiting>();
  #port: MessagePort | null = null;
  #look: Extract<ToTable, { type: "Look" }> | null = null;
  #pace: Extract<ToTable, { type: "Pace" }> | null = null;
  #hint: string | null = null;
  #leave: (() => void) | null = null;
  /** What to begin; null once the game has begun, or a worker that knows nothing would deal again. */
  #wanted: NewTable | null;
  #isShown = false;
  #deaths = 0;

  constructor(engine: Pick<EngineClient, "connect">, options: LocalOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#wanted = options.wanted;
  }

  start(): void {
    this.#options.onstate({ kind: "connecting" });
    this.#open();
  }

  close(): void {
    this.#port?.postMessage({ type: "Close" });
    this.#drop();
  }

  do(command: ClientCommand): Promise<Done | Refused> {
    return new Promise((answer) => {
      const id = freshId();
      this.#waiting.set(id, { command, answer });
      this.#send({ type: "Do", id, command });
    });
  }

  resync(): void {
    this.#send({ type: "Resync" });
  }

  /** A worker does not sleep while its page does, and one that died has been replaced. */
  wake(): void {}

  /** It needs no network. */
  offline(): void {}

  /** Hand the device to another seat: its cards are shown, or covered for the moment. */
  look(seat: number, open: boolean): void {
    this.#look = { type: "Look", seat, open };
    this.#send(this.#look);
  }

  /** How long a bot's move takes at least. */
  pace(ms: number): void {
    this.#pace = { type: "Pace", ms };
    this.#send(this.#pace);
  }

  /** Ask what the coach would do. The answer comes in several messages; older questions are not answered any more. */
  askHint(): void {
    this.#hint = freshId();
    this.#send({ type: "AskHint", id: this.#hint });
  }

  endHint(): void {
    this.#hint = null;
    this.#send({ type: "EndHint" });
  }

  // ── One worker ──────────────────────────────────────────────────────────────────────────────

  #open(): void {
    this.#isShown = false;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<FromTable>) => this.#receive(data);
    try {
      this.#leave = this.#engine.connect(port2, () => this.#lost());
    } catch (error) {
      this.#ended(error instanceof EngineMissing ? `engine.${error.lack}` : "engine.load", String(error));
      return;
    }
    this.#port = port1;
    if (this.#pace) this.#send(this.#pace);
    this.#send({ type: "Open", id: this.#options.id, wanted: this.#wanted });
    if (this.#look) this.#send(this.#look);
  }

  /** The worker is gone. Another one goes on with what was kept; what was asked of the old one is lost. */
  #lost(): void {
    if (this.#isShown) this.#deaths += 1;
    if (this.#deaths >= DEATHS) return this.#ended("engine.lost", "the engine stops again and again");
    this.#drop();
    if (this.#hint) this.#told({ type: "Hint", id: this.#hint, found: null, last: true });
    this.#options.onstate({ kind: "lost", attempt: 1 });
    this.#refuseAll("engine.lost", "the engine had to be started again");
    this.#open();
  }

  #drop(): void {
    this.#leave?.();
    this.#leave = null;
    this.#port?.close();
    this.#port = null;
  }

  #send(message: ToTable): void {
    this.#port?.postMessage(message);
  }

  #receive(message: FromTable): void {
    if (message.type === "Kept") this.#options.onkept(message.kept);
    else if (message.type === "Weaker") this.#options.onweaker(message.weaker);
    else if (message.type === "Hints") this.#options.onhints(message.offered);
    else if (message.type === "Hint") this.#told(message);
    else if (message.type === "Ended") this.#end(message);
    else {
      this.#options.onmessage(message);
      if (message.type === "Snapshot") this.#begun();
      if (message.type === "Done" || message.type === "Frame") this.#deaths = 0;
      if (message.type === "Done" || message.type === "Refused") this.#answered(message);
    }
  }

  #told(hint: HintTold): void {
    if (hint.id !== this.#hint) return;
    if (hint.last) this.#hint = null;
    this.#options.onhint(hint);
  }

  #begun(): void {
    this.#wanted = null;
    this.#isShown = true;
    this.#options.onstate({ kind: "live" });
  }

  #answered(answer: Done | Refused): void {
    this.#waiting.get(answer.id)?.answer(answer);
    this.#waiting.delete(answer.id);
  }

  #end({ code, message, text }: Extract<FromTable, { type: "Ended" }>): void {
    if (code === "local.damaged") this.#options.ondamaged(text);
    this.#ended(code, message);
  }

  #ended(code: string, message: string): void {
    const closed: LineState = { kind: "closed", code, message };
    this.#drop();
    this.#options.onstate(closed);
    this.#refuseAll(code, message);
  }

  #refuseAll(code: string, message: string): void {
    for (const [id, { answer }] of this.#waiting) {
      answer({ type: "Refused", id, code, clause: "", message, retry_ms: null });
    }
    this.#waiting.clear();
  }
}
