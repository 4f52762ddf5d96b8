// The real server as a process of its own: started on a port that is free, killed, started again.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PYTHON = process.env.CATINTHEBOX_PYTHON ?? "python3";
const OPEN = /The box is open: (\S+)/;
// Bots move at once: a test waits for nobody.
const OPTIONS = ["--host", "127.0.0.1", "--no-open", "--bot-pace", "0", "--bot-processes", "0"];

export class Server {
  #folder = mkdtempSync(join(tmpdir(), "catinthebox-e2e-"));
  #process = null;
  #said = "";
  #broken = Promise.withResolvers();
  base = "";

  constructor() {
    this.#broken.promise.catch(() => null); // handled by those who wait for it; nobody has to
  }

  /** Fails as soon as the server ends by itself: then nothing that is waited for will come. */
  get ended() {
    return this.#broken.promise;
  }

  /** Start, on the port of the last time if there was one, with the games that are there. */
  async start() {
    const port = this.base ? new URL(this.base).port : "0";
    const words = ["-m", "catinthebox", "serve", "--port", port, "--db", join(this.#folder, "games.db")];
    const child = spawn(PYTHON, [...words, ...OPTIONS], { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    this.#said = "";
    this.base = await new Promise((resolve, reject) => {
      const listen = (part) => {
        this.#said += part;
        const open = OPEN.exec(this.#said);
        if (open) resolve(open[1].replace(/\/$/, ""));
      };
      child.stdout.setEncoding("utf8").on("data", listen);
      child.stderr.setEncoding("utf8").on("data", listen);
      child.once("error", reject);
      child.once("close", (code, signal) => {
        if (this.#process !== child) return; // it was ended from here
        const error = new Error(`the server ended by itself, by ${signal ?? code}`);
        reject(error);
        this.#broken.reject(error);
      });
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

  /** What the server has printed lately, for anyone who looks for a reason. */
  get said() {
    return this.#said.slice(-4000);
  }
}
