/** What a page and its local table say to each other over their port, beside the protocol's messages. */

import type { Analysis } from "../../coach/analysis";
import type { ClientCommand, Done, Frame, Refused, Snapshot } from "../../lib/protocol";
import type { NewTable } from "./saved";

/** From the page. */
export type ToTable =
  /** Go on at a table; begin it, if there is none yet and somebody says what it should be. */
  | { readonly type: "Open"; readonly id: string; readonly wanted: NewTable | null }
  | { readonly type: "Do"; readonly id: string; readonly command: ClientCommand }
  | { readonly type: "Resync" }
  /** How long a bot's move takes at least, in milliseconds. */
  | { readonly type: "Pace"; readonly ms: number }
  /** The device is in the hands of another seat: `open` shows its cards, otherwise they are covered. */
  | { readonly type: "Look"; readonly seat: number; readonly open: boolean }
  /** What would the coach do? Anything that is done at the table ends it. */
  | { readonly type: "AskHint"; readonly id: string }
  /** Nobody reads it any more. */
  | { readonly type: "EndHint" };

/** Why there is no game: nobody knows it, it cannot be read now, it is damaged, or another tab plays it. */
export type Trouble = "table.unknown" | "local.unreadable" | "local.damaged" | "local.elsewhere";

/** From the table. Nothing else is ever posted to a page. */
export type FromTable =
  | Snapshot
  | Frame
  | Done
  | Refused
  /** Whether the game is kept in this browser. */
  | { readonly type: "Kept"; readonly kept: boolean }
  /** Whether bots play weaker than their level, because its network could not be loaded. */
  | { readonly type: "Weaker"; readonly weaker: boolean }
  /** Whether the table has hints: alone against bots, or with people who share the device and have all agreed. */
  | { readonly type: "Hints"; readonly offered: boolean }
  /**
   * What the coach would do, by what the seat may know; better and better, until it is the last word. Null where there
   * are no hints: the seat is not to act, its cards are covered, or the table has none.
   */
  | {
      readonly type: "Hint";
      readonly id: string;
      readonly found: Analysis | null;
      readonly last: boolean;
    }
  /** `text` is what was kept of a damaged game, for its owner to export. */
  | { readonly type: "Ended"; readonly code: Trouble; readonly message: string; readonly text: string };
