// The texts of the client in a language, as the client says them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../messages");

/** All texts of a language, by name. */
export const textsOf = (language) => JSON.parse(readFileSync(join(FOLDER, `${language}.json`), "utf8"));

/** A function from the name of a text, and what is put into it, to the text. */
export function wordsOf(language) {
  const texts = textsOf(language);
  return (name, inputs = {}) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`no text is called ${name}`);
    const chosen = typeof text === "string" ? text : plural(text[0], inputs, language);
    return chosen.replace(/\{(\w+)\}/g, (_, input) => `${inputs[input]}`);
  };
}

/** The form for a number; its input is named in the first declaration. */
function plural({ declarations, selectors, match }, inputs, language) {
  const [, input] = /input (\w+)/.exec(declarations[0]);
  const form = new Intl.PluralRules(language).select(inputs[input]);
  return match[`${selectors[0]}=${form}`] ?? match[`${selectors[0]}=other`];
}

/** A text as a pattern: whatever is put into it may be anything. */
export function patternOf(language, name) {
  const text = textsOf(language)[name];
  const parts = text.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".+")}$`);
}
