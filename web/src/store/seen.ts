/** What this tab has shown already, so that it does not come by itself a second time. */

const NAME = "catinthebox.seen";
const MOST = 40;
let memory: readonly string[] = [];

function all(): readonly string[] {
  try {
    return JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as readonly string[];
  } catch {
    return memory;
  }
}

/** Whether something was shown, by its name. */
export const wasSeen = (name: string): boolean => all().includes(name);

/** Remember that it was; the oldest is forgotten first. */
export function see(name: string): void {
  memory = [...all().filter((one) => one !== name), name].slice(-MOST);
  try {
    sessionStorage.setItem(NAME, JSON.stringify(memory));
  } catch {
    // Where nothing may be kept, it is remembered as long as the page is.
  }
}

/** The end of a round, as something that is shown once. */
export const endOf = (table: string, game: number, round: number): string => `${table} ${game} ${round}`;
