import { expect, it, vi } from "vitest";
import { lookAt, serverAddress } from "./servers";

const address = (text: string): string => serverAddress(text)?.href ?? "";

it("understands addresses as people write them", () => {
  expect(address(" cats.example ")).toBe("https://cats.example/");
  expect(address("192.168.1.7:8000")).toBe("http://192.168.1.7:8000/");
  expect(address("192.168.1.7")).toBe("http://192.168.1.7/");
  expect(address("localhost:8000")).toBe("http://localhost:8000/");
  expect(address("den.local")).toBe("http://den.local/");
  expect(address("[::1]:8000")).toBe("http://[::1]:8000/");
  expect(address("http://cats.example/rules?x#y")).toBe("http://cats.example/");
});

it("needs nothing that browsers have had for less than two years", () => {
  vi.stubGlobal(
    "URL",
    class extends URL {
      static override parse = undefined as never;
      static override canParse = undefined as never;
    },
  );
  expect([address("cats.example"), serverAddress("http://")]).toEqual(["https://cats.example/", null]);
  vi.unstubAllGlobals();
});

it("keeps the way to a table", () => {
  expect(address("https://cats.example/t/Ab3?x#y")).toBe("https://cats.example/t/Ab3");
  expect(address("cats.example/w/Ab3")).toBe("https://cats.example/w/Ab3");
  expect(address("cats.example/g/Ab3.2")).toBe("https://cats.example/g/Ab3.2");
});

it.each([
  "",
  "two words",
  "javascript://alert(1)",
  "file:///etc",
  "ftp://cats.example",
  "https://me:secret@cats.example",
  "http://",
])("takes %j for no address", (text) => expect(serverAddress(text)).toBeNull());

const LEVELS = { levels: [{ name: "gentle", sentence: "" }] };
const SERVER = new URL("http://cats.example:8000/t/Ab3");
const page = { protocol: "http:" };

function answering(...answers: (Response | null)[]): typeof fetch {
  const ask = vi.fn<typeof fetch>();
  for (const answer of answers) {
    if (answer) ask.mockResolvedValueOnce(answer);
    else ask.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  }
  return ask;
}

it.each([
  ["server", [Response.json(LEVELS)]],
  ["other", [Response.json({ hello: 1 })]],
  ["other", [new Response("<html>", { status: 404 })]],
  ["other", [null, new Response("")]], // it may not be read, but something is there, and hides nothing
  ["silent", [null, null]],
] as const)("finds %s", async (wanted, answers) => {
  expect(await lookAt(SERVER, { page, online: true, fetch: answering(...answers) })).toBe(wanted);
});

it("asks without a name, a cookie, or the key of a table", async () => {
  const ask = answering(null, null);
  await lookAt(SERVER, { page, online: true, fetch: ask });
  const sent = vi.mocked(ask).mock.calls;
  expect(sent.map(([url]) => url)).toEqual([
    "http://cats.example:8000/api/v1/levels",
    "http://cats.example:8000/",
  ]);
  for (const [, init] of sent) {
    expect(init).toMatchObject({ credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
    expect(init?.headers).toBeUndefined();
  }
});

it("does not ask where it cannot", async () => {
  const ask = answering();
  const secure = { page: { protocol: "https:" }, online: true, fetch: ask };
  expect(await lookAt(SERVER, secure)).toBe("mixed");
  expect(await lookAt(SERVER, { page, online: false, fetch: ask })).toBe("offline");
  expect(ask).not.toHaveBeenCalled();
  const near = answering(Response.json(LEVELS));
  expect(await lookAt(new URL("http://localhost:8000"), { ...secure, online: false, fetch: near })).toBe(
    "server",
  );
});
