/** Keeping the screen on while a game is played: nobody wants to unlock a phone before every card. */

/** As much of the browser as is needed; tests bring their own. */
interface Screen {
  readonly wakeLock?: { request(type: "screen"): Promise<Lock> };
}
interface Lock {
  release(): Promise<void>;
}

/** Keep the screen on until the answer is called. Browsers take the lock away while a page is out of sight. */
export function keepAwake(page: Document = document, { wakeLock }: Screen = navigator as Screen): () => void {
  let lock: Lock | null = null;
  let over = false;

  async function hold(): Promise<void> {
    if (over || page.hidden || !wakeLock) return;
    try {
      const held = await wakeLock.request("screen");
      const former = over ? held : lock; // two requests may overlap: only the latest lock is held
      if (!over) lock = held;
      await former?.release();
    } catch {
      // A low battery, or a policy; then the screen goes dark as ever.
    }
  }
  const again = (): void => void hold();

  page.addEventListener("visibilitychange", again);
  void hold();
  return () => {
    over = true;
    page.removeEventListener("visibilitychange", again);
    void lock?.release().catch(() => undefined);
  };
}
