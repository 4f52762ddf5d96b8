/** Long work in slices: between two of them the worker hears its messages, so it can be told to stop. */

export const SLICE_MS = 1;

/** Resolve after the messages that are waiting now. A timeout would wait four milliseconds more. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
