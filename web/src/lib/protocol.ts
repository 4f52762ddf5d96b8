// Made by `python -m catinthebox.server.http.documents types`; changes here are lost.

/** A message from a client. */
export type FromClient = Hello | Do | Ask | Resync | Ping;

/** A message from the server. */
export type FromServer = Snapshot | Frame | Done | Refused | Why | Pong | Beat | Bye;

/** What a client may ask of a table. */
export type ClientCommand =
  | Sit
  | Leave
  | AddBot
  | RemoveBot
  | Kick
  | Readmit
  | Host
  | Close
  | Start
  | Act
  | Ready
  | Rematch
  | Say
  | Pause
  | Resume
  | AskUndo
  | AgreeUndo
  | RefuseUndo;

/** A part of a frame that everybody sees. */
export type News =
  | GameBegan
  | RoundDealt
  | CardDiscarded
  | BidMade
  | CardPlayed
  | TrickWon
  | ParadoxShown
  | RoundOver
  | GameOver
  | BotMoved
  | TimeOut
  | TakenBack
  | UndoEnded
  | SecretShown
  | Spoken
  | SeatLeft
  | Seats
  | Room
  | GameShown
  | RoundShown
  | Turn;

/** Something that happened, for clients to show. */
export type Announcement =
  | GameBegan
  | RoundDealt
  | CardDiscarded
  | BidMade
  | CardPlayed
  | TrickWon
  | ParadoxShown
  | RoundOver
  | GameOver
  | BotMoved
  | TimeOut
  | TakenBack
  | UndoEnded
  | SecretShown
  | Spoken
  | SeatLeft;

/** A part of the table that has changed, whole. */
export type Shared = Seats | Room | GameShown | RoundShown | Turn;

/** Identify yourself; the first message on a connection. */
export interface Hello {
  readonly type: "Hello";
  /** the secret token of a person; empty for a spectator without a name */
  readonly token: string;
  /**
   * the last version you have; the frames after it are sent again
   * @default null
   */
  readonly version?: number | null;
}

/** Send a command; the answer is exactly one `Done` or `Refused` with the same id. */
export interface Do {
  readonly type: "Do";
  /** the sender's name for a command; a repeated one is not carried out again */
  readonly id: string;
  readonly command: ClientCommand;
}

/** Take an empty seat; the first one, if no seat is named. */
export interface Sit {
  readonly type: "Sit";
  readonly name: string;
  /**
   * a seat, counted clockwise from 0
   * @default null
   */
  readonly seat?: number | null;
  /**
   * the person's share in the randomness of the deals
   * @default ""
   */
  readonly nonce?: string;
  /**
   * what a client draws a person's cat from; empty: no choice
   * @default ""
   */
  readonly cat?: string;
}

/** Leave your seat. */
export interface Leave {
  readonly type: "Leave";
}

/** Put a bot on an empty seat, or replace a bot (host only). */
export interface AddBot {
  readonly type: "AddBot";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly level: string;
}

