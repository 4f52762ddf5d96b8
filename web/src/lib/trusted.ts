/** The server lets no text become a script unless this one policy says so: the workers of this client. */

import { fileAt } from "./address";

interface Policy {
  createScriptURL(url: string): string;
}

interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

/** The service worker. */
export const KEEPER = fileAt("sw.js");
let policy: Policy | null | undefined;

/** Whether a script is a file of this client: the service worker, or a built asset of this origin. */
function ours(wanted: string): boolean {
  if (wanted === KEEPER) return true;
  const { origin, pathname } = new URL(wanted, location.href);
  return origin === location.origin && (import.meta.env.DEV || pathname.includes("/assets/"));
}

/** Return the address of a worker as the browser wants it. */
export function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  policy ??= trustedTypes?.createPolicy("catinthebox", {
    createScriptURL: (wanted) => {
      if (!ours(wanted)) throw new TypeError(`${wanted} is no script of this client`);
      return wanted;
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
