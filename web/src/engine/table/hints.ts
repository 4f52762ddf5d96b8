/** Hints: what the coach would do in a seat. Found in a moment first, then better for as long as somebody reads. */

import type { Analysis } from "../../coach/analysis";
import { Analyst, METHODS, type Limits } from "../coach/analyse";
import type { Engine } from "../module";
import type { Network } from "../network";
import { findNetwork, type FindNetwork } from "../networks";
import { drawnSeed } from "./chance";
import type { Sight } from "./sight";

/** What was found; `last`: it does not become better any more. */
export type TellHint = (found: Analysis, last: boolean) => void;

/** Say what to do, by what a seat may know. */
export type Advise = (sight: Sight, signal: AbortSignal, tell: TellHint) => Promise<void>;

/** One analysis after another, each larger. They have a time, or, for tests, a number of worlds. */
export interface Step extends Pick<Limits, "ms" | "worlds"> {
  /** How often what was found is told. */
  readonly everyMs: number;
  /** The network is waited for only so long. */
  readonly patienceMs: number;
}

/** The first answer is there within 300 ms. */
const STEPS: readonly Step[] = [
  { ms: 160, everyMs: Infinity, patienceMs: 60 },
  { ms: 4_000, everyMs: 700, patienceMs: Infinity },
];

export class Hints {
  readonly #analyst: Analyst;
  readonly #steps: readonly Step[];
  readonly #seed: () => bigint;
  readonly #network: FindNetwork;

  constructor(engine: Engine, { steps = STEPS, seed = drawnSeed, network = findNetwork }: HintParts = {}) {
    [this.#analyst, this.#steps, this.#seed, this.#network] = [new Analyst(engine), steps, seed, network];
  }

  readonly advise: Advise = async (sight, signal, tell) => {
    let worlds = 0;
    for (const step of this.#steps) {
      const { everyMs, patienceMs, ...limits } = step;
      const network = await within(patienceMs, this.#network(sight.players));
      /** A larger analysis begins with few worlds; until it has more than the last one, that one holds. */
      const found = (analysis: Analysis, last: boolean): void => {
        if (analysis.worlds <= worlds && !last) return;
        worlds = analysis.worlds;
        tell(analysis, last);
      };
      const better = { ms: everyMs, found: (analysis: Analysis) => found(analysis, false) };
      const given = { ...limits, seed: this.#seed(), method: METHODS.careful, signal, tell: better };
      found(await this.#analyst.analyse(sight, network, given), step === this.#steps.at(-1));
    }
  };
}

interface HintParts {
  readonly steps?: readonly Step[];
  readonly seed?: () => bigint;
  readonly network?: FindNetwork;
}

/** The network, if it is there in time. */
function within(ms: number, network: Promise<Network | null>): Promise<Network | null> {
  if (ms === Infinity) return network;
  return Promise.race([network, new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))]);
}
