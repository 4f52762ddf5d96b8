// The real server as a process of its own: started on a port that is free, killed, started again.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PYTHON = process.env.CATINTHEBOX_PYTHON ?? "python3";
const OPEN = /The box is open: (\S+)/;
const START_MS = 60_000;
// Bots move at once: a test waits for nobody.
const OPTIONS = ["--host", "127.0.0.1", "--no-open", "--bot-pace", "0", "--bot-processes", "0"];

export class Server {
  #folder = mkdtempSync(join(tmpdir(), "catinthebox-e2e-"));
  #process = null;
  #said = "";
  base = "";

  /** Start, on the port of the last time if there was one, with the games that are there. */
  async start() {
    const port = this.base ? new URL(this.base).port : "0";
    const words = ["-m", "catinthebox", "serve", "--port", port, "--db", join(this.#folder, "games.db")];
    const child = spawn(PYTHON, [...words, ...OPTIONS], { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    this.#said = "";
    this.base = await new Promise((resolve, reject) => {
      const hear = (part) => {
        this.#said += part;
        const open = OPEN.exec(this.#said);
        if (open) resolve(open[1].replace(/\/$/, ""));
      };
      child.stdout.setEncoding("utf8").on("data", hear);
      child.stderr.setEncoding("utf8").on("data", hear);
      child.once("exit", () => reject(new Error(`the server did not start:\n${this.#said}`)));
      child.once("error", reject);
      setTimeout(() => reject(new Error(`the server is too slow:\n${this.#said}`)), START_MS).unref();
    });
    return this.base;
  }

  /** End without a word, as when a plug is pulled. */
  async kill() {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  /** End for good, and leave nothing behind. */
  async close() {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What the server has printed lately, for whoever looks for a reason. */
  get said() {
    return this.#said.slice(-4000);
  }
}
