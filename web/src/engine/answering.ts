/** The worker's half of the conversation: it finds the handler, answers, and can be told to stop. */

import type { Engine } from "./module";
import type { FromWorker, ToWorker } from "./requests";

type AnyHandler = (engine: Engine, request: unknown, signal: AbortSignal) => unknown;

interface Parts {
  readonly engine: Promise<Engine>;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  readonly post: (message: FromWorker) => void;
  /** Take over a port that the page has connected. */
  readonly connect: (engine: Engine, port: MessagePort) => void;
  /** The module has trapped: its memory cannot be trusted any longer. */
  readonly die: (error: unknown) => void;
}

/** Return what to do with each message of the page. */
export function answering(parts: Parts): (message: ToWorker) => void {
  const running = new Map<number, AbortController>();
  return (message) => {
    if (message.type === "Ask") void answer(parts, running, message);
    else if (message.type === "Cancel") running.get(message.id)?.abort();
    else if (message.type === "Connect")
      void parts.engine.then((it) => parts.connect(it, message.port), ignore);
    else parts.post({ type: "Pong" });
  };
}

/** What went wrong was told already, as `Broken`. */
const ignore = (): void => undefined;

async function answer(
  { engine, handlers, post, die }: Parts,
  running: Map<number, AbortController>,
  { id, kind, request }: Extract<ToWorker, { type: "Ask" }>,
): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  try {
    const handler = Object.hasOwn(handlers, kind) ? handlers[kind] : undefined;
    if (!handler) throw new Error(`the engine has no handler for ${kind}`);
    post({ type: "Answer", id, answer: await handler(await engine, request, control.signal) });
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) die(error);
    else if (!control.signal.aborted) post({ type: "Failed", id, message: String(error) });
  } finally {
    running.delete(id);
  }
}
