/** The table as it is drawn: plain values, no rules. Components take a scene and nothing else. */

export type Color = "r" | "b" | "y" | "g";
export type Seat = number;
export type Rank = number;
/** An action in the server's notation: `-5` sets a 5 aside, `=2` bids two, `5b` plays a 5 as blue. */
export type Action = string;
/** Whose token lies on a cell; neutral tokens belong to nobody (R6). */
export type Owner = Seat | "neutral" | null;

/** The rows of the research board, from the top. */
export const COLORS: readonly Color[] = ["r", "b", "y", "g"];

/** One place of the research board. */
export interface Place {
  readonly color: Color;
  readonly rank: Rank;
  readonly row: number;
  readonly column: number;
  readonly owner: Owner;
  /** The token to the right, or below, has the same owner: they are drawn joined. */
  readonly joinsRight: boolean;
  readonly joinsDown: boolean;
  /** It belongs to the largest group of its owner, if that is more than one token (R27). */
  readonly inGroup: boolean;
  /** Its token came last. */
  readonly fresh: boolean;
}

/** A printed place that is not in play. */
export interface Cover {
  readonly color: Color;
  readonly row: number;
  readonly column: number;
}

export interface Board {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly ranks: number;
  readonly places: readonly Place[];
  readonly covers: readonly Cover[];
  /** The last column holds covers only, and can be narrow. */
  readonly narrowEnd: boolean;
  /** Of each row, its color, where it has one only, and the column where its cells begin. */
  readonly labels: readonly { readonly color: Color | null; readonly column: number }[];
}

export interface SeatView {
  readonly seat: Seat;
  readonly name: string;
  /** What its cat is drawn from. */
  readonly cat: string;
  readonly kind: "person" | "bot" | "empty";
  readonly me: boolean;
  readonly away: boolean;
  /** A bot plays for a person who is away. */
  readonly covered: boolean;
  readonly tokens: readonly Color[];
  readonly bid: number | null;
  readonly won: number;
  readonly handSize: number;
  /** It has set its card aside, in the phase where everybody does. */
  readonly discarded: boolean;
  readonly starter: boolean;
  readonly toAct: boolean;
  /** Its card is winning the trick. */
  readonly winning: boolean;
  readonly group: number;
  readonly total: number;
  /** When its time runs out, in milliseconds of the server's clock. */
  readonly deadline: number | null;
}

export interface Played {
  readonly seat: Seat;
  readonly rank: Rank;
  readonly color: Color;
  readonly action: Action;
  /** What else it could have been, a moment ago; null if that is not known. */
  readonly could: readonly Color[] | null;
}

/** A trick of the round, as far as it was played. */
export interface TrickLog {
  readonly number: number;
  readonly plays: readonly {
    readonly seat: Seat;
    readonly rank: Rank;
    readonly color: Color;
    /** The color that the seat gave up with it, if that is known. */
    readonly gaveUp: Color | null;
  }[];
  readonly winner: Seat | null;
}

/** Why a card cannot be a color. */
export type Reason =
  | { readonly kind: "taken"; readonly by: Exclude<Owner, null> }
  | { readonly kind: "gave-up"; readonly trick: number | null }
  | { readonly kind: "red-closed" };

/** What playing a card as a color means. */
export type Effect =
  | { readonly kind: "leads" }
  | { readonly kind: "opens-red" }
  | { readonly kind: "follows" }
  | { readonly kind: "trumps" }
  | { readonly kind: "gives-up"; readonly color: Color }
  /** It is the strongest card so far; `last`: nobody plays after it. */
  | { readonly kind: "tops"; readonly last: boolean }
  /** Another seat stays ahead. */
  | { readonly kind: "below"; readonly seat: Seat | null }
  | { readonly kind: "group"; readonly size: number };

/** One of the four colors for a card in the own hand. */
export interface Option {
  readonly color: Color;
  readonly action: Action;
  readonly legal: boolean;
  readonly why: Reason | null;
  /** Nothing, if it is not legal; null if it is and nobody has worked out yet what it does. */
  readonly effects: readonly Effect[] | null;
}

/** Equal cards of the own hand; the copies cannot be told apart, so they are one thing to choose. */
export interface HandCard {
  readonly rank: Rank;
  readonly copies: number;
  /** What it could still be: the cell is open and the token there (R12, R13). */
  readonly colors: readonly Color[];
  /** Something may be done with it now. */
  readonly playable: boolean;
  readonly options: readonly Option[];
}

/** What the table waits for, from the own seat's point of view. */
export type Ask =
  | { readonly kind: "discard" }
  | { readonly kind: "bid"; readonly bids: readonly number[] }
  | { readonly kind: "lead"; readonly redClosed: boolean }
  | { readonly kind: "follow"; readonly led: Color }
  | { readonly kind: "wait"; readonly phase: "discard" | "bid" | "play"; readonly seats: readonly Seat[] }
  | { readonly kind: "over" };

/** The hand that could be nothing, and why (R22). */
export interface ParadoxView {
  readonly seat: Seat;
  readonly cards: readonly {
    readonly rank: Rank;
    readonly copies: number;
    readonly reasons: readonly { readonly color: Color; readonly why: Reason }[];
  }[];
}

export interface ResultLine {
  readonly seat: Seat;
  readonly won: number;
  readonly bid: number | null;
  readonly group: number;
  readonly causer: boolean;
  /** The size of the group, if it counts; of no meaning without `ResultView.counted`. */
  readonly bonus: number | null;
  /** The size of the group that a paradox has cost it, although its bid was kept; null for everybody else. */
  readonly lost: number | null;
  readonly points: number;
  readonly total: number;
  readonly place: number;
}

export interface ResultView {
  readonly lines: readonly ResultLine[];
  /** The points of all rounds so far, round by round, by seat. */
  readonly rounds: readonly (readonly number[])[];
  readonly final: boolean;
  /** Whether it is known which seats have a bonus. */
  readonly counted: boolean;
  readonly winners: readonly Seat[];
  /** Equal totals at the top were decided by the last round (R3). */
  readonly tieBreak: boolean;
}

export interface Scene {
  readonly phase: "discard" | "bid" | "play" | "over";
  readonly round: number;
  readonly rounds: number;
  /** Number of the trick being played, from 1. */
  readonly trickNumber: number;
  readonly tricks: number;
  /** The own seat; null for spectators. */
  readonly me: Seat | null;
  /** By seat number. */
  readonly seats: readonly SeatView[];
  /** The other seats, clockwise from the own left; for spectators all. */
  readonly others: readonly Seat[];
  readonly board: Board;
  readonly led: Color | null;
  /** Red may be led, because it has been played. */
  readonly redOpen: boolean;
  readonly leader: Seat;
  readonly trick: readonly Played[];
  readonly winning: Seat | null;
  /** The winner leads now (R10). */
  readonly lastTrick: { readonly plays: readonly Played[]; readonly winner: Seat | null };
  /** The tricks of the round, the first one first. */
  readonly log: readonly TrickLog[];
  readonly hand: readonly HandCard[];
  /** The own card set aside. */
  readonly discard: Rank | null;
  readonly turnedUp: readonly Rank[];
  readonly ask: Ask;
  readonly paradox: ParadoxView | null;
  readonly result: ResultView | null;
}
