/** The worker: one instance of the rules, and the table of handlers that use it. */

import { answering } from "./answering";
import url from "./generated/rules.wasm?url";
import { HANDLERS } from "./handlers";
import { start, type Engine } from "./module";
import type { FromWorker, ToWorker } from "./requests";
import { serveTable } from "./table/serve";

const post = (message: FromWorker): void => postMessage(message);

/** Not streamed: a host that gives the file another media type would break it, for 48 kB. */
async function load(): Promise<Engine> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`the rules could not be loaded: ${response.status} ${response.statusText}`);
  return start(await response.arrayBuffer());
}

/** Whether WebAssembly is there and allowed in this worker, whatever the page has: the smallest module tells. */
function isAble(): boolean {
  try {
    return Boolean(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)));
  } catch {
    return false;
  }
}

post({ type: "Pong" }); // from now on, a silence means that something is wrong
const engine = load();
engine.then(
  () => post({ type: "Ready" }),
  (error: unknown) => post({ type: "Broken", lack: isAble() ? "load" : "wasm", message: String(error) }),
);

const hear = answering({
  engine,
  handlers: HANDLERS as Parameters<typeof answering>[0]["handlers"],
  post,
  connect: serveTable,
  die: (error) => reportError(error),
});
onmessage = (event: MessageEvent<ToWorker>) => hear(event.data);