/** Remove a bot from its seat (host only). */
export interface RemoveBot {
  readonly type: "RemoveBot";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** Remove a person from their seat and keep them from returning (host only). */
export interface Kick {
  readonly type: "Kick";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** Let everybody who was removed under a name take a seat again (host only). */
export interface Readmit {
  readonly type: "Readmit";
  readonly name: string;
}

/** Make another person the host (host only). */
export interface Host {
  readonly type: "Host";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** Close the table for good (host only); not while other people play. */
export interface Close {
  readonly type: "Close";
}

/** Begin the game (host only); the starter is drawn at random (R1). */
export interface Start {
  readonly type: "Start";
}

/**
 * Discard, bid or play. `turn` is the decision that it answers: a late answer is refused.
 *
 * A bot names the seat that it acts for; a person acts for their own seat.
 */
export interface Act {
  readonly type: "Act";
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
  /**
   * the seat that a bot acts for; null: your own
   * @default null
   */
  readonly seat?: number | null;
  /**
   * the `turn` of the last `Turn`
   * @default null
   */
  readonly turn?: number | null;
}

/** Be ready for the next round. */
export interface Ready {
  readonly type: "Ready";
}

/** Play another game with the same people. */
export interface Rematch {
  readonly type: "Rematch";
  /**
   * 64 hexadecimal digits, or empty
   * @default ""
   */
  readonly nonce?: string;
}

/** Write in the chat: a preset phrase by its name, or a text. */
export interface Say {
  readonly type: "Say";
  readonly text: string;
  /**
   * whether it is a preset phrase
   * @default true
   */
  readonly preset?: boolean;
}

/** Pause the game. */
export interface Pause {
  readonly type: "Pause";
}

/** Resume the game. */
export interface Resume {
  readonly type: "Resume";
}

/** Ask to take back your last action. */
export interface AskUndo {
  readonly type: "AskUndo";
}

/** Agree to a request to undo. */
export interface AgreeUndo {
  readonly type: "AgreeUndo";
}

/** Refuse a request to undo, or withdraw your own. */
export interface RefuseUndo {
  readonly type: "RefuseUndo";
}

/** Ask why an action is not legal now; the answer is a `Why`, or a `Refused`. */
export interface Ask {
  readonly type: "Ask";
  /** the sender's name for a command; a repeated one is not carried out again */
  readonly id: string;
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
}

/** Ask for a `Snapshot`. */
export interface Resync {
  readonly type: "Resync";
}

/** Ask for a `Pong`, to check that the connection is alive. */
export interface Ping {
  readonly type: "Ping";
}

/** Open a table; optionally take a seat, add bots and begin the game. All of it, or nothing. */
export interface OpenTable {
  readonly settings: WantedSettings;
  /**
   * take a seat under this name; null: do not
   * @default null
   */
  readonly name?: string | null;
  /**
   * your seat; null: the first free one
   * @default null
   */
  readonly seat?: number | null;
  /**
   * your share in the randomness of the deals, if you take a seat
   * @default ""
   */
  readonly nonce?: string;
  /** @default [] */
  readonly bots?: readonly WantedBot[];
  /**
   * begin at once; every seat must be taken
   * @default false
   */
  readonly start?: boolean;
}

/** The settings of a table; times are in milliseconds. */
export interface WantedSettings {
  readonly players: number;
  /**
   * the name of a face, or the text of a face file; empty: the edition's first
   * @default ""
   */
  readonly face?: string;
  /** @default "standard" */
  readonly edition?: string;
  /**
   * allow a face that is not printed for this number of players
   * @default false
   */
  readonly house_rules?: boolean;
  /**
   * the time for each move; if bank_ms is 0, too, there is no clock
   * @default 0
   */
  readonly move_ms?: number;
  /**
   * a time bank for the whole game, used when a move takes longer
   * @default 0
   */
  readonly bank_ms?: number;
  /**
   * how long a person may be disconnected before a bot plays for them
   * @default 60000
   */
  readonly grace_ms?: number;
  /**
   * how long the end of a round is shown
   * @default 30000
   */
  readonly look_ms?: number;
  /**
   * how long a request to undo waits for answers
   * @default 30000
   */
  readonly undo_ms?: number;
  /**
   * whether actions can be taken back
   * @default true
   */
  readonly undo?: boolean;
  /**
   * whether people may pause the game
   * @default true
   */
  readonly pause?: boolean;
  /**
   * no chat, preset phrases only, or phrases and texts
   * @default "preset"
   */
  readonly chat?: "free" | "off" | "preset";
  /**
   * listed in the lobby, or only for people with the link
   * @default "link"
   */
  readonly visibility?: "link" | "open";
  /**
   * whether people may watch without a seat
   * @default true
   */
  readonly spectators?: boolean;
  /**
   * the bot that plays for people who are disconnected or out of time
   * @default "sharp"
   */
  readonly cover?: string;
}

/** A bot for a new table. */
export interface WantedBot {
  /** one of GET /levels, or a player with parameters */
  readonly level: string;
  /**
   * null: the first free one
   * @default null
   */
  readonly seat?: number | null;
}

/** Somebody who wants to be on the table of a day, and the game that they played. */
export interface NewDayEntry {
  /** as at a table */
  readonly name: string;
  /** the game, as in docs/records.md; it is checked, and not stored */
  readonly record: string;
  /**
   * what a client draws a person's cat from; empty: no choice
   * @default ""
   */
  readonly cat?: string;
}

/** A command to a table, as the body of a POST request. */
export interface CommandBody {
  /** the sender's name for a command; a repeated one is not carried out again */
  readonly id: string;
  readonly command: ClientCommand;
}

/** The record of a game, from a file. */
export interface ToReplay {
  /** text or JSON, as in docs/records.md */
  readonly record: string;
}

/** Everything a seat or a spectator may know: for a new connection, or after `Resync`. */
export interface Snapshot {
  readonly type: "Snapshot";
  /** the number of events of the table so far */
  readonly version: number;
  /** a time or a duration in milliseconds */
  readonly at: number;
  readonly table: string;
  readonly settings: Settings;
  readonly seats: Seats;
  readonly room: Room;
  readonly game: GameShown | null;
  readonly round: RoundShown | null;
  readonly turn: Turn;
  readonly chat: readonly Spoken[];
  /** your seat; null for spectators */
  readonly seat: number | null;
  readonly own: Own | null;
}

/** The settings of a table; times are in milliseconds. */
export interface Settings {
  readonly players: number;
  /** the name of a face, or the text of a face file; empty: the edition's first */
  readonly face: string;
  readonly edition: string;
  /** allow a face that is not printed for this number of players */
  readonly house_rules: boolean;
  /** the time for each move; if bank_ms is 0, too, there is no clock */
  readonly move_ms: number;
  /** a time bank for the whole game, used when a move takes longer */
  readonly bank_ms: number;
  /** how long a person may be disconnected before a bot plays for them */
  readonly grace_ms: number;
  /** how long the end of a round is shown */
  readonly look_ms: number;
  /** how long a request to undo waits for answers */
  readonly undo_ms: number;
  /** whether actions can be taken back */
  readonly undo: boolean;
  /** whether people may pause the game */
  readonly pause: boolean;
  /** no chat, preset phrases only, or phrases and texts */
  readonly chat: "free" | "off" | "preset";
  /** listed in the lobby, or only for people with the link */
  readonly visibility: "link" | "open";
  /** whether people may watch without a seat */
  readonly spectators: boolean;
  /** the bot that plays for people who are disconnected or out of time */
  readonly cover: string;
}

/** Who has which seat. */
export interface Seats {
  readonly type: "Seats";
  readonly seats: readonly SeatShown[];
  /** the host's seat */
  readonly host: number | null;
}

/** Who has a seat. */
export interface SeatShown {
  readonly kind: "bot" | "empty" | "person";
  readonly name: string;
  readonly here: boolean;
  /** whether a bot plays for a person who is disconnected */
  readonly covered: boolean;
  /** what a client draws a person's cat from; empty: no choice */
  readonly cat: string;
}

/** The stage of the table, who is ready, who has paused it, and a request to undo. */
export interface Room {
  readonly type: "Room";
  readonly stage: "between" | "closed" | "lobby" | "over" | "play";
  /** the seats that are ready to go on */
  readonly ready: readonly number[];
  /** the seat that paused the game */
  readonly paused: number | null;
  readonly undo: Request | null;
  /** the commitment to the secret of this game; after it, of the next one */
  readonly commitment: string;
}

/** A request to undo, and the seats that have agreed. */
export interface Request {
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly agreed: readonly number[];
}

/** The game so far, apart from the round in play. */
export interface GameShown {
  readonly type: "GameShown";
  /** the number of the game at this table, from 1 */
  readonly number: number;
  readonly names: readonly string[];
  /** the research board, as the text of a face file */
  readonly face: string;
  readonly house_rules: readonly string[];
  /** the starter of the first round */
  readonly starter: number;
  /** the number of the round, from 1 */
  readonly round: number;
  /** the points of each finished round, by seat */
  readonly scores: readonly (readonly number[])[];
  readonly totals: readonly number[];
  readonly winners: readonly number[];
  /** 64 hexadecimal digits, or empty */
  readonly commitment: string;
  readonly nonces: readonly string[];
  /** empty until the game is over */
  readonly secret: string;
}

/** The round as everybody sees it (R32). */
export interface RoundShown {
  readonly type: "RoundShown";
  readonly phase: "bid" | "discard" | "over" | "play";
  /** a seat, counted clockwise from 0 */
  readonly starter: number;
  /** the seat that leads, or led, the current trick */
  readonly leader: number;
  /** whether red may be led, since it has been declared */
  readonly red_open: boolean;
  /** the current trick, starting with the lead */
  readonly trick: readonly Card[];
  /** the seat whose card is winning the current trick */
  readonly winning: number | null;
  /** the last complete trick */
  readonly last_trick: readonly Card[];
  /**
   * rows red, blue, yellow, green; in each a character for every rank from 1: '.' is an empty cell,
   * a digit the seat whose token lies there, '*' a neutral token
   */
  readonly board: readonly string[];
  /** the largest group of every seat */
  readonly groups: readonly number[];
  /** the color tokens that every seat still has */
  readonly tokens: readonly string[];
  readonly hand_sizes: readonly number[];
  /** the seats that have discarded */
  readonly discarded: readonly number[];
  readonly bids: readonly (number | null)[];
  /** the tricks that every seat has won */
  readonly won: readonly number[];
  /** the cards turned up at two players */
  readonly turned_up: readonly number[];
  /** how the round ended; null while it is played */
  readonly end: Ending | null;
  /** all moves in notation; 1:-? is a hidden discard */
  readonly moves: string;
}

/** A card that was played. */
export interface Card {
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
}

/** How a round ended: with a paradox or without one (R19 to R27). */
export interface Ending {
  /** the points of this round, by seat */
  readonly scores: readonly number[];
  /** the seat that caused a paradox */
  readonly paradox: number | null;
  /** the hand of that seat */
  readonly hand: readonly number[];
  /** why it could not declare any of these cards */
  readonly reasons: readonly string[];
}

/** Who is to act, on which decision, and until when. */
export interface Turn {
  readonly type: "Turn";
  /** the number of the decision; send it back with an action */
  readonly turn: number;
  readonly to_act: readonly number[];
  /** by seat; null where no clock runs */
  readonly deadlines: readonly (number | null)[];
  /** the time bank of every seat */
  readonly bank: readonly number[];
}

/** Somebody wrote in the chat. */
export interface Spoken {
  readonly type: "Spoken";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly name: string;
  /** the name of a preset phrase, or a text */
  readonly text: string;
  /** whether it is a preset phrase */
  readonly preset: boolean;
  /** a time or a duration in milliseconds */
  readonly at: number;
}

/** What only you know of the round: your cards, and what you may do with them now (R33). */
export interface Own {
  readonly hand: readonly Held[];
  /** the rank that you discarded */
  readonly discard: number | null;
  /** your legal actions; empty if it is not your turn */
  readonly legal: readonly string[];
}

/** The cards of one rank in your hand, and the colors they could still be (R12, R13). */
export interface Held {
  /** a rank */
  readonly rank: number;
  readonly copies: number;
  /** colors by their letters, in this order: red, blue, yellow, green */
  readonly colors: string;
}

/** One event of the table, as a seat or a spectator sees it. */
export interface Frame {
  readonly type: "Frame";
  /** the number of events of the table so far */
  readonly version: number;
  /** a time or a duration in milliseconds */
  readonly at: number;
  /** the same for everybody */
  readonly news: readonly News[];
  /** your own cards, if they have changed; null for spectators */
  readonly own: Own | null;
  /** the id of your command that caused it; empty if it was not yours */
  readonly ack: string;
}

/** A game began; its secret was committed to before anybody took a seat. */
export interface GameBegan {
  readonly type: "GameBegan";
  /** the number of the game at this table, from 1 */
  readonly number: number;
  /** a seat, counted clockwise from 0 */
  readonly starter: number;
}

/** A round was dealt (R5). */
export interface RoundDealt {
  readonly type: "RoundDealt";
  /** the number of the round in its game, from 1 */
  readonly number: number;
  /** a seat, counted clockwise from 0 */
  readonly starter: number;
}

/** A seat discarded a card face down (R7). */
export interface CardDiscarded {
  readonly type: "CardDiscarded";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** A seat predicted its tricks (R8). */
export interface BidMade {
  readonly type: "BidMade";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly number: number;
}

/** A seat declared a card (R11). */
export interface CardPlayed {
  readonly type: "CardPlayed";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
}

/** A seat won a trick (R18). */
export interface TrickWon {
  readonly type: "TrickWon";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** A seat could not declare any card and showed its hand (R20, R22). */
export interface ParadoxShown {
  readonly type: "ParadoxShown";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly hand: readonly number[];
}

/** A round ended (R19, R21). */
export interface RoundOver {
  readonly type: "RoundOver";
  /** the points of this round, by seat */
  readonly scores: readonly number[];
}

/** The game ended (R3). */
export interface GameOver {
  readonly type: "GameOver";
  /** the points of all rounds, by seat */
  readonly totals: readonly number[];
  readonly winners: readonly number[];
}

/** A bot made the move that is announced next. */
export interface BotMoved {
  readonly type: "BotMoved";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** The time of a seat ran out; a bot makes this one move for it. */
export interface TimeOut {
  readonly type: "TimeOut";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** The last action of a seat was taken back. */
export interface TakenBack {
  readonly type: "TakenBack";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** A request to undo was refused, withdrawn or not answered in time. */
export interface UndoEnded {
  readonly type: "UndoEnded";
  /** the seat that refused or withdrew it; null: not answered in time */
  readonly seat: number | null;
}

/** The game is over and its secret public: with the commitment, every deal can be verified. */
export interface SecretShown {
  readonly type: "SecretShown";
  /** 64 hexadecimal digits, or empty */
  readonly secret: string;
  /** the commitment to the secret of the next game */
  readonly next_commitment: string;
}

/** A person left a seat, or was removed from it. */
export interface SeatLeft {
  readonly type: "SeatLeft";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly name: string;
  readonly kicked: boolean;
}

/** A command was carried out, now or when it was sent before. */
export interface Done {
  readonly type: "Done";
  readonly id: string;
  /** the number of events of the table so far */
  readonly version: number;
}

/** A command was refused, and why; nothing has changed. */
export interface Refused {
  readonly type: "Refused";
  readonly id: string;
  readonly code: string;
  /** the clause of the rules that decides, if one does */
  readonly clause: string;
  readonly message: string;
  /** how long to wait before sending it again; null: waiting does not help */
  readonly retry_ms: number | null;
}

/** Why an action is not legal now; code, clause and message are empty if it is. */
export interface Why {
  readonly type: "Why";
  /** the id of the question; empty over HTTP */
  readonly id: string;
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
  readonly code: string;
  readonly clause: string;
  readonly message: string;
}

/** The answer to a `Ping`. */
export interface Pong {
  readonly type: "Pong";
}

/** A heartbeat: nothing has happened for a while, and the connection is alive. */
export interface Beat {
  readonly type: "Beat";
  /** the server's clock */
  readonly at: number;
}

/** The last message on a connection, and why the server closes it. */
export interface Bye {
  readonly type: "Bye";
  /** a stable code for programs */
  readonly code: string;
  /** a sentence for people */
  readonly message: string;
}

/** A new secret token of 256 random bits. */
export interface Token {
  readonly token: string;
}

/** The tables in the lobby. */
export interface Tables {
  readonly tables: readonly Listed[];
}

/** A table in the lobby. */
export interface Listed {
  /** lobby, play, between or over */
  readonly stage: string;
  readonly players: number;
  /** the name of the face; empty: the default */
  readonly face: string;
  readonly clock: boolean;
  readonly spectators: boolean;
  /** names by seat; empty for a free seat */
  readonly seats: readonly string[];
  readonly people: number;
  /** the time of the last change, in milliseconds */
  readonly since: number;
  /** the key to play there, for use in paths */
  readonly table: string;
}

/** The table that a short code is for. */
export interface Invitation {
  /** the key to play there, for use in paths */
  readonly table: string;
}

/** A table was opened. */
export interface Opened {
  /** the key to play there, for use in paths; the same as links.play */
  readonly table: string;
  /** your seat */
  readonly seat: number | null;
  /** the commitment to the secret behind the deals */
  readonly commitment: string;
  readonly links: Links;
}

/** The links that you may share, each for one purpose. */
export interface Links {
  /** the id of the table, as in records; it gives no access */
  readonly id: string;
  /** the key of /t/KEY, to take a seat; null if your link is only for watching */
  readonly play: string | null;
  /** the key of /w/KEY, to watch; null without spectators */
  readonly watch: string | null;
  /** the latest finished games */
  readonly replays: readonly ReplayLink[];
  /**
   * a short code to type instead of a link to play; null unless the table is waiting for its game
   * to begin
   */
  readonly code: string | null;
}

/** The key to the record of a finished game, and to nothing else. */
export interface ReplayLink {
  /** the number of the game at its table, from 1 */
  readonly game: number;
  /** of /g/KEY, from the second game on /g/KEY.GAME */
  readonly key: string;
}

/** The table of a day: the best rows, and those around your own. */
export interface DayTable {
  /** a date in UTC, such as 2026-11-15 */
  readonly date: string;
  /** whether entries are accepted now */
  readonly open: boolean;
  /** how many there are in all */
  readonly entries: number;
  /** all results, the lowest first */
  readonly results: readonly DayResult[];
  /** by place; between two of them others may be left out */
  readonly rows: readonly DayRow[];
}

/** How many entries have so many points. */
export interface DayResult {
  readonly points: number;
  readonly entries: number;
}

/** A row of the table of a day. */
export interface DayRow {
  /** the number of the row, from 1 */
  readonly place: number;
  /** from 1; rows with the same points share a rank */
  readonly rank: number;
  readonly name: string;
  /** what a client draws a person's cat from; empty: no choice */
  readonly cat: string;
  readonly points: number;
  /** whether it is the entry of this token */
  readonly own: boolean;
}

/** A whole game: its record, and every position of it. */
export interface Replayed {
  /** the fields are described in docs/records.md */
  readonly record: { readonly [field: string]: unknown };
  readonly positions: readonly Position[];
}

/** A position of a game: the move that led to it, what everybody sees, what each seat holds. */
export interface Position {
  /** a seat and its action, such as 0:5b; empty after a deal */
  readonly move: string;
  /** null: the same as before */
  readonly game: GameShown | null;
  readonly round: RoundShown;
  readonly turn: Turn;
  /** what each seat knows, by seat */
  readonly own: readonly Own[];
}

/** The levels that are offered, the weakest first. */
export interface Levels {
  readonly levels: readonly LevelShown[];
}

/** A level of bots. */
export interface LevelShown {
  readonly name: string;
  /** how it plays */
  readonly sentence: string;
}

/** The addresses of this server; answered only to its own machine. */
export interface Addresses {
  /** URLs, the most likely one first */
  readonly addresses: readonly string[];
}

/** Whether the server accepts requests, and if not, why. */
export interface Health {
  readonly status: "closing" | "ok" | "starting" | "store";
}
