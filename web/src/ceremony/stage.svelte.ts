/** What runs on the table at the end of a round: the counting or the paradox, and how far it has come. */

import type { Scene, Seat } from "../lib/scene";
import { countSteps, shownAfter, type Counted, type CountStep } from "./counting";
import { paradoxSteps, type ParadoxStep } from "./paradox";
import type { Screen } from "./round-end";
import { Show } from "./show.svelte";
import { play, type Sound } from "./sound/sound";

/** The sound of a step; most have none. */
const COUNT_SOUND: Readonly<Record<CountStep["part"], Sound | null>> = {
  tricks: "knock",
  group: "tick",
  stamp: "stamp",
  bar: null,
};
const PARADOX_SOUND: Readonly<Record<ParadoxStep["kind"], Sound | null>> = {
  dark: null,
  shake: "paradox", // it creaks, and opens
  open: null,
  card: "card",
  strike: "tick",
  verdict: "stamp",
};

const heard = (sound: Sound | null): void => {
  if (sound) play(sound);
};

export class Stage {
  readonly screen: Screen;
  readonly #counting: Show<CountStep>;
  readonly #paradox: Show<ParadoxStep>;

  constructor(screen: Screen, { result, paradox }: Scene) {
    this.screen = screen;
    this.#counting = new Show(result ? countSteps(result) : [], ({ part }) => heard(COUNT_SOUND[part]));
    this.#paradox = new Show(paradox ? paradoxSteps(paradox) : [], ({ kind }) => heard(PARADOX_SOUND[kind]));
  }

  /** What of each seat is counted. */
  readonly counted: ReadonlyMap<Seat, Counted> = $derived.by(() =>
    shownAfter(this.#counting.steps, this.#counting.count),
  );

  /** The seat whose group is counted now. */
  readonly now: Seat | null = $derived.by(() => {
    const { steps, count, running } = this.#counting;
    const step = running ? steps[count - 1] : undefined;
    return step?.part === "group" ? step.seat : null;
  });

  /** What has happened of the paradox. */
  readonly happened: readonly ParadoxStep[] = $derived.by(() =>
    this.#paradox.steps.slice(0, this.#paradox.count),
  );

  get running(): boolean {
    return this.#shows.some((show) => show.running);
  }

  /** Run from the beginning; `again`: be at the end at once. */
  start(again: boolean): void {
    for (const show of this.#shows) {
      if (again) show.finish();
      else show.start();
    }
  }

  finish(): void {
    for (const show of this.#shows) if (show.running) show.finish();
  }

  stop(): void {
    for (const show of this.#shows) show.stop();
  }

  get #shows(): readonly Show<CountStep | ParadoxStep>[] {
    const shows = { counting: [this.#counting], paradox: [this.#paradox], victory: [] };
    return shows[this.screen] as unknown as readonly Show<CountStep | ParadoxStep>[];
  }
}
