/**
 * The reviews that this browser keeps, under the keys of their games: a second visit shows one at once. Each carries the
 * version of the coach, and one of another version is made again. What a list of games shows is kept beside them, so
 * the list need not read them.
 */

import type { Review } from "../coach/review";
import { COACH } from "../engine/generated/rules";
import { compressed, expanded } from "../lib/compress";
import { keyOfText } from "./records";
import { accuracyShelf, reviewShelf } from "./review_shelves";
import type { Shelf } from "./shelf";

const MOST = 200; // reviews; one of four players has some 65 kB

/** How accurate every seat was; null for one that never had a choice. */
export type Accuracy = readonly (number | null)[];

interface KeptAccuracy {
  readonly coach: number;
  readonly at: number;
  readonly accuracy: Accuracy;
}

export class KeptReviews {
  readonly #reviews: Shelf;
  readonly #accuracies: Shelf;
  readonly #coach: number;

  constructor(reviews: Shelf, accuracies: Shelf, coach: number = COACH) {
    [this.#reviews, this.#accuracies, this.#coach] = [reviews, accuracies, coach];
  }

  /** The review of a record by this coach; null if there is none. */
  async find(text: string): Promise<Review | null> {
    try {
      const kept = (await this.#reviews.get(keyOfText(text))) as
        { coach?: unknown; review?: unknown } | undefined;
      if (kept?.coach !== this.#coach) return null;
      return JSON.parse(await expanded(kept.review)) as Review;
    } catch {
      return null; // damaged, or nothing can be kept: it is made again
    }
  }

  /** Keep a review; the oldest ones go when there are too many. Where nothing can be kept, it is not. */
  async keep(text: string, review: Review, at = Date.now()): Promise<void> {
    const [key, coach] = [keyOfText(text), this.#coach];
    try {
      await this.#reviews.put(key, { coach, review: await compressed(JSON.stringify(review)) });
      await this.#accuracies.put(key, { coach, at, accuracy: review.accuracy } satisfies KeptAccuracy);
      await this.#dropOldest();
    } catch {
      // A private window, or no room: the review is made again next time.
    }
  }

  /** How accurate the seats of all games were that this coach has reviewed, by the keys of the games. */
  async accuracies(): Promise<ReadonlyMap<string, Accuracy>> {
    const all = await this.#all();
    return new Map(
      all.flatMap(([key, { coach, accuracy }]) => (coach === this.#coach ? [[key, accuracy]] : [])),
    );
  }

  async #dropOldest(): Promise<void> {
    const all = await this.#all();
    const oldest = [...all].sort(([, one], [, other]) => other.at - one.at).slice(MOST);
    for (const [key] of oldest) await Promise.all([this.#reviews.drop(key), this.#accuracies.drop(key)]);
  }

  async #all(): Promise<readonly (readonly [string, KeptAccuracy])[]> {
    const found = await this.#accuracies.all().catch(() => new Map<string, unknown>());
    return [...found].flatMap(([key, value]) => (isAccuracy(value) ? [[key, value] as const] : []));
  }
}

function isAccuracy(value: unknown): value is KeptAccuracy {
  const { coach, at, accuracy } = (value ?? {}) as Partial<Record<keyof KeptAccuracy, unknown>>;
  if (typeof coach !== "number" || typeof at !== "number" || !Array.isArray(accuracy)) return false;
  return accuracy.every((one) => one === null || typeof one === "number");
}

/** The reviews of this browser. */
export const keptReviews = new KeptReviews(reviewShelf, accuracyShelf);
