/**
 * What is shown at the end of a round, as a state machine without timers and without a page:
 * the last cards, the paradox if there was one, the counting, after the last round the victory, and
 * whenever the player wants it the board.
 */

/** The end of one round. */
export interface End {
  /** Which round this is, of which game, at which table. */
  readonly id: string;
  readonly paradox: boolean;
  /** It was the last round of the game. */
  readonly final: boolean;
}

export type Screen = "paradox" | "counting" | "victory";

/** What the buttons below a screen can do. */
export interface AfterScreen {
  readonly screen: Screen;
  /** Show it once more. */
  readonly run: () => void;
  /** From the last counting to the victory. */
  readonly next: () => void;
}

export type RoundEnd =
  | { readonly at: "play" }
  /** The last cards are looked at. `due`: for long enough, but something lies over the table. */
  | { readonly at: "last-cards"; readonly end: End; readonly due: boolean; readonly seen: boolean }
  /** `again`: it was shown before, so it begins where it ended. */
  | { readonly at: Screen; readonly end: End; readonly again: boolean }
  /** Everything was put away to look at the board. */
  | { readonly at: "board"; readonly end: End };

export type RoundEndEvent =
  /** The round has ended; `seen`: this tab has shown it before, and was loaded again. */
  | { readonly kind: "ended"; readonly end: End; readonly seen: boolean }
  /** The next round was dealt, or a move was taken back. */
  | { readonly kind: "dealt" }
  /**
   * The last cards were looked at. A paradox that nobody has seen yet waits all the same: whoever reads the board
   * opens the box when they are ready. `covered`: a menu is open, which nothing may push aside.
   */
  | { readonly kind: "due"; readonly covered: boolean }
  | { readonly kind: "uncovered" }
  /** The main button of a screen, where the table does not go on by itself. */
  | { readonly kind: "next" }
  | { readonly kind: "close" }
  | { readonly kind: "open"; readonly screen: Screen };

export const PLAYING: RoundEnd = { at: "play" };

/** The state after an event; events that do not fit change nothing. */
export function stepRoundEnd(state: RoundEnd, event: RoundEndEvent): RoundEnd {
  if (event.kind === "dealt") return PLAYING;
  if (event.kind === "ended") return begin(state, event.end, event.seen);
  if (state.at === "play") return state;
  if (state.at === "last-cards") return fromLastCards(state, event);
  const { end } = state;
  switch (event.kind) {
    case "next":
      return afterScreen(state);
    case "close":
      return { at: "board", end };
    case "open":
      if (afterScreen(state).at === event.screen) return afterScreen(state);
      return possible(end, event.screen) ? { at: event.screen, end, again: true } : state;
    default:
      return state;
  }
}

function begin(state: RoundEnd, end: End, seen: boolean): RoundEnd {
  if (state.at !== "play" && state.end.id === end.id) return state;
  return { at: "last-cards", end, due: false, seen };
}

function fromLastCards(state: Extract<RoundEnd, { at: "last-cards" }>, event: RoundEndEvent): RoundEnd {
  const { end, due, seen } = state;
  if (event.kind === "open" && possible(end, event.screen)) return { at: event.screen, end, again: false };
  if (end.paradox && !seen) return state;
  if (event.kind === "due") return event.covered ? { ...state, due: true } : first(state);
  return event.kind === "uncovered" && due ? first(state) : state;
}

/** What comes by itself; anyone who loads the page again has seen the paradox, and how the points came. */
function first({ end, seen }: Extract<RoundEnd, { at: "last-cards" }>): RoundEnd {
  if (seen) return { at: end.final ? "victory" : "counting", end, again: true };
  return { at: "counting", end, again: false };
}

function afterScreen(state: RoundEnd): RoundEnd {
  if (state.at === "paradox") return { at: "counting", end: state.end, again: state.again };
  if (state.at === "counting" && state.end.final)
    return { at: "victory", end: state.end, again: state.again };
  return state;
}

/** The screen that is shown; null while cards or the board are looked at. */
export const screenOf = (state: RoundEnd): Screen | null =>
  state.at === "paradox" || state.at === "counting" || state.at === "victory" ? state.at : null;

/** Whether what is shown is as it was at its end. */
export const isAgain = (state: RoundEnd): boolean => "again" in state && state.again;

const possible = (end: End, screen: Screen): boolean =>
  screen === "counting" || (screen === "paradox" ? end.paradox : end.final);
