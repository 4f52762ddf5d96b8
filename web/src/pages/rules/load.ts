/** The rules in the reader's language; the others are not loaded. */

import { getLocale } from "../../paraglide/runtime.js";
import type { Block } from "./blocks";

const LANGUAGES = {
  en: () => import("./rules.en.json"),
  de: () => import("./rules.de.json"),
  ja: () => import("./rules.ja.json"),
};

export const loadRules = async (): Promise<readonly Block[]> =>
  (await LANGUAGES[getLocale()]()).default as unknown as readonly Block[];
