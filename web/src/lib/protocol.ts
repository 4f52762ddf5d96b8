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

/** Say who is there; the first message on a line. */
export interface Hello {
  readonly type: "Hello";
  /** the secret token of a person; empty for a spectator without a name */
  readonly token: string;
  /**
   * the last version that was seen; what came after it is sent again
   * @default null
   */
  readonly version?: number | null;
}

/** Ask for something; it is answered by exactly one `Done` or `Refused` with the same id. */
export interface Do {
  readonly type: "Do";
  /** the sender's name for a command; sent again with it, it is not done again */
  readonly id: string;
  readonly command: ClientCommand;
}

/** Take an empty seat, the first one if none is named. */
export interface Sit {
  readonly type: "Sit";
  readonly name: string;
  /**
   * a seat, counted clockwise from 0
   * @default null
   */
  readonly seat?: number | null;
  /**
   * the person's part of the chance
   * @default ""
   */
  readonly nonce?: string;
}

/** Give the own seat up. */
export interface Leave {
  readonly type: "Leave";
}

/** Put a bot on an empty seat, or another one in a bot's place (host). */
export interface AddBot {
  readonly type: "AddBot";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly level: string;
}

/** Send a bot away (host). */
export interface RemoveBot {
  readonly type: "RemoveBot";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** Send a person away (host). */
export interface Kick {
  readonly type: "Kick";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** Let everybody who was sent away under a name sit down again (host). */
export interface Readmit {
  readonly type: "Readmit";
  readonly name: string;
}

/** Let another person arrange the table (host). */
export interface Host {
  readonly type: "Host";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** End the table for good (host); not while other people play. */
export interface Close {
  readonly type: "Close";
}

/** Begin the game (host); the starter is drawn by lot (R1). */
export interface Start {
  readonly type: "Start";
}

/**
 * Discard, bid or play. `turn` is the decision it answers: a late answer does no harm.
 *
 * A bot names the seat it acts for; a person acts for their own.
 */
export interface Act {
  readonly type: "Act";
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
  /**
   * the own seat, unless a bot acts
   * @default null
   */
  readonly seat?: number | null;
  /**
   * the `turn` of the last `Turn`
   * @default null
   */
  readonly turn?: number | null;
}

/** Go on to the next round. */
export interface Ready {
  readonly type: "Ready";
}

/** Play another game with the same people. */
export interface Rematch {
  readonly type: "Rematch";
  /**
   * 64 hexadecimal digits, or nothing
   * @default ""
   */
  readonly nonce?: string;
}

/** Say a preset phrase by its name, or a text. */
export interface Say {
  readonly type: "Say";
  readonly text: string;
  /**
   * whether it is a phrase
   * @default true
   */
  readonly preset?: boolean;
}

/** Stop the time. */
export interface Pause {
  readonly type: "Pause";
}

/** Let it go on. */
export interface Resume {
  readonly type: "Resume";
}

/** Ask to take back the own last action. */
export interface AskUndo {
  readonly type: "AskUndo";
}

/** Agree to somebody's request. */
export interface AgreeUndo {
  readonly type: "AgreeUndo";
}

/** Refuse somebody's request, or drop the own one. */
export interface RefuseUndo {
  readonly type: "RefuseUndo";
}

/** Ask why an action is not legal now; it is answered by a `Why`, or a `Refused`. */
export interface Ask {
  readonly type: "Ask";
  /** the sender's name for a command; sent again with it, it is not done again */
  readonly id: string;
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
}

/** Ask for a `Snapshot`: everything that may be known. */
export interface Resync {
  readonly type: "Resync";
}

/** Ask for a `Pong`, to see whether the line is alive. */
export interface Ping {
  readonly type: "Ping";
}

/** Open a table, perhaps sit down, bring bots and begin: all of it, or nothing. */
export interface OpenTable {
  readonly settings: WantedSettings;
  /**
   * sit down under this name; null: do not
   * @default null
   */
  readonly name?: string | null;
  /**
   * the own seat; null: the first free one
   * @default null
   */
  readonly seat?: number | null;
  /**
   * the own part of the chance, if one sits down
   * @default ""
   */
  readonly nonce?: string;
  /** @default [] */
  readonly bots?: readonly WantedBot[];
  /**
   * begin at once, which needs every seat taken
   * @default false
   */
  readonly start?: boolean;
}

/** The choices of a table; times are in milliseconds. */
export interface WantedSettings {
  readonly players: number;
  /**
   * a name, or the text of a face file; empty: the edition's first one
   * @default ""
   */
  readonly face?: string;
  /** @default "standard" */
  readonly edition?: string;
  /**
   * allow a face that is not printed for so many players
   * @default false
   */
  readonly house_rules?: boolean;
  /**
   * for every move; with bank_ms 0, too: no clock
   * @default 0
   */
  readonly move_ms?: number;
  /**
   * more for the whole game, once a move has taken longer
   * @default 0
   */
  readonly bank_ms?: number;
  /**
   * how long a person may be away before a bot covers the seat
   * @default 60000
   */
  readonly grace_ms?: number;
  /**
   * how long the end of a round is looked at
   * @default 30000
   */
  readonly look_ms?: number;
  /**
   * how long a request to take back waits for answers
   * @default 30000
   */
  readonly undo_ms?: number;
  /**
   * whether actions can be taken back
   * @default true
   */
  readonly undo?: boolean;
  /**
   * whether people may stop the time
   * @default true
   */
  readonly pause?: boolean;
  /**
   * nothing, phrases, or phrases and texts
   * @default "preset"
   */
  readonly chat?: "free" | "off" | "preset";
  /**
   * listed for everybody, or for those who know it
   * @default "link"
   */
  readonly visibility?: "link" | "open";
  /**
   * whether people may watch without a seat
   * @default true
   */
  readonly spectators?: boolean;
  /**
   * the bot that plays for people who are away or out of time
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

/** A command to a table, as the body of a POST. */
export interface CommandBody {
  /** the sender's name for a command; sent again with it, it is not done again */
  readonly id: string;
  readonly command: ClientCommand;
}

/** A record of a game, out of a file. */
export interface ToReplay {
  /** in either form (docs/records.md) */
  readonly record: string;
}

/** Everything an audience may know: for whoever comes, or comes back. */
export interface Snapshot {
  readonly type: "Snapshot";
  /** how many events there were at the table */
  readonly version: number;
  /** a time or a span of time in milliseconds */
  readonly at: number;
  readonly table: string;
  readonly settings: Settings;
  readonly seats: Seats;
  readonly room: Room;
  readonly game: GameShown | null;
  readonly round: RoundShown | null;
  readonly turn: Turn;
  readonly chat: readonly Spoken[];
  /** the own seat; null for spectators */
  readonly seat: number | null;
  readonly own: Own | null;
}

/** The choices of a table; times are in milliseconds. */
export interface Settings {
  readonly players: number;
  /** a name, or the text of a face file; empty: the edition's first one */
  readonly face: string;
  readonly edition: string;
  /** allow a face that is not printed for so many players */
  readonly house_rules: boolean;
  /** for every move; with bank_ms 0, too: no clock */
  readonly move_ms: number;
  /** more for the whole game, once a move has taken longer */
  readonly bank_ms: number;
  /** how long a person may be away before a bot covers the seat */
  readonly grace_ms: number;
  /** how long the end of a round is looked at */
  readonly look_ms: number;
  /** how long a request to take back waits for answers */
  readonly undo_ms: number;
  /** whether actions can be taken back */
  readonly undo: boolean;
  /** whether people may stop the time */
  readonly pause: boolean;
  /** nothing, phrases, or phrases and texts */
  readonly chat: "free" | "off" | "preset";
  /** listed for everybody, or for those who know it */
  readonly visibility: "link" | "open";
  /** whether people may watch without a seat */
  readonly spectators: boolean;
  /** the bot that plays for people who are away or out of time */
  readonly cover: string;
}

/** Who sits where. */
export interface Seats {
  readonly type: "Seats";
  readonly seats: readonly SeatShown[];
  /** the host's seat */
  readonly host: number | null;
}

/** Who sits in a seat, as everybody sees it. */
export interface SeatShown {
  readonly kind: "bot" | "empty" | "person";
  readonly name: string;
  readonly here: boolean;
  /** whether a bot plays for a person who is away */
  readonly covered: boolean;
}

/** Where the table stands: before a game, in a round, after one, after a game, or closed. */
export interface Room {
  readonly type: "Room";
  readonly stage: "between" | "closed" | "lobby" | "over" | "play";
  /** who wants to go on */
  readonly ready: readonly number[];
  /** who stopped the time */
  readonly paused: number | null;
  readonly undo: Request | null;
  /** to the secret of this game; after it, of the next one */
  readonly commitment: string;
}

/** A request to take back, and who has agreed. */
export interface Request {
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly agreed: readonly number[];
}

/** The game so far, apart from the round in play. */
export interface GameShown {
  readonly type: "GameShown";
  /** of the game at this table, from 1 */
  readonly number: number;
  readonly names: readonly string[];
  /** the research board, as a face file draws it */
  readonly face: string;
  readonly house_rules: readonly string[];
  /** of the first round */
  readonly starter: number;
  /** the number of the round, from 1 */
  readonly round: number;
  /** of the rounds that are over, by seat */
  readonly scores: readonly (readonly number[])[];
  readonly totals: readonly number[];
  readonly winners: readonly number[];
  /** 64 hexadecimal digits, or nothing */
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
  /** leads, or led, the current trick */
  readonly leader: number;
  /** whether red was declared, so that all may lead it */
  readonly red_open: boolean;
  /** the current trick, from the lead on */
  readonly trick: readonly Card[];
  /** whose card is winning the current trick */
  readonly winning: number | null;
  /** the last trick that was won */
  readonly last_trick: readonly Card[];
  /**
   * rows red, blue, yellow, green; in each a character for every rank from 1: '.' is an empty cell,
   * a digit the seat whose token lies there, '*' a neutral token
   */
  readonly board: readonly string[];
  /** the largest group of every seat */
  readonly groups: readonly number[];
  /** the color tokens every seat has left */
  readonly tokens: readonly string[];
  readonly hand_sizes: readonly number[];
  /** who has set a card aside */
  readonly discarded: readonly number[];
  readonly bids: readonly (number | null)[];
  /** tricks of every seat */
  readonly won: readonly number[];
  /** the open cards at two players */
  readonly turned_up: readonly number[];
  /** once the round is over */
  readonly end: Ending | null;
  /** everything that happened, in notation; 1:-? is a hidden discard */
  readonly moves: string;
}

/** A card on the table. */
export interface Card {
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  /** an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue */
  readonly action: string;
}

/** How a round ended, by a paradox or without one (R19 to R27). */
export interface Ending {
  /** of this round, by seat */
  readonly scores: readonly number[];
  /** who could declare nothing */
  readonly paradox: number | null;
  /** and the cards that were left */
  readonly hand: readonly number[];
  /** why none of them could be declared */
  readonly reasons: readonly string[];
}

/** Whose move is due, which decision it is, and until when. */
export interface Turn {
  readonly type: "Turn";
  /** to be given back with an action */
  readonly turn: number;
  readonly to_act: readonly number[];
  /** by seat; null where no clock runs */
  readonly deadlines: readonly (number | null)[];
  /** time left beyond each move, by seat */
  readonly bank: readonly number[];
}

/** Somebody said something. */
export interface Spoken {
  readonly type: "Spoken";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly name: string;
  /** the name of a phrase, or a text */
  readonly text: string;
  /** whether it is a phrase */
  readonly preset: boolean;
  /** a time or a span of time in milliseconds */
  readonly at: number;
}

/** What a seat alone knows of the round: its cards, and what it may do with them now (R33). */
export interface Own {
  readonly hand: readonly Held[];
  /** the card set aside */
  readonly discard: number | null;
  /** everything the seat may do now */
  readonly legal: readonly string[];
}

/** A rank in the own hand, how often, and the colors it could still be (R12, R13). */
export interface Held {
  /** a rank */
  readonly rank: number;
  readonly copies: number;
  /** letters of colors: red, blue, yellow, green */
  readonly colors: string;
}

/** What an audience learns of one event. */
export interface Frame {
  readonly type: "Frame";
  /** how many events there were at the table */
  readonly version: number;
  /** a time or a span of time in milliseconds */
  readonly at: number;
  /** the same for everybody */
  readonly news: readonly News[];
  /** the own cards if they are different; null for spectators */
  readonly own: Own | null;
  /** the id of the own command that led to this, or nothing */
  readonly ack: string;
}

/** A game began; its chance was committed to before anybody sat down. */
export interface GameBegan {
  readonly type: "GameBegan";
  /** of the game at this table, from 1 */
  readonly number: number;
  /** a seat, counted clockwise from 0 */
  readonly starter: number;
}

/** A round was dealt (R5). */
export interface RoundDealt {
  readonly type: "RoundDealt";
  /** of the round in its game, from 1 */
  readonly number: number;
  /** a seat, counted clockwise from 0 */
  readonly starter: number;
}

/** A seat set a card aside, unseen by others (R7). */
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

/** A seat could declare nothing and showed its hand (R20, R22). */
export interface ParadoxShown {
  readonly type: "ParadoxShown";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly hand: readonly number[];
}

/** A round ended (R19, R21). */
export interface RoundOver {
  readonly type: "RoundOver";
  /** of this round, by seat */
  readonly scores: readonly number[];
}

/** The game ended (R3). */
export interface GameOver {
  readonly type: "GameOver";
  /** of all rounds, by seat */
  readonly totals: readonly number[];
  readonly winners: readonly number[];
}

/** The next happening is a bot's doing. */
export interface BotMoved {
  readonly type: "BotMoved";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** A seat's time ran out; a bot makes this one move. */
export interface TimeOut {
  readonly type: "TimeOut";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** The last action of a seat did not happen. */
export interface TakenBack {
  readonly type: "TakenBack";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
}

/** A request to take back came to nothing. */
export interface UndoEnded {
  readonly type: "UndoEnded";
  /** who refused; null: nobody answered in time */
  readonly seat: number | null;
}

/** The game is over; whoever kept its commitment can check every deal. */
export interface SecretShown {
  readonly type: "SecretShown";
  /** 64 hexadecimal digits, or nothing */
  readonly secret: string;
  /** to the secret of the next game */
  readonly next_commitment: string;
}

/** Somebody gave up a seat, or had to. */
export interface SeatLeft {
  readonly type: "SeatLeft";
  /** a seat, counted clockwise from 0 */
  readonly seat: number;
  readonly name: string;
  readonly kicked: boolean;
}

/** A command was carried out, now or before. */
export interface Done {
  readonly type: "Done";
  readonly id: string;
  /** how many events there were at the table */
  readonly version: number;
}

/** A command was not carried out, and why; nothing has changed. */
export interface Refused {
  readonly type: "Refused";
  readonly id: string;
  readonly code: string;
  /** of the rules, where one decides */
  readonly clause: string;
  readonly message: string;
  /** after which the same may be sent again, where waiting helps */
  readonly retry_ms: number | null;
}

/** Why an action is not legal now; code, clause and message are empty if it is. */
export interface Why {
  readonly type: "Why";
  /** of the question; empty over HTTP */
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

/** Nothing has happened for a while, and the line is alive. */
export interface Beat {
  readonly type: "Beat";
  /** the server's clock */
  readonly at: number;
}

/** The last message on a line, and why it is the last. */
export interface Bye {
  readonly type: "Bye";
  /** for programs; stable */
  readonly code: string;
  /** for people */
  readonly message: string;
}

/** A new secret token: 256 bits of chance that nobody else knows. */
export interface Token {
  readonly token: string;
}

/** The tables that everybody may find. */
export interface Tables {
  readonly tables: readonly Listed[];
}

/** A table in the lobby. */
export interface Listed {
  /** lobby, play, between or over */
  readonly stage: string;
  readonly players: number;
  /** the face of the board by name; empty: the usual one */
  readonly face: string;
  readonly clock: boolean;
  readonly spectators: boolean;
  /** names by seat; empty for a free seat */
  readonly seats: readonly string[];
  readonly people: number;
  /** when it became so, in milliseconds */
  readonly since: number;
  /** the key to play there, for paths */
  readonly table: string;
}

/** A table was opened. */
export interface Opened {
  /** the key to play there, for paths; as links.play */
  readonly table: string;
  /** the own seat there */
  readonly seat: number | null;
  /** to the secret behind its deals */
  readonly commitment: string;
  readonly links: Links;
}

/** What the holder of a key may pass on, each for a purpose of its own. */
export interface Links {
  /** the table's name, as in records; it opens nothing */
  readonly id: string;
  /** the key of /t/KEY, to sit down; null with a link that is only for watching */
  readonly play: string | null;
  /** the key of /w/KEY, to watch; null without spectators */
  readonly watch: string | null;
  /** the games that are over, the last ones */
  readonly replays: readonly ReplayLink[];
}

/** The key to the record of a finished game, and to nothing else. */
export interface ReplayLink {
  /** its number at the table, from 1 */
  readonly game: number;
  /** of /g/KEY, from the second game on /g/KEY.GAME */
  readonly key: string;
}

/** A whole game: its record, and every position of it. */
export interface Replayed {
  /** docs/records.md has its fields */
  readonly record: { readonly [field: string]: unknown };
  readonly positions: readonly Position[];
}

/** A moment of a game: what led to it, what everybody sees, what each seat holds. */
export interface Position {
  /** a seat and its action, 0:5b; empty for a deal */
  readonly move: string;
  /** null: as before */
  readonly game: GameShown | null;
  readonly round: RoundShown;
  readonly turn: Turn;
  /** what each seat knows, by seat */
  readonly own: readonly Own[];
}

/** The bots that are offered, the gentlest first. */
export interface Levels {
  readonly levels: readonly LevelShown[];
}

/** How well a bot plays. */
export interface LevelShown {
  readonly name: string;
  /** what to expect of it */
  readonly sentence: string;
}

/** Where others find this server; told on its own machine only. */
export interface Addresses {
  /** http://…, the most likely first */
  readonly addresses: readonly string[];
}

/** Whether the server is alive, and whether it takes part. */
export interface Health {
  readonly status: "closing" | "ok" | "starting" | "store";
}
