import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Done, FromClient, FromServer, Refused } from "../lib/wire";
import { Connection, type LineState, type SocketLike } from "./connection";

/** A server that does nothing by itself. */
class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: FromClient[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient);
  }
  close(): void {
    this.closed = true;
  }
  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  /** Come up and greet. */
  greet(): void {
    this.onopen?.();
    this.say({ type: "Beat", at: 1 });
  }
  commands(): { id: string; type: string }[] {
    return this.sent.flatMap((one) => (one.type === "Do" ? [{ id: one.id, type: one.command.type }] : []));
  }
}

let sockets: FakeSocket[];
let states: LineState[];
let received: FromServer[];
let connection: Connection;
let version: number | null;
const last = (): FakeSocket => sockets.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, states, received, version] = [[], [], [], null];
  connection = new Connection({
    url: "ws://here",
    token: "secret",
    version: () => version,
    onmessage: (message) => received.push(message),
    onstate: (state) => states.push(state),
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
  });
  connection.start();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a connection", () => {
  it("says who is there, and is live with the first word of the server", () => {
    last().onopen?.();
    expect(last().sent).toEqual([{ type: "Hello", token: "secret", version: null }]);
    expect(states).toEqual([]);
    last().say({ type: "Beat", at: 1 });
    expect(states).toEqual([{ kind: "live" }]);
    expect(received).toHaveLength(1);
  });

  it("comes back by itself, with the version it has seen", () => {
    last().greet();
    version = 17;
    last().onclose?.();
    expect(states.at(-1)).toEqual({ kind: "lost", attempt: 1 });
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(2);
    last().greet();
    expect(last().sent[0]).toEqual({ type: "Hello", token: "secret", version: 17 });
    expect(states.at(-1)).toEqual({ kind: "live" });
  });

  it("waits longer and longer, and not at all once the network is back", () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5); // else another retry may be due in this very second
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      last().onclose?.();
      vi.advanceTimersByTime(30_000);
    }
    last().onclose?.();
    const before = sockets.length;
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(before);
    connection.wake();
    expect(sockets).toHaveLength(before + 1);
  });

  it("gives up where trying again would be answered the same", () => {
    last().greet();
    last().say({ type: "Bye", code: "table.unknown", message: "no such table" });
    last().onclose?.();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(states.at(-1)).toEqual({ kind: "closed", code: "table.unknown", message: "no such table" });
  });

  it("does not come back to a table whose stored log is damaged", () => {
    last().greet();
    last().say({ type: "Bye", code: "table.damaged", message: "damaged" });
    last().onclose?.();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(states.at(-1)).toEqual({ kind: "closed", code: "table.damaged", message: "damaged" });
  });

  it("comes back at once after the server was restarted", () => {
    last().greet();
    last().say({ type: "Bye", code: "server.closing", message: "" });
    last().onclose?.();
    vi.advanceTimersByTime(600);
    expect(sockets).toHaveLength(2);
  });

  it("rests after an idle end until somebody looks again", () => {
    last().greet();
    last().say({ type: "Bye", code: "line.idle", message: "" });
    last().onclose?.();
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    connection.wake();
    expect(sockets).toHaveLength(2);
  });

  it("notices a connection that is dead without having been closed", () => {
    last().greet();
    vi.advanceTimersByTime(30_000);
    expect(last().sent.at(-1)).toEqual({ type: "Ping" });
    vi.advanceTimersByTime(10_000);
    expect(states.some((state) => state.kind === "lost")).toBe(true);
  });

  it("believes the browser that there is no network, and tries again", () => {
    last().greet();
    const before = sockets.length;
    connection.offline();
    expect(states.at(-1)).toMatchObject({ kind: "lost" });
    connection.offline(); // said twice
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(before + 1);
  });

  it("gives up an attempt that nobody answers, and tries again", () => {
    vi.advanceTimersByTime(7_000);
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(3_000);
    expect(states).toEqual([{ kind: "lost", attempt: 1 }]);
    expect(sockets[0]!.closed).toBe(true);
    expect(sockets).toHaveLength(2);
    last().onopen?.(); // it comes up, but the greeting is not answered
    vi.advanceTimersByTime(11_000);
    expect(states.at(-1)).toEqual({ kind: "lost", attempt: 2 });
    expect(sockets).toHaveLength(3);
    last().greet();
    expect(states.at(-1)).toEqual({ kind: "live" });
  });

  it("does not wait for an attempt that hangs once somebody looks, but leaves a fresh one alone", () => {
    connection.wake();
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(3_000);
    connection.wake();
    connection.wake();
    expect(sockets).toHaveLength(2);
    expect(sockets[0]!.closed).toBe(true);
  });

  it("receives nothing more once it is closed", () => {
    const socket = last();
    socket.greet();
    connection.close();
    expect(socket.closed).toBe(true);
    socket.say({ type: "Beat", at: 2 });
    expect(received).toHaveLength(1);
  });
});

describe("a command", () => {
  const done = (id: string): Done => ({ type: "Done", id, version: 3 });
  const refused = (id: string, code: string, retry_ms: number | null = null): Refused => ({
    type: "Refused",
    id,
    code,
    clause: "",
    message: "",
    retry_ms,
  });

  it("is answered", async () => {
    last().greet();
    const answer = connection.do({ type: "Ready" });
    const { id } = last().commands()[0]!;
    last().say(done(id));
    expect(await answer).toEqual(done(id));
  });

  it("waits for the connection, and is sent again with the same id when it breaks", async () => {
    const answer = connection.do({ type: "Ready" });
    expect(last().commands()).toEqual([]);
    last().greet();
    const [first] = last().commands();
    last().onclose?.();
    vi.advanceTimersByTime(1_000);
    last().greet();
    expect(last().commands()).toEqual([first]);
    last().say(done(first!.id));
    expect((await answer).type).toBe("Done");
    last().onclose?.();
    vi.advanceTimersByTime(1_000);
    last().greet();
    expect(last().commands()).toEqual([]);
  });

  it("is sent again if no answer comes", () => {
    last().greet();
    void connection.do({ type: "Ready" });
    vi.advanceTimersByTime(11_000);
    expect(last().commands()).toHaveLength(2);
  });

  it("is tried again later if it came too fast, and refused only for what it is", async () => {
    last().greet();
    const answer = connection.do({ type: "Ready" });
    const { id } = last().commands()[0]!;
    last().say(refused(id, "limit.socket", 700));
    vi.advanceTimersByTime(600);
    expect(last().commands()).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(last().commands()).toHaveLength(2);
    last().say(refused(id, "table.not_between"));
    expect(await answer).toEqual(refused(id, "table.not_between"));
  });

  it("is refused when the connection has ended for good", async () => {
    last().greet();
    const answer = connection.do({ type: "Ready" });
    last().say({ type: "Bye", code: "table.no_spectators", message: "" });
    last().onclose?.();
    expect(await answer).toMatchObject({ type: "Refused", code: "table.no_spectators" });
  });
});
