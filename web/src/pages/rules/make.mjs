// Make the rules for the page out of docs/rules.md and its translations here:
//   node src/pages/rules/make.mjs
// What a page does not need is left out: the list of contents, and the notation of programs.
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "./parse.mjs";

const here = (name) => new URL(name, import.meta.url);
const SOURCES = { en: here("../../../../docs/rules.md"), de: here("rules.de.md"), ja: here("rules.ja.md") };

/** The rules of a language as they are written into a file. */
export function made(language) {
  const text = readFileSync(SOURCES[language], "utf8")
    .replace(/\*\*Contents:\*\*\n(.+\n)+/, "")
    .replace(/## Notation\n[\s\S]*?(?=## )/, "")
    .replace(/ You can link to any of\nthem: .*? leads to R14\./, "");
  return `${JSON.stringify(parse(text))}\n`;
}

if (process.argv[1] === here("make.mjs").pathname) {
  for (const language of Object.keys(SOURCES)) writeFileSync(here(`rules.${language}.json`), made(language));
}
