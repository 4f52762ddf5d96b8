/** Local tables over ports: each port has one table, and a browser plays each table in one tab. */

import type { Engine } from "../module";
import { Bots } from "./bots";
import { Hints } from "./hints";
import { TableHost } from "./host";
import { BrowserKeeper } from "./keep";
import type { ToTable } from "./ports";

const keeper = new BrowserKeeper();
let bots: Bots | null = null;
let hints: Hints | null = null;

/** Take over a port that a page has connected. */
export function serveTable(engine: Engine, port: MessagePort): void {
  const all = (bots ??= new Bots(engine));
  const host = new TableHost({
    ...{ engine, keeper, hold, choose: all.choose, isWeaker: () => all.isWeaker },
    advise: (...asked) => (hints ??= new Hints(engine)).advise(...asked),
    post: (message) => port.postMessage(message),
  });
  port.onmessage = ({ data }: MessageEvent<ToTable | { readonly type: "Close" }>) => {
    if (data.type === "Close") {
      host.close();
      port.close();
    } else host.hear(data).catch((error: unknown) => reportError(error)); // the page replaces this worker
  };
}

/** A page that is loaded again gets its lock back when its last worker is gone. */
const WAIT_MS = 1_500;

/**
 * Hold a lock until the signal is aborted, or the worker ends. A browser has no locks on pages without
 * https; there the first tab to move goes on, and the others end when they find that out.
 */
function hold(id: string, until: AbortSignal): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const held = (): Promise<void> => {
      resolve(!until.aborted);
      if (until.aborted) return Promise.resolve(); // the page did not wait
      return new Promise((release) => until.addEventListener("abort", () => release(), { once: true }));
    };
    const signal = AbortSignal.timeout(WAIT_MS);
    locks.request(`catinthebox ${id}`, { signal }, held).catch(() => resolve(false));
  });
}
