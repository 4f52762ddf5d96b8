/**
 * Servers elsewhere. A site without a server sends people to the page of another one: pages may not use
 * a server of another origin, and nothing of this browser (names, tokens, games) is sent there.
 */

import { pathOfLink } from "../lib/router";

/** What a look at an address has shown; `silent`: nothing that a page of another origin may read. */
export type Found = "server" | "other" | "silent" | "mixed" | "offline";

const SCHEMES = ["http:", "https:"];
const HERE = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const NEAR = /^[\d.]+$|^\[|^[^.]+$|\.local$/; // addresses, and names without a dot or of this network
const PATIENCE_MS = 8_000;

/**
 * The address that somebody means: of a server, or of a table there. A name alone has `https`; an
 * address in the local network, or anything with a port, most likely not.
 */
export function serverAddress(text: string): URL | null {
  const words = text.trim();
  if (!words || /\s/.test(words)) return null;
  const full = /^\w[\w+.-]*:\/\//.test(words) ? words : `http://${words}`;
  const address = urlOf(full);
  if (!address || !SCHEMES.includes(address.protocol) || address.username || address.password) return null;
  const named = words.includes("://");
  if (!named && !address.port && !NEAR.test(address.hostname) && !HERE.test(address.hostname))
    address.protocol = "https:";
  return new URL(pathOfLink(address.pathname), address.origin);
}

/** As `URL.parse`, which browsers have only had since 2024. */
function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

interface Around {
  readonly page: Pick<Location, "protocol">;
  readonly online: boolean;
  readonly fetch: typeof fetch;
}

/** Look whether a server of this game is at an address. Nothing is sent but the question. */
export async function lookAt(
  { origin, protocol, hostname }: URL,
  { page, online, fetch: ask }: Around = {
    page: location,
    online: navigator.onLine,
    fetch: (...it) => fetch(...it),
  },
): Promise<Found> {
  const here = HERE.test(hostname);
  if (!online && !here) return "offline";
  if (page.protocol === "https:" && protocol === "http:" && !here) return "mixed";
  try {
    const answer = await ask(`${origin}/api/v1/levels`, plain());
    return isLevels(await answer.json().catch(() => null)) ? "server" : "other";
  } catch {
    // No answer, or none that may be read. A server of ours hides all its answers from other origins, unless
    // it was told of this one (--origin); so anything that can be fetched without being read is none.
    const something = await ask(`${origin}/`, { ...plain(), mode: "no-cors" }).then(Boolean, () => false);
    return something ? "other" : "silent";
  }
}

const plain = (): RequestInit => ({
  credentials: "omit",
  referrerPolicy: "no-referrer",
  cache: "no-store",
  signal: AbortSignal.timeout(PATIENCE_MS),
});

const isLevels = (answer: unknown): boolean =>
  Array.isArray((answer as { levels?: unknown } | null)?.levels) && answer !== null;
