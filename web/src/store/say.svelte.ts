/** The page's one voice. Whatever happens is said once, as a whole sentence, in order. */

interface Sentence {
  readonly id: number;
  readonly text: string;
}

/** A region that has just moved into an open sheet is heard only after a moment. */
const SOON_MS = 150;
/** Long enough to be spoken; after that nobody should stumble over it. */
const STAY_MS = 10_000;

class Voice {
  said = $state.raw<readonly Sentence[]>([]);
  #count = 0;

  /** Say a sentence; the answer takes it back, as long as it has not been said. */
  say(text: string): () => void {
    if (!text) return () => undefined;
    const sentence = { id: (this.#count += 1), text };
    const timer = setTimeout(() => this.#speak(sentence), SOON_MS);
    return () => clearTimeout(timer);
  }

  #speak(sentence: Sentence): void {
    this.said = [...this.said, sentence];
    setTimeout(() => (this.said = this.said.filter((one) => one !== sentence)), STAY_MS);
  }
}

export const voice = new Voice();

export const say = (text: string): (() => void) => voice.say(text);
