/** Where somebody who types a code or pastes a link wants to go. */

import { meantTable, tablePath } from "../lib/router";
import { findTable, keyOfCode, type Refusal } from "../net/http";
import { m } from "../paraglide/messages.js";
import { myToken } from "./me.svelte";
import { refusalWords } from "./refusals";
import { linkTo } from "./share.svelte";

export type Meant = { readonly key: string; readonly watch: boolean } | { readonly problem: string };

/** A short code: letters and digits that the server uses, in any case (`server/live/links.py`). */
const CODE = /^[B-DF-HJ-NP-TV-XZ2-9]{5}$/i;

/** The table that is meant, if there is one; else why not. */
export async function meant(text: string): Promise<Meant> {
  const typed = text.replace(/[\s-]/g, "");
  try {
    if (CODE.test(typed)) return { key: await keyOfCode(typed), watch: false };
    return await linked(text);
  } catch (error) {
    return { problem: wordsOf(error as Refusal) };
  }
}

async function linked(text: string): Promise<Meant> {
  const table = meantTable(text);
  if (!table) return { problem: m.home_join_wrong({ example: linkTo(tablePath("…")) }) };
  const refusal = await findTable(myToken(), table.key);
  if (refusal) throw refusal;
  return table;
}

const wordsOf = (refusal: Refusal): string =>
  refusal.code === "table.unknown" ? m.home_join_unknown() : refusalWords(refusal);
