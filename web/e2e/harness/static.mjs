// A host that has nothing but files, in a folder of its address: no rewriting, no server of ours.
import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};
// As docs/site.md recommends it.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' http: https:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types svelte-trusted-html catinthebox",
].join("; ");

/** Serve a folder under a path (`/cats/`), on a port that is free. */
export async function serveFiles(folder, path = "/") {
  /** What was asked for and is not there. */
  const missing = [];
  /** How the content of a file is changed, by its name: another version was put there. */
  const changes = new Map();
  const server = createServer((request, response) => {
    void answer(request.url).then(([status, headers, body]) => {
      if (status === 404) missing.push(request.url);
      response.writeHead(status, { ...headers, "Content-Security-Policy": POLICY }).end(body);
    });
  });

  async function answer(url) {
    const { pathname, search } = new URL(url, "http://host");
    if (!pathname.startsWith(path)) return [404, {}, "nothing here"];
    const name = normalize(decodeURIComponent(pathname.slice(path.length)) || ".");
    const file = join(folder, name.startsWith("..") ? "." : name);
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory() && !pathname.endsWith("/"))
      return [301, { Location: `${pathname}/${search}` }, ""];
    const page = found?.isDirectory() ? join(file, "index.html") : file;
    const body = await readFile(page).catch(() => null);
    if (!body) return [404, {}, "nothing here"];
    const change = changes.get(name);
    const sent = change ? change(body.toString()) : body;
    return [200, { "Content-Type": TYPES[extname(page)] ?? "text/plain", "Cache-Control": "no-cache" }, sent];
  }

  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    base: `http://127.0.0.1:${server.address().port}${path}`,
    missing,
    changes,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
