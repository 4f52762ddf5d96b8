// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { copyLink, linkTo } from "./share.svelte";

vi.mock("../net/http", () => ({ publicOrigin: () => Promise.resolve("http://192.168.0.7:8417") }));
afterEach(() => vi.unstubAllGlobals());

it("gives links that others can follow", async () => {
  await Promise.resolve();
  expect(linkTo("/t/a")).toBe("http://192.168.0.7:8417/t/a");
});

it("copies by the clipboard where there is one", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  expect(await copyLink("http://here/t/a")).toBe(true);
  expect(writeText).toHaveBeenCalledWith("http://here/t/a");
});

it("copies by hand on plain http, inside the sheet that is open, and leaves nothing behind", async () => {
  vi.stubGlobal("navigator", {});
  document.body.innerHTML = "<dialog open></dialog>";
  const sheet = document.querySelector("dialog")!;
  let copied: string | undefined;
  document.execCommand = () => {
    copied = sheet.querySelector("textarea")?.value;
    return true;
  };
  expect(await copyLink("http://here/t/a")).toBe(true);
  expect(copied).toBe("http://here/t/a");
  expect(sheet.children).toHaveLength(0);
  document.execCommand = () => false;
  expect(await copyLink("http://here/t/a")).toBe(false);
});
