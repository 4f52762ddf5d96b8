/** What a page and its local table say to each other over their port, beside the protocol's messages. */

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
  | { readonly type: "Look"; readonly seat: number; readonly open: boolean };

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
  /** `text` is what was kept of a damaged game, for its owner to export. */
  | { readonly type: "Ended"; readonly code: Trouble; readonly message: string; readonly text: string };
