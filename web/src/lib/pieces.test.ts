// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { motion } from "./motion.svelte";
import { allAtOnce, inTurn } from "./pieces";

/** What was done so far, in order. */
let done: string[];
const doing = (name: string) => () => void done.push(name);

/** What waits for the next picture. */
let asked: FrameRequestCallback[];

beforeEach(async () => {
  motion.speed = "normal";
  asked = [];
  vi.stubGlobal("requestAnimationFrame", (work: FrameRequestCallback) => asked.push(work));
  done = [];
  return async () => {
    allAtOnce();
    await drawPicture();
    vi.unstubAllGlobals();
  };
});

/** Draw the next picture, and wait for what is done after it. */
async function drawPicture(): Promise<void> {
  for (const work of asked.splice(0)) work(0);
  await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A channel that tells nobody of errors; the browser's own would end this test. */
class Forgiving {
  readonly port1 = { onmessage: () => {}, close: () => {} };
  readonly port2 = {
    postMessage: () => {
      try {
        this.port1.onmessage();
      } catch {
        // as in a browser: the next picture comes all the same
      }
    },
  };
}

describe("pieces of a large change", () => {
  it("come one after the other, each after a picture", async () => {
    for (const name of ["a", "b", "c"]) inTurn(doing(name));
    const seen: string[] = [];
    for (let picture = 0; picture < 4; picture += 1) {
      seen.push(done.join(""));
      await drawPicture();
    }
    expect(seen).toEqual(["", "a", "ab", "abc"]);
    expect(asked).toEqual([]); // with the last piece, nothing waits for pictures any more
  });

  it("need no pictures between them behind outlines, but a task each", async () => {
    document.body.innerHTML = '<div id="first"></div>';
    for (const name of ["a", "b"]) inTurn(doing(name));
    expect(done).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([done.join(""), asked.length]).toEqual(["ab", 0]);
    document.body.innerHTML = "";
  });

  it("come after one that fails, too", async () => {
    vi.stubGlobal("MessageChannel", Forgiving);
    inTurn(() => {
      throw new Error("broken");
    });
    inTurn(doing("b"));
    await drawPicture();
    await drawPicture();
    expect(done).toEqual(["b"]);
  });

  it("come at once for anyone who taps", () => {
    for (const name of ["a", "b"]) inTurn(doing(name));
    allAtOnce();
    expect(done).toEqual(["a", "b"]);
  });

  it("come at once where nothing moves, those that waited first", () => {
    inTurn(doing("a"));
    motion.speed = "off";
    inTurn(doing("b"));
    expect(done).toEqual(["a", "b"]);
  });

  it("that nobody needs any more do not come", () => {
    const leave = inTurn(doing("a"));
    inTurn(doing("b"));
    leave();
    allAtOnce();
    expect(done).toEqual(["b"]);
  });

  it("that ask for more come before it", () => {
    inTurn(() => {
      done.push("a");
      inTurn(doing("c"));
    });
    inTurn(doing("b"));
    allAtOnce();
    expect(done).toEqual(["a", "b", "c"]);
  });
});
