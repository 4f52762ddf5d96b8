"""The list of refusals (`protocol.refusals`) for others: a TypeScript module, and a page of docs.

>>> [line for line in typescript().splitlines() if "table.full" in line]
['  "table.full": m.net_no_seat_free,']
>>> [line for line in markdown().splitlines() if "`table.full`" in line]
['| `table.full` | every seat is taken |']
"""

from __future__ import annotations

from typing import Final

from ...protocol.refusals import BY_CODE

TYPESCRIPT: Final = """\
// Made by `python -m catinthebox.server.http.documents refusals`; changes here are lost.

import {{ m }} from "../paraglide/messages.js";

/** The sentence of every refusal that people may meet, by its code. */
export const REFUSALS = {{
{rows}
}} as const satisfies Readonly<Record<string, () => string>>;

export type RefusalCode = keyof typeof REFUSALS;
"""
MARKDOWN: Final = """\
# Refusals

The codes of the refusals that people may meet, and what each means. A `Refused` often says more in
its `message`: which seat, which card, what would be right. Codes are stable; sentences may change.
This page is written by `make api` from `src/catinthebox/protocol/refusals.py`, and so is the list
of the browser client, which has these sentences in three languages.

| Code | Sentence |
|---|---|
{rows}
"""


def typescript() -> str:
    """Return a module with a function for the sentence of every code."""
    rows = [f'  "{code}": m.{BY_CODE[code].key},' for code in sorted(BY_CODE)]
    return TYPESCRIPT.format(rows="\n".join(rows))


def markdown() -> str:
    """Return a page with a table of the codes and their sentences."""
    rows = [f"| `{code}` | {BY_CODE[code].sentence} |" for code in sorted(BY_CODE)]
    return MARKDOWN.format(rows="\n".join(rows))
