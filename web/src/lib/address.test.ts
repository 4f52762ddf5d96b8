import { expect, it } from "vitest";
import { addressOf, folderAbove, HOME, pathOf, siteAddress, sitePath } from "./address";
import { gamePath, routeOf, tablePath } from "./router";

const url = (address: string): URL => new URL(address, "https://host.example");

it("changes nothing on a server of ours", () => {
  expect(HOME).toBe("/");
  for (const path of ["/", "/learn", "/g/Ab3.2"]) {
    expect(addressOf(path)).toBe(path);
    expect(pathOf(url(`${path}?x`))).toBe(path);
  }
});

it("has a folder for every page of a site, and the rest in the query", () => {
  expect(siteAddress("/", "/")).toBe("/");
  expect(siteAddress("/cats/", "/")).toBe("/cats/");
  expect(siteAddress("/cats/", "/learn")).toBe("/cats/learn/");
  expect(siteAddress("/cats/", "/g/")).toBe("/cats/g/");
  expect(siteAddress("/cats/", "/g/Ab_3.2#17")).toBe("/cats/g/?Ab_3.2#17");
  expect(siteAddress("/cats/", "/rules#r14")).toBe("/cats/rules/#r14");
});

it("finds every page of a site again, in any folder", () => {
  const paths = [
    "/",
    "/learn",
    "/rules",
    "/settings",
    "/g/",
    tablePath("a-_1"),
    gamePath("x1", 3),
    tablePath("y", true),
  ];
  for (const home of ["/", "/cats/", "/a/b c/"]) {
    for (const path of paths) {
      expect(routeOf(sitePath(home, parts(siteAddress(home, path))))).toEqual(routeOf(path));
    }
  }
});

/** As the browser takes an address apart, but without encoding the folder. */
function parts(address: string): Pick<URL, "pathname" | "search"> {
  const [pathname = "", search] = address.split("?");
  return { pathname, search: search === undefined ? "" : `?${search}` };
}

it("takes what hosts and others make of an address", () => {
  const route = (address: string): string => routeOf(sitePath("/cats/", url(address))).page;
  expect(route("/cats/index.html")).toBe("home");
  expect(route("/cats")).toBe("home");
  expect(route("/cats/learn/index.html")).toBe("learn");
  expect(route("/cats/learn")).toBe("learn");
  expect(route("/cats/learn/?from=mail")).toBe("learn");
  expect(route("/cats/?from=mail")).toBe("home");
  expect(route("/cats/g/?Ab3=")).toBe("replay");
  expect(routeOf(sitePath("/cats/", url("/cats/g/?Ab3.2&fbclid=x-1")))).toEqual(routeOf("/g/Ab3.2"));
  expect(routeOf(sitePath("/cats/", url("/cats/g?Ab3.2=&from=mail")))).toEqual(routeOf("/g/Ab3.2"));
  expect(route("/dogs/learn/")).toBe("nowhere");
  expect(route("/cats/nonsense/")).toBe("nowhere");
});

it("finds its folder by the address of a script", () => {
  expect(folderAbove("https://host.example/assets/index-1.js")).toBe("/");
  expect(folderAbove("https://host.example/a/b/assets/index-1.js?x")).toBe("/a/b/");
});
