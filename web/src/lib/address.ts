/**
 * Paths of the client (`/learn`, `/g/KEY`) and their addresses in the browser. On a server of ours they
 * are the same. A site from `make site` may be in any folder of a host that knows no paths but those of
 * its files: there every first part of a path is a folder with a page, and the rest is the query
 * (`/cats/g/?KEY`), so that any address can be opened, loaded again and passed on.
 */

/** Built by `make site`: files on any static host, where no server answers. */
export const SERVERLESS = import.meta.env.MODE === "site";

/** The folder of the client, with a slash at its end. Scripts are in a folder inside it. */
export const HOME = SERVERLESS ? folderAbove(import.meta.url) : "/";

/** The folder that has the folder of a file; without the host. */
export function folderAbove(url: string): string {
  return new URL(url).pathname.replace(/[^/]*\/[^/]*$/, "");
}

/** Where a file of the client is; `name` has no slash at its start. */
export const fileAt = (name: string): string => HOME + name;

/** The address of a path of the client; a hash stays. */
export const addressOf = (path: string): string => (SERVERLESS ? siteAddress(HOME, path) : path);

/** The path of the client that an address means. */
export const pathOf = (url: Pick<URL, "pathname" | "search">): string =>
  SERVERLESS ? sitePath(HOME, url) : url.pathname;

/** The same for a site in a folder. */
export function siteAddress(home: string, path: string): string {
  const [, first = "", rest = "", hash = ""] = /^\/([^/#]*)\/?([^#]*)(#.*)?$/.exec(path) ?? [];
  return home + (first && `${first}/`) + (rest && `?${rest}`) + hash;
}

/** And back. What somebody else has added to the query (`?from=mail`, `?KEY&from=mail`) means nothing. */
export function sitePath(home: string, { pathname, search }: Pick<URL, "pathname" | "search">): string {
  if (!pathname.startsWith(home)) return pathname === home.slice(0, -1) ? "/" : "/?";
  const folder = pathname.slice(home.length).replace(/\/?(index\.html)?$/, "");
  const rest = /^\?([\w.-]+)=?(?:&|$)/.exec(search)?.[1] ?? "";
  return folder && rest ? `/${folder}/${rest}` : `/${folder}`;
}
