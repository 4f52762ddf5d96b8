/** Brings the games that local tables have finished to "My games", as records. */

import { engine, EngineFailed, EngineMissing } from "../../engine/client";
import { BrowserKeeper } from "../../engine/table/keep";
import type { FinishedGame } from "../../engine/table/saved";
import { BadRecord, readText } from "../../net/replay";
import { collect, type Recorded } from "../../store/finished";
import { countedOf } from "../../store/records";

/** Write a record, and read it again for its result; null for a game that cannot have happened. */
const recorded: Recorded = async (game: FinishedGame) => {
  try {
    const text = await engine.ask("writeRecord", { game });
    const read = await readText(text);
    return { text, totals: read.totals, winners: read.winners, ...countedOf(read) };
  } catch (error) {
    if (error instanceof EngineFailed || error instanceof BadRecord) return null;
    throw error;
  }
};

/** Without the rules in this page there are no local games either. */
export async function collectLocal(): Promise<void> {
  try {
    await collect(new BrowserKeeper(), recorded);
  } catch (error) {
    if (!(error instanceof EngineMissing)) throw error;
  }
}
