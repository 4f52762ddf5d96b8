/** Chance of the own browser: the secret that says who somebody is, and nonces for fair deals. */

const BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

const drawn = (): Uint8Array => crypto.getRandomValues(new Uint8Array(BYTES));

/** A new secret: 256 bits of chance in 43 characters of base64url. */
export function freshToken(): string {
  const text = btoa(String.fromCharCode(...drawn()));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

/** Whether a kept text can be a token. */
export const isToken = (text: string | null): text is string => text !== null && TOKEN.test(text);

/** The own part of the chance behind the deals (docs/fairness.md), in hexadecimal digits. */
export const freshNonce = (): string =>
  Array.from(drawn(), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A name for a command; sent again with it, it is not done again. */
export const freshId = (): string => freshToken().slice(0, 16);
