// What no page may do: complain in the console, break, or talk to anybody else than its own server.

// What a browser says by itself about how soon things came: on a busy machine the worker may begin, or a page be
// shown, in the middle of a load; and somebody may leave a page while it connects.
const HASTE =
  /cross-world service worker resource mismatch|preloaded using link preload but not used within|WebSocket is closed before the connection is established/;

export class Watch {
  #origins = new Set();
  /** Complaints that a scenario provokes itself. */
  #expected = [HASTE];
  problems = [];

  /** Pages of this host take part. */
  admit(base) {
    this.#origins.add(new URL(base).origin);
  }

  /** From now on these complaints are no news. */
  expect(...patterns) {
    this.#expected.push(...patterns);
  }

  /** Watch everything that happens in a context. */
  over(context) {
    context.on("request", (request) => this.#asked(request.url(), "request"));
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type()))
        this.#note(`console: ${message.text()} ${message.location().url}`.trim());
    });
    context.on("weberror", (error) => this.#note(`exception: ${error.error().stack ?? error.error()}`));
    context.on("page", (page) => {
      page.on("websocket", (socket) => this.#asked(socket.url().replace(/^ws/, "http"), "socket"));
      page.on("crash", () => this.#note("a page crashed"));
    });
  }

  #asked(url, what) {
    const { origin, protocol } = new URL(url);
    if (protocol === "data:" || protocol === "blob:") return;
    if (!this.#origins.has(origin)) this.#note(`a ${what} left the host: ${url}`);
  }

  #note(problem) {
    if (this.#expected.some((pattern) => pattern.test(problem))) return;
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }
}
